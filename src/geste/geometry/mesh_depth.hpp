#pragma once

#include "geste/geometry/mesh_pair.hpp"
#include "geste/geometry/separation.hpp"

namespace geste {

struct DepthOptions {
  double relative = 1e-3;  ///< the search ends when the true depth is at most this share larger,
  double absolute = 1e-6;  ///< or this much, m
  int max_points = 5000;   ///< points looked at; the error says what is left open then
  /// m; what is farther apart than this may be said to be infinitely far, which is cheaper
  double limit = std::numeric_limits<double>::infinity();
};

/// Signed clearance of two meshes (separation.hpp): the distance of their surfaces, or less the
/// depth of the deepest point of either surface inside the other. The true depth lies between
/// -distance and -distance + error.
///
/// Depth is found by branch and bound over the boxes and then the triangles of one surface, of
/// which only what can be inside counts: the hull of the corners that are and of where the other
/// surface passes through. A convex piece is nowhere deeper than the largest distance of its
/// corners from any one triangle of the other surface, because distance to a convex set is convex:
/// faces that lie flat in each other are settled at once.
Separation compute_separation(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                              QueryScratch& scratch, TrianglePair* hint = nullptr,
                              const DepthOptions& options = {});

/// Whether a point of one lies in the other, surfaces and insides of closed meshes together.
bool overlap(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
             TrianglePair* hint = nullptr);

}  // namespace geste
