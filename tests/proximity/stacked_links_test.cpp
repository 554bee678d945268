#include <gtest/gtest.h>

#include <numbers>

#include "geste/model/kinematics.hpp"
#include "geste/proximity/fast_path.hpp"

#include "proximity/scene_testing.hpp"

// Arms as they are built: links stacked along the axes of their joints, gaps below a millimetre,
// joints of one turn, two turns and no limits, a foot of their own.

namespace geste {
namespace {

constexpr double kLinkRadius = 0.06, kLinkLength = 0.3;

/// A tube along x with a hub along z at either end; the hub's faces are at +-kLinkRadius.
std::vector<GeometrySpec> make_stacked_link(double length, bool is_mesh) {
  std::vector<GeometrySpec> out;
  const auto add = [&](const Shape& shape, const Pose& X) {
    GeometrySpec g;
    g.shape = is_mesh ? Shape(testing::share(make_mesh(shape, 24))) : shape;
    g.X_BG = X;
    out.push_back(g);
  };
  add(Cylinder{kLinkRadius, 2 * kLinkRadius}, Pose());
  add(Cylinder{kLinkRadius, 2 * kLinkRadius}, Pose::translation(length, 0, 0));
  add(Box{Vec3(length, kLinkRadius, kLinkRadius)}, Pose::translation(length / 2, 0, 0));
  return out;
}

Vec3 random_direction(Rng& rng) { return testing::random_vector(rng).normalized(); }

/// Each joint stands at the end of the link before, its axis along z of it or across, the link
/// beside it by the gap.
SceneSpec make_stacked_arm(Rng& rng, int joints) {
  SceneSpec spec;
  ActorSpec robot{"robot", "robot", {}};
  const bool is_mesh = rng.uniform() < 0.5;
  for (int k = 0; k <= joints; ++k) {
    BodySpec body{fmt::format("link{}", k)};
    const double length = kLinkLength * rng.uniform(0.7, 1.3);
    body.geometry = make_stacked_link(length, is_mesh);
    robot.bodies.push_back(body.name);
    spec.bodies.push_back(body);
    if (k == joints) break;
    const double gap = std::pow(10, rng.uniform(-4.5, -2.5));
    const bool across = rng.uniform() < 0.4;
    const Mat3 R = across ? Mat3(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()))
                          : Mat3(Mat3::Identity());
    JointSpec joint{.name = fmt::format("joint{}", k),
                    .type = JointType::revolute,
                    .parent = body.name,
                    .child = fmt::format("link{}", k + 1),
                    .X_PJ = Pose(R, Vec3(length + (across ? 2 * kLinkRadius + gap : 0), 0,
                                         across ? 0 : 2 * kLinkRadius + gap)),
                    .axis = Vec3::UnitZ()};
    const double turns = rng.uniform() < 0.4 ? 2 : 1;
    joint.limits = {{-turns * std::numbers::pi, turns * std::numbers::pi}};
    if (rng.uniform() < 0.3) {
      joint.type = JointType::continuous;
      joint.limits.clear();
    }
    spec.joints.push_back(joint);
  }
  spec.actors = {robot};
  // Obstacles along axes of their own: the lanes' world is turned like them.
  const Mat3 turned = Eigen::AngleAxisd(rng.uniform(0, 1.5), random_direction(rng)).matrix();
  for (int k = 0; k < 5; ++k) {
    testing::add_box(spec, fmt::format("post{}", k), Vec3(0.3 * k - 0.5, 0.5, 0), 0.1);
    spec.bodies.back().geometry.back().X_BG.R = turned;
  }
  return spec;
}

// GX-2: what is called free is so at every sample, also beyond one turn; what touches does.
TEST(StackedLinks, EdgesHoldAgainstDenseSampling) {
  int free = 0, touching = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(make_stacked_arm(rng, 3)).value();
    const CollisionModel model = testing::make_plain_model(scene, 0);
    const Validator validator(scene, model);
    Validator::Memory memory(validator);
    Workspace workspace(scene);
    CollisionWorkspace collision(model);
    const auto is_free_at = [&](ConstVecRef q) {
      compute_kinematics(scene, q, workspace);
      return is_free(model, workspace, collision);
    };
    for (int k = 0; k < 60; ++k) {
      VecX q0(scene.nq()), q1(scene.nq()), q(scene.nq());
      for (int i = 0; i < q0.size(); ++i) {
        const double limit = std::numbers::pi * (seed % 2 ? 0.98 : 1);
        q0[i] = rng.uniform(-limit, limit);
        const DofLimits limits = scene.joints()[static_cast<std::size_t>(i)].limits.empty()
                                     ? DofLimits{-20, 20}
                                     : scene.joints()[static_cast<std::size_t>(i)].limits.front();
        if (limits.upper > 4)
          q0[i] += static_cast<double>(rng.integer(-1, 1)) * std::numbers::pi / 2;
        q1[i] = std::clamp(q0[i] + rng.uniform(-0.5, 0.5), std::max(limits.lower, -20.0),
                           std::min(limits.upper, 20.0));
      }
      EdgeAnswer edge;
      validator.check_edges(q0, q1, Course::straight, {&edge, 1}, memory);
      ConfigurationAnswer one;
      validator.check(q0, {&one, 1}, memory);
      EXPECT_EQ(one.is_free, is_free_at(q0)) << "seed " << seed << " edge " << k;
      for (int s = 0; edge.is_free && s <= 300; ++s) {
        interpolate(scene, q0, q1, Course::straight, s / 300.0, q);
        ASSERT_TRUE(is_free_at(q)) << "seed " << seed << " edge " << k << " at " << s;
      }
      if (!edge.is_free) {
        interpolate(scene, q0, q1, Course::straight, edge.touches_at, q);
        compute_kinematics(scene, q, workspace);
        const auto near = find_nearest_pair(model, workspace, collision);
        ASSERT_TRUE(near && near->separation.distance < 11e-6) << "seed " << seed << " edge " << k;
      }
      ++(edge.is_free ? free : touching);
    }
  }
  EXPECT_GT(free, 60);
  EXPECT_GT(touching, 50);
}

/// Three discs on one slanted axis, the outer two so far apart.
SceneSpec make_discs(double gap) {
  const Mat3 R = Eigen::AngleAxisd(0.6, Vec3(1, 2, 0).normalized()).matrix();
  SceneSpec spec;
  ActorSpec robot{"robot", "robot", {}};
  const double heights[] = {-0.01 - gap / 2, 0, 0.01 + gap / 2};
  for (int k = 0; k < 3; ++k) {
    BodySpec body{fmt::format("disc{}", k)};
    body.geometry.emplace_back();
    body.geometry.back().shape =
        k == 1 ? Shape(Cylinder{0.01, gap / 10}) : Shape(Cylinder{0.1, 0.02});
    body.geometry.back().X_BG = Pose(R, R * Vec3(0, 0, heights[k]));
    robot.bodies.push_back(body.name);
    spec.bodies.push_back(body);
    if (k == 2) break;
    spec.joints.push_back({.name = fmt::format("joint{}", k),
                           .type = JointType::revolute,
                           .parent = body.name,
                           .child = fmt::format("disc{}", k + 1),
                           .axis = R.col(2),
                           .limits = {{-6.3, 6.3}}});
  }
  spec.actors = {robot};
  return spec;
}

// Proven once for all values of the joints: named, and asked no more; but where proofs are not to
// lean on limits it is asked.
TEST(StackedLinks, NamesPairsThatNeverCollide) {
  const Scene scene = Scene::compile(make_discs(1e-4)).value();
  CollisionOptions options;
  options.survey.samples = 20;
  for (const bool use_reach : {true, false}) {
    options.use_reach = use_reach;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    const BodyId a = *scene.find_body("disc0"), b = *scene.find_body("disc2");
    ASSERT_EQ(model.rule(a, b), PairRule::checked);
    const Validator validator(scene, model);
    using Pairs = std::vector<std::pair<BodyId, BodyId>>;
    EXPECT_EQ(validator.list_never_colliding(), use_reach ? Pairs({{a, b}}) : Pairs());
    const FastPathReport report =
        measure_fast_path(scene, validator, std::vector{JointId(0), JointId(1)}, VecX::Zero(2));
    EXPECT_EQ(report.edges, 200);
    EXPECT_EQ(report.fraction, 1);
    EXPECT_TRUE(report.costliest.empty());
    EXPECT_FALSE(explain_slow_path(scene, report));
  }
}

// Nearer to the margin than anything tells: all edges go to the exact stage, which is said, with
// the pair.
TEST(StackedLinks, TellsWhatKeepsTheExactStageBusy) {
  const Scene scene = Scene::compile(make_discs(1e-4)).value();
  CollisionOptions options;
  options.survey.samples = 20;
  options.margins.push_back({"disc0", "disc2", 1e-4 - 1e-9});
  const CollisionModel model = CollisionModel::make(scene, options).value();
  const Validator validator(scene, model);
  EXPECT_TRUE(validator.list_never_colliding().empty());
  const FastPathReport report =
      measure_fast_path(scene, validator, std::vector{JointId(0), JointId(1)}, VecX::Zero(2));
  ASSERT_EQ(report.edges, 200);
  EXPECT_EQ(report.fraction, 0);
  ASSERT_EQ(report.costliest.size(), 1u);
  EXPECT_EQ(report.costliest[0].fraction, 1);
  const std::optional<Note> note = explain_slow_path(scene, report);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->message,
            "the fast stages of collision checking decide 0 % of random motions; most exact work: "
            "disc0 - disc2 (100 %)");
}

}  // namespace
}  // namespace geste
