#pragma once

#include <TopoDS_Face.hxx>

namespace geste {

/// How far the face's exact surface lies from its triangles, in the unit of the shape: an upper
/// bound such that every point of the face is within it of some triangle of the face.
///
/// The triangles' parameters cover the face. Take a piece of such a parameter triangle, itself a
/// triangle with corners y0, y1, y2 and a box of size h_u, h_v. There the surface S is its linear
/// interpolant plus a rest r with
///
///   |r| <= 1/8 (M_uu h_u^2 + 2 M_uv h_u h_v + M_vv h_v^2),   M: largest second derivatives
///
/// (Filip, Magedson, Markot, "Surface algorithms using bounds on derivatives", CAGD 3, 1986; by
/// Taylor expansion at the point and the variance of the corners' parameters it holds for
/// triangles of any form). The distance to a flat triangle T, a convex set, is a convex function:
/// the interpolant is no farther from T than the farthest of S(y0), S(y1), S(y2). Hence
///
///   dist(S(y), T) <= max_i dist(S(y_i), T) + |r|    for every y of the piece and every T.
///
/// T is the triangle the piece belongs to or one that touches it: at poles, where many parameters
/// are one point, the nearest triangle is often not the piece's own. Pieces are cut in four until
/// the rest no longer matters (it falls by 4 each time).
///
/// M is in closed form on planes, cylinders, cones, spheres and tori; on other surfaces it is
/// sampled and enlarged. The slivers between the face's curved border and its polygon are sampled.
double compute_sag_bound(const TopoDS_Face& face);

}  // namespace geste
