#include "rigid/puzzle_parts.hpp"

namespace geste::bench {

RigidProblem make_puzzle(const std::string& name, const AxisBox& room) {
  RigidProblem problem;
  problem.name = name;
  problem.spec.bodies.push_back({"mover"});
  problem.spec.bodies.push_back({"world"});
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::free;
  joint.child = "mover";
  joint.limits.resize(6);
  for (int k = 0; k < 3; ++k)
    joint.limits[static_cast<std::size_t>(k)] = {room.min[k], room.max[k]};
  problem.spec.joints.push_back(std::move(joint));
  return problem;
}

RigidProblem make_puzzle(const std::string& name, const Vec3& half) {
  return make_puzzle(name, AxisBox{-half, half});
}

std::vector<GeometrySpec>& get_mover(RigidProblem& problem) {
  return problem.spec.bodies[0].geometry;
}

std::vector<GeometrySpec>& get_world(RigidProblem& problem) {
  return problem.spec.bodies[1].geometry;
}

GeometrySpec make_solid(const Shape& shape, const Pose& X, int segments) {
  TriangleMesh mesh = make_mesh(shape, segments);
  mesh.deflection = 0;  // the triangles are the shape, for peers too
  GeometrySpec g;
  g.shape = std::make_shared<const TriangleMesh>(std::move(mesh));
  g.X_BG = X;
  return g;
}

GeometrySpec make_box(const Vec3& size, const Vec3& at) {
  return make_solid(Box{size}, Pose::translation(at));
}

void add_wall(RigidProblem& problem, double at, double width, double height) {
  constexpr double kThick = 0.05, kSize = 4;
  const double side = (kSize - width) / 2, top = (kSize - height) / 2;
  for (const double s : {-1.0, 1.0}) {
    get_world(problem).push_back(make_box({kThick, side, kSize}, {at, s * (width + side) / 2, 0}));
    get_world(problem).push_back(make_box({kThick, width, top}, {at, 0, s * (height + top) / 2}));
  }
}

void set_way(RigidProblem& problem, const std::vector<Pose>& places) {
  problem.way.resize(7, static_cast<Eigen::Index>(places.size()));
  for (std::size_t k = 0; k < places.size(); ++k)
    problem.way.col(static_cast<Eigen::Index>(k)) << places[k].p, places[k].quaternion().coeffs();
  problem.start = problem.way.leftCols<1>();
  problem.goal = problem.way.rightCols<1>();
}

}  // namespace geste::bench
