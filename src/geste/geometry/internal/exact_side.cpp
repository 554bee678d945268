#include "geste/geometry/internal/exact_side.hpp"

#include <cmath>

namespace geste::internal {
namespace {

/// A sum of doubles that do not overlap, smallest first: an exact number.
class Expansion {
 public:
  /// Shewchuk's GROW-EXPANSION, zeros left out.
  void add(double x) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const double sum = x + part_[i];
      const double tail = sum - x;
      const double error = (x - (sum - tail)) + (part_[i] - tail);
      if (error != 0) part_[kept++] = error;
      x = sum;
    }
    if (x != 0) part_[kept++] = x;
    size_ = kept;
  }

  /// Adds x y z: each product as its rounded value and what rounding left.
  void add_product(double x, double y, double z) {
    const double xy = x * y, xy_rest = std::fma(x, y, -xy);
    const double high = xy * z, low = xy_rest * z;
    add(std::fma(xy_rest, z, -low));
    add(low);
    add(std::fma(xy, z, -high));
    add(high);
  }

  [[nodiscard]] int sign() const { return size_ == 0 ? 0 : (part_[size_ - 1] > 0 ? 1 : -1); }

 private:
  // 24 products of three factors, four parts each; every addition adds one part at most.
  double part_[24 * 4];
  int size_ = 0;
};

/// Adds sign * x . (y x z).
void add_determinant(Expansion& sum, double sign, const Vec3& x, const Vec3& y, const Vec3& z) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum.add_product(sign * x[i], y[j], z[k]);
    sum.add_product(-sign * x[i], y[k], z[j]);
  }
}

int compute_exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion sum;
  add_determinant(sum, 1, b, c, d);
  add_determinant(sum, -1, a, c, d);
  add_determinant(sum, 1, a, b, d);
  add_determinant(sum, -1, a, b, c);
  return sum.sign();
}

}  // namespace

int compute_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double uv[6] = {u.y() * v.z(), u.z() * v.y(), u.z() * v.x(),
                        u.x() * v.z(), u.x() * v.y(), u.y() * v.x()};
  const double determinant =
      (uv[0] - uv[1]) * w.x() + (uv[2] - uv[3]) * w.y() + (uv[4] - uv[5]) * w.z();
  const double permanent = (std::abs(uv[0]) + std::abs(uv[1])) * std::abs(w.x()) +
                           (std::abs(uv[2]) + std::abs(uv[3])) * std::abs(w.y()) +
                           (std::abs(uv[4]) + std::abs(uv[5])) * std::abs(w.z());
  // Shewchuk's bound for orient3d, (7 + 56 e) e with e = 2^-53, rounded up.
  const double bound = 8e-16 * permanent;
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  if (!(permanent < 1e300)) return 0;  // not finite: nothing to decide
  return compute_exact_side(a, b, c, d);
}

}  // namespace geste::internal
