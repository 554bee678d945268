#include "geste/planning/key_places.hpp"

#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

/// Of one side.
constexpr int kRays = 4000;

/// Of more nothing is looked for: it would take seconds. What a primitive counts.
constexpr std::size_t kMostTriangles = 4'000'000, kPrimitive = 1000;

constexpr int kFew = 4;

const SurfaceSpan& pick(const std::vector<SurfaceSpan>& spans, Rng& rng) {
  return spans[at(static_cast<int>(rng.integer(0, std::ssize(spans) - 1)))];
}

/// The smallest of a few.
const SurfaceSpan& pick_small(const std::vector<SurfaceSpan>& spans, Rng& rng) {
  const SurfaceSpan* small = &pick(spans, rng);
  for (int k = 1; k < kFew; ++k) {
    const SurfaceSpan& other = pick(spans, rng);
    if (other.length() < small->length()) small = &other;
  }
  return *small;
}

/// The largest of a few that pass a gap, or nearly.
const SurfaceSpan* pick_fitting(const std::vector<SurfaceSpan>& necks, double gap, Rng& rng) {
  constexpr double kNearly = 1.05;
  const SurfaceSpan* large = nullptr;
  for (int k = 0; k < kFew; ++k) {
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
  const Pose X_RW = workspace.X_WM()[at(scene.body(item_.joint.child).mover)].inverse();
  std::vector<PlacedShape> mine, theirs;
  AxisBox box;
  double farthest = 0;  // m, of what rays are asked about
  std::size_t triangles = 0;
  for (const CollisionObject& o : world.validator.model().objects()) {
    const bool is_mine = world.space.moves(o.mover);
    const Pose X_WO = workspace.X_WM()[at(o.mover)] * o.X_MO, X_FO = is_mine ? X_RW * X_WO : X_WO;
    const AxisBox& local = o.collider.box();
    if (is_mine) box.add(place_box(X_FO, local));
    farthest = std::max(farthest, X_FO.p.norm() + std::max(local.min.norm(), local.max.norm()));
    triangles += o.collider.mesh() ? o.collider.mesh()->mesh().triangles.size() : kPrimitive;
    // Pieces share the geometry they are of.
    if (o.piece > 0) continue;
    (is_mine ? mine : theirs).push_back({scene.geometry()[at(o.geometry)].shape, X_FO});
  }
  if (mine.empty() || theirs.empty() || triangles > kMostTriangles) return;
  const double size = box.size().norm();
  // Beyond what rays are good for nothing is looked for.
  if (!(farthest + 2 * size < RayScene::kLargest)) return;
  mine_ = find_spans(mine, size, kRays, rng);
  theirs_ = find_spans(theirs, size, kRays, rng);
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
