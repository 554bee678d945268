#include "geste/math/spatial.hpp"

#include <gtest/gtest.h>

#include "geste/core/rng.hpp"
#include "geste/math/se3.hpp"
#include "geste/math/so3.hpp"

#include "random_vector.hpp"

// Spatial algebra against plain particles: a rigid body is a cloud of point masses, whose momentum
// and energy are sums that need no spatial vector.

namespace geste {
namespace {

using testing::random_vector;

Pose random_pose(Rng& rng) {
  return se3::exp((Vec6() << random_vector(rng), random_vector(rng)).finished());
}

struct Cloud {
  std::vector<double> mass;
  std::vector<Vec3> p;

  explicit Cloud(Rng& rng) {
    for (int i = 0; i < 12; ++i) {
      mass.push_back(rng.uniform(0.1, 2));
      p.push_back(random_vector(rng));
    }
  }
  [[nodiscard]] Inertia inertia() const {
    Inertia I;
    for (std::size_t i = 0; i < p.size(); ++i) I = I + Inertia{mass[i], p[i], Mat3::Zero()};
    return I;
  }
};

TEST(Spatial, MomentumAndEnergyEqualTheParticles) {
  Rng rng(1);
  for (int n = 0; n < 100; ++n) {
    const Cloud cloud(rng);
    const Motion m{random_vector(rng), random_vector(rng)};
    Vec3 linear = Vec3::Zero(), moment = Vec3::Zero();
    double energy = 0;
    for (std::size_t i = 0; i < cloud.p.size(); ++i) {
      const Vec3 v = m.linear + m.angular.cross(cloud.p[i]);
      linear += cloud.mass[i] * v;
      moment += cloud.p[i].cross(cloud.mass[i] * v);
      energy += 0.5 * cloud.mass[i] * v.squaredNorm();
    }
    const Inertia I = cloud.inertia();
    EXPECT_LT((I.momentum(m).linear - linear).norm(), 1e-12);
    EXPECT_LT((I.momentum(m).moment - moment).norm(), 1e-11);
    EXPECT_NEAR(I.kinetic_energy(m), energy, 1e-11);
    EXPECT_LT((I.matrix() * m.vector() - I.momentum(m).vector()).norm(), 1e-11);
  }
}

TEST(Spatial, PowerEnergyAndMomentumDoNotDependOnTheFrame) {
  Rng rng(2);
  for (int n = 0; n < 100; ++n) {
    const Pose X = random_pose(rng);
    const Motion m{random_vector(rng), random_vector(rng)};
    const Force f{random_vector(rng), random_vector(rng)};
    const Inertia I = Cloud(rng).inertia();
    EXPECT_NEAR(dot(transform(X, m), transform(X, f)), dot(m, f), 1e-12);
    EXPECT_NEAR(transform(X, I).kinetic_energy(transform(X, m)), I.kinetic_energy(m), 1e-9);
    EXPECT_LT(
        (transform(X, I).momentum(transform(X, m)).vector() - transform(X, I.momentum(m)).vector())
            .norm(),
        1e-9);
    EXPECT_LT((transform(X, m).vector() - se3::adjoint(X) * m.vector()).norm(), 1e-13);
  }
}

TEST(Spatial, CrossProductsAreTheDerivativesOfTransform) {
  Rng rng(3);
  for (int n = 0; n < 100; ++n) {
    const Motion m{random_vector(rng), random_vector(rng)};
    const Motion x{random_vector(rng), random_vector(rng)};
    const Force f{random_vector(rng), random_vector(rng)};
    constexpr double h = 1e-6;
    const Pose ahead = se3::exp(h * m.vector()), back = se3::exp(-h * m.vector());
    const Vec6 dx = (transform(ahead, x).vector() - transform(back, x).vector()) / (2 * h);
    const Vec6 df = (transform(ahead, f).vector() - transform(back, f).vector()) / (2 * h);
    EXPECT_LT((cross(m, x).vector() - dx).norm(), 1e-8);
    EXPECT_LT((cross(m, f).vector() - df).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace geste
