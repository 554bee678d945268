#pragma once

#include <span>

#include "geste/proximity/collision_model.hpp"

namespace geste {

struct SurveyedPair {
  BodyId a;
  BodyId b;
  bool touched = false;  ///< in at least one sample
  bool parted = false;   ///< in at least one sample
};

/// Tries pairs of one actor's bodies in random configurations of the joints between its bodies:
/// within their limits, once around where an angle has none. Pairs with a joint between them that
/// has no finite travel, or that hangs on the world, are left as they are: neither touched nor
/// parted. Loops are not closed. Returns how many configurations were looked at: fewer than asked
/// for where formulas had no solution, none when cancelled or when nothing can move.
int survey_pairs(const Scene& scene, std::span<const CollisionObject> objects, ActorId actor,
                 const SurveyOptions& options, const CancelToken& cancel,
                 std::span<SurveyedPair> pairs);

/// The share of all configurations that an outcome seen in each of `samples` of them, independent
/// of each other, leaves open with this confidence: (1 - share)^samples = 1 - confidence.
double compute_open_share(int samples, double confidence);

}  // namespace geste
