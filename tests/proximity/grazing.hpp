#pragma once

#include <algorithm>
#include <numbers>
#include <optional>

#include "geste/model/dependents.hpp"
#include "geste/model/motion.hpp"

#include "proximity/scene_testing.hpp"

namespace geste::testing {

/// A tip and a pin that meet for a moment only, where the tip's path is at its outermost: what a
/// proof that goes by samples and chords overlooks first.
///
/// The tip is fixed to one link of a random tree, the pin to another or to the world, and both are
/// moved by whatever joints lie between them. At the fraction `at` of the edge from q0 to q1 the
/// tip is `depth` deep in the pin, whose face is tangent to the tip's path there and lies on its
/// outer side. That is the witness: it follows from the kinematics alone.
struct Graze {
  SceneSpec spec;
  VecX q0, q1;
  Course course = Course::straight;
  double at = 0;
  std::string tip, pin;  ///< names of the bodies
};

struct GrazeOptions {
  double depth = 1e-4;   ///< m; negative: the two stay apart by this
  double margin = 0;     ///< m; the two are to stay so far apart
  bool is_alone = true;  ///< else something else moves too, far away
  int bystanders = 0;    ///< obstacles that stand far away
  double offset = 0;     ///< m; the roots of the tree are so far from the world's origin
  bool is_ball = false;  ///< the tip is a sphere, which is the same for all grazes of one tree
};

/// The end of a tip at the origin, which it points at along z: a spike, a torus on edge, a capsule.
inline GeometrySpec make_tip(Rng& rng) {
  GeometrySpec tip;
  const double size = rng.uniform(0.005, 0.03);
  const auto kind = rng.integer(1, 3);
  if (kind == 1) {
    TriangleMesh spike;
    spike.vertices = {Vec3::Zero(), Vec3(size, 0, -0.1), Vec3(-size, size, -0.1),
                      Vec3(-size, -size, -0.1)};
    spike.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    tip.shape = share(std::move(spike));
  } else if (kind == 2) {
    tip.shape = Torus{2 * size, size / 2};
    tip.X_BG =
        Pose(Mat3(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX())), Vec3(0, 0, -2.5 * size));
  } else {
    tip.shape = Capsule{size / 2, size};
    tip.X_BG = Pose::translation(0, 0, -size);
  }
  return tip;
}

/// A pin whose nearest point is the origin, with all of it above z = 0: flat or round, as a mesh or
/// not.
inline GeometrySpec make_pin(Rng& rng) {
  GeometrySpec pin;
  const double size = rng.uniform(0.005, 0.03);
  const auto kind = rng.integer(0, 3);
  if (kind == 0) {
    pin.shape = Sphere{size};
  } else if (kind == 1) {
    pin.shape = Cylinder{size, 2 * size};
  } else {
    const Shape box = Box{Vec3::Constant(2 * size)};
    pin.shape = kind == 2 ? box : Shape(share(make_mesh(box)));
  }
  pin.X_BG = Pose::translation(0, 0, size);
  return pin;
}

/// A frame whose z axis is n.
inline Pose make_facing(const Vec3& n, const Vec3& at) {
  return {Quat::FromTwoVectors(Vec3::UnitZ(), n).toRotationMatrix(), at};
}

inline void put(GeometrySpec geometry, const Pose& X_BF, BodySpec& body) {
  geometry.X_BG = X_BF * geometry.X_BG;
  body.geometry.push_back(std::move(geometry));
}

/// Nothing where what was drawn does not bend, or rests. `tree`: what grazes of one tree share.
inline std::optional<Graze> make_graze(Rng& tree, Rng& rng, const GrazeOptions& options) {
  Graze out;
  constexpr int kBodies = 4;
  out.spec = make_random_tree(tree, kBodies);
  for (JointSpec& j : out.spec.joints) {
    j.X_PJ.p *= 0.4;
    if (j.parent.empty()) j.X_PJ.p += Vec3(options.offset, -options.offset, 0);
    for (int k = 0; k < count_v(j.type); ++k) j.limits.push_back({-0.8, 0.8});
  }
  out.course = rng.uniform() < 0.5 ? Course::screw : Course::straight;
  const Scene scene = Scene::compile(out.spec).value();
  const auto sampler = ConfigurationSampler::make(scene).value();
  out.q0 = out.q1 = make_neutral(scene);
  sampler.sample(rng, out.q0);
  sampler.sample(rng, out.q1);
  const auto tip = static_cast<int>(tree.integer(0, kBodies - 1));
  const auto pin = rng.uniform() < (options.is_ball ? 0.85 : 0.5)
                       ? -1
                       : static_cast<int>(rng.integer(0, kBodies - 1));
  if (pin == tip) return std::nullopt;

  Workspace workspace(scene);
  const Vec3 p_T = tree.uniform(0.05, 0.5) * random_vector(tree).normalized();
  const double ball = options.is_ball ? tree.uniform(0.005, 0.03) : 0;
  const auto place = [&](double s, int body) {
    if (body < 0) return Pose();
    VecX q = out.q0;
    interpolate(scene, out.q0, out.q1, out.course, s, q);
    compute_kinematics(scene, q, workspace);
    return compute_pose(scene, workspace, BodyId(body));
  };
  const auto see = [&](double s) { return Vec3(place(s, pin).inverse() * (place(s, tip) * p_T)); };
  out.at = rng.uniform(0.03, 0.97);
  constexpr double h = 1e-3;
  const Vec3 here = see(out.at), before = see(out.at - h), after = see(out.at + h);
  const Vec3 v = (after - before) / (2 * h), a = (after - 2 * here + before) / (h * h);
  if (v.norm() < 0.1) return std::nullopt;
  const Vec3 across = a - a.dot(v) / v.squaredNorm() * v;
  if (across.norm() < 0.1) return std::nullopt;
  const Vec3 n = -across.normalized();

  const Mat3 R_PT = (place(out.at, pin).inverse() * place(out.at, tip)).R;
  auto& bodies = out.spec.bodies;
  if (options.is_ball)
    put({.shape = Sphere{ball}}, Pose::translation(p_T), bodies[static_cast<std::size_t>(tip)]);
  else
    put(make_tip(rng), make_facing(R_PT.transpose() * n, p_T),
        bodies[static_cast<std::size_t>(tip)]);
  if (pin < 0) bodies.push_back(BodySpec{"pin"});
  BodySpec& holder = pin < 0 ? bodies.back() : bodies[static_cast<std::size_t>(pin)];
  put(make_pin(rng), make_facing(n, here + (ball + options.margin - options.depth) * n), holder);
  out.tip = bodies[static_cast<std::size_t>(tip)].name;
  out.pin = holder.name;
  // What stands may be listed before what moves.
  if (pin < 0 && rng.uniform() < 0.5) std::rotate(bodies.begin(), bodies.end() - 1, bodies.end());

  for (int i = 0; i < options.bystanders; ++i)
    add_box(out.spec, fmt::format("bystander{}", i), Vec3(10 + i, 30 + options.offset, 0), 0.1);
  if (options.is_alone) return out;
  add_box(out.spec, "other", Vec3(0, 0, 20), 0.1);
  out.spec.joints.push_back({.name = "other",
                             .type = JointType::prismatic,
                             .child = "other",
                             .axis = Vec3::UnitX(),
                             .limits = {{-1, 1}}});
  out.q0.conservativeResize(out.q0.size() + 1);
  out.q1.conservativeResize(out.q1.size() + 1);
  out.q0.tail(1)[0] = 0;
  out.q1.tail(1)[0] = 0.1;
  return out;
}

}  // namespace geste::testing
