#pragma once

#include "geste/geometry/internal/box_tree.hpp"

/// One triangle against eight, in float, about a common point near both. Answers are certain where
/// they say so; what lies within rounding is left to the double kernels.
namespace geste::internal {

// Float coordinates about a common point are off by 6e-8 of its distance. A triple product of
// normal or edges with a corner is off by less than kTripleProductMargin times the lengths in it, a
// squared distance by less than kSquaredMargin times the squared distance from the point.
inline constexpr float kTripleProductMargin = 4e-6f;
inline constexpr float kSquaredMargin = 1e-5f;
/// A normal shorter than this times reach and longest edge is mostly rounding.
inline constexpr float kSoundNormal = 5e-5f;

/// Eight triangles about the common point, with what margins go by.
struct Triangle8 {
  Vec8 p[3];
  Vec8 e[3];      ///< edge k from corner k to the next
  Float8 reach;   ///< no corner is farther from the common point, nor is one of the other triangle
  Float8 length;  ///< of the longest edge
};

/// A triangle held against eight others: everything the kernels need of it, once.
struct Triangle1 {
  float p[3][3];
  float e[3][3];  ///< edge k from corner k to the next
  float n[3];     ///< e0 x e1

  explicit Triangle1(const TriangleLeaf& leaf, std::uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) p[k][i] = leaf.vertex[3 * k + i][lane];
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) e[k][i] = p[(k + 1) % 3][i] - p[k][i];
    }
    n[0] = e[0][1] * e[1][2] - e[0][2] * e[1][1];
    n[1] = e[0][2] * e[1][0] - e[0][0] * e[1][2];
    n[2] = e[0][0] * e[1][1] - e[0][1] * e[1][0];
  }
};

inline Vec8 splat(const float (&v)[3]) { return splat(v[0], v[1], v[2]); }

struct TouchLanes {
  unsigned maybe;  ///< not certainly apart
  unsigned sure;   ///< certainly touching
};

/// Which of eight triangles touch the one, whose corners are no farther than `extent` from the
/// point.
TouchLanes find_touching(const Triangle1& a, float extent, const Triangle8& b, unsigned lanes);

/// Bounds of a squared distance, to kSquaredMargin; they differ only for slivers, and where an edge
/// pierces a face, which makes `least` zero.
struct SquaredDistances {
  Float8 least;
  Float8 most;
};

/// From the triangle to each of eight.
SquaredDistances compute_squared_distances(const Triangle1& a, const Triangle8& b);

/// Squared distance from a point, given from the leaf's centre, to its triangles.
Float8 compute_squared_distances(const float (&p)[3], const TriangleLeaf& leaf);

}  // namespace geste::internal
