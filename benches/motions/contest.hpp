#pragma once

#include "common/fcl_world.hpp"
#include "common/report.hpp"
#include "motions/arena.hpp"

namespace geste::bench {

/// What was counted of some edges. FCL sees a share of them.
struct Tally {
  long edges = 0;
  long free = 0;
  long touching = 0;
  long undecided = 0;
  double seconds = 0;
  long fcl_edges = 0;
  long fcl_free = 0;
  double fcl_seconds = 0;
  long wrong = 0;   ///< free by geste, but a sample of FCL's collides
  long missed = 0;  ///< free by FCL's samples, but not by geste

  void add(const Tally& other);
  [[nodiscard]] double rate() const { return static_cast<double>(edges) / seconds; }
  [[nodiscard]] double fcl_rate() const { return static_cast<double>(fcl_edges) / fcl_seconds; }
  [[nodiscard]] double ratio() const { return rate() / fcl_rate(); }
};

/// How FCL goes along: so many steps per edge, and every `stride`-th edge only.
struct Sampling {
  int steps = 32;
  int stride = 1;
};

/// Both on the same edges, one thread, CPU time. Edges on which FCL finds a collision where geste
/// says free are printed. `verdicts` holds geste's word on each.
Tally hold_contest(const std::string& label, const EdgeChecker& checker, FclWorld& fcl,
                   const Edges& edges, const Sampling& sampling,
                   std::vector<EdgeVerdict>& verdicts);

/// Checks the edges on 1, 2 and 4 threads; an answer that differs in any bit throws.
void require_same_on_threads(const std::string& label, const EdgeChecker& checker,
                             const Edges& edges);

/// Rows "kind edges", "kind free", ... of a case. `how` says what an edge is and how FCL samples.
void add_rows(Report& report, const std::string& name, const std::string& kind, const Tally& tally,
              const std::string& how);

/// "0.1 -2 ..." with all digits.
std::string to_text(ConstVecRef q);

}  // namespace geste::bench
