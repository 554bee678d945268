#include "geste/proximity/internal/lane_builder.hpp"

#include <algorithm>
#include <bit>

#include "geste/core/overloaded.hpp"
#include "geste/core/parallel.hpp"
#include "geste/geometry/cover_boxes.hpp"
#include "geste/proximity/internal/mover_chain.hpp"

namespace geste {
namespace {

using namespace internal;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Fewer obstacles than this are looked at one by one, a mesh in up to so many boxes as one.
constexpr std::size_t kFewObstacles = 24;
constexpr std::size_t kFewBoxes = 64;
/// Meshes among the obstacles are boxes about half as large as what moves, within these sizes, m,
/// and no more than so many.
constexpr double kSmallestBox = 0.01;
constexpr double kLargestBox = 0.08;
constexpr std::size_t kMostBoxes = 20'000;

float round_out(double x) { return std::nextafter(static_cast<float>(x), 1e30f); }

void copy(const Mat3& R, std::array<float, 9>& out) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out[at(3 * r + c)] = static_cast<float>(R(r, c));
  }
}
void copy(const Vec3& p, std::array<float, 3>& out) {
  for (int k = 0; k < 3; ++k) out[at(k)] = static_cast<float>(p[k]);
}

/// Axis and sense where the vector lies along an axis; -1 where it does not.
int find_axis(const Vec3& axis, float& sense) {
  for (int k = 0; k < 3; ++k) {
    const double across = std::max(std::abs(axis[(k + 1) % 3]), std::abs(axis[(k + 2) % 3]));
    if (!(across < 1e-9)) continue;
    sense = axis[k] > 0 ? 1.0f : -1.0f;
    return k;
  }
  return -1;
}

void set_rotation(const Mat3& R, LaneMover& m) {
  copy(R, m.R0);
  m.permutes = true;
  for (int k = 0; k < 3; ++k) {
    float sign = 1;
    const int row = find_axis(R.col(k), sign);
    m.permutes = m.permutes && row >= 0;
    m.column[at(k)] = std::max(row, 0);
    m.sign[at(k)] = sign;
  }
}

LaneMover make_turn(int parent, const Mat3& R0, const Vec3& axis, const Vec3& p) {
  LaneMover m;
  m.kind = LaneMover::Kind::turn;
  m.parent = parent;
  set_rotation(R0, m);
  m.aligned = find_axis(axis, m.sense);
  const Mat3 K =
      (Mat3() << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0).finished();
  copy(Mat3(R0 * K), m.R1);
  copy(Mat3(R0 * K * K), m.R2);
  copy(p, m.p);
  return m;
}

class Builder {
 public:
  Builder(const ProofScene& world, LaneStore& store, int threads)
      : world_(world), scene_(world.scene), model_(world.model), store_(store), threads_(threads) {}

  LaneModel build() {
    align();
    add_movers();
    gather_clusters();
    add_balls();
    add_obstacles();
    add_targets();
    add_pairs();
    make_tables();
    return std::move(out_);
  }

 private:
  LaneScene& lanes() { return out_.lanes; }
  [[nodiscard]] const CollisionObject& object(int i) const { return model_.objects()[at(i)]; }
  [[nodiscard]] bool is_fixed(const CollisionObject& o) const { return o.mover == 0; }

  /// Turns the lanes' world so that most obstacles stand along its axes.
  void align() {
    std::vector<std::pair<Mat3, int>> groups;
    for (const CollisionObject& o : model_.objects()) {
      if (!is_fixed(o) || !o.collider.primitive()) continue;
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
        return is_permutation(g.first.transpose() * o.X_MO.R, 1e-6);
      });
      if (same != groups.end()) {
        ++same->second;
      } else if (groups.size() < 64) {
        groups.push_back({o.X_MO.R, 1});
      }
    }
    const auto most =
        std::max_element(groups.begin(), groups.end(),
                         [](const auto& x, const auto& y) { return x.second < y.second; });
    if (most != groups.end()) out_.R_AW = most->first.transpose();
  }

  static bool is_permutation(const Mat3& R, double tolerance) {
    return ((R.cwiseAbs().array() - 0.5).abs() - 0.5).abs().maxCoeff() <= tolerance;
  }

  void add_movers() {
    const std::vector<Mover>& movers = scene_.movers();
    out_.lane_mover.assign(movers.size(), 0);
    lanes().movers.resize(1);
    // Angles come first among the inputs.
    std::vector<LaneModel::Input> slides;
    std::vector<std::size_t> sliding;
    for (std::size_t i = 1; i < movers.size(); ++i) {
      const Mover& m = movers[i];
      const int parent = out_.lane_mover[at(m.parent)];
      const auto add_angle = [&](LaneMover lane, int k) {
        lane.row = static_cast<int>(out_.inputs.size());
        out_.inputs.push_back({m.q + k, m.v + k, true});
        lanes().movers.push_back(lane);
      };
      if (m.carried) {
        LaneMover lane;
        lane.parent = parent;
        set_rotation(m.X_PJ.R, lane);
        copy(m.X_PJ.p, lane.p);
        lanes().movers.push_back(lane);
      } else if (m.type == JointType::revolute || m.type == JointType::continuous) {
        add_angle(make_turn(parent, m.X_PJ.R, m.axis, m.X_PJ.p), 0);
      } else if (m.type == JointType::universal) {
        add_angle(make_turn(parent, m.X_PJ.R, m.axis, m.X_PJ.p), 0);
        const int first = static_cast<int>(lanes().movers.size()) - 1;
        add_angle(make_turn(first, Mat3::Identity(), m.axis2, Vec3::Zero()), 1);
      } else if (m.type == JointType::prismatic) {
        LaneMover lane;
        lane.kind = LaneMover::Kind::slide;
        lane.parent = parent;
        lane.row = static_cast<int>(slides.size());
        set_rotation(m.X_PJ.R, lane);
        copy(m.X_PJ.p, lane.p);
        copy(m.u1, lane.u);
        sliding.push_back(lanes().movers.size());
        slides.push_back({m.q, m.v, false});
        lanes().movers.push_back(lane);
      } else {
        LaneMover lane;
        lane.kind = LaneMover::Kind::posed;
        lane.parent = parent;
        lane.row = static_cast<int>(out_.posed.size());
        out_.posed.push_back(static_cast<int>(i));
        lanes().movers.push_back(lane);
      }
      out_.lane_mover[i] = static_cast<int>(lanes().movers.size()) - 1;
    }
    lanes().angles = static_cast<int>(out_.inputs.size());
    for (const std::size_t k : sliding) lanes().movers[k].row += lanes().angles;
    out_.inputs.insert(out_.inputs.end(), slides.begin(), slides.end());
    lanes().inputs = static_cast<int>(out_.inputs.size());
    lanes().posed = static_cast<int>(out_.posed.size());
  }

  [[nodiscard]] bool has_same_rules(BodyId x, BodyId y) const {
    for (std::size_t b = 0; b < scene_.bodies().size(); ++b) {
      const BodyId other(static_cast<int>(b));
      if (other == x || other == y) continue;
      const bool checked = model_.rule(x, other) == PairRule::checked;
      if (checked != (model_.rule(y, other) == PairRule::checked)) return false;
      if (checked && model_.margin(x, other) != model_.margin(y, other)) return false;
    }
    return true;
  }

  [[nodiscard]] int depth(int mover) const {
    int n = 0;
    for (; mover != 0; mover = scene_.movers()[at(mover)].parent) ++n;
    return n;
  }

  /// Objects of one mover about which the same is asked; the farthest down the chains first.
  void gather_clusters() {
    std::vector<LaneModel::Cluster>& clusters = out_.clusters;
    for (const int i : model_.moving()) {
      const CollisionObject& o = object(i);
      const auto same = std::find_if(clusters.begin(), clusters.end(), [&](const auto& c) {
        const CollisionObject& first = object(c.objects.front());
        return first.mover == o.mover &&
               (first.body == o.body || has_same_rules(first.body, o.body));
      });
      if (same != clusters.end()) {
        same->objects.push_back(i);
      } else {
        clusters.emplace_back().objects.push_back(i);
      }
    }
    std::stable_sort(clusters.begin(), clusters.end(), [&](const auto& x, const auto& y) {
      return depth(object(x.objects.front()).mover) > depth(object(y.objects.front()).mover);
    });
  }

  LaneStore::Key make_key(const LaneModel::Cluster& cluster) const {
    LaneStore::Key key;
    const auto add = [&](double x) { key.push_back(std::bit_cast<std::uint64_t>(x)); };
    for (const int i : cluster.objects) {
      const CollisionObject& o = object(i);
      key.push_back(o.collider.primitive() ? o.collider.primitive()->index() : 99);
      if (o.collider.mesh()) {
        key.push_back(reinterpret_cast<std::uintptr_t>(o.collider.mesh()->shared_mesh().get()));
      } else {
        std::visit(
            Overloaded{[&](const Sphere& s) { add(s.radius); },
                       [&](const Capsule& s) { add(s.radius), add(s.length); },
                       [&](const Box& s) { add(s.size.x()), add(s.size.y()), add(s.size.z()); },
                       [&](const Cylinder& s) { add(s.radius), add(s.length); },
                       [&](const Cone& s) { add(s.radius), add(s.length); },
                       [&](const Torus& s) { add(s.radius), add(s.tube_radius); },
                       [&](const HullShape& s) {
                         key.push_back(reinterpret_cast<std::uintptr_t>(s.get()));
                       }},
            *o.collider.primitive());
      }
      for (int k = 0; k < 3; ++k) add(o.X_MO.p[k]);
      for (int k = 0; k < 9; ++k) add(o.X_MO.R(k / 3, k % 3));
    }
    return key;
  }

  void make_trees(std::vector<std::shared_ptr<const SphereTree>>& trees) {
    const std::vector<LaneModel::Cluster>& clusters = out_.clusters;
    parallel_for(clusters.size(), threads_, [&](std::size_t k) {
      const auto known = store_.entries.find(make_key(clusters[k]));
      if (known != store_.entries.end()) {
        trees[k] = known->second.tree;
        return;
      }
      std::vector<PlacedCollider> shapes;
      for (const int i : clusters[k].objects)
        shapes.push_back({&object(i).collider, object(i).X_MO});
      trees[k] = std::make_shared<const SphereTree>(make_sphere_tree(shapes));
    });
    for (std::size_t k = 0; k < clusters.size(); ++k) {
      LaneStore::Entry entry{{}, trees[k]};
      for (const int i : clusters[k].objects) entry.shapes.push_back(object(i).collider);
      store_.entries.try_emplace(make_key(clusters[k]), std::move(entry));
    }
  }

  void add_balls() {
    std::vector<std::shared_ptr<const SphereTree>> trees(out_.clusters.size());
    make_trees(trees);
    // A body without any triangle has nothing to be held against.
    for (std::size_t k = out_.clusters.size(); k-- > 0;) {
      if (!trees[k]->balls.empty()) continue;
      trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(k));
      out_.clusters.erase(out_.clusters.begin() + static_cast<std::ptrdiff_t>(k));
    }
    for (std::size_t k = 0; k < trees.size(); ++k) {
      const SphereTree& tree = *trees[k];
      holes_.push_back(tree.hole);
      LaneModel::Cluster& cluster = out_.clusters[k];
      cluster.centre = tree.balls[0].centre;
      cluster.radius = tree.balls[0].radius;
      const int first = static_cast<int>(lanes().balls.size());
      const int mover = object(cluster.objects.front()).mover;
      lanes().clusters.push_back(
          {out_.lane_mover[at(mover)], first, static_cast<int>(tree.balls.size())});
      double inner = 0;
      for (const CoverBall& b : tree.balls) {
        LaneBall ball{};
        for (int c = 0; c < 3; ++c) ball.centre[c] = static_cast<float>(b.centre[c]);
        ball.radius = round_out(b.radius * (1 + 1e-6));
        ball.inner = static_cast<float>(b.inner * (1 - 1e-6));
        ball.first_child = b.first_child + first;
        ball.children = b.children;
        lanes().balls.push_back(ball);
        inner = std::max(inner, b.inner);
      }
      inners_.push_back(inner);
      add_chain(tree, mover, cluster);
    }
  }

  /// Arms of the joints above a cluster: its own joint sees its balls, the next ones a ball about
  /// the origin of the mover below.
  void add_chain(const SphereTree& tree, int mover, LaneModel::Cluster& cluster) {
    lanes().accelerations.push_back(lanes().chain_entries);
    double far = 0;
    for (const CoverBall& b : tree.balls) {
      if (b.children == 0) far = std::max(far, b.centre.norm() + b.radius);
    }
    far = std::min(far, tree.balls[0].centre.norm() + tree.balls[0].radius);
    const auto turns = [](const Mover& m) {
      return !m.carried && (m.type == JointType::revolute || m.type == JointType::continuous);
    };
    Vec3 offset = Vec3::Zero();
    for (int i = mover; i != 0; i = scene_.movers()[at(i)].parent) {
      const Mover& m = scene_.movers()[at(i)];
      double arm = offset.norm() + far;
      if (turns(m) && i == mover) {
        arm = 0;
        for (const CoverBall& b : tree.balls) {
          if (b.children == 0) arm = std::max(arm, m.axis.cross(b.centre).norm() + b.radius);
        }
      } else if (turns(m)) {
        arm = m.axis.cross(offset).norm() + far;
      }
      cluster.chain.push_back({i, arm});
      far += offset.norm();
      offset = m.X_PJ.p;
    }
    cluster.reach = far + offset.norm();
    lanes().chain_entries += static_cast<int>(cluster.chain.size()) + 1;
  }

  void add_box(const Pose& X_WB, const Vec3& half, double radius, const Vec3* inner_half,
               double inner_radius, int object_index) {
    LaneObstacle o{};
    const Vec3 centre = out_.R_AW * X_WB.p;
    Mat3 R = out_.R_AW * X_WB.R;
    Vec3 h = half, inner = inner_half ? *inner_half : Vec3(Vec3::Zero());
    o.is_aligned = is_permutation(R, 1e-6);
    if (o.is_aligned) {
      const Mat3 swap = R.cwiseAbs().array().round();
      // What the small turn moves is added, and taken off inside.
      const double turned = (R.cwiseAbs() - swap).norm() * half.norm();
      h = swap * h + Vec3::Constant(turned);
      inner = (swap * inner - Vec3::Constant(turned)).cwiseMax(0);
      R.setIdentity();
    }
    const double pad = 4e-7 * (h.maxCoeff() + centre.cwiseAbs().maxCoeff());
    for (int k = 0; k < 3; ++k) {
      o.centre[k] = static_cast<float>(centre[k]);
      o.half[k] = round_out(h[k] + pad);
      o.inner_half[k] = static_cast<float>(std::max(0.0, inner[k] - pad));
      for (int j = 0; j < 3; ++j) o.R[3 * k + j] = static_cast<float>(R(j, k));
    }
    o.radius = round_out(radius);
    // A solid thinner than rounding has no inside.
    const bool has_inside = inner_half && (inner_radius > pad || inner.minCoeff() > pad);
    o.inner_radius = has_inside ? static_cast<float>(std::max(0.0, inner_radius - pad)) : -1;
    o.object = object_index;
    lanes().obstacles.push_back(o);
  }

  void add_obstacles() {
    std::size_t fixed = 0;
    for (std::size_t i = 0; i < model_.objects().size(); ++i) {
      const CollisionObject& o = object(static_cast<int>(i));
      if (!is_fixed(o)) continue;
      add_obstacle(o, static_cast<int>(i));
      ++fixed;
    }
    out_.uses_tree = fixed > kFewObstacles || has_many_boxes_;
    if (!out_.uses_tree) return;
    for (std::size_t i = 0; i < lanes().obstacles.size(); ++i) {
      if (gates_.contains(static_cast<int>(i))) continue;
      const LaneObstacle& o = lanes().obstacles[i];
      Vec3 centre, half;
      for (int k = 0; k < 3; ++k) {
        centre[k] = o.centre[k];
        half[k] = o.radius;
        for (int j = 0; j < 3; ++j)
          half[k] += o.is_aligned ? (j == k ? o.half[k] : 0) : std::abs(o.R[3 * j + k]) * o.half[j];
      }
      half *= 1 + 1e-6;
      out_.obstacle_tree.insert({centre - half, centre + half}, static_cast<int>(i));
    }
  }

  [[nodiscard]] double find_box_size() const {
    double smallest = kLargestBox;
    for (const LaneModel::Cluster& c : out_.clusters) smallest = std::min(smallest, c.radius / 2);
    return std::max(smallest, kSmallestBox);
  }

  void add_obstacle(const CollisionObject& o, int index) {
    if (const MeshTree* mesh = o.collider.mesh()) {
      const std::vector<OrientedBox> boxes = make_cover_boxes(*mesh, find_box_size(), kMostBoxes);
      if (boxes.empty()) return;
      has_many_boxes_ = has_many_boxes_ || boxes.size() > kFewBoxes;
      gates_[static_cast<int>(lanes().obstacles.size())] = static_cast<int>(boxes.size());
      for (const OrientedBox& whole : make_cover_boxes(*mesh, kInfinity, 1))
        add_box(o.X_MO * whole.X, whole.half, 0, nullptr, 0, index);
      for (const OrientedBox& box : boxes) add_box(o.X_MO * box.X, box.half, 0, nullptr, 0, index);
      return;
    }
    const auto add = [&](const Vec3& half, double radius, const Vec3& inner, double inner_radius) {
      add_box(o.X_MO, half, radius, &inner, inner_radius, index);
    };
    std::visit(
        Overloaded{[&](const Sphere& s) { add(Vec3::Zero(), s.radius, Vec3::Zero(), s.radius); },
                   [&](const Capsule& s) {
                     const Vec3 core(0, 0, s.length / 2);
                     add(core, s.radius, core, s.radius);
                   },
                   [&](const Box& s) { add(s.size / 2, 0, s.size / 2, 0); },
                   [&](const Cylinder& s) {
                     const double in = s.radius * std::sqrt(0.5);
                     add({s.radius, s.radius, s.length / 2}, 0, {in, in, s.length / 2}, 0);
                   },
                   [&](const Cone& s) {
                     add_box(o.X_MO, {s.radius, s.radius, s.length / 2}, 0, nullptr, 0, index);
                   },
                   [&](const Torus& s) {
                     add_box(o.X_MO, {s.radius, s.radius, 0}, s.tube_radius, nullptr, 0, index);
                   },
                   [&](const HullShape&) {
                     const AxisBox& box = o.collider.box();
                     add_box(o.X_MO * Pose::translation(box.centre()), box.size() / 2, 0, nullptr,
                             0, index);
                   }},
        *o.collider.primitive());
  }

  /// The radius of a ball that is known to be inside a primitive.
  static double find_inner_radius(const PrimitiveShape& shape) {
    return std::visit(Overloaded{[](const Sphere& s) { return s.radius; },
                                 [](const Capsule& s) { return s.radius; },
                                 [](const Box& s) { return s.size.minCoeff() / 2; },
                                 [](const Cylinder& s) { return std::min(s.radius, s.length / 2); },
                                 [](const auto&) { return 0.0; }},
                      shape);
  }

  /// A cluster in a closed mesh, or an obstacle in a cluster: small enough to be within, and
  /// without a ball that would meet the cluster's.
  [[nodiscard]] bool may_hide(std::size_t cluster, const CollisionObject& o) const {
    if (o.collider.mesh() && o.collider.mesh()->is_closed()) return true;
    if (o.collider.box().extent() > 2 * out_.clusters[cluster].radius) return false;
    const double inner = o.collider.primitive() ? find_inner_radius(*o.collider.primitive()) : 0;
    return inner < holes_[cluster];
  }

  void add_targets() {
    for (std::size_t k = 0; k < out_.clusters.size(); ++k) {
      LaneModel::Cluster& cluster = out_.clusters[k];
      const BodyId body = object(cluster.objects.front()).body;
      std::vector<bool> hides(model_.objects().size());
      std::vector<float> margins(lanes().obstacles.size(), -1);
      for (std::size_t j = 0; j < lanes().obstacles.size(); ++j) {
        const int i = lanes().obstacles[j].object;
        const CollisionObject& o = object(i);
        if (model_.rule(body, o.body) != PairRule::checked) continue;
        const auto gate = gates_.find(static_cast<int>(j));
        cluster.targets.push_back({static_cast<int>(j), round_out(model_.margin(body, o.body)),
                                   gate == gates_.end() ? 0 : gate->second});
        margins[j] = cluster.targets.back().margin;
        if (may_hide(k, o) && !hides[at(i)]) out_.hiding.push_back({static_cast<int>(k), i, false});
        hides[at(i)] = true;
      }
      out_.target_margins.push_back(std::move(margins));
    }
  }

  /// Two with few joints between them; the table itself is made later.
  bool add_table(int a, int b) {
    const auto axes =
        PairTable::find_axes(scene_, object(out_.clusters[at(a)].objects.front()).mover,
                             object(out_.clusters[at(b)].objects.front()).mover);
    if (!axes) return false;
    LaneModel::TablePair table;
    for (const int i : out_.clusters[at(a)].objects) {
      for (const int j : out_.clusters[at(b)].objects)
        table.pairs.push_back(
            {std::min(i, j), std::max(i, j), model_.margin(object(i).body, object(j).body)});
    }
    out_.tables.push_back(std::move(table));
    axes_.push_back(*axes);
    table_keys_.push_back(make_table_key(a, b, *axes, out_.tables.back().pairs.front().margin));
    return true;
  }

  LaneStore::Key make_table_key(int a, int b, const std::vector<PairTable::Axis>& axes,
                                double margin) const {
    LaneStore::Key key = make_key(out_.clusters[at(a)]);
    key.push_back(out_.clusters[at(a)].objects.size());
    const LaneStore::Key other = make_key(out_.clusters[at(b)]);
    key.insert(key.end(), other.begin(), other.end());
    const auto add = [&](double x) { key.push_back(std::bit_cast<std::uint64_t>(x)); };
    for (const PairTable::Axis& axis : axes) add(axis.low), add(axis.high);
    add(margin);
    // The joints between them.
    const int mover_a = object(out_.clusters[at(a)].objects.front()).mover,
              mover_b = object(out_.clusters[at(b)].objects.front()).mover;
    climb_to_common(scene_.movers(), mover_a, mover_b, [&](int mover, bool is_above_a) {
      const Mover& m = scene_.movers()[at(mover)];
      for (int k = 0; k < 9; ++k) add(m.X_PJ.R(k / 3, k % 3));
      for (int k = 0; k < 3; ++k) add(m.X_PJ.p[k]), add(m.axis[k]);
      add(m.carried ? -1 : m.q);
      add(m.v);
      add(static_cast<double>(m.type));
      add(is_above_a ? 1 : 0);
    });
    return key;
  }

  void make_tables() {
    parallel_for(out_.tables.size(), threads_, [&](std::size_t k) {
      LaneModel::TablePair& table = out_.tables[k];
      const auto known = store_.tables.find(table_keys_[k]);
      table.table = known != store_.tables.end()
                        ? known->second.table
                        : std::make_shared<const PairTable>(world_, table.pairs, axes_[k]);
    });
    for (std::size_t k = 0; k < out_.tables.size(); ++k) {
      LaneStore::TableEntry entry{{}, out_.tables[k].table};
      for (const ProofPair& pair : out_.tables[k].pairs) {
        entry.shapes.push_back(object(pair.a).collider);
        entry.shapes.push_back(object(pair.b).collider);
      }
      store_.tables.try_emplace(table_keys_[k], std::move(entry));
    }
  }

  void add_pairs() {
    lanes().accelerations.push_back(lanes().chain_entries);
    const int n = static_cast<int>(out_.clusters.size());
    for (int a = 0; a < n; ++a) {
      for (int b = a + 1; b < n; ++b) {
        const CollisionObject &x = object(out_.clusters[at(a)].objects.front()),
                              &y = object(out_.clusters[at(b)].objects.front());
        if (model_.rule(x.body, y.body) != PairRule::checked) continue;
        if (model_.rigid_mover(x.mover) == model_.rigid_mover(y.mover)) continue;
        if (add_table(a, b)) continue;
        LanePair pair{.a = a, .b = b, .margin = round_out(model_.margin(x.body, y.body))};
        const int common = climb_to_common(
            scene_.movers(), x.mover, y.mover,
            [&](int, bool is_above_a) { ++(is_above_a ? pair.steps_a : pair.steps_b); });
        pair.common = out_.lane_mover[at(common)];
        lanes().pairs.push_back(pair);
        if (inners_[at(a)] < holes_[at(b)] || inners_[at(b)] < holes_[at(a)])
          out_.hiding.push_back({a, b, true});
      }
    }
  }

  const ProofScene& world_;
  const Scene& scene_;
  const CollisionModel& model_;
  LaneStore& store_;
  int threads_;
  LaneModel out_;
  std::map<int, int> gates_;  ///< boxes about whole meshes, and how many boxes follow
  bool has_many_boxes_ = false;
  std::vector<double> holes_;                       ///< by cluster
  std::vector<std::vector<PairTable::Axis>> axes_;  ///< by table
  std::vector<LaneStore::Key> table_keys_;
  std::vector<double> inners_;  ///< by cluster: radius of the largest ball that is inside
};

}  // namespace

LaneModel make_lane_model(const ProofScene& world, LaneStore& store, int threads) {
  return Builder(world, store, threads).build();
}

Pose place_posed(const Mover& m, const double* q) {
  const Mat3& R0 = m.X_PJ.R;
  switch (m.type) {
    case JointType::planar:
      return {Mat3(R0 * Pose::rotation(m.axis, q[2]).R),
              Vec3(m.X_PJ.p + R0 * (q[0] * m.u1 + q[1] * m.u2))};
    case JointType::spherical:
      return {Mat3(R0 * Eigen::Map<const Quat>(q).toRotationMatrix()), m.X_PJ.p};
    case JointType::free:
      return {Mat3(R0 * Eigen::Map<const Quat>(q + 3).toRotationMatrix()),
              Vec3(m.X_PJ.p + R0 * Eigen::Map<const Vec3>(q))};
    default:
      return m.X_PJ;
  }
}

}  // namespace geste
