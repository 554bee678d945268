#include "rigid/puzzles.hpp"

namespace geste::bench {
namespace {

/// From three times the bar's thickness down to a fiftieth more than it.
void add_clearance_series(std::vector<RigidProblem>& puzzles) {
  for (const double side : {0.3, 0.2, 0.17, 0.15, 0.12, 0.11, 0.105, 0.102}) {
    puzzles.push_back(make_window(side));
    puzzles.back().series = Series::clearance;
    puzzles.back().size = side / 0.1 - 1;
  }
}

void add_size_series(std::vector<RigidProblem>& puzzles) {
  for (long triangles = 100; triangles <= 1'000'000; triangles *= 10) {
    puzzles.push_back(make_cluttered_window(triangles));
    puzzles.back().series = Series::triangles;
    puzzles.back().size = static_cast<double>(triangles);
  }
}

}  // namespace

std::vector<RigidProblem> make_rigid_puzzles() {
  std::vector<RigidProblem> puzzles;
  add_clearance_series(puzzles);
  puzzles.push_back(make_slit());
  puzzles.push_back(make_two_windows());
  for (const double clearance : {0.03, 0.015}) puzzles.push_back(make_twisted_bar(clearance));
  for (const double gap : {1.5, 1.2}) puzzles.push_back(make_bent_bar(gap));
  for (const double clearance : {0.03, 0.01}) puzzles.push_back(make_bug_trap(clearance));
  for (const double mouth : {0.12, 0.105}) puzzles.push_back(make_hook(mouth));
  for (const double gap : {2.0, 1.5, 1.2, 1.1}) puzzles.push_back(make_alpha(gap));
  for (const double clearance : {0.15, 0.03}) puzzles.push_back(make_cubicles(4, 3, clearance));
  for (const double clearance : {0.1, 0.03}) puzzles.push_back(make_piano(clearance));
  for (const double clearance : {0.08, 0.02}) puzzles.push_back(make_pipes(300, clearance));
  add_size_series(puzzles);
  return puzzles;
}

}  // namespace geste::bench
