#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "geste/model/configuration.hpp"
#include "geste/planning/finish.hpp"
#include "geste/planning/plan.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "common/arm_problems.hpp"
#include "common/ompl_peer.hpp"
#include "common/report.hpp"
#include "common/take.hpp"

// Arm planning problems: proven paths beside OMPL's RRTConnect with FCL at samples, as the
// classical stack is set up. Every path is looked at by the second prover, the classical ones too.

namespace {

using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

struct ArmOptions {
  fs::path data;
  std::vector<fs::path> robots;
  std::string only;
  int seeds = 3;
  int classical = 2;     ///< OMPL sees one problem in so many; 0: none
  int shortest = 10;     ///< all its planners see one problem in so many; 0: none
  double seconds = 10;   ///< for one problem, each
  int most = 1'000'000;  ///< problems per file
};

double pick(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// Times in microseconds of CPU, one thread.
struct Times {
  std::vector<double> plan;
  std::vector<double> total;
  std::vector<double> length;
  std::vector<double> finish;    ///< making a motion of the path, which users wait for too
  std::vector<double> duration;  ///< s, of the finished motion
  long asked = 0;
  long solved = 0;
  long colliding = 0;

  void add(const Times& other) {
    plan.insert(plan.end(), other.plan.begin(), other.plan.end());
    total.insert(total.end(), other.total.begin(), other.total.end());
    length.insert(length.end(), other.length.begin(), other.length.end());
    finish.insert(finish.end(), other.finish.begin(), other.finish.end());
    duration.insert(duration.end(), other.duration.begin(), other.duration.end());
    asked += other.asked;
    solved += other.solved;
    colliding += other.colliding;
  }
  void add(double plan_s, double total_s, double path_length) {
    plan.push_back(1e6 * plan_s);
    total.push_back(1e6 * total_s);
    length.push_back(path_length);
    ++solved;
  }
  /// Nothing found counts as all the time there was.
  void miss(double seconds) {
    plan.push_back(1e6 * seconds);
    total.push_back(1e6 * seconds);
  }
};

struct Outcome {
  Times geste;
  Times shared;  ///< of geste, on the problems that the classical stack saw
  Times classical;
  /// Durations of finished motions on the same problems: geste's, the median of its seeds, and the
  /// shortest of those of OMPL's planners.
  std::vector<double> duration, shortest;
  int invalid = 0;  ///< start or goal collides on the true meshes
};

/// A problem as geste plans it.
struct Arena {
  Arena(const SceneSpec& spec, const ProblemFile& file, const Arena* previous)
      : scene(take(Scene::compile(spec))),
        model(take(CollisionModel::make(scene, {}, previous ? &previous->model : nullptr))),
        validator(scene, model, {}, previous ? &previous->validator : nullptr),
        space(take(
            PlanningSpace::make(scene, model, find_joints(file, scene), make_rest(file, scene)))),
        steering(space) {}

  [[nodiscard]] PlanningWorld world() const { return {space, steering, validator}; }

  /// By the second prover.
  [[nodiscard]] bool collides(const MatX& path) const {
    JointMotion motion{{}, MatX(scene.nq(), path.cols()), Course::straight};
    Workspace workspace(scene);
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      motion.times.push_back(static_cast<double>(k));
      if (!space.complete(path.col(k), motion.q.col(k), workspace)) return true;
    }
    VerifyOptions options;
    options.touch = 1e-7;
    return !verify_motion(scene, model, motion, options).is_free;
  }

  /// Any configurations.
  [[nodiscard]] MatX draw(int count) const {
    MatX q(scene.nq(), count);
    VecX x(space.size());
    Rng rng(1);
    Workspace workspace(scene);
    for (int k = 0; k < count; ++k) {
      space.sample(rng, x);
      // Of robots without closed chains all can be completed.
      (void)space.complete(x, q.col(k), workspace);
    }
    return q;
  }

  Scene scene;
  CollisionModel model;
  Validator validator;
  PlanningSpace space;
  LinearSteering steering;
};

class ArmBench {
 public:
  explicit ArmBench(const ArmOptions& options) : options_(options) { report_.suite = "arm"; }

  void run() {
    for (const fs::path& path : list_problem_files(options_.data)) {
      if (path.filename().string().find(options_.only) == std::string::npos) continue;
      const ProblemFile file = load_problems(path);
      const std::optional<SceneSpec> robot = find_robot(options_.robots, file.robot);
      if (!robot) {
        std::cerr << fmt::format("bench arm: {} is skipped: no --robots folder has {}/{}.urdf\n",
                                 path.filename().string(), file.robot, file.robot);
        continue;
      }
      const Outcome outcome = measure(file, *robot);
      publish_rows(fmt::format("{} {}", file.robot, file.scene_class), outcome);
      all_.geste.add(outcome.geste);
      all_.invalid += outcome.invalid;
      by_robot_[file.robot].geste.add(outcome.geste);
      by_robot_[file.robot].shared.add(outcome.shared);
      by_robot_[file.robot].classical.add(outcome.classical);
      add(outcome.duration, by_robot_[file.robot].duration);
      add(outcome.shortest, by_robot_[file.robot].shortest);
    }
    if (all_.geste.asked == 0) throw std::runtime_error("no problem file has its robot");
    for (const auto& [robot, outcome] : by_robot_) publish_rows("all " + robot, outcome);
    summarize();
  }

  [[nodiscard]] const Report& report() const { return report_; }

 private:
  static void add(const std::vector<double>& from, std::vector<double>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }

  Outcome measure(const ProblemFile& file, const SceneSpec& robot) {
    std::cerr << fmt::format("bench arm: {} {}\n", file.robot, file.scene_class);
    Outcome outcome;
    std::unique_ptr<Arena> arena;
    const std::size_t count =
        std::min(file.queries.size(), static_cast<std::size_t>(options_.most));
    for (std::size_t i = 0; i < count; ++i) {
      arena = std::make_unique<Arena>(make_problem(robot, file.obstacles[i]), file, arena.get());
      const PlanningProblem problem{file.queries[i].start, file.queries[i].goals};
      LocalPlanner local(arena->world());
      const bool is_valid = local.is_free(problem.start) &&
                            std::any_of(problem.goals.begin(), problem.goals.end(),
                                        [&](const VecX& goal) { return local.is_free(goal); });
      if (!is_valid) {
        ++outcome.invalid;
        continue;
      }
      const std::string label =
          fmt::format("{} {} {}", file.robot, file.scene_class, file.queries[i].id);
      const Times mine = plan_often(label, *arena, problem);
      outcome.geste.add(mine);
      if (options_.shortest > 0 && i % static_cast<std::size_t>(options_.shortest) == 0)
        compare_durations(*arena, problem, mine, outcome);
      if (options_.classical == 0 || i % static_cast<std::size_t>(options_.classical) != 0)
        continue;
      outcome.shared.add(mine);
      plan_classically(*arena, problem, outcome.classical);
    }
    return outcome;
  }

  /// The second prover comes when all is timed: it would leave cold caches to the next seed.
  Times plan_often(const std::string& label, const Arena& arena,
                   const PlanningProblem& problem) const {
    Times times;
    std::vector<MatX> paths;
    for (int seed = 1; seed <= options_.seeds; ++seed)
      paths.push_back(plan_once(label, arena, problem, static_cast<std::uint64_t>(seed), times));
    for (std::size_t k = 0; k < paths.size(); ++k) {
      if (paths[k].size() == 0 || !arena.collides(paths[k])) continue;
      std::cerr << fmt::format("bench arm: {}, seed {}: COLLIDES\n", label, k + 1);
      ++times.colliding;
    }
    return times;
  }

  /// Planning and shortening apart: the same steps that `plan` goes in one. Empty: not found.
  MatX plan_once(const std::string& label, const Arena& arena, const PlanningProblem& problem,
                 std::uint64_t seed, Times& times) const {
    PlanOptions options;
    options.threads = 1;
    options.shorten.is_on = false;
    Budget budget;
    budget.deadline = make_deadline(options_.seconds);
    ++times.asked;
    const double begin = process_seconds();
    PlanReport found = plan(arena.world(), problem, options, budget, Rng(seed));
    const double planned = process_seconds();
    if (found.status != PlanStatus::found) {
      std::cerr << fmt::format("bench arm: {}, seed {}: {} after {} samples\n", label, seed,
                               to_text(found.status), found.steps);
      times.miss(options_.seconds);
      return {};
    }
    LocalPlanner local(arena.world());
    Rng rng(seed);
    const double ready = process_seconds();
    shorten(found.path, {}, local, {}, rng);
    const double shortened = process_seconds();
    times.add(planned - begin, planned - begin + shortened - ready,
              measure_length(arena.space, found.path));
    const double before = process_seconds();
    const FinishedMotion finished = finish(found.path, {}, local, {}, rng);
    times.finish.push_back(1e6 * (process_seconds() - before));
    times.duration.push_back(finished.motion.times.back());
    return std::move(found.path);
  }

  /// Of what OMPL's planners find and simplify, rounded and on the same clock.
  void compare_durations(const Arena& arena, const PlanningProblem& problem, const Times& mine,
                         Outcome& outcome) {
    FclWorld world(arena.scene, arena.model, shapes_);
    world.choose_broad(arena.draw(50));
    LocalPlanner local(arena.world());
    double shortest = kInfinity;
    for (const char* planner : {"RRTConnect", "KPIECE1", "LBKPIECE", "PRM"}) {
      OmplOptions options;
      options.planner = planner;
      options.seconds = std::min(options_.seconds, 2.0);
      const OmplAnswer answer = plan_with_ompl(arena.space, problem, world, options);
      if (!answer.found) continue;
      Rng rng(1);
      shortest = std::min(
          shortest, finish(answer.path, {.round = {}, .timing = {}, .tries = 0}, local, {}, rng)
                        .motion.times.back());
    }
    if (mine.duration.empty() || shortest == kInfinity) return;
    outcome.duration.push_back(pick(mine.duration, 0.5));
    outcome.shortest.push_back(shortest);
  }

  void plan_classically(const Arena& arena, const PlanningProblem& problem, Times& times) {
    FclWorld world(arena.scene, arena.model, shapes_);
    world.choose_broad(arena.draw(50));
    OmplOptions options;
    options.seconds = options_.seconds;
    ++times.asked;
    const OmplAnswer answer = plan_with_ompl(arena.space, problem, world, options);
    if (!answer.found) return times.miss(options_.seconds);
    times.add(answer.plan_seconds, answer.plan_seconds + answer.simplify_seconds,
              measure_length(arena.space, answer.path));
    times.colliding += arena.collides(answer.path);
  }

  void publish_rows(const std::string& name, const Outcome& o) {
    const std::string how = fmt::format(
        "{} runs of geste ({} seeds), {} of OMPL 1.5 RRTConnect with FCL 0.7 at 1 % of the extent, "
        "simplified; {} problems whose ends collide left out; 1 thread, CPU time, set-up apart",
        o.geste.asked, options_.seeds, o.classical.asked, o.invalid);
    const auto add = [&](const char* metric, const char* unit, bool lower, auto value) {
      Row row{name, metric, unit, lower, value(o.geste), {}, how};
      if (o.classical.asked > 0) row.peers.emplace_back("ompl+fcl", value(o.classical));
      report_.rows.push_back(std::move(row));
    };
    const auto share = [](long part, long whole) {
      return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    };
    add("plan median", "us", true, [](const Times& t) { return pick(t.plan, 0.5); });
    add("plan 95 %", "us", true, [](const Times& t) { return pick(t.plan, 0.95); });
    add("total median", "us", true, [](const Times& t) { return pick(t.total, 0.5); });
    add("total 95 %", "us", true, [](const Times& t) { return pick(t.total, 0.95); });
    add("solved", "1", false, [&](const Times& t) { return share(t.solved, t.asked); });
    add("colliding", "1", true, [&](const Times& t) { return share(t.colliding, t.solved); });
    add("path length median", "rad", true, [](const Times& t) { return pick(t.length, 0.5); });
    report_.rows.push_back({name, "finish median", "us", true, pick(o.geste.finish, 0.5), {}, how});
    Row row{name, "duration median", "s", true, pick(o.geste.duration, 0.5), {}, how};
    if (!o.shortest.empty()) {
      row.geste = pick(o.duration, 0.5);
      row.peers.emplace_back("ompl shortest", pick(o.shortest, 0.5));
      row.how = fmt::format(
          "finished motions, rounded and timed, of {} problems: median of {} seeds beside the "
          "shortest of OMPL's RRTConnect, KPIECE1, LBKPIECE and PRM, simplified by OMPL",
          o.shortest.size(), options_.seeds);
    }
    report_.rows.push_back(std::move(row));
  }

  void summarize() {
    const Times& all = all_.geste;
    auto& summary = report_.summary;
    const double solved = static_cast<double>(all.solved) / static_cast<double>(all.asked);
    summary.emplace_back("solved", solved);
    summary.emplace_back("solved_share", solved);
    // Of so many motions, each by the second prover.
    summary.emplace_back("verified", static_cast<double>(all.solved));
    summary.emplace_back("colliding", static_cast<double>(all.colliding));
    for (const auto& [robot, outcome] : by_robot_)
      summary.emplace_back("total_us_median_" + robot, pick(outcome.geste.total, 0.5));
    const auto panda = by_robot_.find("panda");
    const Outcome& o = panda != by_robot_.end() ? panda->second : by_robot_.begin()->second;
    summary.emplace_back("plan_us_median", pick(o.geste.plan, 0.5));
    summary.emplace_back("total_us_median", pick(o.geste.total, 0.5));
    summary.emplace_back("total_us_p95", pick(o.geste.total, 0.95));
    summary.emplace_back("finish_us_median", pick(o.geste.finish, 0.5));
    summary.emplace_back("duration_s_median", pick(o.geste.duration, 0.5));
    if (!o.shortest.empty())
      summary.emplace_back("ratio_duration_ompl", pick(o.duration, 0.5) / pick(o.shortest, 0.5));
    if (o.classical.solved == 0) return;
    const double classical = pick(o.classical.total, 0.5);
    summary.emplace_back("classical_total_us_median", classical);
    summary.emplace_back("ratio_classical", classical / pick(o.shared.total, 0.5));
  }

  ArmOptions options_;
  Report report_;
  FclShapes shapes_;
  Outcome all_;
  std::map<std::string, Outcome> by_robot_;
};

int run(int argc, char** argv) {
  CLI::App app{"Arm planning problems, beside OMPL with FCL"};
  ArmOptions options;
  std::string json;
  app.add_option("--data", options.data, "folder with files of arm planning problems")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--robots", options.robots, "folder with robots, NAME/NAME.urdf; may be repeated")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", json, "file for the report");
  app.add_option("--only", options.only, "only files whose name has this in it");
  app.add_option("--problems", options.most, "problems per file at most")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seeds", options.seeds, "runs of geste per problem")->check(CLI::Range(1, 1000));
  app.add_option("--classical", options.classical,
                 "OMPL sees one problem in so many; 0: it is left out")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--shortest", options.shortest,
                 "durations beside those of all OMPL planners on one problem in so many; 0: none")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--seconds", options.seconds, "for one run at most");
  CLI11_PARSE(app, argc, argv);
  ArmBench bench(options);
  bench.run();
  publish(bench.report(), json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("arm", run, argc, argv); }
