#include <fmt/format.h>

#include "rigid/problems.hpp"

namespace geste::bench {
namespace {

GeometrySpec make_box(const Vec3& size, const Vec3& at) {
  GeometrySpec g;
  // As triangles: that is what the puzzles of others are.
  g.shape = std::make_shared<const TriangleMesh>(make_mesh(Box{size}));
  g.X_BG = Pose::translation(at);
  return g;
}

VecX make_pose(const Vec3& at, const Quat& q = Quat::Identity()) {
  VecX x(7);
  x << at, q.coeffs();
  return x;
}

RigidProblem make_puzzle(const std::string& name, const Vec3& mover, const Vec3& room) {
  RigidProblem problem;
  problem.name = name;
  problem.spec.bodies.push_back({"mover"});
  problem.spec.bodies.back().geometry.push_back(make_box(mover, Vec3::Zero()));
  problem.spec.bodies.push_back({"world"});
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::free;
  joint.child = "mover";
  joint.limits.resize(6);
  for (int k = 0; k < 3; ++k) joint.limits[static_cast<std::size_t>(k)] = {-room[k], room[k]};
  problem.spec.joints.push_back(std::move(joint));
  return problem;
}

/// A wall across x with an opening in its middle.
void add_wall(RigidProblem& problem, double at, double width, double height) {
  constexpr double kThick = 0.05, kSize = 4;
  auto& geometry = problem.spec.bodies[1].geometry;
  const double side = (kSize - width) / 2, top = (kSize - height) / 2;
  for (const double s : {-1.0, 1.0}) {
    geometry.push_back(make_box({kThick, side, kSize}, {at, s * (width + side) / 2, 0}));
    geometry.push_back(make_box({kThick, width, top}, {at, 0, s * (height + top) / 2}));
  }
}

const Quat kUpright(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitY()));

RigidProblem make_window(double window) {
  RigidProblem p =
      make_puzzle(fmt::format("window {:.3f}", window), {0.8, 0.1, 0.1}, {1.2, 0.8, 0.8});
  add_wall(p, 0, window, window);
  p.start = make_pose({-0.7, 0.2, 0.1}, kUpright);
  p.goal = make_pose({0.7, -0.2, 0.1}, kUpright);
  return p;
}

RigidProblem make_slit() {
  RigidProblem p = make_puzzle("board through a slit", {0.6, 0.5, 0.05}, {1.2, 0.8, 0.8});
  add_wall(p, 0, 0.07, 0.6);
  p.start = make_pose({-0.7, 0, 0});
  p.goal = make_pose({0.7, 0, 0});
  return p;
}

/// Two walls with openings that lie apart: the bar must lie along between them.
RigidProblem make_two_windows() {
  RigidProblem p = make_puzzle("two windows", {0.8, 0.1, 0.1}, {1.6, 0.8, 0.8});
  add_wall(p, -0.5, 0.2, 0.2);
  add_wall(p, 0.5, 0.2, 0.2);
  p.start = make_pose({-1.1, 0.2, 0.1}, kUpright);
  p.goal = make_pose({1.1, -0.2, 0.1}, kUpright);
  return p;
}

/// A bar shut in a box whose only way out is a tube that begins well inside.
RigidProblem make_bug_trap(double clearance) {
  constexpr double kBar = 0.1, kSize = 1.2, kThick = 0.04, kTube = 0.5;
  RigidProblem p =
      make_puzzle(fmt::format("bug trap {:.2f}", clearance), {0.3, kBar, kBar}, {1.6, 0.5, 0.5});
  auto& geometry = p.spec.bodies[1].geometry;
  const double open = kBar + 2 * clearance, half = kSize / 2;
  for (const double s : {-1.0, 1.0}) {
    geometry.push_back(make_box({kSize, kThick, kSize}, {0, s * half, 0}));
    geometry.push_back(make_box({kSize, kSize, kThick}, {0, 0, s * half}));
    const double side = (kSize - open) / 2, at = (open + side) / 2;
    geometry.push_back(make_box({kThick, side, kSize}, {half, s * at, 0}));
    geometry.push_back(make_box({kThick, open, side}, {half, 0, s * at}));
    const double wall = (open + kThick) / 2;
    geometry.push_back(make_box({kTube, kThick, open}, {half - kTube / 2, s * wall, 0}));
    geometry.push_back(make_box({kTube, open, kThick}, {half - kTube / 2, 0, s * wall}));
  }
  geometry.push_back(make_box({kThick, kSize, kSize}, {-half, 0, 0}));
  p.start = make_pose({-0.3, 0.3, 0.3}, kUpright);
  p.goal = make_pose({1.2, 0.2, 0.1}, kUpright);
  return p;
}

/// A hook around a rod with a bar at each end: the rod, 0.1 m thick, must be led out through the
/// hook's mouth.
RigidProblem make_hook(double mouth) {
  RigidProblem p = make_puzzle(fmt::format("hook {:.3f}", mouth), {0.6, 0.1, 0.1}, {1.5, 1.5, 1.5});
  constexpr double kInside = 0.2;  // between the hook's shank and its return
  auto& mover = p.spec.bodies[0].geometry;
  mover.push_back(make_box({0.1, 0.4, 0.1}, {0.25, 0.15, 0}));
  mover.push_back(make_box({0.3, 0.1, 0.1}, {0.15, 0.05 + kInside + 0.05, 0}));
  const double lip = kInside - mouth;
  mover.push_back(make_box({0.04, lip, 0.1}, {0.02, 0.05 + kInside - lip / 2, 0}));
  auto& world = p.spec.bodies[1].geometry;
  world.push_back(make_box({0.1, 0.1, 1}, {0, 0, 0}));
  for (const double end : {-0.5, 0.5}) world.push_back(make_box({0.6, 0.1, 0.1}, {0, 0, end}));
  p.start = make_pose({-0.12, -0.15, 0});
  p.goal = make_pose({1, 0.5, 0});
  return p;
}

}  // namespace

std::vector<RigidProblem> make_rigid_puzzles() {
  std::vector<RigidProblem> puzzles;
  // From three times the bar's thickness down to a hundredth more than it on each side.
  for (const double window : {0.3, 0.2, 0.15, 0.12, 0.11, 0.105, 0.102})
    puzzles.push_back(make_window(window));
  puzzles.push_back(make_slit());
  puzzles.push_back(make_two_windows());
  for (const double clearance : {0.03, 0.01}) puzzles.push_back(make_bug_trap(clearance));
  for (const double mouth : {0.12, 0.105}) puzzles.push_back(make_hook(mouth));
  return puzzles;
}

}  // namespace geste::bench
