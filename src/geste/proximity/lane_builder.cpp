#include "geste/proximity/internal/lane_builder.hpp"

#include <algorithm>
#include <bit>

#include "geste/core/index.hpp"
#include "geste/core/overloaded.hpp"
#include "geste/core/parallel.hpp"
#include "geste/model/mover_chain.hpp"

namespace geste {
namespace {

using namespace internal;

/// Up to so many obstacles are looked at eight at a time, more by a tree.
constexpr std::size_t kFewObstacles = 128;
/// Meshes among the obstacles are boxes about half as large as what moves, within these sizes, m.
constexpr double kSmallestBox = 0.01;
constexpr double kLargestBox = 0.08;

class Builder {
 public:
  Builder(const ProofScene& world, LaneStore& store, int threads)
      : world_(world), scene_(world.scene), model_(world.model), store_(store), threads_(threads) {}

  LaneModel build() {
    out_.R_AW = find_alignment(model_);
    add_lane_movers(scene_, out_);
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
    gather_feet();
    std::stable_sort(clusters.begin(), clusters.end(), [&](const auto& x, const auto& y) {
      return depth(object(x.objects.front()).mover) > depth(object(y.objects.front()).mover);
    });
  }

  /// What a mechanism stands on with a part of its own is a cluster as well: its links are always
  /// near to it, and pairs of clusters have tables.
  void gather_feet() {
    std::vector<bool> has_links(scene_.actors().size());
    for (const int i : model_.moving()) {
      const ActorId actor = scene_.body(object(i).body).actor;
      if (actor.valid()) has_links[actor.index()] = true;
    }
    BodyId last;
    for (std::size_t i = 0; i < model_.objects().size(); ++i) {
      const CollisionObject& o = model_.objects()[i];
      const ActorId actor = scene_.body(o.body).actor;
      if (o.mover != 0 || !actor.valid() || !has_links[actor.index()]) continue;
      if (o.body != last) out_.clusters.emplace_back();
      last = o.body;
      out_.clusters.back().objects.push_back(static_cast<int>(i));
    }
  }

  LaneStore::Key make_key(std::span<const int> objects) const {
    LaneStore::Key key;
    const auto add = [&](double x) { key.push_back(std::bit_cast<std::uint64_t>(x)); };
    for (const int i : objects) {
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
      const auto known = store_.trees.find(make_key(clusters[k].objects));
      if (known != store_.trees.end()) {
        trees[k] = known->second.made;
        return;
      }
      std::vector<PlacedCollider> shapes;
      for (const int i : clusters[k].objects)
        shapes.push_back({&object(i).collider, object(i).X_MO});
      trees[k] = std::make_shared<const SphereTree>(make_sphere_tree(shapes));
    });
    for (std::size_t k = 0; k < clusters.size(); ++k) {
      LaneStore::Entry<SphereTree> entry{{}, trees[k]};
      for (const int i : clusters[k].objects) entry.shapes.push_back(object(i).collider);
      store_.trees.try_emplace(make_key(clusters[k].objects), std::move(entry));
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
      cluster.radius = tree.balls[0].radius;
      const int first = static_cast<int>(lanes().balls.size());
      const int mover = object(cluster.objects.front()).mover;
      lanes().clusters.push_back({.mover = out_.lane_mover[at(mover)], .first_ball = first});
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

  void add_obstacles() {
    std::vector<bool> is_clustered(model_.objects().size());
    for (const LaneModel::Cluster& c : out_.clusters) {
      for (const int i : c.objects) is_clustered[at(i)] = true;
    }
    add_lane_obstacles(model_, is_clustered, find_box_size(), out_);
    out_.uses_tree = lanes().obstacles.size() > kFewObstacles;
    if (!out_.uses_tree) return;
    for (std::size_t i = 0; i < lanes().obstacles.size(); ++i)
      out_.obstacle_tree.insert(compute_box(lanes().obstacles[i]), static_cast<int>(i));
  }

  [[nodiscard]] double find_box_size() const {
    double smallest = kLargestBox;
    for (const LaneModel::Cluster& c : out_.clusters) smallest = std::min(smallest, c.radius / 2);
    return std::max(smallest, kSmallestBox);
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
      const BodyId body = object(out_.clusters[k].objects.front()).body;
      std::vector<bool> hides(model_.objects().size());
      std::vector<float> margins(lanes().obstacles.size(), -1);
      for (std::size_t j = 0; j < lanes().obstacles.size(); ++j) {
        const int i = lanes().obstacles[j].object;
        const CollisionObject& o = object(i);
        if (model_.rule(body, o.body) != PairRule::checked) continue;
        margins[j] = round_out(model_.margin(body, o.body));
        hides[at(i)] = hides[at(i)] || may_hide(k, o);
      }
      if (out_.uses_tree) {
        const bool is_held =
            std::any_of(margins.begin(), margins.end(), [](float m) { return m >= 0; });
        if (is_held) out_.clusters[k].margins = std::move(margins);
        out_.clusters[k].hides = std::move(hides);
      } else {
        add_blocks(margins, lanes().clusters[k]);
        add_hiding(static_cast<int>(k), hides);
      }
    }
    if (out_.uses_tree) add_hiding_tree();
  }

  void add_hiding(int cluster, const std::vector<bool>& hides) {
    for (std::size_t i = 0; i < hides.size(); ++i) {
      if (!hides[i]) continue;
      const AxisBox box = place_object(static_cast<int>(i));
      constexpr double kRounding = 1e-3;
      out_.hiding.push_back(
          {cluster, static_cast<int>(i), false, box.centre(),
           box.size().norm() / 2 + out_.clusters[at(cluster)].radius + kRounding});
    }
  }

  void add_hiding_tree() {
    for (std::size_t i = 0; i < model_.objects().size(); ++i) {
      const auto hides = [&](const LaneModel::Cluster& c) { return c.hides[i]; };
      if (std::any_of(out_.clusters.begin(), out_.clusters.end(), hides))
        out_.hiding_tree.insert(place_object(static_cast<int>(i)), static_cast<int>(i));
    }
  }

  /// A fixed object's box in the lanes' world.
  [[nodiscard]] AxisBox place_object(int i) const {
    const CollisionObject& o = object(i);
    return place_box(Pose{out_.R_AW, Vec3::Zero()} * o.X_MO, o.collider.box());
  }

  void add_blocks(const std::vector<float>& margins, LaneCluster& cluster) {
    int lane = kRake;
    cluster.first_block = static_cast<int>(lanes().blocks.size());
    for (std::size_t j = 0; j < margins.size(); ++j) {
      if (margins[j] < 0) continue;
      if (lane == kRake) {
        lanes().blocks.emplace_back();
        ++cluster.blocks;
        lane = 0;
      }
      LaneBlock& block = lanes().blocks.back();
      const AxisBox box = inflate(compute_box(lanes().obstacles[j]), margins[j]);
      for (int k = 0; k < 3; ++k) {
        block.low[k].x[lane] = -round_out(-box.min[k]);
        block.high[k].x[lane] = round_out(box.max[k]);
      }
      block.targets[lane] = {static_cast<int>(j), margins[j]};
      block.filled |= 1u << lane++;
    }
  }

  /// Two with few joints between them; the table itself is made later.
  bool add_table(std::span<const int> a, std::span<const int> b) {
    const int mover_a = object(a.front()).mover, mover_b = object(b.front()).mover;
    const auto axes = PairTable::find_axes(scene_, mover_a, mover_b);
    if (!axes) return false;
    LaneModel::TablePair table;
    for (const int i : a) {
      for (const int j : b)
        table.pairs.push_back(
            {std::min(i, j), std::max(i, j), model_.margin(object(i).body, object(j).body)});
    }
    out_.tables.push_back(std::move(table));
    axes_.push_back(*axes);
    first_movers_.push_back(mover_a);
    table_keys_.push_back(make_table_key(a, b, *axes, out_.tables.back().pairs.front().margin));
    return true;
  }

  LaneStore::Key make_table_key(std::span<const int> a, std::span<const int> b,
                                const std::vector<PairTable::Axis>& axes, double margin) const {
    LaneStore::Key key = make_key(a);
    key.push_back(a.size());
    const LaneStore::Key other = make_key(b);
    key.insert(key.end(), other.begin(), other.end());
    const auto add = [&](double x) { key.push_back(std::bit_cast<std::uint64_t>(x)); };
    for (const PairTable::Axis& axis : axes) add(axis.low), add(axis.high);
    add(margin);
    // The joints between them.
    climb_to_common(scene_.movers(), object(a.front()).mover, object(b.front()).mover,
                    [&](int mover, bool is_above_a) {
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
      table.table =
          known != store_.tables.end()
              ? known->second.made
              : std::make_shared<const PairTable>(world_, table.pairs, first_movers_[k], axes_[k]);
    });
    for (std::size_t k = 0; k < out_.tables.size(); ++k) {
      LaneStore::Entry<PairTable> entry{{}, out_.tables[k].table};
      for (const ProofPair& pair : out_.tables[k].pairs) {
        entry.shapes.push_back(object(pair.a).collider);
        entry.shapes.push_back(object(pair.b).collider);
      }
      store_.tables.try_emplace(table_keys_[k], std::move(entry));
    }
    drop_never_colliding();
  }

  /// Within the limits, which hold for what is planned and not for what follows.
  void drop_never_colliding() {
    if (!model_.options().use_reach) return;
    const auto stays_within = [&](const PairTable::Axis& axis) {
      const JointId joint = scene_.movers()[at(axis.mover)].joint;
      return axis.wraps || scene_.joint(joint).role == JointRole::independent;
    };
    std::vector<LaneModel::TablePair> kept;
    for (std::size_t k = 0; k < out_.tables.size(); ++k) {
      LaneModel::TablePair& t = out_.tables[k];
      if (t.table->is_whole() && std::all_of(axes_[k].begin(), axes_[k].end(), stays_within))
        out_.never_colliding.insert(out_.never_colliding.end(), t.pairs.begin(), t.pairs.end());
      else
        kept.push_back(std::move(t));
    }
    out_.tables.swap(kept);
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
        if (add_table(out_.clusters[at(a)].objects, out_.clusters[at(b)].objects)) continue;
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
  std::vector<double> holes_;                       ///< by cluster
  std::vector<std::vector<PairTable::Axis>> axes_;  ///< by table
  std::vector<int> first_movers_;                   ///< likewise
  std::vector<LaneStore::Key> table_keys_;
  std::vector<double> inners_;  ///< by cluster: radius of the largest ball that is inside
};

}  // namespace

LaneModel make_lane_model(const ProofScene& world, LaneStore& store, int threads) {
  return Builder(world, store, threads).build();
}

}  // namespace geste
