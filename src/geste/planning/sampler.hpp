#pragma once

#include "geste/core/rng.hpp"
#include "geste/planning/local_planner.hpp"

namespace geste {

/// Where free points are looked for.
enum class SamplerKind {
  uniform,   ///< everywhere alike
  gaussian,  ///< near what is in the way: V. Boor, M. Overmars, A. van der Stappen, ICRA 1999
             ///< (MV-5)
  bridge,    ///< between two that are in the way: D. Hsu, T. Jiang, J. Reif, Z. Sun, ICRA 2003
};

struct SamplerOptions {
  SamplerKind kind = SamplerKind::uniform;
  double deviation = 0;  ///< of the second point from the first; 0: a fiftieth of the extent
};

/// Draws points that are free, one after the other; several are looked at together.
class FreeSampler {
 public:
  FreeSampler(const PlanningSpace& space, const SamplerOptions& options);

  /// False where a block of draws gave none: ask again, or give up.
  bool draw(LocalPlanner& local, Rng& rng, VecRef x);

 private:
  void fill(LocalPlanner& local, Rng& rng);

  static constexpr int kBlock = 8;

  const PlanningSpace& space_;
  SamplerKind kind_;
  double deviation_;
  MatX first_, second_, middle_;
  std::vector<VecX> ready_;  ///< the next one last
};

}  // namespace geste
