#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// A closed, consistently oriented piece of a mesh.
struct ClosedPiece {
  Vec3 probe = Vec3::Zero();  ///< a point on its surface
  bool inward = false;        ///< its volume is negative as the file has it
  bool flip = false;          ///< set by decide_flips
};

/// Marks the pieces that must be turned over for outside to be outside. `piece_of[t]` is the
/// closed piece of triangle t, or -1.
///
/// Let w be the winding number around a piece: the outward minus the inward pieces that contain it,
/// after repair. From the outermost pieces to the innermost: a piece turns with the piece right
/// around it, so that a cavity stays a cavity; then, if it points inwards where w = 0, it is turned
/// outwards, as matter cannot be missing where there is none.
///
/// Pieces do not cross each other. Costs a ray for each piece whose box lies in another's, against
/// that other's triangles; beyond a fixed amount of work (thousands of pieces inside each other)
/// nothing is turned.
void decide_flips(const TriangleMesh& mesh, std::span<const std::int32_t> piece_of,
                  std::vector<ClosedPiece>& pieces);

}  // namespace geste
