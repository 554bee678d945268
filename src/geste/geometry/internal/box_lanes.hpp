#pragma once

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/math/pose.hpp"

/// One box, point or ray against the eight boxes of a node. These are the inner loops of every
/// query: they alone are compiled with fused multiply-add (src/CMakeLists.txt), and their margins
/// cover it.
namespace geste::internal {

/// The other mesh seen from this one, in float: rows of the rotation, each with its coordinate of
/// the translation behind it.
struct RelativePose {
  Float4 row[3];
};

inline RelativePose make_relative(const Pose& X) {
  RelativePose out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.row[i][j] = static_cast<float>(X.R(i, j));
    out.row[i][3] = static_cast<float>(X.p[i]);
  }
  return out;
}

/// A box that stays while eight others are held against it: takes a point of the other mesh into
/// its frame.
struct FixedBox {
  RelativePose to_box;
  float half[3];
};

inline FixedBox fix(const BoxNode& node, int lane, const RelativePose& X, float pad) {
  FixedBox box;
  const Float4 x = X.row[0] - Float4{0, 0, 0, node.centre[0][lane]},
               y = X.row[1] - Float4{0, 0, 0, node.centre[1][lane]},
               z = X.row[2] - Float4{0, 0, 0, node.centre[2][lane]};
  for (int i = 0; i < 3; ++i) {
    box.half[i] = node.half[i][lane] + pad;
    box.to_box.row[i] =
        node.axes[i][lane] * x + node.axes[3 + i][lane] * y + node.axes[6 + i][lane] * z;
  }
  return box;
}

/// A box of its own, seen from a tree of that scale at X_BT; padded for the rounding of both.
inline FixedBox fix(const AxisBox& box, const Pose& X_BT, float tree_scale) {
  BoxNode node{};
  for (int k = 0; k < 3; ++k) {
    node.centre[k][0] = static_cast<float>(box.centre()[k]);
    node.half[k][0] = static_cast<float>(box.size()[k] / 2);
    node.axes[4 * k][0] = 1;
  }
  const double scale =
      tree_scale + box.size().norm() + X_BT.p.norm() + box.centre().cwiseAbs().maxCoeff();
  return fix(node, 0, make_relative(X_BT), static_cast<float>(2e-6 * scale));
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
