#pragma once

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/math/pose.hpp"

/// One box, point or ray against the eight boxes of a node. These are the inner loops of every
/// query: they alone are compiled with fused multiply-add (src/CMakeLists.txt), and their margins
/// cover it.
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
      box.Q[3 * i + j] = axes[i] * X.R[j] + axes[3 + i] * X.R[3 + j] + axes[6 + i] * X.R[6 + j];
    box.s[i] = axes[i] * from[0] + axes[3 + i] * from[1] + axes[6 + i] * from[2];
  }
  return box;
}

/// Lanes that hold a box.
inline unsigned find_filled(const BoxNode& n) {
  Int8 child;
  std::memcpy(&child, n.child, sizeof child);
  return bits(child != -1);
}

/// Lanes whose box meets the fixed one, and by how much it does (the larger, the less).
unsigned find_meeting(const FixedBox& f, const BoxNode& n, Float8& key);

/// Lanes whose box may be nearer than `limit`; `key` is a lower bound of the distance, negative
/// where the boxes meet on all axes.
unsigned find_nearer(const FixedBox& f, const BoxNode& n, float limit, Float8& key);

/// The same for a point.
unsigned find_nearer(const float (&p)[3], const BoxNode& n, float limit, Float8& key);

/// Lanes whose box the segment from p, `length` along x, may meet.
unsigned find_hit(const float (&p)[3], float length, const BoxNode& n);

}  // namespace geste::internal
