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
      make_puzzle(fmt::format("window {:.2f}", window), {0.8, 0.1, 0.1}, {1.2, 0.8, 0.8});
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

}  // namespace

std::vector<RigidProblem> make_rigid_puzzles() {
  return {make_window(0.3), make_window(0.15), make_window(0.12), make_slit(), make_two_windows()};
}

}  // namespace geste::bench
