#pragma once

#include "geste/core/budget.hpp"
#include "geste/model/workspace.hpp"
#include "geste/proximity/internal/verify_rates.hpp"

namespace geste::internal {

/// Some legs of a motion that follow each other: where every mover is at their moments, and how
/// fast it goes between them.
struct VerifyWindow {
  std::size_t first = 0;                      ///< leg; leg i goes from moment i to moment i + 1
  std::size_t end = 0;                        ///< behind the last leg
  std::vector<std::vector<Pose>> X_WM;        ///< by moment, from `first` to `end`
  std::vector<std::vector<JointRate>> rates;  ///< by leg, by mover

  [[nodiscard]] const std::vector<Pose>& poses(std::size_t moment) const {
    return X_WM[moment - first];
  }
  [[nodiscard]] const std::vector<JointRate>& rates_of(std::size_t leg) const {
    return rates[leg - first];
  }
};

/// How many legs fit into one: few enough for memory, and to hear of cancellation in between.
std::size_t choose_window_size(const Scene& scene);

VerifyWindow make_window(const Scene& scene, const JointMotion& motion, std::size_t first,
                         std::size_t end, int threads);

}  // namespace geste::internal
