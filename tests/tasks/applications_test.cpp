// MV-11: the applications of the Move3D paper, from the task files in scenes/. Witness: every
// motion is verified from the files of its result alone, which asks the second prover.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "geste/core/files.hpp"
#include "geste/core/rng.hpp"
#include "geste/formats/stl.hpp"
#include "geste/geometry/mesh_point.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/explain.hpp"
#include "geste/planning/roadmap_search.hpp"
#include "geste/proximity/verify_motion.hpp"
#include "geste/tasks/internal/planning_rig.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

class ApplicationsTest : public TaskTest {
 protected:
  /// A scene of the project, with what it writes in the folder of the test.
  static std::string read_scene(const std::string& name) {
    std::string text = load_file(testing::source_dir() / "scenes" / (name + ".yaml")).value();
    replace(text, "../models", (testing::source_dir() / "models").string());
    return text;
  }

  static void replace(std::string& text, const std::string& what, const std::string& by) {
    ASSERT_NE(text.find(what), std::string::npos) << what;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  }

  TaskOutcome take(const std::string& name, const std::string& text) const {
    Result<TaskOutcome> outcome = run(write(name + ".yaml", text));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return std::move(*outcome);
  }

  /// What a crane driver does (Move3D section 4).
  static bool moves_one_at_a_time(const TaskOutcome& outcome,
                                  const std::vector<std::string>& joints) {
    const MatX& q = outcome.result.motion.q;
    for (Eigen::Index k = 1; k < q.cols(); ++k) {
      const auto moved = std::count_if(joints.begin(), joints.end(), [&](const std::string& name) {
        const Scene& scene = outcome.world.scene;
        const int at = scene.joint(*scene.find_joint(name)).q;
        return std::abs(q(at, k) - q(at, k - 1)) > 1e-12;
      });
      if (moved > 1) return false;
    }
    return true;
  }
};

// All ways of a spacecraft among 60,000 polygons in a file of at most 20 KB (Move3D section 6.2).
TEST_F(ApplicationsTest, SpacecraftAsksASmallRoadmap) {
  std::string text = read_scene("spacecraft_roadmap");
  replace(text, "enough: 3000", "enough: 400");
  const TaskOutcome grown = take("grow", text);
  ASSERT_TRUE(grown.result.found) << grown.result.verdict;
  EXPECT_EQ(read_figure(grown, "components"), 1);
  EXPECT_GE(read_figure(grown, "coverage"), 1 - 1.0 / 400);
  const auto bytes = testing::fs::file_size(folder_ / "spacecraft.roadmap");
  EXPECT_LE(bytes, 20'000U);
  EXPECT_EQ(read_figure(grown, "file_size"), static_cast<double>(bytes));

  const TaskOutcome asked = take("ask", read_scene("spacecraft"));
  expect_proven(asked);
  EXPECT_EQ(read_figure(asked, "roadmap_read"), 1);
  EXPECT_EQ(read_figure(asked, "samples"), 0) << "the file knows the way";
}

// A travelling crane takes an element of the turbopump to the lower floor; then random questions.
TEST_F(ApplicationsTest, TravellingCraneAsksItsRoadmap) {
  const auto lighten = [](std::string text) {
    replace(text, "facets: 300000", "facets: 30000");
    return text;
  };
  std::string text = lighten(read_scene("engine_room_roadmap"));
  replace(text, "samples: 1000", "samples: 150");
  const TaskOutcome grown = take("grow", text);
  ASSERT_TRUE(grown.result.found) << grown.result.verdict;

  const std::string question = lighten(read_scene("engine_room"));
  const TaskOutcome asked = take("ask", question);
  expect_proven(asked);
  EXPECT_EQ(read_figure(asked, "roadmap_read"), 1);
  EXPECT_TRUE(moves_one_at_a_time(
      asked, {"crane/bridge_joint", "crane/trolley_joint", "crane/hoist", "crane/swivel"}));
}

/// The engine room as its scene has it, with all that planning in it takes.
class EngineRoom {
 public:
  explicit EngineRoom(const testing::fs::path& task)
      : loaded_(load_task(task).value()), world_(load_task_scene(loaded_.file).value()) {
    SteeringChoice steering;
    steering.is_given = true;
    steering.method = "manhattan";
    steering.order = {"crane/hoist", "crane/bridge_joint", "crane/trolley_joint", "crane/swivel"};
    const auto joints = internal::find_moving_joints(world_.scene, "crane", "").value();
    rig_ = internal::PlanningRig::make(world_, loaded_.file, joints, {}, 0, {}, steering).value();
    local_.emplace(rig_->world());
  }

  LocalPlanner& local() { return *local_; }

  VecX draw_free(Rng& rng) {
    VecX x(rig_->space().size());
    do rig_->space().sample(rng, x);
    while (!local_->is_free(x));
    return x;
  }

  /// By the second prover.
  [[nodiscard]] bool is_proven(const MatX& path) const {
    const PlanningSpace& space = rig_->space();
    JointMotion motion{{}, MatX(world_.scene.nq(), path.cols()), rig_->steering().course()};
    Workspace workspace(world_.scene);
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      motion.times.push_back(static_cast<double>(k));
      if (!space.complete(path.col(k), motion.q.col(k), workspace)) return false;
    }
    return verify_motion(world_.scene, rig_->model(), motion, {.touch = 1e-7}).is_free;
  }

  std::optional<Blockage> explain(const PlanningProblem& problem, const PlanReport& failed) const {
    const ExplainOptions options;
    Explainer explainer(rig_->world(), problem, options, {}, Rng(3));
    return explainer.find_blockage(failed);
  }

 private:
  LoadedTask loaded_;
  TaskScene world_;
  std::unique_ptr<internal::PlanningRig> rig_;
  std::optional<LocalPlanner> local_;
};

// Ten random questions in all that is free among 300,000 facets: each is answered by the roadmap or
// by a search from it, with a proven motion, or parts are named without which there is one.
TEST_F(ApplicationsTest, RandomQuestionsOfAFullRoom) {
  EngineRoom room(write("room.yaml", read_scene("engine_room")));
  LocalPlanner& local = room.local();
  Roadmap roadmap(local.world().space);
  RoadmapOptions options;
  options.neighbours = 3;
  Rng rng(1);
  grow_roadmap(roadmap, options, local, Budget::steps(150), rng);
  int known = 0;
  for (int i = 0; i < 10; ++i) {
    SCOPED_TRACE(i);
    const PlanningProblem problem{room.draw_free(rng), {room.draw_free(rng)}};
    PlanReport report = query_roadmap(roadmap, problem, local);
    known += report.status == PlanStatus::found;
    if (report.status != PlanStatus::found)
      report = search_from_roadmap(roadmap, problem, {}, local, Budget::steps(20'000), rng);
    if (report.status == PlanStatus::found)
      EXPECT_TRUE(room.is_proven(report.path));
    else
      EXPECT_TRUE(room.explain(problem, report));
  }
  EXPECT_GE(known, 6);
}

// Ten random questions, half of them far down among the machines, are each answered by a proven
// motion, or by a reason; both happen.
TEST_F(ApplicationsTest, RandomQuestionsAreAnsweredOrExplained) {
  std::string text = read_scene("engine_room");
  replace(text, "facets: 300000", "facets: 30000");
  replace(text, "    parameters:", "    samples: 20\n    parameters:");
  Rng rng(1);
  int found = 0, explained = 0;
  for (int i = 0; i < 10; ++i) {
    const double depth = i % 2 == 0 ? rng.uniform(0, 2.5) : rng.uniform(5, 9);
    const std::string goal = fmt::format(
        "{{joints: {{crane/bridge_joint: {}, crane/trolley_joint: {}, crane/hoist: {}}}}}",
        rng.uniform(-12, 12), rng.uniform(-5.2, 5.2), depth);
    std::string question = text;
    replace(question, "{configuration: lower_floor}", goal);
    const TaskOutcome outcome = take("ask", question);
    if (outcome.result.found) {
      expect_proven(outcome);
      ++found;
    } else {
      ++explained;
      // A goal that is not free is said by what it collides with.
      EXPECT_TRUE(!outcome.result.collisions.empty() ||
                  (outcome.result.reasons && !outcome.result.reasons->kind.empty()))
          << outcome.result.verdict;
    }
  }
  EXPECT_GE(found, 3);
  EXPECT_GE(explained, 1);
}

// A tank that lies in the yard of a plant: its foot slides on the ground while the hoist lifts the
// other end; then it is taken off the ground and stood up inside the steel structure.
TEST_F(ApplicationsTest, RotatingCraneStandsATankUp) {
  const auto place_foot = [](const TaskOutcome& outcome, Eigen::Index k) {
    Workspace workspace(outcome.world.scene);
    compute_kinematics(outcome.world.scene, outcome.result.motion.q.col(k), workspace);
    const BodyId tank = *outcome.world.scene.find_body("tank/tank");
    return compute_pose(outcome.world.scene, workspace, tank) * Vec3(0.7, 0, -3.25);
  };
  const auto lighten = [](std::string text) {
    replace(text, "facets: 300000", "facets: 60000");
    return text;
  };
  const TaskOutcome raised = take("raise", lighten(read_scene("crane_raise")));
  expect_proven(raised);
  const MatX& q = raised.result.motion.q;
  for (Eigen::Index k = 0; k < q.cols(); ++k)
    EXPECT_NEAR(place_foot(raised, k).z(), 0.02, 1e-6) << "moment " << k;
  // The end that hangs stays above one place, so the foot comes to it: by the triangle of tank,
  // rope and ground.
  const double way = (place_foot(raised, q.cols() - 1) - place_foot(raised, 0)).norm();
  EXPECT_NEAR(way, 3.25 - (3.25 * std::sin(0.35) - 0.7 * std::cos(0.35)), 1e-3);

  VecX end = q.col(q.cols() - 1);
  for (const char* name : {"crane_lift", "crane_place"}) {
    SCOPED_TRACE(name);
    const TaskOutcome next = take(name, lighten(read_scene(name)));
    expect_proven(next);
    EXPECT_TRUE(moves_one_at_a_time(
        next, {"crane/hoist", "tank/tilt", "crane/slew", "crane/trolley_joint", "crane/swivel"}));
    const MatX& more = next.result.motion.q;
    EXPECT_LT((more.col(0) - end).norm(), 1e-6) << "goes on there";
    end = more.col(more.cols() - 1);
  }
}

// A hand takes hold of a sword from rough pre-shapes; the final configuration is computed. Witness:
// where the tool is at the end, by the poses of the file.
TEST_F(ApplicationsTest, HandGraspsFromRoughPreShapes) {
  const TaskOutcome outcome = take("grasp", read_scene("grasp"));
  expect_proven(outcome);
  const Scene& scene = outcome.world.scene;
  const MatX& q = outcome.result.motion.q;
  Workspace workspace(scene);
  compute_kinematics(scene, q.col(q.cols() - 1), workspace);
  const Pose X = compute_pose(scene, workspace, *scene.find_body("arm/tool"));
  EXPECT_LT((X.p - Vec3(0.55, 0, 0.49)).norm(), 1e-4);
  EXPECT_NEAR(X.R(2, 2), 0, 1e-3) << "level, as every pre-shape";
  // The inner faces of its fingers meet at 0, and the grip between them has a radius of 14 mm.
  const int finger = scene.joint(*scene.find_joint("arm/finger_left_joint")).q;
  EXPECT_NEAR(q(finger, 0), 0.04, 1e-12);
  EXPECT_NEAR(q(finger, q.cols() - 1), 0.014, 1e-4);
}

// A hook is taken off a rod, and the volume that it sweeps is written as a mesh file (Move3D
// section 1). Witness: winding numbers of that mesh, at points of the hook's boxes on its way.
TEST_F(ApplicationsTest, PuzzleExportsItsSweptVolume) {
  const TaskOutcome outcome = take("puzzle", read_scene("puzzle"));
  expect_proven(outcome);
  const Result<Asset> asset = load_stl(folder_ / "result" / "swept.stl");
  ASSERT_TRUE(asset) << to_text(asset.error());
  ASSERT_EQ(asset->meshes.size(), 1U);
  const MeshTree tree(asset->meshes.front().mesh);
  const Scene& scene = outcome.world.scene;
  const JointMotion& motion = outcome.result.motion;
  Workspace workspace(scene);
  VecX q(scene.nq());
  QueryScratch scratch;
  // As models/hook has them.
  const std::pair<Vec3, Vec3> boxes[] = {{{0, 0, 0}, {0.6, 0.1, 0.1}},
                                         {{0.25, 0.15, 0}, {0.1, 0.2, 0.1}},
                                         {{0.15, 0.3, 0}, {0.3, 0.1, 0.1}},
                                         {{0.02, 0.215, 0}, {0.04, 0.07, 0.1}}};
  Rng rng(1);
  for (int i = 0; i < 400; ++i) {
    interpolate(scene, motion, rng.uniform(motion.times.front(), motion.times.back()), q);
    compute_kinematics(scene, q, workspace);
    const Pose X = compute_pose(scene, workspace, *scene.find_body("hook/hook"));
    for (const auto& [middle, size] : boxes) {
      const Vec3 share(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5));
      EXPECT_GT(compute_winding(tree, X * (middle + size.cwiseProduct(share)), scratch), 0) << i;
    }
  }
  double volume = 0;
  for (const auto& [middle, size] : boxes) volume += size.prod();
  EXPECT_GT(read_figure(outcome, "swept_volume"), volume);
}

}  // namespace
}  // namespace geste
