#pragma once

#include <filesystem>

#include "motions/contest.hpp"

namespace geste::bench {

struct MotionsOptions {
  std::filesystem::path data;                 ///< folder of problem files
  std::vector<std::filesystem::path> robots;  ///< folders of robots
  std::filesystem::path cad;                  ///< folder of assemblies; empty: none
  std::string only;                           ///< in the names of problem files; then nothing else
  int edges = 20'000;                         ///< per problem file and kind of edge
  long dense = 4000;                          ///< edges called free to be checked densely
  std::filesystem::path plot;                 ///< file for the drawing of costs; empty: none

  /// A look at whether all works, in seconds: few scenes, small ones.
  [[nodiscard]] bool is_quick() const { return edges < 200; }
  /// Of bodies and other worlds so few of the edges are asked for.
  [[nodiscard]] int few_edges() const { return is_quick() ? edges / 5 : edges / 25; }
  /// Of the edges FCL sees one in so many: hundreds are enough to know its rate, while a validator
  /// is made for thousands of edges in one scene.
  [[nodiscard]] int arm_stride() const { return is_quick() ? 1 : 25; }
  [[nodiscard]] int stride() const { return is_quick() ? 1 : 5; }
};

/// What all parts of the suite add to.
struct Totals {
  Report report;
  Tally all;
  long same_on_threads = 0;  ///< edges that were answered alike on 1, 2 and 4 threads
  long dense_checked = 0;
  long dense_wrong = 0;  ///< called free, but a dense check collides
};

/// Every problem file: edges at random and near obstacles, configurations, dense check.
void measure_arms(const MotionsOptions& options, Totals& totals);
/// Parts of the CAD assemblies on screws among the rest.
void measure_bodies(const MotionsOptions& options, Totals& totals);
/// Talos with a box in its hand among boxes, all joints moving.
void measure_carrying(const MotionsOptions& options, Totals& totals);
/// How costs grow with the number of obstacles and of their triangles.
void measure_growth(const MotionsOptions& options, Totals& totals);

}  // namespace geste::bench
