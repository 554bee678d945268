#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/rng.hpp"
#include "geste/planning/round.hpp"

namespace geste {

struct FinishOptions {
  RoundOptions round;
  TimingOptions timing;
  int tries = 300;  ///< shortcuts; 0: the path is gone as it is
};

/// A path as it is gone: corners rounded, on a clock.
struct FinishedMotion {
  MatX path;  ///< before corners were rounded
  int rounded = 0;
  JointMotion motion;
};

/// Makes a motion of a path of proven segments, as quick as shortcuts make it. What counts is the
/// duration of the finished motion, which is never longer than without them. Shortcuts are
/// straight, of all joints or of one of them while the others go on as they did (partial shortcuts:
/// R. Geraerts, M. Overmars, IJRR 2007, section 4.3); every segment is proven. Paths of steering
/// methods that take their own segments only, and of closed chains, are not cut. A step of the
/// budget is a shortcut.
FinishedMotion finish(const MatX& path, const FinishOptions& options, LocalPlanner& local,
                      const Budget& budget, Rng& rng);

}  // namespace geste
