#include <CLI/CLI.hpp>

#include <iostream>

#include "motions/suite.hpp"

// Edges beside FCL that samples them: arms in every problem file, parts on screws among CAD
// assemblies, a humanoid with a load, and how cost grows with the world. What geste calls free is
// held against a dense check by FCL.

namespace {

using namespace geste;
using namespace geste::bench;

void summarize(Totals& totals) {
  auto& summary = totals.report.summary;
  const Tally& all = totals.all;
  summary.emplace_back("undecided_share",
                       static_cast<double>(all.undecided) / static_cast<double>(all.edges));
  // A sample of the contest that collides refutes as well as a dense check.
  summary.emplace_back("wrongly_free", totals.dense_wrong + all.wrong);
  summary.emplace_back("dense_checked", totals.dense_checked);
  totals.report.rows.push_back({"all",
                                "same on 1, 2, 4 threads",
                                "edges",
                                false,
                                static_cast<double>(totals.same_on_threads),
                                {},
                                "answers compared field by field; a difference stops the run"});
}

int run(int argc, char** argv) {
  CLI::App app{"Motions proven free or refuted, beside FCL that samples them"};
  MotionsOptions options;
  std::string json;
  app.add_option("--data", options.data, "folder with files of arm planning problems")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--robots", options.robots, "folder with robots, NAME/NAME.urdf; may be repeated")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--cad", options.cad, "folder with CAD assemblies; else cad beside --data")
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", json, "file for the report; a drawing of costs goes beside it");
  app.add_option("--only", options.only,
                 "only problem files whose name has this in it, and nothing but arms");
  app.add_option("--edges", options.edges,
                 "edges per problem file and kind; under 200: a quick look")
      ->check(CLI::Range(1, 10'000'000));
  app.add_option("--dense", options.dense, "edges called free that are checked densely")
      ->check(CLI::Range(0L, 100'000'000L));
  CLI11_PARSE(app, argc, argv);

  if (options.cad.empty()) options.cad = options.data / "../cad";
  if (!json.empty()) options.plot = std::filesystem::path(json).replace_extension(".svg");
  if (options.is_quick() && app.count("--dense") == 0) options.dense = 30;
  Totals totals;
  totals.report.suite = "motions";
  measure_arms(options, totals);
  if (options.only.empty()) {
    measure_bodies(options, totals);
    measure_carrying(options, totals);
    measure_growth(options, totals);
  }
  summarize(totals);
  publish(totals.report, json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("motions", run, argc, argv); }
