#include "geste/planning/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/planning/internal/space_loops.hpp"

namespace geste {
namespace {

/// How far the shapes that a joint moves reach from its child's frame, at rest.
double measure_reach(const Scene& scene, const CollisionModel& model, JointId joint,
                     const Workspace& workspace) {
  const auto& movers = scene.movers();
  int root = 0;
  for (std::size_t m = 1; m < movers.size(); ++m)
    if (movers[m].joint == joint) root = static_cast<int>(m);
  const auto hangs_on = [&](int m) {
    while (m != 0 && m != root) m = movers[at(m)].parent;
    return m == root;
  };
  double squared = 0;
  for (const CollisionObject& o : model.objects()) {
    if (o.mover == 0 || !hangs_on(o.mover)) continue;
    const Pose X_RO =
        workspace.X_WM()[at(root)].inverse() * (workspace.X_WM()[at(o.mover)] * o.X_MO);
    const auto& box = o.collider.box();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p((corner & 1) ? box.max.x() : box.min.x(),
                   (corner & 2) ? box.max.y() : box.min.y(),
                   (corner & 4) ? box.max.z() : box.min.z());
      squared = std::max(squared, (X_RO * p).squaredNorm());
    }
  }
  return squared > 0 ? std::sqrt(squared) : 1;
}

/// The largest difference of each degree of freedom, squared and summed.
double measure_squared_extent(const PlanningSpace::Item& item) {
  double sum = 0;
  const int positions = count_positions(item.joint.type);
  for (int k = 0; k < positions; ++k) {
    const DofLimits& l = item.joint.limits[at(k)];
    sum += std::pow(item.per_metre * (l.upper - l.lower), 2);
  }
  switch (item.joint.type) {
    case JointType::revolute:
    case JointType::universal:
      for (const DofLimits& l : item.joint.limits) {
        const double range = l.upper - l.lower;
        sum += std::pow(std::isfinite(range) ? range : 2 * kPi, 2);
      }
      break;
    case JointType::continuous:
    case JointType::planar:
    case JointType::spherical:
    case JointType::free:
      sum += kPi * kPi;
      break;
    case JointType::fixed:
    case JointType::prismatic:
      break;
  }
  return sum;
}

/// Whether the straight way between two values within the limits stays within them: angles that
/// wrap and rotations take the shorter way.
bool has_plain_limits(const Joint& joint) {
  if (joint.type == JointType::spherical)
    return joint.limits[0].upper <= kPi / 2 || joint.limits[0].upper >= kPi;
  const bool wraps = joint.type == JointType::continuous || joint.type == JointType::planar;
  if (!wraps) return true;
  const DofLimits& l = joint.limits.back();
  const bool is_free = l.lower <= -kPi && l.upper >= kPi;
  const bool is_narrow = l.upper - l.lower <= kPi && l.lower >= -kPi && l.upper <= kPi;
  return is_free || is_narrow;
}

}  // namespace

Result<PlanningSpace> PlanningSpace::make(const Scene& scene, const CollisionModel& model,
                                          std::span<const JointId> joints, ConstVecRef rest,
                                          const Room& room) {
  const std::vector<JointId> all = find_moved_joints(scene, joints);
  return make(scene, model, all, rest, std::vector<Room>(all.size(), room));
}

Result<PlanningSpace> PlanningSpace::make(const Scene& scene, const CollisionModel& model,
                                          std::span<const JointId> joints, ConstVecRef rest,
                                          std::span<const Room> rooms) {
  PlanningSpace space;
  space.scene_ = &scene;
  space.rest_ = rest;
  Workspace workspace(scene);
  compute_kinematics(scene, rest, workspace);
  const std::vector<JointId> all = find_moved_joints(scene, joints);
  space.has_loops_ = internal::moves_loops(scene, all);
  std::vector<Diagnostic> faults = internal::find_open_loops(scene, rest);
  for (std::size_t i = 0; i < all.size(); ++i)
    space.add(scene, all[i], measure_reach(scene, model, all[i], workspace),
              i < rooms.size() ? rooms[i] : Room(), faults);
  if (space.items_.empty() && faults.empty())
    faults.push_back({.code = "plan.nothing_moves",
                      .message = "none of the joints can move",
                      .remedy = "name an actor or part that can"});
  if (!faults.empty()) return make_error(std::move(faults));
  space.measure_extent();
  space.has_dependents_ =
      !scene.followers().empty() || !scene.explicit_loops().empty() || !scene.carried().empty();
  if (space.has_loops_) faults = internal::find_singular_loops(space);
  if (!faults.empty()) return make_error(std::move(faults));
  return space;
}

PlanningSpace PlanningSpace::make_part(std::span<const int> items) const {
  PlanningSpace part = *this;
  part.items_.clear();
  part.size_ = part.dimension_ = 0;
  for (const int i : items) {
    part.items_.push_back(items_[at(i)]);
    part.items_.back().x = part.size_;
    part.size_ += items_[at(i)].joint.nq;
    part.dimension_ += items_[at(i)].joint.nv;
  }
  part.measure_extent();
  return part;
}

void PlanningSpace::measure_extent() {
  double squared = 0;
  for (const Item& item : items_) squared += measure_squared_extent(item);
  extent_ = std::sqrt(squared);
}

namespace {

/// In the joint's frame; of a joint in a plane as a point of it.
Vec3 read_position(const Joint& joint, const double* q) {
  Vec3 p = Vec3::Zero();
  std::copy_n(q, count_positions(joint.type), p.data());
  return p;
}

}  // namespace

void PlanningSpace::add(const Scene& scene, JointId id, double length, const Room& room,
                        std::vector<Diagnostic>& faults) {
  Item item{scene.joint(id), size_, 1 / length};
  Joint& joint = item.joint;
  if (joint.nv == 0) return;
  const auto fault = [&](const char* code, const char* message, const char* remedy) {
    faults.push_back({.code = code,
                      .message = message,
                      .element = fmt::format("joint '{}'", joint.name),
                      .remedy = remedy});
  };
  if (joint.role != JointRole::independent)
    return fault("plan.dependent", "follows other joints", "plan the joints that lead it");
  const int positions = joint.type == JointType::prismatic ? 0 : count_positions(joint.type);
  for (int k = 0; k < positions; ++k) {
    joint.limits[at(k)].lower = std::max(joint.limits[at(k)].lower, room.low[k]);
    joint.limits[at(k)].upper = std::min(joint.limits[at(k)].upper, room.high[k]);
  }
  if (positions > 0) item.room = room.in_parent;
  if (has_unlimited_position(joint))
    return fault("plan.no_limits", "may be anywhere: a position has no finite limits",
                 "give the joint limits, or the task a room");
  if (!has_plain_limits(joint))
    return fault("plan.limits", "may turn so far that the shorter way leaves its limits",
                 "let it turn by half a turn or less, or freely");
  for (const DofLimits& l : joint.limits)
    if (l.lower > l.upper)
      return fault("plan.outside", "its limits lie outside the room", "enlarge the room");
  size_ += joint.nq;
  dimension_ += joint.nv;
  items_.push_back(std::move(item));
}

bool PlanningSpace::moves(int mover) const {
  const std::vector<Mover>& movers = scene_->movers();
  for (; mover != 0; mover = movers[at(mover)].parent) {
    for (const Item& item : items_)
      if (scene_->joint(movers[at(mover)].joint).q == item.joint.q) return true;
  }
  return false;
}

double PlanningSpace::Item::measure_excess(const double* q) const {
  const double excess = limit_violation(joint, q);
  if (!room) return excess;
  const Vec3 p = joint.X_PJ * read_position(joint, q);
  return std::max(excess, (room->min - p).cwiseMax(p - room->max).maxCoeff());
}

void PlanningSpace::Item::clamp(double* q) const {
  clamp_to_limits(joint, q);
  if (!room) return;
  const Vec3 p = (joint.X_PJ * read_position(joint, q)).cwiseMax(room->min).cwiseMin(room->max);
  const Vec3 p_J = joint.X_PJ.inverse() * p;
  std::copy_n(p_J.data(), count_positions(joint.type), q);
}

void PlanningSpace::Item::sample(const Joint& within, Rng& rng, double* q) const {
  constexpr int kDraws = 32;
  for (int i = 0; i < kDraws; ++i) {
    geste::sample(within, rng, q);
    if (!room || measure_excess(q) <= 0) return;
  }
  clamp(q);
}

void PlanningSpace::sample(Rng& rng, VecRef x) const {
  if (has_loops_) return sample_closed(rng, x);
  for (const Item& item : items_) item.sample(item.joint, rng, x.data() + item.x);
}

void PlanningSpace::sample_closed(Rng& rng, VecRef x) const {
  constexpr int kDraws = 64, kReturns = 4;
  VecX q(scene_->nq());
  Workspace workspace(*scene_);
  for (int i = 0; i < kDraws; ++i) {
    for (const Item& item : items_) item.sample(item.joint, rng, x.data() + item.x);
    // What closes outside the limits is brought back and closed again from there.
    for (int k = 0; k < kReturns; ++k) {
      const bool is_done = complete(x, q, workspace);
      gather(q, x);
      if (is_done) return;
      for (const Item& item : items_) item.clamp(x.data() + item.x);
    }
  }
}

void PlanningSpace::sample_near(ConstVecRef centre, double deviation, Rng& rng, VecRef x) const {
  double v[6];
  for (const Item& item : items_) {
    const int positions = count_positions(item.joint.type);
    for (int k = 0; k < item.joint.nv; ++k) {
      const double share = deviation * rng.normal();
      v[k] = k < positions ? share / item.per_metre : share;
    }
    integrate(item.joint, centre.data() + item.x, v, x.data() + item.x);
    item.clamp(x.data() + item.x);
  }
  if (has_loops_) close(x);
}

double PlanningSpace::distance(ConstVecRef a, ConstVecRef b) const {
  double sum = 0;
  double v[6];
  for (const Item& item : items_) {
    difference(item.joint, a.data() + item.x, b.data() + item.x, v);
    const int positions = count_positions(item.joint.type);
    for (int k = 0; k < positions; ++k) v[k] *= item.per_metre;
    for (int k = 0; k < item.joint.nv; ++k) sum += v[k] * v[k];
  }
  return std::sqrt(sum);
}

void PlanningSpace::interpolate(ConstVecRef a, ConstVecRef b, Course course, double s,
                                VecRef x) const {
  for (const Item& item : items_)
    geste::interpolate(item.joint, a.data() + item.x, b.data() + item.x, course, s,
                       x.data() + item.x);
}

double PlanningSpace::measure_excess(ConstVecRef x) const {
  double worst = -kInfinity;
  for (const Item& item : items_) worst = std::max(worst, item.measure_excess(x.data() + item.x));
  return worst;
}

void PlanningSpace::gather(ConstVecRef q, VecRef x) const {
  for (const Item& item : items_)
    x.segment(item.x, item.joint.nq) = q.segment(item.joint.q, item.joint.nq);
}

bool PlanningSpace::complete(ConstVecRef x, ConstVecRef rest, VecRef q,
                             Workspace& workspace) const {
  q = rest;
  for (const Item& item : items_)
    q.segment(item.joint.q, item.joint.nq) = x.segment(item.x, item.joint.nq);
  if (has_loops_) return close_loops(q, workspace);
  return !has_dependents_ || compute_dependents(*scene_, q, workspace);
}

bool PlanningSpace::close_loops(VecRef q, Workspace& workspace) const {
  constexpr double kInside = 1e-9;
  return project_to_loops(*scene_, q, workspace).closed &&
         std::all_of(items_.begin(), items_.end(), [&](const Item& item) {
           return item.measure_excess(q.data() + item.joint.q) <= kInside;
         });
}

bool PlanningSpace::close(VecRef x) const {
  if (!has_loops_) return true;
  VecX q(scene_->nq());
  Workspace workspace(*scene_);
  if (!complete(x, q, workspace)) return false;
  gather(q, x);
  return true;
}

}  // namespace geste
