#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "geste/model/configuration.hpp"
#include "geste/planning/plan.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "common/ompl_peer.hpp"
#include "common/report.hpp"
#include "common/take.hpp"
#include "rigid/problems.hpp"
#include "rigid/series.hpp"

// Loose parts among meshes: proven paths beside planners of OMPL with FCL at samples. Every path of
// geste is looked at by the second prover.

namespace {

using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

/// Runs without success that are enough.
constexpr int kHopeless = 4;

constexpr const char* kPeers[] = {"RRTConnect", "KPIECE1", "LBKPIECE", "PRM"};

struct RigidOptions {
  fs::path data;
  std::string only;
  int seeds = 10;
  int peer_seeds = 3;
  double seconds = 60;
  double resolution = 0.002;
};

struct PeerRun {
  int seed = 1;
  double seconds = 0;
};

/// CPU seconds of the runs that found something; the limit for those that did not.
struct Runs {
  std::vector<double> seconds;
  long solved = 0;

  [[nodiscard]] double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) return 0;
    return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  }
};

class RigidBench {
 public:
  explicit RigidBench(const RigidOptions& options) : options_(options) { report_.suite = "rigid"; }

  void measure(const RigidProblem& problem) {
    std::cerr << fmt::format("bench rigid: {}\n", problem.name);
    const Scene scene = take(Scene::compile(problem.spec));
    const CollisionModel model = take(CollisionModel::make(scene));
    const Validator validator(scene, model);
    const JointId joint = *scene.find_joint("free");
    const PlanningSpace space =
        take(PlanningSpace::make(scene, model, {&joint, 1}, make_neutral(scene)));
    const LinearSteering steering(space);
    const PlanningProblem asked{problem.start, {problem.goal}};
    check_way(problem, space, model);
    if (options_.seeds == 0) return;
    Runs mine;
    for (int seed = 1; seed <= options_.seeds; ++seed) {
      // Who found nothing so often is taken to find nothing: else hopeless ones take hours.
      if (seed > kHopeless && mine.solved == 0)
        miss(mine);
      else
        run_once({space, steering, validator}, model, asked, seed, mine);
    }
    // So long that it matters: who needs more than twenty times as long is slower by twenty.
    const double limit = std::min(options_.seconds, std::max(5.0, 20 * mine.median()));
    std::map<std::string, Runs> peers;
    for (const char* planner : kPeers)
      for (int seed = 1; seed <= options_.peer_seeds; ++seed) {
        Runs& runs = peers[planner];
        const auto missed = std::ssize(runs.seconds) - runs.solved;
        // More than half without success: the median is the limit already.
        if (2 * missed > options_.peer_seeds)
          runs.seconds.push_back(limit);
        else
          run_peer(planner, space, model, asked, {seed, limit}, runs);
      }
    add_rows(problem, mine, peers, limit);
  }

  /// All that was measured so far.
  Report sum_up(const std::string& json) const {
    Report report = report_;
    report.summary.emplace_back(
        "success_share",
        asked_ > 0 ? static_cast<double>(solved_) / static_cast<double>(asked_) : 0);
    // Of so many motions, each by the second prover.
    report.summary.emplace_back("verified", static_cast<double>(solved_));
    report.summary.emplace_back("colliding", static_cast<double>(colliding_));
    std::vector<double> ratios = ratios_;
    std::sort(ratios.begin(), ratios.end());
    if (!ratios.empty())
      report.summary.emplace_back("ratio_best_ompl_median", ratios[ratios.size() / 2]);
    series_.finish(report, json);
    return report;
  }

 private:
  void miss(Runs& runs) {
    runs.seconds.push_back(options_.seconds);
    ++asked_;
  }

  void run_once(const PlanningWorld& world, const CollisionModel& model,
                const PlanningProblem& problem, int seed, Runs& runs) {
    PlanOptions options;
    options.threads = 1;
    Budget budget;
    budget.deadline = make_deadline(options_.seconds);
    const double begin = process_seconds();
    const PlanReport found =
        plan(world, problem, options, budget, Rng(static_cast<std::uint64_t>(seed)));
    const double took = process_seconds() - begin;
    if (found.status != PlanStatus::found) return miss(runs);
    runs.seconds.push_back(took);
    ++runs.solved;
    ++solved_;
    ++asked_;
    colliding_ += !verify(world.space, model, found.path).is_free;
  }

  /// Any configurations.
  static MatX draw(const PlanningSpace& space, int count) {
    MatX q(space.scene().nq(), count);
    VecX x(space.size());
    Rng rng(1);
    Workspace workspace(space.scene());
    for (int k = 0; k < count; ++k) {
      space.sample(rng, x);
      if (!space.complete(x, q.col(k), workspace)) throw std::logic_error("a free body is loose");
    }
    return q;
  }

  /// By the second prover; leg k of the path begins at time k.
  static VerifyReport verify(const PlanningSpace& space, const CollisionModel& model,
                             const MatX& path) {
    JointMotion motion{{}, MatX(space.scene().nq(), path.cols()), Course::straight};
    Workspace workspace(space.scene());
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      motion.times.push_back(static_cast<double>(k));
      if (!space.complete(path.col(k), motion.q.col(k), workspace))
        throw std::logic_error("a free body is loose");
    }
    return verify_motion(space.scene(), model, motion, {.touch = 1e-7});
  }

  static void check_way(const RigidProblem& problem, const PlanningSpace& space,
                        const CollisionModel& model) {
    if (problem.way.cols() == 0) return;
    const VerifyReport report = verify(space, model, problem.way);
    if (!report.is_free)
      throw std::logic_error(
          fmt::format("the way that solves {} collides on leg {:.2f}", problem.name, report.at));
  }

  void run_peer(const char* planner, const PlanningSpace& space, const CollisionModel& model,
                const PlanningProblem& problem, const PeerRun& run, Runs& runs) {
    FclShapes shapes;
    FclWorld world(space.scene(), model, shapes);
    world.choose_broad(draw(space, 50));
    OmplOptions options;
    options.planner = planner;
    options.resolution = options_.resolution;
    options.seconds = run.seconds;
    options.seed = static_cast<std::uint32_t>(run.seed);
    const OmplAnswer answer = plan_with_ompl(space, problem, world, options);
    runs.seconds.push_back(answer.found ? answer.plan_seconds + answer.simplify_seconds
                                        : run.seconds);
    runs.solved += answer.found;
  }

  void add_rows(const RigidProblem& problem, const Runs& mine,
                const std::map<std::string, Runs>& peers, double limit) {
    const std::string how = fmt::format(
        "{} seeds of {} s at most, {} of {:.0f} s of each OMPL planner with FCL at {} of the "
        "extent; planned and shortened; all of that counts where nothing was found; 1 thread, CPU "
        "time, set-up apart",
        options_.seeds, options_.seconds, options_.peer_seeds, limit, options_.resolution);
    Row time{problem.name, "median", "s", true, mine.median(), {}, how};
    Row solved{problem.name, "solved", "1", false, share(mine), {}, how};
    double best = kInfinity;
    for (const auto& [planner, runs] : peers) {
      time.peers.emplace_back(planner, runs.median());
      solved.peers.emplace_back(planner, share(runs));
      if (2 * runs.solved > static_cast<long>(runs.seconds.size()))
        best = std::min(best, runs.median());
    }
    // Where neither solves it there is nothing to compare.
    if (options_.peer_seeds > 0 && (best < kInfinity || mine.solved > 0))
      ratios_.push_back(std::min(best, limit) / mine.median());
    series_.add(problem, time, {options_.seconds, limit});
    report_.rows.push_back(std::move(time));
    report_.rows.push_back(std::move(solved));
  }

  static double share(const Runs& runs) {
    return runs.seconds.empty()
               ? 0
               : static_cast<double>(runs.solved) / static_cast<double>(runs.seconds.size());
  }

  RigidOptions options_;
  Report report_;
  SeriesTimes series_;
  std::vector<double> ratios_;
  long asked_ = 0;
  long solved_ = 0;
  long colliding_ = 0;
};

int run(int argc, char** argv) {
  CLI::App app{"Loose parts among meshes, beside planners of OMPL"};
  RigidOptions options;
  std::string json;
  app.add_option("--data", options.data, "folder with problems, each a folder with problem.json")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", json, "file for the report; drawings of the series go beside it");
  app.add_option("--only", options.only, "only problems whose name has this in it");
  app.add_option("--seeds", options.seeds, "runs of geste; 0: known ways are proven, no more")
      ->check(CLI::Range(0, 1000));
  app.add_option("--peer-seeds", options.peer_seeds, "runs of each planner of OMPL")
      ->check(CLI::Range(0, 1000));
  app.add_option("--seconds", options.seconds, "for one run at most");
  app.add_option("--resolution", options.resolution, "of OMPL's samples, as a share of the extent");
  CLI11_PARSE(app, argc, argv);
  std::vector<RigidProblem> problems = load_rigid_problems(options.data);
  for (RigidProblem& p : make_rigid_puzzles()) problems.push_back(std::move(p));
  RigidBench bench(options);
  for (const RigidProblem& problem : problems) {
    if (problem.name.find(options.only) == std::string::npos) continue;
    bench.measure(problem);
    // It takes long: what there is can be looked at.
    if (!json.empty()) write_report(bench.sum_up(json), json);
  }
  publish(bench.sum_up(json), json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("rigid", run, argc, argv); }
