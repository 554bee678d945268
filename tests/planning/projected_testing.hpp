#pragma once

#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/stray.hpp"
#include "geste/planning/projected.hpp"

#include "planning/planning_testing.hpp"

namespace geste::testing {

inline GeometrySpec make_bar_geometry(const Vec3& to, double thick = 0.02) {
  GeometrySpec bar;
  bar.shape = Capsule{thick / 2, to.norm()};
  bar.X_BG = Pose(Quat::FromTwoVectors(Vec3::UnitZ(), to).toRotationMatrix(), to / 2);
  return bar;
}

/// A chain of hinges from the world, each at the end of a bar on the one before.
inline SceneSpec make_hinges(const std::vector<Vec3>& axes, const std::vector<Vec3>& bars,
                             double limit = kPi) {
  SceneSpec spec;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    BodySpec body{fmt::format("bar{}", i)};
    body.geometry = {make_bar_geometry(bars[i])};
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = fmt::format("j{}", i);
    joint.type = JointType::revolute;
    joint.axis = axes[i];
    joint.parent = i > 0 ? fmt::format("bar{}", i - 1) : "";
    joint.child = body.name;
    if (i > 0) joint.X_PJ = Pose::translation(bars[i - 1]);
    joint.limits = {{-limit, limit}};
    spec.joints.push_back(joint);
    if (i > 0) spec.allowed_pairs.push_back({spec.bodies[i - 1].name, body.name, "hinge"});
  }
  return spec;
}

/// Bars of a four-bar linkage: the crank can turn all the way round (Grashof).
struct FourBar {
  double crank = 0.2, coupler = 0.5, rocker = 0.4, ground = 0.45;

  [[nodiscard]] SceneSpec make() const {
    const Vec3 z = Vec3::UnitZ();
    SceneSpec spec = make_hinges({z, z, z}, {{crank, 0, 0}, {coupler, 0, 0}, {rocker, 0, 0}});
    spec.loops = {{"ground",
                   "",
                   Pose::translation(ground, 0, 0),
                   "bar2",
                   Pose::translation(rocker, 0, 0),
                   {true, true, true, true, true, false},
                   {}}};
    return spec;
  }

  /// The three angles in closed form, by the triangle of coupler, rocker and the diagonal from the
  /// crank's end to the ground pivot; the branch is the side on which the elbow lies.
  [[nodiscard]] Vec3 close(double angle, bool is_up) const {
    const Eigen::Vector2d end(crank * std::cos(angle), crank * std::sin(angle));
    const Eigen::Vector2d diagonal = Eigen::Vector2d(ground, 0) - end;
    const double d = diagonal.norm();
    const auto corner = [](double a, double b, double opposite) {
      return std::acos((a * a + b * b - opposite * opposite) / (2 * a * b));
    };
    const double side = is_up ? 1 : -1;
    const double along = std::atan2(diagonal.y(), diagonal.x()) + side * corner(coupler, d, rocker);
    const double bend = side * (corner(coupler, rocker, d) - kPi);
    return {angle, wrap(along - angle), wrap(bend)};
  }

 private:
  static double wrap(double angle) { return std::remainder(angle, 2 * kPi); }
};

/// Projection from a guess.
inline MakeRest close_from(VecX guess) {
  return [guess = std::move(guess)](const Scene& scene) {
    VecX q = guess;
    Workspace workspace(scene);
    EXPECT_TRUE(project_to_loops(scene, q, workspace).closed);
    return q;
  };
}

inline std::unique_ptr<SteeringMethod> make_projected_steering(const PlanningSpace& space) {
  return ProjectedSteering::make(space).value();
}

/// With projected steering, at rest where a guess closes.
inline Playground make_closed_playground(SceneSpec spec, VecX guess) {
  return Playground(std::move(spec), make_plain_options(), make_projected_steering,
                    close_from(std::move(guess)));
}

/// How far apart the frames of the worst loop come, in the constrained components, on many moments
/// of the straight legs of a motion: by poses alone.
inline double measure_opening(const Scene& scene, const JointMotion& motion, int per_leg = 20) {
  Workspace workspace(scene);
  VecX q(scene.nq());
  double worst = 0;
  for (std::size_t i = 1; i < motion.times.size(); ++i) {
    for (int k = 0; k <= per_leg; ++k) {
      const double share = static_cast<double>(k) / per_leg;
      interpolate(scene, motion.q.col(static_cast<Eigen::Index>(i) - 1),
                  motion.q.col(static_cast<Eigen::Index>(i)), motion.course, share, q);
      compute_kinematics(scene, q, workspace);
      for (const Loop& loop : scene.loops()) {
        const auto place = [&](BodyId body, const Pose& X) {
          return (body.valid() ? compute_pose(scene, workspace, body) : Pose()) * X;
        };
        const Pose X_AB = place(loop.body_a, loop.X_A).inverse() * place(loop.body_b, loop.X_B);
        const Eigen::AngleAxisd turn(X_AB.R);
        const Vec3 rotation = turn.angle() * turn.axis();
        for (std::size_t c = 0; c < 6; ++c) {
          const auto e = static_cast<Eigen::Index>(c % 3);
          if (loop.constrained[c])
            worst = std::max(worst, std::abs(c < 3 ? X_AB.p[e] : rotation[e]));
        }
      }
    }
  }
  return worst;
}

}  // namespace geste::testing
