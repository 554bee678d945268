#pragma once

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/math/pose.hpp"

/// One box of one tree against the eight of a node of another.
namespace geste::internal {

/// The other mesh seen from this one, in float.
struct RelativePose {
  float R[9];
  float t[3];
};

inline RelativePose make_relative(const Pose& X) {
  RelativePose out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.R[3 * i + j] = static_cast<float>(X.R(i, j));
    out.t[i] = static_cast<float>(X.p[i]);
  }
  return out;
}

/// A box that stays while eight others are held against it: Q and s take a point of the other mesh
/// into its frame.
struct FixedBox {
  float half[3];
  float Q[9];
  float s[3];
};

inline FixedBox fix(const BoxNode& node, int lane, const RelativePose& X, float pad) {
  FixedBox box;
  float axes[9], from[3];
  for (int k = 0; k < 9; ++k) axes[k] = node.axes[k][lane];
  for (int i = 0; i < 3; ++i) {
    box.half[i] = node.half[i][lane] + pad;
    from[i] = X.t[i] - node.centre[i][lane];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      box.Q[3 * i + j] =
          axes[i] * X.R[j] + axes[3 + i] * X.R[3 + j] + axes[6 + i] * X.R[6 + j];
    box.s[i] = axes[i] * from[0] + axes[3 + i] * from[1] + axes[6 + i] * from[2];
  }
  return box;
}

/// Places of the eight boxes in the fixed one's frame.
struct LaneBoxes {
  Float8 C[9];  ///< their axes, row-major
  Float8 A[9];  ///< absolute values
  Float8 T[3];  ///< their centres
  Float8 half[3];
};

inline void place(const FixedBox& f, const BoxNode& n, LaneBoxes& out) {
  Float8 R[9], c[3];
  for (int k = 0; k < 9; ++k) R[k] = load(n.axes[k]);
  for (int k = 0; k < 3; ++k) {
    c[k] = load(n.centre[k]);
    out.half[k] = load(n.half[k]);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.C[3 * i + j] = f.Q[3 * i] * R[j] + f.Q[3 * i + 1] * R[3 + j] + f.Q[3 * i + 2] * R[6 + j];
      out.A[3 * i + j] = abs(out.C[3 * i + j]);
    }
    out.T[i] = f.s[i] + f.Q[3 * i] * c[0] + f.Q[3 * i + 1] * c[1] + f.Q[3 * i + 2] * c[2];
  }
}

/// Gaps along the three axes of each box, positive where they separate.
inline void face_gaps(const FixedBox& f, const LaneBoxes& b, Float8 (&gap)[6]) {
  for (int i = 0; i < 3; ++i) {
    gap[i] = abs(b.T[i]) - (f.half[i] + b.half[0] * b.A[3 * i] + b.half[1] * b.A[3 * i + 1] +
                            b.half[2] * b.A[3 * i + 2]);
  }
  for (int j = 0; j < 3; ++j) {
    gap[3 + j] = abs(b.T[0] * b.C[j] + b.T[1] * b.C[3 + j] + b.T[2] * b.C[6 + j]) -
                 (b.half[j] + f.half[0] * b.A[j] + f.half[1] * b.A[3 + j] + f.half[2] * b.A[6 + j]);
  }
}

/// Gap along the cross product of axis i of the fixed box and axis j of the others, times its
/// length.
inline Float8 edge_gap(const FixedBox& f, const LaneBoxes& b, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  return abs(b.T[i2] * b.C[3 * i1 + j] - b.T[i1] * b.C[3 * i2 + j]) -
         (f.half[i1] * b.A[3 * i2 + j] + f.half[i2] * b.A[3 * i1 + j] +
          b.half[j1] * b.A[3 * i + j2] + b.half[j2] * b.A[3 * i + j1]);
}

/// Lanes that hold a box.
inline unsigned filled(const BoxNode& n) {
  Int8 child;
  std::memcpy(&child, n.child, sizeof child);
  return bits(child != -1);
}

/// Lanes whose box meets the fixed one, and by how much it does (the larger, the less).
inline unsigned find_meeting(const FixedBox& f, const BoxNode& n, Float8& key) {
  LaneBoxes b;
  place(f, n, b);
  Float8 gap[6];
  face_gaps(f, b, gap);
  key = max(max(max(gap[0], gap[1]), max(gap[2], gap[3])), max(gap[4], gap[5]));
  const unsigned open = bits(key <= 0) & filled(n);
  if (open == 0) return 0;
  Float8 edge = splat(-1);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) edge = max(edge, edge_gap(f, b, i, j));
  }
  // Parallel axes have a cross product of rounding errors only.
  return open & bits(edge <= 1e-6f * (f.half[0] + f.half[1] + f.half[2]));
}

/// Lanes whose box may be nearer than `limit`; `key` is a lower bound of the distance, negative where
/// the boxes meet on all axes.
inline unsigned find_nearer(const FixedBox& f, const BoxNode& n, float limit, Float8& key) {
  LaneBoxes b;
  place(f, n, b);
  Float8 gap[6];
  face_gaps(f, b, gap);
  // Three axes that are square to each other: their gaps add up as squares do.
  const Float8 zero{};
  const auto square = [&](Float8 x) {
    const Float8 p = max(x, zero);
    return p * p;
  };
  const Float8 most = max(max(max(gap[0], gap[1]), max(gap[2], gap[3])), max(gap[4], gap[5]));
  const Float8 apart = sqrt(max(square(gap[0]) + square(gap[1]) + square(gap[2]),
                                square(gap[3]) + square(gap[4]) + square(gap[5])));
  key = max(most, apart * 0.99999f);
  key = most > 0 ? key : most;
  const unsigned open = bits(key < limit) & filled(n);
  if (open == 0) return 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Float8 length2 = 1 - b.C[3 * i + j] * b.C[3 * i + j];
      const Float8 g = edge_gap(f, b, i, j) / sqrt(max(length2, splat(1e-4f)));
      key = length2 > 1e-3f ? max(key, g * 0.9999f) : key;
    }
  }
  return open & bits(key < limit);
}

}  // namespace geste::internal
