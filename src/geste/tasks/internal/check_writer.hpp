#pragma once

#include <optional>

#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/static_clash.hpp"
#include "geste/tasks/check.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {

/// One pair of `find_static_clashes`, as programs read it.
Facts clash_to_facts(const Scene& scene, const CollisionModel& model, const StaticClash& clash);

/// Whether a pair counts as a collision (check.hpp).
bool collides(const CollisionModel& model, const StaticClash& clash);

/// What a check has found out.
struct CheckFindings {
  const StaticClashes& clashes;
  const std::optional<PairClearance>& nearest;
  /// Asked with --dropped: proven apart for all joint values.
  const std::vector<std::pair<BodyId, BodyId>>& never;
};

/// Text and JSON of a check.
CheckReport write_check_report(const Scene& scene, const CollisionModel& model,
                               const std::string& file, const CheckOptions& options,
                               const CheckFindings& findings);

}  // namespace geste::internal
