#include "geste/proximity/internal/edge_checker.hpp"

#include <algorithm>
#include <bit>

#include "geste/core/index.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {

using namespace internal;

namespace {

/// An open part is cut once in any case, and goes to the exact stage as soon as that is not too
/// much work, but after so many cuts whatever it is.
constexpr int kMostCuts = 4;
constexpr int kLittleWork = 8;
/// Pairs with a mesh of more triangles and no hull are as much work as kLittleWork others.
constexpr std::size_t kManyTriangles = 20'000;
/// m; places in lanes are off by less.
constexpr double kPlaceRounding = 1e-3;

}  // namespace

EdgeChecker::EdgeChecker(const ValidatorScene& world)
    : world_(world),
      inputs_(world.scene, world.lanes),
      prover_(world.proof),
      workspace_(world.scene) {
  const LaneScene& lanes = world.lanes.lanes;
  rake_.inputs.resize(at(lanes.inputs));
  rake_.local.resize(at(lanes.posed));
  rake_.acceleration.resize(at(lanes.chain_entries));
  rake_.rounding.resize(lanes.clusters.size());
  memory_.frames.resize(lanes.movers.size());
  memory_.sines.resize(at(lanes.angles));
  memory_.cosines.resize(at(lanes.angles));
  memory_.swept.resize(lanes.balls.size());
  memory_.swept_in.resize(lanes.balls.size());
  memory_.open_objects.resize(world.model.objects().size());
  memory_.relative.resize(3 * lanes.balls.size());
  memory_.relative_in.resize(lanes.balls.size());
  siblings_.assign(world.model.objects().size(), 1);
  for (const LaneModel::Cluster& cluster : world.lanes.clusters) {
    for (const int i : cluster.objects)
      siblings_[at(i)] = static_cast<double>(cluster.objects.size());
  }
  for (int k = 0; k < kRake; ++k) {
    for (int r = 0; r < 9; ++r)
      memory_.frames[0].R[r].x[k] = static_cast<float>(world.lanes.R_AW(r / 3, r % 3));
    for (int r = 0; r < 3; ++r) memory_.frames[0].p[r].x[k] = 0;
  }
}

void EdgeChecker::run_rake(bool keep) {
  const LaneModel& model = world_.lanes;
  rake_.open = rake_.touching = 0;
  rake_.hits.clear();
  rake_.left.clear();
  place_rake(model.lanes, rake_, memory_);
  if (!model.uses_tree) check_blocks(model.lanes, keep, rake_, memory_);
  for (std::size_t c = 0; model.uses_tree && c < model.clusters.size() && is_open(); ++c) {
    find_targets(static_cast<int>(c));
    check_cluster(model.lanes, static_cast<int>(c), targets_.data(), targets_.size(), keep, rake_,
                  memory_);
  }
  if (is_open()) check_pairs(model.lanes, keep, rake_, memory_);
}

/// Whether there is more to ask of the rake.
bool EdgeChecker::is_open() const {
  return rake_.intervals != 0 && (rake_.touching == 0 || rake_.is_points);
}

/// Obstacles whose boxes meet that of the cluster's way.
void EdgeChecker::find_targets(int c) {
  const LaneModel& model = world_.lanes;
  const std::vector<float>& margins = model.clusters[at(c)].margins;
  targets_.clear();
  // The foot of a crane stands among everything, and nothing of it is asked.
  if (margins.empty()) return;
  const LaneBox box = find_box(model.lanes, rake_, memory_, c);
  const double margin = world_.model.largest_margin();
  AxisBox around;
  around.min = Vec3(box.low[0], box.low[1], box.low[2]).array() - margin;
  around.max = Vec3(box.high[0], box.high[1], box.high[2]).array() + margin;
  model.obstacle_tree.find(around, stack_, [&](int j) {
    if (margins[at(j)] >= 0) targets_.push_back({j, margins[at(j)]});
    return false;
  });
}

void EdgeChecker::set_trace(EdgeTrace* trace) {
  trace_ = trace;
  prover_.set_sweep_counts(trace ? &trace->sweeps : nullptr);
}

EdgeAnswer EdgeChecker::check_edge(ConstVecRef q0, ConstVecRef q1, Course course, EdgeBegin begin) {
  is_prover_set_ = false;
  const EdgeAnswer answer = find_answer(q0, q1, course, begin);
  if (trace_) {
    ++trace_->edges;
    trace_->exact += is_prover_set_;
  }
  return answer;
}

EdgeAnswer EdgeChecker::find_answer(ConstVecRef q0, ConstVecRef q1, Course course,
                                    EdgeBegin begin) {
  inputs_.set_edge(q0, q1, course, rake_);
  // The lanes know nothing of mechanisms that leave the way.
  if (prover_.may_stray()) return check_straying(q0, q1, course);
  answer_ = {.is_free = true};
  begin_ = begin;
  q0_ = q0;
  q1_ = q1;
  course_ = course;
  const LaneModel::Cluster* only = find_only_mover();
  if (only && !passes_looks(*only)) return answer_;
  undecided_.clear();
  undecided_pairs_.clear();
  open_.assign(1, {0, 1});
  for (int cut = 0; !open_.empty(); ++cut) {
    next_.clear();
    for (std::size_t k = 0; k < open_.size(); k += 2) {
      const std::size_t count = std::min<std::size_t>(2, open_.size() - k);
      if (!prove_parts({open_.data() + k, count}, cut)) return answer_;
      if (cut == 0 && !begins_outside()) return answer_;
    }
    std::swap(open_, next_);
  }
  if (prove_undecided()) prove_by_tables();
  return answer_;
}

EdgeAnswer EdgeChecker::check_straying(ConstVecRef q0, ConstVecRef q1, Course course) {
  is_prover_set_ = true;
  const MotionProof proof =
      prover_.prove(q0, q1, course, {.touch = world_.options.touch, .accuracy = 1});
  if (proof.is_free()) return {.is_free = true};
  if (proof.broken) return {.is_free = false, .touches_at = proof.broken->at};
  const MotionContact& contact = *proof.contact;
  return {false, contact.at, contact.pair.object_a, contact.pair.object_b};
}

const LaneModel::Cluster* EdgeChecker::find_only_mover() const {
  const LaneModel::Cluster* only = nullptr;
  for (const LaneModel::Cluster& cluster : world_.lanes.clusters) {
    if (!inputs_.leg().moves(object(cluster.objects.front()).mover)) continue;
    if (only) return nullptr;
    only = &cluster;
  }
  return only;
}

/// To look at the triangles of one body takes one or two microseconds; to find the same contact
/// while proving the way takes fifty times that. Arms have too many links for it, and most of what
/// they hit is found by their balls.
bool EdgeChecker::passes_looks(const LaneModel::Cluster& cluster) {
  // Most ways of planners that touch do so at their end.
  constexpr double kLooks[] = {1, 1 / 2., 1 / 4., 3 / 4., 1 / 8., 5 / 8., 3 / 8., 7 / 8.};
  for (const double s : kLooks) {
    place(s);
    if (!is_clear_of_obstacles(cluster, s)) return false;
  }
  return true;
}

/// At the poses in workspace_, which are those at s. CollisionSearch would tell the same; it keeps
/// a tree of what moves and a memory of what it found, which made searches a quarter slower.
bool EdgeChecker::is_clear_of_obstacles(const LaneModel::Cluster& cluster, double s) {
  const CollisionModel& model = world_.model;
  for (const int i : cluster.objects) {
    const CollisionObject& o = object(i);
    const AxisBox box = place_box(workspace_.X_WM()[at(o.mover)] * o.X_MO, o.collider.box());
    const bool is_hit =
        model.fixed().find(inflate(box, model.largest_margin()), stack_, [&](int j) {
          if (model.rule(o.body, object(j).body) != PairRule::checked) return false;
          const ProofPair pair{std::min(i, j), std::max(i, j),
                               model.margin(o.body, object(j).body)};
          return collide(pair, workspace_.X_WM()) && !answer(s, pair);
        });
    if (is_hit) return false;
  }
  return true;
}

PairTable::Line EdgeChecker::make_line(const PairTable& table) const {
  PairTable::Line line;
  for (std::size_t k = 0; k < table.axes().size(); ++k) {
    const PairTable::Axis& axis = table.axes()[k];
    line.start[k] = q0_[axis.q];
    line.rate[k] = inputs_.leg().velocity()[axis.v];
  }
  return line;
}

bool EdgeChecker::prove_by_tables() {
  undecided_.clear();
  undecided_pairs_.clear();
  for (const LaneModel::TablePair& t : world_.lanes.tables) {
    next_.clear();
    t.table->find_open(make_line(*t.table), {}, next_);
    for (const Part& part : next_) set_aside(part, t.pairs);
  }
  return prove_undecided();
}

/// Until the whole way was looked at: a contact somewhere else makes the proof of a part needless.
void EdgeChecker::set_aside(const Part& part, std::span<const ProofPair> pairs) {
  const std::size_t first = undecided_pairs_.size();
  undecided_pairs_.insert(undecided_pairs_.end(), pairs.begin(), pairs.end());
  undecided_.push_back({part, first, undecided_pairs_.size()});
}

bool EdgeChecker::prove_undecided() {
  if (undecided_.empty()) return true;
  const auto pairs_of = [&](const Undecided& u) {
    return std::span(undecided_pairs_).subspan(u.first, u.last - u.first);
  };
  // A look before any proof: where a way leads into something it is still there at a part's end.
  for (const Undecided& u : undecided_) {
    place(u.part.end);
    for (const ProofPair& pair : pairs_of(u)) {
      if (collide(pair, workspace_.X_WM())) return answer(u.part.end, pair);
    }
  }
  return std::all_of(undecided_.begin(), undecided_.end(),
                     [&](const Undecided& u) { return prove_exactly(u.part, pairs_of(u)); });
}

/// Links of many shapes count once: all but the nearest of them are told apart by their balls.
bool EdgeChecker::is_little_work() const {
  double work = 0;
  for (const ProofPair& pair : pairs_) {
    const auto is_large = [&](int i) {
      const Collider& c = object(i).collider;
      return c.mesh() && !c.hull() && c.mesh()->mesh().triangles.size() > kManyTriangles;
    };
    const bool is_slow = is_large(pair.a) || is_large(pair.b);
    work += is_slow ? kLittleWork : 1.0 / (siblings_[at(pair.a)] * siblings_[at(pair.b)]);
  }
  return work <= kLittleWork;
}

bool EdgeChecker::prove_parts(std::span<const Part> parts, int cut) {
  const int each = kRake / static_cast<int>(parts.size());
  rake_.is_points = false;
  rake_.intervals = 0;
  rake_.samples = kAllLanes;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const int first = static_cast<int>(p) * each;
    const double step = (parts[p].end - parts[p].begin) / (each - 1);
    for (int k = 0; k < each; ++k) {
      const int lane = first + k;
      lane_at_[lane] = k + 1 == each ? parts[p].end : parts[p].begin + k * step;
      s_.x[lane] = static_cast<float>(lane_at_[lane]);
      const bool is_interval = k + 1 < each;
      rake_.sag.x[lane] = is_interval ? static_cast<float>(step * step / 8 * (1 + 1e-6)) : 0;
      rake_.intervals |= is_interval ? 1u << lane : 0;
    }
  }
  inputs_.fill(s_, rake_);
  run_rake(cut > 0);
  if (rake_.touching) {
    const LaneFinding& hit = rake_.hits.front();
    answer_hit(hit, lane_at_[std::countr_zero(hit.lanes)]);
    return false;
  }
  // Neighbouring lanes that are open become one part.
  for (unsigned open = rake_.open; open != 0;) {
    const int first = std::countr_zero(open), length = std::countr_one(open >> first);
    const unsigned lanes = ((1u << length) - 1) << first;
    open &= ~lanes;
    if (cut > 0) collect_pairs(lanes);
    if (cut == kMostCuts || (cut > 0 && is_little_work())) {
      set_aside({lane_at_[first], lane_at_[first + length]}, pairs_);
      continue;
    }
    for (int k = first; k < first + length; ++k) next_.push_back({lane_at_[k], lane_at_[k + 1]});
  }
  return true;
}

void EdgeChecker::add_pairs(const LaneFinding& f) {
  const LaneModel& model = world_.lanes;
  const auto add = [&](int i, int j) {
    pairs_.push_back(
        {std::min(i, j), std::max(i, j), world_.model.margin(object(i).body, object(j).body)});
  };
  for (const int i : model.clusters[at(f.cluster)].objects) {
    if (!f.is_pair) {
      add(i, model.lanes.obstacles[at(f.other)].object);
      continue;
    }
    for (const int j : model.clusters[at(f.other)].objects) add(i, j);
  }
}

/// Pairs once each: an obstacle may have come in several boxes.
void EdgeChecker::collect_pairs(unsigned lanes) {
  pairs_.clear();
  for (const LaneFinding& f : rake_.left) {
    if (f.lanes & lanes) add_pairs(f);
  }
  const auto key = [](const ProofPair& p) { return std::pair(p.a, p.b); };
  std::sort(pairs_.begin(), pairs_.end(),
            [&](const ProofPair& x, const ProofPair& y) { return key(x) < key(y); });
  pairs_.erase(
      std::unique(pairs_.begin(), pairs_.end(),
                  [&](const ProofPair& x, const ProofPair& y) { return key(x) == key(y); }),
      pairs_.end());
}

bool EdgeChecker::prove_exactly(const Part& part, std::span<const ProofPair> pairs) {
  if (!is_prover_set_) {
    prover_.set_leg(q0_, q1_, course_, {.touch = world_.options.touch, .accuracy = 1});
    is_prover_set_ = true;
  }
  if (part.begin == 0 && begin_ == EdgeBegin::unknown) {
    compute_kinematics(world_.scene, q0_, workspace_);
    for (const ProofPair& pair : pairs) {
      if (collide(pair, workspace_.X_WM())) return answer(0, pair);
    }
  }
  const auto contact = prover_.find_contact(part.begin, part.end, pairs);
  return !contact || answer(contact->at, contact->pair);
}

/// Where everything is on the way, in workspace_.
void EdgeChecker::place(double s) {
  q_ = q0_;
  inputs_.leg().interpolate(s, q_);
  compute_kinematics(world_.scene, q_, workspace_);
}

/// Always false: the edge is not free.
bool EdgeChecker::answer(double s, const ProofPair& pair) {
  answer_ = {false, s, pair.a, pair.b};
  return false;
}

/// Names the objects of the two that collide.
void EdgeChecker::answer_hit(const LaneFinding& hit, double s) {
  pairs_.clear();
  add_pairs(hit);
  answer(s, pairs_.front());
  if (pairs_.size() == 1) return;
  place(s);
  for (const ProofPair& pair : pairs_) {
    if (!collide(pair, workspace_.X_WM())) continue;
    answer(s, pair);
    return;
  }
}

bool EdgeChecker::collide(const ProofPair& pair, std::span<const Pose> X_WM) {
  const CollisionObject &a = object(pair.a), &b = object(pair.b);
  const Pose X_AB = (X_WM[at(a.mover)] * a.X_MO).inverse() * (X_WM[at(b.mover)] * b.X_MO);
  return comes_within(a.collider, b.collider, X_AB, pair.margin, scratch_);
}

/// Where the cluster's top ball is.
Vec3 EdgeChecker::get_centre(int cluster, int lane) const {
  const SweptBall& ball = memory_.swept[at(world_.lanes.lanes.clusters[at(cluster)].first_ball)];
  return {ball.place[0].x[lane], ball.place[1].x[lane], ball.place[2].x[lane]};
}

/// Whether one may be wholly inside the other without meeting its balls.
bool EdgeChecker::may_hide(const HidingPlace& place, int lane) const {
  const LaneModel& model = world_.lanes;
  const Vec3 p = get_centre(place.cluster, lane);
  const double radius = model.clusters[at(place.cluster)].radius;
  if (place.is_pair) {
    const double other = model.clusters[at(place.other)].radius;
    return (get_centre(place.other, lane) - p).norm() <= std::max(radius, other) + kPlaceRounding;
  }
  const CollisionObject& o = object(place.other);
  const AxisBox box = inflate(o.collider.box(), kPlaceRounding);
  const Vec3 seen = o.X_MO.inverse() * (model.R_AW.transpose() * p);
  const bool is_within =
      (seen.array() >= box.min.array()).all() && (seen.array() <= box.max.array()).all();
  if (is_within) return true;
  // Where the ball holds the obstacle, that is smaller, and its box nearer to the centre than the
  // radius.
  return box.extent() <= 2 * (radius + kPlaceRounding) &&
         (seen - seen.cwiseMax(box.min).cwiseMin(box.max)).norm() <= radius + kPlaceRounding;
}

bool EdgeChecker::is_hidden(int lane, ConstVecRef q) {
  bool is_placed = false;
  for (const HidingPlace& place : world_.lanes.hiding) {
    const bool is_far =
        !place.is_pair && (get_centre(place.cluster, lane) - place.centre).squaredNorm() >
                              place.within * place.within;
    if (!is_far && is_hidden(place, lane, q, is_placed)) return true;
  }
  if (world_.lanes.hiding_tree.empty()) return false;
  for (std::size_t c = 0; c < world_.lanes.clusters.size(); ++c) {
    const LaneModel::Cluster& cluster = world_.lanes.clusters[c];
    const Vec3 p = get_centre(static_cast<int>(c), lane);
    const AxisBox around = inflate({p, p}, cluster.radius + kPlaceRounding);
    const bool is_found = world_.lanes.hiding_tree.find(around, stack_, [&](int i) {
      return cluster.hides[at(i)] && is_hidden({static_cast<int>(c), i, false}, lane, q, is_placed);
    });
    if (is_found) return true;
  }
  return false;
}

bool EdgeChecker::is_hidden(const HidingPlace& place, int lane, ConstVecRef q, bool& is_placed) {
  if (!may_hide(place, lane)) return false;
  if (!is_placed) compute_kinematics(world_.scene, q, workspace_);
  is_placed = true;
  pairs_.clear();
  if (place.is_pair) {
    add_pairs({place.cluster, place.other, true, 0});
  } else {
    for (const int i : world_.lanes.clusters[at(place.cluster)].objects)
      pairs_.push_back({std::min(i, place.other), std::max(i, place.other), 0});
  }
  for (const ProofPair& pair : pairs_) {
    if (!collide(pair, workspace_.X_WM())) continue;
    answer(0, pair);
    return true;
  }
  return false;
}

bool EdgeChecker::begins_outside() { return begin_ == EdgeBegin::free || !is_hidden(0, q0_); }

void EdgeChecker::check(const Validator::Columns& q, Eigen::Index first,
                        std::span<ConfigurationAnswer> answers) {
  const int count = static_cast<int>(answers.size());
  const std::vector<LaneModel::Cluster>& clusters = world_.lanes.clusters;
  if (clusters.size() == 1) {
    for (int k = 0; k < count; ++k) {
      compute_kinematics(world_.scene, q.col(first + k), workspace_);
      const bool is_free = is_clear_of_obstacles(clusters.front(), 0);
      answers[at(k)] = {is_free, is_free ? -1 : answer_.object_a, is_free ? -1 : answer_.object_b};
    }
    return;
  }
  rake_.intervals = rake_.samples = (1u << count) - 1;
  inputs_.set_points(q.middleCols(first, count), rake_);
  run_rake(true);
  for (int lane = 0; lane < count; ++lane) answers[at(lane)] = judge(lane, q.col(first + lane));
}

ConfigurationAnswer EdgeChecker::judge(int lane, ConstVecRef q) {
  const unsigned bit = 1u << lane;
  q0_ = q1_ = q;
  course_ = Course::straight;
  if (rake_.touching & bit) {
    inputs_.leg().set(q, q, Course::straight);
    for (const LaneFinding& hit : rake_.hits) {
      if (hit.lanes & bit) answer_hit(hit, 0);
    }
    return {false, answer_.object_a, answer_.object_b};
  }
  if (rake_.open & bit) {
    collect_pairs(bit);
    compute_kinematics(world_.scene, q, workspace_);
    for (const ProofPair& pair : pairs_) {
      if (collide(pair, workspace_.X_WM())) return {false, pair.a, pair.b};
    }
  }
  inputs_.leg().set(q, q, Course::straight);
  for (const LaneModel::TablePair& t : world_.lanes.tables) {
    next_.clear();
    t.table->find_open(make_line(*t.table), {0, 0}, next_);
    if (next_.empty()) continue;
    compute_kinematics(world_.scene, q, workspace_);
    for (const ProofPair& pair : t.pairs) {
      if (collide(pair, workspace_.X_WM())) return {false, pair.a, pair.b};
    }
  }
  if (is_hidden(lane, q)) return {false, answer_.object_a, answer_.object_b};
  return {true};
}

}  // namespace geste
