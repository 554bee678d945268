#include <fmt/format.h>

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/internal/goals.hpp"

namespace geste::internal {
namespace {

/// Along the sides of a cube, then to its edges, then to its corners.
std::vector<Vec3> make_directions(const Mat3& R) {
  std::vector<Vec3> directions;
  for (int ones = 1; ones <= 3; ++ones) {
    for (int i = 0; i < 27; ++i) {
      const Vec3 d(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      if (d.squaredNorm() == ones) directions.push_back(R * d.normalized());
    }
  }
  return directions;
}

Vec3 draw_direction(Rng& rng) {
  const double x = rng.normal(), y = rng.normal(), z = rng.normal();
  const Vec3 d(x, y, z);
  return d.norm() > 1e-6 ? Vec3(d.normalized()) : Vec3(Vec3::UnitX());
}

Quat draw_turn(Rng& rng) {
  const double x = rng.normal(), y = rng.normal(), z = rng.normal(), w = rng.normal();
  const Quat turn(w, x, y, z);
  return turn.norm() > 1e-6 ? turn.normalized() : Quat::Identity();
}

/// Pushes a free body out of a box.
class RegionSearch {
 public:
  RegionSearch(const PlanningRig& rig, ConstVecRef start, const GoalRegion& region)
      : rig_(rig),
        space_(rig.space()),
        item_(space_.items().front()),
        region_(region),
        start_(start),
        local_(rig.world()),
        // Goals that touch the box or keep no margin to what ends there would be no goals.
        gap_(1e-3 * region.box.size().norm() + 2 * rig.model().largest_margin()) {}

  Goals run(Rng rng) {
    constexpr std::size_t kEnough = 48;
    constexpr int kTries = 200;
    for (const Vec3& d : list_directions()) push(start_, d);
    for (int i = 0; i < kTries && goals_.points.size() < kEnough; ++i) {
      VecX x = start_;
      // Half of them turned little: what comes out seldom turns far.
      const Quat turn = draw_turn(rng);
      const Quat before(x.data() + item_.x + 3);
      const double share = i % 2 == 0 ? 1 : 0.25;
      const Quat after = before.slerp(share, turn * before).normalized();
      Eigen::Map<Eigen::Vector4d>(x.data() + item_.x + 3) = after.coeffs();
      push(x, region_.direction.value_or(draw_direction(rng)));
    }
    if (goals_.points.empty()) {
      goals_.reason = explain();
      goals_.reasons.grade = Grade::found_by_search;
      if (kept_ > 0) goals_.reasons.kind = "keep";
    }
    return std::move(goals_);
  }

 private:
  [[nodiscard]] std::vector<Vec3> list_directions() const {
    if (region_.direction) return {*region_.direction};
    std::vector<Vec3> all;
    const auto add = [&](const Vec3& d) {
      if (std::none_of(all.begin(), all.end(), [&](const Vec3& e) { return e.dot(d) > 0.9999; }))
        all.push_back(d);
    };
    for (const Vec3& axis : region_.axes) {
      add(axis);
      add(-axis);
    }
    const Mat3 R = item_.joint.X_PJ.R * Quat(start_.data() + item_.x + 3).toRotationMatrix();
    for (const Mat3& frame : {Mat3(Mat3::Identity()), R})
      for (const Vec3& d : make_directions(frame)) add(d);
    return all;
  }

  /// How far along d a box must go until it is outside.
  [[nodiscard]] double measure_way(const AxisBox& part, const Vec3& d) const {
    const AxisBox& box = region_.box;
    if (region_.direction) {
      const double far = d.dot(box.centre()) + d.cwiseAbs().dot(box.size()) / 2;
      const double near = d.dot(part.centre()) - d.cwiseAbs().dot(part.size()) / 2;
      return far + gap_ - near;
    }
    double least = kInfinity;
    for (int k = 0; k < 3; ++k) {
      if (d[k] > 1e-9) least = std::min(least, (box.max[k] + gap_ - part.min[k]) / d[k]);
      if (d[k] < -1e-9) least = std::min(least, (box.min[k] - gap_ - part.max[k]) / d[k]);
    }
    return least;
  }

  void push(VecX x, const Vec3& d) {
    VecX q(space_.scene().nq());
    Workspace workspace(space_.scene());
    if (!space_.complete(x, q, workspace)) return;
    const double way = std::max(0.0, measure_way(measure_box(rig_, q, true), d));
    x.segment<3>(item_.x) += item_.joint.X_PJ.R.transpose() * (way * d);
    ++tried_;
    if (space_.measure_excess(x) > 1e-9)
      ++outside_;
    else if (space_.has_loops() && !stays_out(x, d))
      ++kept_;
    else if (local_.is_free(x))
      goals_.points.push_back(std::move(x));
  }

  /// Moves a point to the closed configuration next to it; false where that is not outside.
  bool stays_out(VecX& x, const Vec3& d) {
    VecX q(space_.scene().nq());
    Workspace workspace(space_.scene());
    if (!space_.close(x) || !space_.complete(x, q, workspace)) return false;
    return measure_way(measure_box(rig_, q, true), d) <= gap_;
  }

  [[nodiscard]] std::string explain() const {
    return fmt::format(
        "of {} places tried outside the box {} lie outside the room{}, and at the others it "
        "collides",
        tried_, outside_, kept_ > 0 ? fmt::format(", {} are kept from by `keep`", kept_) : "");
  }

  const PlanningRig& rig_;
  const PlanningSpace& space_;
  const PlanningSpace::Item& item_;
  const GoalRegion& region_;
  VecX start_;
  LocalPlanner local_;
  double gap_;
  Goals goals_;
  int tried_ = 0;
  int outside_ = 0;
  int kept_ = 0;  ///< that what is kept leads back from
};

}  // namespace

bool is_loose_part(const PlanningSpace& space) {
  return space.items().size() == 1 && space.items().front().joint.type == JointType::free;
}

std::optional<GoalRegion> make_region(const MoveOptions& o) {
  if (!o.outside_low || !o.outside_high) return std::nullopt;
  return GoalRegion{AxisBox{*o.outside_low, *o.outside_high}, std::nullopt};
}

void describe_corners(FieldVisitor& visitor, const Field& field, std::optional<Vec3>& low,
                      std::optional<Vec3>& high) {
  bool present = low.has_value();
  visitor.group(field, present, [&](FieldVisitor& inner) {
    Vec3 a = low.value_or(Vec3::Zero()), b = high.value_or(Vec3::Zero());
    inner.vector({"low", "lower corner", true}, a, Dimension::length);
    inner.vector({"high", "upper corner", true}, b, Dimension::length);
    if (inner.has("low")) low = a;
    if (inner.has("high")) high = b;
  });
}

AxisBox measure_box(const PlanningRig& rig, ConstVecRef q, bool planned) {
  const Scene& scene = rig.space().scene();
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  AxisBox box;
  for (const CollisionObject& o : rig.model().objects()) {
    if (rig.space().moves(o.mover) == planned)
      box.add(place_box(workspace.X_WM()[at(o.mover)] * o.X_MO, o.collider.box()));
  }
  return box;
}

AxisBox measure_bodies(const Scene& scene, ConstVecRef q, int mover, bool carried) {
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  AxisBox box;
  for (std::size_t g = 0; g < scene.geometry().size(); ++g) {
    const Geometry& geometry = scene.geometry()[g];
    if (!geometry.collision || (scene.body(geometry.body).mover == mover) != carried) continue;
    box.add(place_box(compute_geometry_pose(scene, workspace, static_cast<int>(g)),
                      compute_box(geometry.shape)));
  }
  return box;
}

Goals find_region_goals(const PlanningRig& rig, ConstVecRef start, const GoalRegion& region,
                        const Rng& rng) {
  return RegionSearch(rig, start, region).run(rng);
}

}  // namespace geste::internal
