#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "common/report.hpp"
#include "judge.hpp"

// Answers to questions of which the answer is known (GX-3): tasks without a motion, by
// construction, for every reason that there can be, and tasks with little play. An answer is right
// when its outcome, the kind of its reason and the parts that it names are; it is untrue when
// something that it says does not hold: a motion that the second prover refuses, a proof or a
// blocking part where there is a motion, a part whose absence changes nothing.

namespace {

using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

struct Tally {
  int cases = 0;
  int right = 0;
  int untrue = 0;
  double slowest = 0;  ///< s

  void add(const Judgement& j) {
    ++cases;
    right += j.is_right;
    untrue += !j.untrue.empty();
    slowest = std::max(slowest, j.seconds);
  }
};

double divide(int part, int whole) { return whole > 0 ? static_cast<double>(part) / whole : 0; }

void add_rows(const std::string& name, const Tally& t, Report& report) {
  const std::string how = fmt::format("{} cases, all cores, wall clock", t.cases);
  report.rows.push_back({name, "right", "1", false, divide(t.right, t.cases), {}, how});
  report.rows.push_back({name, "untrue", "1", true, divide(t.untrue, t.cases), {}, how});
  report.rows.push_back({name, "slowest answer", "s", true, t.slowest, {}, how});
}

int run(int argc, char** argv) {
  CLI::App app{"Reasons for tasks without a motion, beside what is known of them"};
  std::string json, only, data;
  std::uint64_t seeds = 1;
  app.add_option("--json", json, "file for the report");
  app.add_option("--data", data, "not needed: all cases are made by code");
  app.add_option("--only", only, "only cases whose name has this in it");
  app.add_option("--seeds", seeds, "how many times as many cases");
  CLI11_PARSE(app, argc, argv);
  Judge judge(fs::temp_directory_path() / fmt::format("geste_reasons_{}", ::getpid()));
  std::map<std::string, Tally> tallies;
  Tally all, infeasible, feasible;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::vector<Case> cases = make_body_cases(seed);
    for (Case& c : make_arm_cases(seed)) cases.push_back(std::move(c));
    for (const Case& c : cases) {
      if (c.name.find(only) == std::string::npos) continue;
      const Judgement j = judge.run(c);
      std::cerr << fmt::format("{:<20} {:<6} {:6.2f} s  {}{}\n", c.name,
                               !j.untrue.empty() ? "UNTRUE"
                               : j.is_right      ? "right"
                                                 : "lacks",
                               j.seconds, j.verdict,
                               j.is_right ? "" : fmt::format(" [{}{}]", j.untrue, j.missing));
      tallies[to_text(c.kind)].add(j);
      all.add(j);
      (c.is_feasible ? feasible : infeasible).add(j);
    }
  }
  Report report;
  report.suite = "reasons";
  for (const auto& [name, tally] : tallies) add_rows(name, tally, report);
  report.summary = {{"right_share", divide(all.right, all.cases)},
                    {"untrue_share", divide(all.untrue, all.cases)},
                    {"infeasible", static_cast<double>(infeasible.cases)},
                    {"infeasible_right_share", divide(infeasible.right, infeasible.cases)},
                    {"feasible", static_cast<double>(feasible.cases)},
                    {"feasible_right_share", divide(feasible.right, feasible.cases)},
                    {"answer_s_worst", all.slowest}};
  publish(report, json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("reasons", run, argc, argv); }
