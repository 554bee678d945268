#pragma once

#include <optional>

#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// How far a vertex of a mesh may move where its faces move by 1: as far as the corner of a cube.
inline constexpr double kThinReach = 1.7320508075688772;

/// A shape whose faces lie deeper than those of another.
struct ThinShape {
  Shape shape;
  Pose X_ST;  ///< its frame in that of the other
};

/// The solid with its faces moved inwards by `by`, m. Of primitives and convex solids that is what
/// is at least so far from the surface; vertices of meshes and hulls move so that their faces do,
/// in the mean where they cannot all, and by at most kThinReach * by.
///
/// What lies deeper in the solid than kThinReach * by lies in the thin one too: no point of the
/// surface moves across it. So what stays apart from the thin solid never comes deeper into the
/// whole one. Nothing where nothing is left of a primitive. `by` of 0 gives the shape itself; a
/// negative one throws std::invalid_argument.
std::optional<ThinShape> make_thinner(const Shape& shape, double by);

/// The solid that has lost a share of its thickness, 0 to less than 1, half of it on either side.
/// Of meshes and hulls that is how far the other side is, straight inwards; where they are thicker
/// than most of their surface they lose as much as there. So long parts become slim and stay long,
/// and thin places do not turn inside out. What has no other side, as in an open mesh, stays where
/// it is. Another share throws std::invalid_argument.
std::optional<ThinShape> make_slimmer(const Shape& shape, double share);

}  // namespace geste
