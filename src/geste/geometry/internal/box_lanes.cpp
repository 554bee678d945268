#include "geste/geometry/internal/box_lanes.hpp"

namespace geste::internal {
namespace {

/// Places of the eight boxes in the fixed one's frame.
struct LaneBoxes {
  Float8 C[9];  ///< their axes, row-major
  Float8 A[9];  ///< absolute values
  Float8 T[3];  ///< their centres
  Float8 half[3];
};

[[gnu::always_inline]] inline void place(const FixedBox& f, const BoxNode& n, LaneBoxes& out) {
  Float8 R[9], c[3];
  for (int k = 0; k < 9; ++k) R[k] = load(n.axes[k]);
  for (int k = 0; k < 3; ++k) {
    c[k] = load(n.centre[k]);
    out.half[k] = load(n.half[k]);
  }
  for (int i = 0; i < 3; ++i) {
    const Float4& q = f.to_box.row[i];
    for (int j = 0; j < 3; ++j) {
      out.C[3 * i + j] = q[0] * R[j] + q[1] * R[3 + j] + q[2] * R[6 + j];
      out.A[3 * i + j] = abs(out.C[3 * i + j]);
    }
    out.T[i] = q[3] + q[0] * c[0] + q[1] * c[1] + q[2] * c[2];
  }
}

/// Gaps along the three axes of each box, positive where they separate.
[[gnu::always_inline]] inline void face_gaps(const FixedBox& f, const LaneBoxes& b,
                                             Float8 (&gap)[6]) {
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
[[gnu::always_inline]] inline Float8 edge_gap(const FixedBox& f, const LaneBoxes& b, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  return abs(b.T[i2] * b.C[3 * i1 + j] - b.T[i1] * b.C[3 * i2 + j]) -
         (f.half[i1] * b.A[3 * i2 + j] + f.half[i2] * b.A[3 * i1 + j] +
          b.half[j1] * b.A[3 * i + j2] + b.half[j2] * b.A[3 * i + j1]);
}

/// What rounding may add to an edge gap: axes are unit to a few 1e-7, and where they are parallel
/// their product is nothing else.
[[gnu::always_inline]] inline Float8 edge_slack(const FixedBox& f, const LaneBoxes& b) {
  return 2e-6f * (f.half[0] + f.half[1] + f.half[2] + b.half[0] + b.half[1] + b.half[2]);
}

}  // namespace

unsigned find_meeting(const FixedBox& f, const BoxNode& n, Float8& key) {
  LaneBoxes b;
  place(f, n, b);
  Float8 gap[6];
  face_gaps(f, b, gap);
  key = max(max(max(gap[0], gap[1]), max(gap[2], gap[3])), max(gap[4], gap[5]));
  const unsigned open = bits(key <= 0) & find_filled(n);
  if (open == 0) return 0;
  Float8 edge = splat(-1);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) edge = max(edge, edge_gap(f, b, i, j));
  }
  return open & bits(edge <= edge_slack(f, b));
}

unsigned find_nearer(const FixedBox& f, const BoxNode& n, float limit, Float8& key) {
  LaneBoxes b;
  place(f, n, b);
  Float8 gap[6];
  face_gaps(f, b, gap);
  // Three axes that are square to each other: their gaps add up as squares do.
  const auto square = [](Float8 x) {
    const Float8 p = max(x, Float8{});
    return p * p;
  };
  Float8 squared = 0.99998f * max(square(gap[0]) + square(gap[1]) + square(gap[2]),
                                  square(gap[3]) + square(gap[4]) + square(gap[5]));
  const float limit2 = std::max(limit * limit, 1e-37f);
  const unsigned open = bits(squared < limit2) & find_filled(n);
  if (open == 0) return 0;
  const Float8 slack = edge_slack(f, b);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Float8 length2 = 1 - b.C[3 * i + j] * b.C[3 * i + j];
      const Float8 g = 0.9998f * square(edge_gap(f, b, i, j) - slack) / max(length2, splat(1e-3f));
      squared = length2 > 1e-3f ? max(squared, g) : squared;
    }
  }
  const Float8 most = max(max(max(gap[0], gap[1]), max(gap[2], gap[3])), max(gap[4], gap[5]));
  key = squared > 0 ? sqrt(squared) : min(most, Float8{});
  return open & bits(squared < limit2);
}

unsigned find_nearer(const float (&p)[3], const BoxNode& n, float limit, Float8& key) {
  const Float8 x = p[0] - load(n.centre[0]), y = p[1] - load(n.centre[1]),
               z = p[2] - load(n.centre[2]);
  Float8 squared{};
  for (int j = 0; j < 3; ++j) {
    const Float8 along = x * load(n.axes[j]) + y * load(n.axes[3 + j]) + z * load(n.axes[6 + j]);
    const Float8 gap = max(abs(along) - load(n.half[j]), Float8{});
    squared += gap * gap;
  }
  key = sqrt(squared) * 0.99999f;
  return bits(key < limit) & find_filled(n);
}

unsigned find_hit(const float (&p)[3], float length, const BoxNode& n) {
  // Separating axes.
  const float w = length / 2;
  const Float8 x = p[0] + w - load(n.centre[0]), y = p[1] - load(n.centre[1]),
               z = p[2] - load(n.centre[2]);
  Float8 gap = splat(-1);
  for (int j = 0; j < 3; ++j) {
    const Float8 along = x * load(n.axes[j]) + y * load(n.axes[3 + j]) + z * load(n.axes[6 + j]);
    gap = max(gap, abs(along) - load(n.half[j]) - w * abs(load(n.axes[j])));
  }
  // Seen along x: y and z against the box's extent there.
  Float8 reach_y{}, reach_z{};
  for (int j = 0; j < 3; ++j) {
    reach_y += load(n.half[j]) * abs(load(n.axes[3 + j]));
    reach_z += load(n.half[j]) * abs(load(n.axes[6 + j]));
  }
  gap = max(gap, max(abs(y) - reach_y, abs(z) - reach_z));
  return bits(gap <= 1e-6f * length) & find_filled(n);
}

}  // namespace geste::internal
