#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geste/proximity/internal/leg_prover.hpp"

namespace geste {

/// For what values of the joints between them two bodies are apart, when there are no more than two
/// such joints: neighbours of neighbours in an arm are nearly always close, and a look here settles
/// them. A cell says free only if it is proven for all of it.
class PairTable {
 public:
  /// One joint's values.
  struct Axis {
    int q = 0;  ///< entry in the configuration
    int v = 0;  ///< and in the velocity
    double low = 0;
    double high = 0;
    bool wraps = false;  ///< a full turn
    bool turns = false;  ///< else it slides
    int mover = 0;       ///< that the joint moves, in the scene the table is made for
  };

  /// The joints between two movers in the order from a to b, where a table can be made: one or two
  /// that turn or slide within finite limits.
  static std::optional<std::vector<Axis>> find_axes(const Scene& scene, int mover_a, int mover_b);

  /// `pairs`: objects of the two; `axes` from find_axes, with its first mover.
  PairTable(const ProofScene& world, std::span<const ProofPair> pairs, int mover_a,
            std::vector<Axis> axes);

  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }

  /// Of all joint values those that are proven.
  [[nodiscard]] double free_fraction() const;
  /// Whether all are, for any value of the joints within their limits: of such a pair nothing need
  /// be asked.
  [[nodiscard]] bool is_whole() const { return get(kLevels - 1, 0, 0); }

  /// A straight way of the joints.
  struct Line {
    double start[2] = {0, 0};
    double rate[2] = {0, 0};
  };
  /// Shares of the way that are not proven are put behind `open`.
  struct Part {
    double begin = 0;
    double end = 1;
  };
  void find_open(const Line& line, const Part& part, std::vector<Part>& open) const;

 private:
  static constexpr int kLevels = 10;  ///< the finest has 512 cells along each axis
  static constexpr int kSide = 1 << (kLevels - 1);

  class Maker;

  [[nodiscard]] bool is_free(const Line& line, const Part& part, bool& is_finest) const;
  /// Cell number along an axis on the finest level; not wrapped.
  [[nodiscard]] double to_cell(int axis, double value) const {
    return (value - axes_[static_cast<std::size_t>(axis)].low) * scale_[axis];
  }
  [[nodiscard]] bool get(int level, int i, int j) const {
    return cells_[static_cast<std::size_t>(level)]
                 [static_cast<std::size_t>(i) * (static_cast<std::size_t>(kSide) >> level) +
                  static_cast<std::size_t>(j)] != 0;
  }

  std::vector<Axis> axes_;
  int first_mover_ = 0;
  double scale_[2] = {0, 0};
  std::array<std::vector<std::uint8_t>, kLevels> cells_;  ///< from fine to coarse
};

}  // namespace geste
