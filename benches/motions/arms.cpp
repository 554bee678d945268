#include <fmt/format.h>

#include <iostream>

#include "common/arm_problems.hpp"
#include "motions/dense.hpp"
#include "motions/suite.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kNear = 0.05;  // m
constexpr int kStepsPerRadian = 32;
constexpr const char* kHow =
    "edges of 1 rad from random free configurations, self-collision on; FCL every 1/32 rad, the "
    "end first, then by halves, obstacles by pairs or by its tree, whichever is faster";
constexpr const char* kHowNear =
    "edges of 1 rad from free configurations 1 to 5 cm from an obstacle, self-collision on; FCL as "
    "for random edges";

/// Configurations, as edges are counted.
struct Counted {
  long configurations = 0;
  double seconds = 0;
  long fcl_configurations = 0;
  double fcl_seconds = 0;

  void add(const Counted& other) {
    configurations += other.configurations;
    seconds += other.seconds;
    fcl_configurations += other.fcl_configurations;
    fcl_seconds += other.fcl_seconds;
  }
  [[nodiscard]] double rate() const { return static_cast<double>(configurations) / seconds; }
  [[nodiscard]] double fcl_rate() const {
    return static_cast<double>(fcl_configurations) / fcl_seconds;
  }
};

/// One problem, ready for both.
struct Problem {
  Problem(const std::string& name, const ProblemFile& file, const Arena& arena, FclShapes& shapes,
          Rng rng)
      : label(name),
        joints(find_joints(file, arena.scene)),
        checker(arena.scene, arena.model),
        fcl(arena.scene, arena.model, shapes),
        source(arena, joints, make_rest(file, arena.scene), rng),
        way(make_straight_way(arena.scene, joints, 1)) {
    fcl.choose_broad(source.draw(50));
  }

  std::string label;
  std::vector<JointId> joints;
  EdgeChecker checker;
  FclWorld fcl;
  EdgeSource source;
  Way way;
};

class ArmBench {
 public:
  ArmBench(const MotionsOptions& options, Totals& totals) : options_(options), totals_(totals) {}

  void run() {
    std::vector<ProblemFile> files;
    for (const fs::path& path : list_problem_files(options_.data)) {
      if (path.filename().string().find(options_.only) == std::string::npos) continue;
      ProblemFile file = load_problems(path);
      if (robots_.find(file.robot) == robots_.end())
        robots_[file.robot] = find_robot(options_.robots, file.robot);
      if (robots_[file.robot]) {
        files.push_back(std::move(file));
      } else {
        std::cerr << fmt::format(
            "bench motions: {} is skipped: no --robots folder has {}/{}.urdf\n",
            path.filename().string(), file.robot, file.robot);
      }
    }
    if (files.empty()) throw std::runtime_error("no problem file has its robot");
    const double share =
        static_cast<double>(options_.dense) / (2 * static_cast<double>(files.size()));
    for (const ProblemFile& file : files) measure(file, share);
    summarize();
  }

 private:
  void measure(const ProblemFile& file, double dense_share) {
    const std::string name = fmt::format("{} {}", file.robot, file.scene_class);
    std::cerr << "bench motions: " << name << "\n";
    const auto count = std::clamp<std::size_t>(static_cast<std::size_t>(options_.edges / 10), 1,
                                               file.obstacles.size());
    const int edges = (options_.edges + static_cast<int>(count) - 1) / static_cast<int>(count);
    std::optional<Arena> arena;
    Tally random, near;
    Counted counted;
    for (std::size_t i = 0; i < count; ++i) {
      arena = make_arena(make_problem(*robots_[file.robot], file.obstacles[i]), {}, kNear,
                         arena ? &*arena : nullptr);
      Problem problem(fmt::format("{} {}", name, i), file, *arena, shapes_, Rng(23).split(i));
      counted.add(count_configurations(problem));
      random.add(measure_edges(problem, edges, false, i < 3));
      near.add(measure_edges(problem, edges, true, false));
      DenseJudge judge(arena->scene, problem.fcl);
      for (bool close : {false, true})
        check_densely(problem, close, judge, take_quota(dense_share / static_cast<double>(count)));
    }
    publish(file, name, random, near, counted);
  }

  Tally measure_edges(Problem& problem, int count, bool near, bool on_threads) {
    const Edges edges = problem.source.draw_edges(count, near, problem.way);
    if (on_threads) {
      require_same_on_threads(problem.label, problem.checker, edges);
      totals_.same_on_threads += edges.count();
    }
    std::vector<EdgeVerdict> verdicts;
    return hold_contest(problem.label, problem.checker, problem.fcl, edges,
                        {kStepsPerRadian, options_.arm_stride()}, verdicts);
  }

  Counted count_configurations(Problem& problem) const {
    const MatX q = problem.source.draw(options_.is_quick() ? 64 : 1024);
    std::vector<char> free(static_cast<std::size_t>(q.cols()));
    const EdgeChecker::MemoryPtr memory = problem.checker.make_memory();
    const double t0 = thread_seconds();
    problem.checker.check(q, free, *memory);
    const double t1 = thread_seconds();
    Counted counted{q.cols(), t1 - t0, 0, 0};
    for (int k = 0; k < q.cols(); k += 16, ++counted.fcl_configurations)
      (void)problem.fcl.is_free(q.col(k));
    counted.fcl_seconds = thread_seconds() - t1;
    return counted;
  }

  /// Whole edges of a share that comes again and again.
  long take_quota(double share) {
    owed_ += share;
    const auto quota = static_cast<long>(owed_ + 1e-6);
    owed_ -= static_cast<double>(quota);
    return quota;
  }

  /// Draws edges that geste calls free, as many as `quota`, and holds each against the judge.
  void check_densely(Problem& problem, bool near, DenseJudge& judge, long quota) {
    const EdgeChecker::MemoryPtr memory = problem.checker.make_memory();
    for (int round = 0; quota > 0 && round < 50; ++round) {
      const Edges edges =
          problem.source.draw_edges(static_cast<int>(std::max(quota, 8L)), near, problem.way);
      std::vector<EdgeVerdict> verdicts(static_cast<std::size_t>(edges.count()));
      problem.checker.check_edges(edges, 0, verdicts, *memory);
      for (int k = 0; k < edges.count() && quota > 0; ++k) {
        if (verdicts[static_cast<std::size_t>(k)].verdict != Verdict::free) continue;
        --quota;
        judge_edge(problem.label, edges, k, judge);
      }
    }
  }

  void judge_edge(const std::string& label, const Edges& edges, int k, DenseJudge& judge) {
    // Few edges are looked at sample by sample; of many, one in a hundred vouches for the others.
    const bool plain = options_.dense <= kPlain || totals_.dense_checked % 100 == 0;
    const std::optional<double> hit =
        plain ? judge.find_hit(edges, k) : judge.find_hit_skipping(edges, k);
    if (options_.dense > kPlain && plain && hit != judge.find_hit_skipping(edges, k))
      throw std::runtime_error(label + ": the dense check that skips samples missed a collision");
    if (++totals_.dense_checked % 1000 == 0)
      std::cerr << fmt::format("bench motions: {} edges checked densely\n", totals_.dense_checked);
    if (!hit) return;
    ++totals_.dense_wrong;
    std::cerr << fmt::format("bench motions: {}: free, but collides at {}\n  from {}\n  to {}\n",
                             label, *hit, to_text(edges.q0.col(k)), to_text(edges.q1.col(k)));
  }

  void publish(const ProblemFile& file, const std::string& name, const Tally& random,
               const Tally& near, const Counted& counted) {
    add_rows(totals_.report, name, "random", random, kHow);
    add_rows(totals_.report, name, "near", near, kHowNear);
    totals_.report.rows.push_back(
        {name,
         "configurations",
         "1/s",
         false,
         counted.rate(),
         {{"fcl", counted.fcl_rate()}},
         fmt::format("random configurations, self-collision on; {}, FCL {} of them; 1 thread, CPU "
                     "time",
                     counted.configurations, counted.fcl_configurations)});
    totals_.all.add(random);
    totals_.all.add(near);
    const bool is_shelf = file.scene_class.starts_with("bookshelf");
    if (is_shelf) shelves_[file.robot].add(random);
    if (file.robot != "panda") return;
    if (file.scene_class == "cage") cage_.add(random);
    if (is_shelf) configurations_.add(counted);
  }

  void summarize() {
    auto& summary = totals_.report.summary;
    const auto add = [&](const std::string& name, const Tally& tally) {
      if (tally.edges == 0) return;
      summary.emplace_back("edges_per_s_" + name, tally.rate());
      summary.emplace_back("ratio_fcl_" + name, tally.ratio());
    };
    // Shelves are what all robots are compared in; "shelf" without a robot is panda's.
    for (const auto& [robot, tally] : shelves_) add(robot == "panda" ? "shelf" : robot, tally);
    add("cage", cage_);
    if (configurations_.configurations == 0) return;
    summary.emplace_back("configurations_per_s", configurations_.rate());
    summary.emplace_back("ratio_fcl_configurations",
                         configurations_.rate() / configurations_.fcl_rate());
  }

  static constexpr long kPlain = 5000;  // edges that are all looked at sample by sample

  const MotionsOptions& options_;
  Totals& totals_;
  FclShapes shapes_;
  std::map<std::string, std::optional<SceneSpec>> robots_;
  double owed_ = 0;
  std::map<std::string, Tally> shelves_;  ///< by robot
  Tally cage_;
  Counted configurations_;
};

}  // namespace

void measure_arms(const MotionsOptions& options, Totals& totals) {
  ArmBench(options, totals).run();
}

}  // namespace geste::bench
