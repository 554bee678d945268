#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "geste/planning/plan.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "arm/classical.hpp"
#include "common/dense.hpp"
#include "common/mbm.hpp"
#include "common/report.hpp"
#include "common/take.hpp"

// Arm planning problems of MotionBenchMaker on the exact meshes, self-collision on. geste's paths
// are proven; each is held against its second prover and against FCL's samples besides. Beside it,
// on the same problems, OMPL's RRT-Connect with FCL.

namespace {

using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

struct Options {
  fs::path data;
  std::vector<fs::path> robots;
  std::string json;
  int problems = 1 << 20;   ///< of each file, at most
  int classical = 1 << 20;  ///< of each file, at most
  double patience_s = 60;
  std::uint64_t seed = 1;
};

/// All times of one robot, in us.
struct Times {
  std::vector<double> plan, shorten, total, classical_plan, classical_total, length, prepare;
  long problems = 0, solved = 0, refused = 0, colliding = 0, classical = 0, classical_solved = 0,
       classical_colliding = 0;
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto k = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  return values[k];
}

VecX lay_over(VecX q, const Scene& scene, std::span<const JointId> joints,
              const std::vector<double>& values) {
  for (std::size_t k = 0; k < joints.size(); ++k) q[scene.joint(joints[k]).q] = values.at(k);
  return q;
}

/// Whether FCL finds nothing on any leg, every 3200th of a radian or so.
bool is_free_by_samples(DenseJudge& judge, const MatX& path) {
  Edges edges;
  edges.q0 = path.leftCols(path.cols() - 1);
  edges.q1 = path.rightCols(path.cols() - 1);
  for (int k = 0; k < edges.count(); ++k)
    if (judge.find_hit_skipping(edges, k)) return false;
  return true;
}

bool is_verified(const Scene& scene, const CollisionModel& model, const MatX& path) {
  JointMotion motion;
  motion.q = path;
  for (Eigen::Index k = 0; k < path.cols(); ++k) motion.times.push_back(static_cast<double>(k));
  const auto proof = verify_motion(scene, model, motion);
  return proof && proof->is_free();
}

class ArmBench {
 public:
  explicit ArmBench(const Options& options) : options_(options) {}

  void run(const fs::path& path) {
    const ProblemFile file = load_problems(path);
    if (robots_.find(file.robot) == robots_.end())
      robots_[file.robot] = find_robot(options_.robots, file.robot);
    if (!robots_[file.robot]) {
      std::cerr << fmt::format("bench arm: {} is skipped: no --robots folder has {}/{}.urdf\n",
                               path.filename().string(), file.robot, file.robot);
      return;
    }
    std::cerr << fmt::format("bench arm: {} {}\n", file.robot, file.scene_class);
    Times times;
    std::optional<World> world;
    for (std::size_t i = 0; i < file.problems.size(); ++i) {
      if (static_cast<int>(i) >= options_.problems) break;
      if (!file.problems[i].is_valid) continue;
      world.emplace(make_world(file, file.problems[i], world ? &*world : nullptr));
      solve(file, i, *world, times);
    }
    publish_class(file, times);
    add(robot_times_[file.robot], times);
  }

  Report finish() {
    for (const auto& [robot, times] : robot_times_) publish_robot(robot, times);
    return std::move(report_);
  }

 private:
  struct World {
    std::unique_ptr<const Scene> scene;
    std::unique_ptr<const CollisionModel> model;
    std::unique_ptr<const Validator> validator;
    double prepare_s = 0;
  };

  World make_world(const ProblemFile& file, const ArmProblem& problem, const World* previous) {
    World world;
    world.scene = std::make_unique<const Scene>(
        take(Scene::compile(make_problem(*robots_[file.robot], problem.obstacles))));
    const double begin = thread_seconds();
    world.model = std::make_unique<const CollisionModel>(
        take(CollisionModel::make(*world.scene, {}, previous ? previous->model.get() : nullptr)));
    ValidatorOptions options;
    options.threads = 1;
    world.validator = std::make_unique<const Validator>(
        *world.scene, *world.model, options, previous ? previous->validator.get() : nullptr);
    world.prepare_s = thread_seconds() - begin;
    return world;
  }

  void solve(const ProblemFile& file, std::size_t index, const World& world, Times& times) {
    const ArmProblem& problem = file.problems[index];
    const std::string label = fmt::format("{} {} {}", file.robot, file.scene_class, problem.id);
    const Scene& scene = *world.scene;
    const std::vector<JointId> joints = find_joints(file, scene);
    const VecX held = make_held(file, scene);
    VecX start = lay_over(held, scene, joints, problem.start);
    VecX goal = lay_over(held, scene, joints, problem.goal);
    const PlanningSpace space = take(PlanningSpace::make(scene, joints, start));
    const LinearSteering steering;
    const LocalPlanner local(space, steering, *world.validator);
    LocalPlanner::Memory memory(local);
    if (!local.admit(start, memory) || !local.admit(goal, memory)) {
      ++times.refused;
      return;
    }
    ++times.problems;
    times.prepare.push_back(1e6 * world.prepare_s);
    FclWorld fcl(scene, *world.model, shapes_);
    DenseJudge judge(scene, fcl);
    measure_geste(label, local, start, goal, world, judge, times);
    if (static_cast<int>(index) >= options_.classical) return;
    const ArmAnswer peer = solve_classically(scene, joints, start, goal, fcl, options_.patience_s,
                                             static_cast<std::uint32_t>(options_.seed));
    ++times.classical;
    times.classical_plan.push_back(1e6 * peer.plan_s);
    times.classical_total.push_back(1e6 * (peer.plan_s + peer.shorten_s));
    if (!peer.solved) return;
    ++times.classical_solved;
    times.classical_colliding += !is_free_by_samples(judge, peer.path);
  }

  void measure_geste(const std::string& label, const LocalPlanner& local, const VecX& start,
                     const VecX& goal, const World& world, DenseJudge& judge, Times& times) {
    PlanOptions options;
    options.seed = options_.seed;
    options.threads = 1;
    options.shorten.rounds = 0;
    Budget budget;
    budget.deadline = make_deadline(options_.patience_s);
    const double begin = thread_seconds();
    const PlanReport report = plan(local, start, {goal}, options, budget);
    const double planned = thread_seconds();
    if (!report.found) {
      std::cerr << fmt::format("bench arm: {} is not solved\n", label);
      times.total.push_back(1e6 * (planned - begin));
      return;
    }
    LocalPlanner::Memory memory(local);
    const double ready = thread_seconds();
    const Way way = shorten(local, report.way, ShortenOptions{}, memory);
    const double done = thread_seconds();
    ++times.solved;
    times.plan.push_back(1e6 * (planned - begin));
    times.shorten.push_back(1e6 * (done - ready));
    times.total.push_back(times.plan.back() + times.shorten.back());
    times.length.push_back(compute_length(local.space(), way));
    if (!is_verified(*world.scene, *world.model, way.q()) || !is_free_by_samples(judge, way.q())) {
      ++times.colliding;
      std::cerr << fmt::format("bench arm: {}: the path collides\n", label);
    }
  }

  static void add(Times& all, const Times& some) {
    const auto join = [](std::vector<double>& a, const std::vector<double>& b) {
      a.insert(a.end(), b.begin(), b.end());
    };
    join(all.plan, some.plan), join(all.shorten, some.shorten), join(all.total, some.total);
    join(all.classical_plan, some.classical_plan);
    join(all.classical_total, some.classical_total);
    join(all.length, some.length), join(all.prepare, some.prepare);
    all.problems += some.problems, all.solved += some.solved, all.refused += some.refused;
    all.colliding += some.colliding, all.classical += some.classical;
    all.classical_solved += some.classical_solved;
    all.classical_colliding += some.classical_colliding;
  }

  void publish_class(const ProblemFile& file, const Times& t) {
    add_rows(fmt::format("{} {}", file.robot, file.scene_class), t);
  }
  void publish_robot(const std::string& robot, const Times& t) { add_rows(robot + " all", t); }

  void add_rows(const std::string& name, const Times& t) {
    const auto row = [&](const char* metric, const char* unit, bool lower, double value,
                         std::vector<std::pair<std::string, double>> peers) {
      report_.rows.push_back({name, metric, unit, lower, value, std::move(peers), kHow});
    };
    row("solved", "1", false, static_cast<double>(t.solved),
        {{"ompl", static_cast<double>(t.classical_solved)}});
    row("colliding paths", "1", true, static_cast<double>(t.colliding),
        {{"ompl", static_cast<double>(t.classical_colliding)}});
    row("plan, median", "us", true, quantile(t.plan, 0.5),
        {{"ompl", quantile(t.classical_plan, 0.5)}});
    row("plan, 95 %", "us", true, quantile(t.plan, 0.95),
        {{"ompl", quantile(t.classical_plan, 0.95)}});
    row("shorten, median", "us", true, quantile(t.shorten, 0.5), {});
    row("total, median", "us", true, quantile(t.total, 0.5),
        {{"ompl", quantile(t.classical_total, 0.5)}});
    row("total, 95 %", "us", true, quantile(t.total, 0.95),
        {{"ompl", quantile(t.classical_total, 0.95)}});
    row("length, median", "rad", true, quantile(t.length, 0.5), {});
    row("prepare, median", "us", true, quantile(t.prepare, 0.5), {});
  }

  static constexpr const char* kHow =
      "one thread, CPU time, one run per problem; geste's paths proven on the meshes; OMPL "
      "RRTConnect "
      "with FCL, 1 % resolution";
  const Options& options_;
  FclShapes shapes_;
  std::map<std::string, std::optional<SceneSpec>> robots_;
  std::map<std::string, Times> robot_times_;
  Report report_{"arm", {}, {}};

  friend void summarize(ArmBench& bench, Report& report);

 public:
  void summarize(Report& report) const {
    Times all;
    for (const auto& [robot, times] : robot_times_) add(all, times);
    const auto put = [&](const char* key, double value) {
      report.summary.emplace_back(key, value);
    };
    put("solved_share", static_cast<double>(all.solved) / static_cast<double>(all.problems));
    put("colliding", static_cast<double>(all.colliding));
    put("refused", static_cast<double>(all.refused));
    const auto panda = robot_times_.find("panda");
    const Times& t = panda == robot_times_.end() ? all : panda->second;
    put("plan_us_median", quantile(t.plan, 0.5));
    put("total_us_median", quantile(t.total, 0.5));
    put("total_us_p95", quantile(t.total, 0.95));
    put("classical_total_us_median", quantile(t.classical_total, 0.5));
    put("ratio_classical", quantile(t.classical_total, 0.5) / quantile(t.total, 0.5));
  }
};

int run(int argc, char** argv) {
  CLI::App app{"Arm planning problems, beside OMPL with FCL"};
  Options options;
  app.add_option("--data", options.data, "folder with files of arm planning problems")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--robots", options.robots, "folder with robots, NAME/NAME.urdf; may be repeated")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", options.json, "file for the report");
  app.add_option("--problems", options.problems, "of each file, at most");
  app.add_option("--classical", options.classical, "of each file, that OMPL gets too");
  app.add_option("--patience", options.patience_s, "seconds for one problem");
  app.add_option("--seed", options.seed, "of geste's searches");
  CLI11_PARSE(app, argc, argv);

  ArmBench bench(options);
  for (const fs::path& path : list_problem_files(options.data)) bench.run(path);
  Report report = bench.finish();
  bench.summarize(report);
  publish(report, options.json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("arm", run, argc, argv); }
