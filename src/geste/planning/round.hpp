#pragma once

#include "geste/planning/local_planner.hpp"
#include "geste/planning/timing.hpp"

namespace geste {

struct RoundOptions {
  bool is_on = true;
  int tries = 4;  ///< each with half the curve of the one before
};

/// Rounds the corners at which a motion would stop: parabolas from before the corner to behind it,
/// as legs so short that moments need not lie closer. Every leg of a curve is proven; a corner that
/// no proven curve goes round stays. The corner before and the one behind share the way between
/// them. Paths of other steering are left as they are: a cart cannot leave
/// its arcs, a crane moves one joint at a time. What was rounded.
int round_corners(MatX& path, const RoundOptions& options, const TimingOptions& timing,
                  LocalPlanner& local);

}  // namespace geste
