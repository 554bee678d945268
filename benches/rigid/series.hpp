#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "common/plot.hpp"
#include "common/report.hpp"
#include "rigid/problems.hpp"

namespace geste::bench {

/// Times of problems that differ in one size, to be drawn over it.
class SeriesTimes {
 public:
  /// What the times of those are that found nothing; their curves have no point there.
  struct Limits {
    double geste = 0;
    double peers = 0;
  };
  /// `time`: a problem's row of CPU times.
  void add(const RigidProblem& problem, const Row& time, const Limits& limits);

  /// By how much time grows, as rows and in the summary; and a drawing of each series beside the
  /// report, where one is written.
  void finish(Report& report, const std::filesystem::path& json) const;

 private:
  std::map<Series, std::vector<Curve>> curves_;  ///< geste's, then the peers'
};

}  // namespace geste::bench
