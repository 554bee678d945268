#pragma once

#include "geste/planning/local_planner.hpp"

namespace geste {

struct ShortenOptions {
  int rounds = 8;      ///< at most
  double gain = 0.01;  ///< a round that shortens by less than this share is the last
};

/// The detours that a random search makes, taken out: points that can be left out are, corners are
/// cut. Every leg of what comes back is proven; it is never longer than what was given.
Way shorten(const LocalPlanner& local, const Way& way, const ShortenOptions& options,
            LocalPlanner::Memory& memory);

}  // namespace geste
