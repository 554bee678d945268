// MV-4: two carriers and a dumbbell read from URDF and closed by general loops are the mechanism
// that make_dumbbell_carriers closes by formula.
#include <gtest/gtest.h>

#include "geste/formats/urdf.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mechanisms.hpp"

#include "testing.hpp"

namespace geste {
namespace {

SceneSpec load(const char* name) {
  return load_urdf(testing::source_dir() / "models/dumbbell" / name).value();
}

LoopSpec make_loop(const std::string& name, const std::string& a, const std::string& b,
                   bool may_turn) {
  LoopSpec loop;
  loop.name = name;
  loop.body_a = a;
  loop.body_b = b;
  loop.constrained[5] = !may_turn;
  return loop;
}

PlaceOptions placed(const char* name, JointType root, const char* parent = "") {
  PlaceOptions options;
  options.name = name;
  options.root = root;
  options.parent = parent;
  return options;
}

SceneSpec place_carriers() {
  SceneSpec world;
  for (const char* name : {"first", "second"}) {
    place(world, load("carrier.urdf"), placed(name, JointType::planar));
  }
  return world;
}

/// The bar hangs on the first carrier; a pin closes the chain at the second.
Scene make_carried() {
  SceneSpec world = place_carriers();
  place(world, load("dumbbell.urdf"), placed("bar", JointType::fixed, "first/grip"));
  world.loops = {make_loop("far", "second/grip", "bar/far_end", true)};
  return Scene::compile(world).value();
}

/// The bar is free; two loops hold it.
Scene make_free() {
  SceneSpec world = place_carriers();
  place(world, load("dumbbell.urdf"), placed("bar", JointType::free));
  world.loops = {make_loop("near", "first/grip", "bar/pin", false),
                 make_loop("far", "second/grip", "bar/far_end", true)};
  return Scene::compile(world).value();
}

Eigen::VectorBlock<VecX> entries(const Scene& scene, VecX& q, const char* joint) {
  const Joint& j = scene.joint(*scene.find_joint(joint));
  return q.segment(j.q, j.nq);
}

/// Five leading values, and the whole closed configuration that the formula gives them.
struct Closed {
  Vec3 first;   ///< x, y, angle
  double bar;   ///< angle in the first grip
  Vec3 second;  ///< x, y, angle
};

class Formula {
 public:
  Formula()
      : scene_(Scene::compile(make_dumbbell_carriers(DumbbellClosure::explicit_formula)).value()) {}

  Closed close(const Vec3& first, double bar, double second_angle) const {
    VecX q = make_neutral(scene_);
    entries(scene_, q, "first/base") = first;
    entries(scene_, q, "first/pin")[0] = bar;
    entries(scene_, q, "second/angle")[0] = second_angle;
    Workspace workspace(scene_);
    EXPECT_TRUE(compute_dependents(scene_, q, workspace));
    return {
        first, bar,
        Vec3(entries(scene_, q, "second/x")[0], entries(scene_, q, "second/y")[0], second_angle)};
  }

 private:
  Scene scene_;
};

Closed draw(Rng& rng, const Formula& formula) {
  return formula.close(Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-3, 3)),
                       rng.uniform(-3, 3), rng.uniform(-3, 3));
}

TEST(Dumbbell, FormulaClosesTheUrdfChain) {
  const Formula formula;
  const Scene scene = make_carried();
  ASSERT_EQ(scene.nv(), 3 + 3 + 1);
  Workspace workspace(scene);
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Closed closed = draw(rng, formula);
    VecX q = make_neutral(scene);
    entries(scene, q, "first/root") = closed.first;
    entries(scene, q, "second/root") = closed.second;
    entries(scene, q, "bar/turn")[0] = closed.bar;
    ASSERT_TRUE(compute_dependents(scene, q, workspace));
    EXPECT_LT(compute_loop_residual(scene, workspace), 1e-12);
    entries(scene, q, "second/root")[0] += 0.01;
    ASSERT_TRUE(compute_dependents(scene, q, workspace));
    EXPECT_GT(compute_loop_residual(scene, workspace), 0.009);  // and it does measure
  }
}

TEST(Dumbbell, ProjectionOfTheUrdfChainAgreesWithTheFormula) {
  const Formula formula;
  Rng rng(2);
  for (const bool is_carried : {true, false}) {
    const Scene scene = is_carried ? make_carried() : make_free();
    Workspace workspace(scene);
    for (int i = 0; i < 40; ++i) {
      const Closed near = draw(rng, formula);
      VecX q = make_neutral(scene), v(scene.nv());
      entries(scene, q, "first/root") = near.first;
      entries(scene, q, "second/root") = near.second;
      entries(scene, q, "bar/turn")[0] = near.bar;
      if (!is_carried) {
        const Vec3 grip = Pose::rotation(Vec3::UnitZ(), near.first.z()) * Vec3(0.35, 0, 0.5);
        entries(scene, q, "bar/root").head<3>() = Vec3(near.first.x(), near.first.y(), 0) + grip;
        entries(scene, q, "bar/root").tail<4>() =
            Pose::rotation(Vec3::UnitZ(), near.first.z()).quaternion().coeffs();
      }
      // Disturbed, then closed again.
      for (double& x : v) x = rng.uniform(-0.1, 0.1);
      VecX disturbed(scene.nq());
      integrate(scene, q, v, disturbed);
      const ProjectionReport report = project_to_loops(scene, disturbed, workspace);
      ASSERT_TRUE(report.closed) << report.residual;

      // The turn of the bar against the first carrier, however many joints make it.
      const Pose X_WF = compute_pose(scene, workspace, *scene.find_body("first/base"));
      const Pose X_FB =
          X_WF.inverse() * compute_pose(scene, workspace, *scene.find_body("bar/bar"));
      const Vec3 second = entries(scene, disturbed, "second/root");
      const Closed expected = formula.close(entries(scene, disturbed, "first/root"),
                                            std::atan2(X_FB.R(1, 0), X_FB.R(0, 0)), second.z());
      EXPECT_LT((expected.second - second).norm(), 1e-9);
      EXPECT_LT((X_FB.p - Vec3(0.35, 0, 0.5)).norm(), 1e-9);
    }
  }
}

TEST(Dumbbell, HasTheShapesOfTheMechanism) {
  const SceneSpec mechanism = make_dumbbell_carriers(DumbbellClosure::projection);
  const auto boxes = [](const SceneSpec& spec, const std::string& name) {
    AxisBox box;
    double mass = 0;
    for (const BodySpec& body : spec.bodies) {
      if (body.name != name) continue;
      mass = body.inertia->mass;
      for (const GeometrySpec& g : body.geometry) {
        if (!g.collision) continue;
        for (const Vec3& v : make_mesh(g.shape, 64).vertices) box.add(g.X_BG * v);
      }
    }
    return std::pair{box, mass};
  };
  for (const auto& [file, body, name] :
       {std::tuple{"carrier.urdf", "base", "first"}, std::tuple{"dumbbell.urdf", "bar", "bar"}}) {
    const auto [box, mass] = boxes(load(file), body);
    const auto [expected, expected_mass] = boxes(mechanism, name);
    EXPECT_LT((box.min - expected.min).norm(), 1e-12) << name;
    EXPECT_LT((box.max - expected.max).norm(), 1e-12) << name;
    EXPECT_EQ(mass, expected_mass);
  }
}

}  // namespace
}  // namespace geste
