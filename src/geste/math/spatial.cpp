#include "geste/math/spatial.hpp"

#include "geste/math/so3.hpp"

namespace geste {
namespace {

/// Steiner: what a mass at `d` from the axis point adds.
Mat3 point_inertia(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

}  // namespace

Mat6 Inertia::matrix() const {
  const Mat3 C = so3::hat(com);
  Mat6 m;
  m << mass * Mat3::Identity(), -mass * C, mass * C, about_com + point_inertia(mass, com);
  return m;
}

Inertia transform(const Pose& X_AB, const Inertia& I_B) {
  return {I_B.mass, X_AB * I_B.com, X_AB.R * I_B.about_com * X_AB.R.transpose()};
}

Inertia operator+(const Inertia& a, const Inertia& b) {
  const double mass = a.mass + b.mass;
  if (mass <= 0) return {0, Vec3::Zero(), a.about_com + b.about_com};
  const Vec3 com = (a.mass * a.com + b.mass * b.com) / mass;
  return {mass, com,
          a.about_com + b.about_com + point_inertia(a.mass, a.com - com) +
              point_inertia(b.mass, b.com - com)};
}

}  // namespace geste
