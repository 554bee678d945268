#pragma once

#include <memory>

#include "geste/planning/steering.hpp"

namespace geste {

/// What moves at a time: one degree of freedom, or the rotation of a ball or free joint.
struct ManhattanMove {
  int item = 0;   ///< of the space
  int entry = 0;  ///< first one in a point
  int count = 1;  ///< entries: 4 for a rotation

  friend auto operator<=>(const ManhattanMove&, const ManhattanMove&) = default;
};

/// Every move of a space, joint by joint: positions of planar and free joints along the axes of
/// their frame, then their rotation.
std::vector<ManhattanMove> make_manhattan_moves(const PlanningSpace& space);

/// One move after the other, as cranes go (Move3D section 3.1). Which order is free of collisions
/// depends on the world: manhattan_search.hpp looks for one.
class ManhattanSteering final : public SteeringMethod {
 public:
  /// `order`: all moves of the space; empty: as made. The space must outlive it.
  static Result<std::unique_ptr<SteeringMethod>> make(const PlanningSpace& space,
                                                      std::vector<ManhattanMove> order = {});

  [[nodiscard]] Course course() const override { return Course::straight; }
  bool steer(ConstVecRef a, ConstVecRef b, Way& way) const override;
  /// The length itself: the sum of all moves, in whatever order.
  [[nodiscard]] double lower_bound(ConstVecRef a, ConstVecRef b) const override;

 private:
  ManhattanSteering(const PlanningSpace& space, std::vector<ManhattanMove> order)
      : space_(space), order_(std::move(order)) {}

  const PlanningSpace& space_;
  std::vector<ManhattanMove> order_;
};

}  // namespace geste
