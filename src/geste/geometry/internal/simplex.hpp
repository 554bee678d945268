#pragma once

#include "geste/geometry/internal/support.hpp"

namespace geste::internal {

/// Up to four points of A - B and the weights that make their nearest point to the origin.
struct Simplex {
  SupportPoint p[4];
  double weight[4] = {1, 0, 0, 0};
  int size = 0;

  /// As assignment, without the points that are not there.
  void take(const Simplex& other) {
    for (int i = 0; i < other.size; ++i) p[i] = other.p[i], weight[i] = other.weight[i];
    size = other.size;
  }

  [[nodiscard]] Vec3 on_a() const {
    Vec3 sum = weight[0] * p[0].a;
    for (int i = 1; i < size; ++i) sum += weight[i] * p[i].a;
    return sum;
  }
  [[nodiscard]] Vec3 on_b() const {
    Vec3 sum = weight[0] * p[0].b;
    for (int i = 1; i < size; ++i) sum += weight[i] * p[i].b;
    return sum;
  }
};

/// The point of some simplex nearest to the origin, as weights of the points that carry it.
struct SimplexPoint {
  Vec3 v;
  double weight[3];
  int index[3];
  int size = 0;
};

SimplexPoint compute_nearest_on_segment(const Simplex& s, int i, int j);
SimplexPoint compute_nearest_on_triangle(const Simplex& s, int i, int j, int k);

/// Writes what carries the nearest point to `reduced`, and that point to v. The last point of `s`
/// must be new: the nearest point of the others alone is not asked again. False, and nothing is
/// written, when four points enclose the origin.
bool reduce(const Simplex& s, Simplex& reduced, Vec3& v);

}  // namespace geste::internal
