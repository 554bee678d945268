#include "geste/planning/key_places.hpp"

#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

/// Spans of which one is taken.
constexpr int kDrawn = 4;

const SurfaceSpan& pick(const std::vector<SurfaceSpan>& spans, Rng& rng) {
  return spans[at(static_cast<int>(rng.integer(0, std::ssize(spans) - 1)))];
}

/// The smallest of a few.
const SurfaceSpan& pick_small(const std::vector<SurfaceSpan>& spans, Rng& rng) {
  const SurfaceSpan* small = &pick(spans, rng);
  for (int k = 1; k < kDrawn; ++k) {
    const SurfaceSpan& other = pick(spans, rng);
    if (other.length() < small->length()) small = &other;
  }
  return *small;
}

/// The largest of a few that pass a gap, or nearly.
const SurfaceSpan* pick_fitting(const std::vector<SurfaceSpan>& necks, double gap, Rng& rng) {
  constexpr double kNearly = 1.05;
  const SurfaceSpan* large = nullptr;
  for (int k = 0; k < kDrawn; ++k) {
    const SurfaceSpan& other = pick(necks, rng);
    if (other.length() < kNearly * gap && !(large && other.length() < large->length()))
      large = &other;
  }
  return large;
}

Vec3 draw_across(const Vec3& axis, Rng& rng) {
  const Vec3 u = axis.unitOrthogonal();
  return Eigen::AngleAxisd(rng.uniform(0, 2 * kPi), axis) * u;
}

}  // namespace

bool KeyPlaces::fits(const PlanningSpace& space) {
  return space.items().size() == 1 && space.items()[0].joint.type == JointType::free &&
         !space.items()[0].joint.parent.valid() && !space.has_dependents();
}

KeyPlaces::KeyPlaces(const PlanningWorld& world, Rng& rng) : item_(world.space.items()[0]) {
  const Scene& scene = world.space.scene();
  Workspace workspace(scene);
  compute_kinematics(scene, world.space.rest(), workspace);
  SceneSpans spans = find_scene_spans(
      scene, world.validator.model(), workspace.X_WM(), scene.body(item_.joint.child).mover,
      [&](int mover) { return world.space.moves(mover); }, rng);
  mine_ = std::move(spans.mine);
  theirs_ = std::move(spans.theirs);
  if (!mine_.gaps.empty() && !theirs_.gaps.empty()) kinds_.push_back(Kind::across);
  if (!mine_.necks.empty() && !theirs_.gaps.empty()) kinds_.push_back(Kind::within);
  if (!mine_.gaps.empty() && !theirs_.necks.empty()) kinds_.push_back(Kind::around);
}

bool KeyPlaces::draw(Rng& rng, VecRef x) const {
  const Kind kind = kinds_[at(static_cast<int>(rng.integer(0, std::ssize(kinds_) - 1)))];
  const SurfaceSpan *mine = nullptr, *theirs = nullptr;
  if (kind != Kind::within) mine = &pick_small(mine_.gaps, rng);
  if (kind != Kind::around) theirs = &pick_small(theirs_.gaps, rng);
  if (!mine) mine = pick_fitting(mine_.necks, theirs->length(), rng);
  if (!theirs) theirs = pick_fitting(theirs_.necks, mine->length(), rng);
  if (!mine || !theirs) return false;
  const Vec3 axis = kind == Kind::across ? draw_across(theirs->axis(), rng) : theirs->axis();
  const Mat3 turned = Quat::FromTwoVectors(mine->axis(), axis).toRotationMatrix();
  const Mat3 R = Eigen::AngleAxisd(rng.uniform(0, 2 * kPi), axis) * turned;
  const Pose X_JR = item_.joint.X_PJ.inverse() * Pose(R, theirs->middle() - R * mine->middle());
  x.segment<3>(item_.x) = X_JR.p;
  x.segment<4>(item_.x + 3) = X_JR.quaternion().coeffs();
  return true;
}

}  // namespace geste
