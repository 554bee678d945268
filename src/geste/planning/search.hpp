#pragma once

#include <cstdint>
#include <optional>

#include "geste/core/budget.hpp"
#include "geste/planning/local_planner.hpp"

namespace geste {

enum class SearchStatus {
  open,       ///< may go on
  found,      ///< make_way tells
  exhausted,  ///< no more can be tried
};

/// A search as an object that its caller keeps: to go on with, to draw, to look into. One thread at
/// a time; what it finds depends on its seed and on how often it was advanced, on nothing else.
class Search {
 public:
  virtual ~Search() = default;
  /// At most so many more steps (samples, mostly); fewer when it ends or is called off.
  virtual SearchStatus advance(std::uint64_t steps, const CancelToken& cancel) = 0;
  /// What was found; throws std::logic_error before that.
  [[nodiscard]] virtual Way make_way() const = 0;

  [[nodiscard]] virtual std::uint64_t steps() const = 0;
  [[nodiscard]] virtual CheckCounts counts() const = 0;
};

}  // namespace geste
