#pragma once

#include <optional>
#include <string>
#include <vector>

#include "studio/server/snapshot.hpp"

namespace geste::studio {

/// A state frame (docs/design/studio-protocol.md) with the movers that are elsewhere than in
/// `known`, which is brought up to date. An empty `known` gets all of them.
std::string make_state_frame(const Snapshot& snapshot, std::optional<std::int64_t> ack,
                             std::vector<Placement>& known);

}  // namespace geste::studio
