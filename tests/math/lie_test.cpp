#include <gtest/gtest.h>

#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "geste/core/rng.hpp"
#include "geste/math/se3.hpp"
#include "geste/math/so3.hpp"

#include "random_vector.hpp"

// Laws of SO(3) and SE(3) on random input, at angles from 1e-12 to pi. Independent witness: Eigen's
// general matrix exponential, which knows nothing of rotations; derivatives against finite
// differences.

namespace geste {
namespace {

using testing::random_vector;

using std::numbers::pi;

/// Angles over all sizes, and close to pi from below.
std::vector<double> angles() {
  return {0,   1e-12, 1e-9, 1e-7, 1e-5, 1e-4,     1e-3,      1e-2,      0.1,       0.49,
          0.5, 0.51,  0.99, 1.01, 2.0,  pi - 0.1, pi - 1e-3, pi - 1e-6, pi - 1e-10};
}

template <class Check>
void for_each_rotation_vector(Check check) {
  Rng rng(7);
  for (double angle : angles()) {
    for (int i = 0; i < 50; ++i) check(Vec3(angle * random_vector(rng).normalized()), rng);
  }
}

Eigen::Matrix4d twist_matrix(const Vec6& xi) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  m.topLeftCorner<3, 3>() = so3::hat(xi.tail<3>());
  m.topRightCorner<3, 1>() = xi.head<3>();
  return m;
}

TEST(So3, ExpIsTheMatrixExponential) {
  for_each_rotation_vector([](const Vec3& w, Rng&) {
    const Mat3 expected = so3::hat(w).exp();
    EXPECT_LT((so3::exp(w) - expected).norm(), 2e-14);
    EXPECT_LT((so3::exp_quaternion(w).toRotationMatrix() - expected).norm(), 2e-14);
  });
}

TEST(So3, LogInvertsExp) {
  for_each_rotation_vector([](const Vec3& w, Rng&) {
    // Near pi the matrix holds the axis only to the square root of rounding; the quaternion holds
    // it fully.
    EXPECT_LT((so3::log(so3::exp_quaternion(w)) - w).norm(), 4e-15 * (1 + w.norm())) << w.norm();
    EXPECT_LT((so3::exp(so3::log(so3::exp(w))) - so3::exp(w)).norm(), 1e-14) << w.norm();
  });
}

TEST(So3, LogOfBothQuaternionSignsIsTheSame) {
  for_each_rotation_vector([](const Vec3& w, Rng&) {
    Quat q = so3::exp_quaternion(w);
    const Vec3 first = so3::log(q);
    q.coeffs() = -q.coeffs();
    EXPECT_LT((so3::log(q) - first).norm(), 1e-14);
  });
}

TEST(So3, RightJacobianPredictsSmallChanges) {
  for_each_rotation_vector([](const Vec3& w, Rng& rng) {
    const Vec3 d = random_vector(rng).normalized();
    constexpr double h = 1e-5;
    const Quat back = so3::exp_quaternion(w).conjugate();
    const Vec3 numeric = (so3::log(back * so3::exp_quaternion(w + h * d)) -
                          so3::log(back * so3::exp_quaternion(w - h * d))) /
                         (2 * h);
    EXPECT_LT((so3::right_jacobian(w) * d - numeric).norm(), 1e-9) << w.norm();
    EXPECT_LT((so3::right_jacobian(w) * so3::right_jacobian_inverse(w) - Mat3::Identity()).norm(),
              2e-14);
  });
}

TEST(So3, InterpolationTakesTheShortArcAtConstantSpeed) {
  Rng rng(3);
  for (int i = 0; i < 500; ++i) {
    const Quat a = so3::exp_quaternion(random_vector(rng));
    const Quat b = so3::exp_quaternion(random_vector(rng));
    const double whole = so3::distance(a, b);
    for (double t : {0.0, 0.2, 0.5, 1.0}) {
      EXPECT_NEAR(so3::distance(a, so3::interpolate(a, b, t)), t * whole, 1e-13);
      EXPECT_NEAR(so3::distance(so3::interpolate(a, b, t), b), (1 - t) * whole, 1e-13);
    }
  }
}

TEST(So3, HatIsTheCrossProduct) {
  Rng rng(4);
  const Vec3 a = random_vector(rng), b = random_vector(rng);
  EXPECT_EQ(so3::hat(a) * b, a.cross(b));
  EXPECT_EQ(so3::vee(so3::hat(a)), a);
}

TEST(Se3, ExpIsTheMatrixExponential) {
  for_each_rotation_vector([](const Vec3& w, Rng& rng) {
    const Vec6 xi = (Vec6() << random_vector(rng), w).finished();
    const Eigen::Matrix4d expected = twist_matrix(xi).exp();
    const Pose X = se3::exp(xi);
    EXPECT_LT((X.R - expected.topLeftCorner<3, 3>()).norm(), 2e-14);
    EXPECT_LT((X.p - expected.topRightCorner<3, 1>()).norm(), 2e-14);
  });
}

TEST(Se3, LogInvertsExp) {
  for_each_rotation_vector([](const Vec3& w, Rng& rng) {
    if (w.norm() > pi - 1e-5)
      return;  // the matrix holds the axis only to the square root of rounding there
    const Vec6 xi = (Vec6() << random_vector(rng), w).finished();
    EXPECT_LT((se3::log(se3::exp(xi)) - xi).norm(), 1e-9) << w.norm();
  });
}

TEST(Se3, AdjointCarriesTwistsAlong) {
  // X exp(xi) X^-1 = exp(Ad_X xi)
  for_each_rotation_vector([](const Vec3& w, Rng& rng) {
    const Pose X = se3::exp((Vec6() << random_vector(rng), w).finished());
    const Vec6 xi = 0.3 * (Vec6() << random_vector(rng), random_vector(rng)).finished();
    EXPECT_TRUE((X * se3::exp(xi) * X.inverse()).is_approx(se3::exp(se3::adjoint(X) * xi), 1e-13));
    EXPECT_LT((se3::adjoint(X) * se3::adjoint(X.inverse()) - Mat6::Identity()).norm(), 1e-13);
  });
}

TEST(Se3, RightJacobianPredictsSmallChanges) {
  for_each_rotation_vector([](const Vec3& w, Rng& rng) {
    const Vec6 xi = (Vec6() << random_vector(rng), w).finished();
    const Vec6 d = (Vec6() << random_vector(rng), random_vector(rng)).finished().normalized();
    constexpr double h = 1e-5;
    const Pose back = se3::exp(xi).inverse();
    const Vec6 numeric =
        (se3::log(back * se3::exp(xi + h * d)) - se3::log(back * se3::exp(xi - h * d))) / (2 * h);
    EXPECT_LT((se3::right_jacobian(xi) * d - numeric).norm(), 1e-8) << w.norm();
    EXPECT_LT((se3::right_jacobian(xi) * se3::right_jacobian_inverse(xi) - Mat6::Identity()).norm(),
              1e-12);
  });
}

TEST(Se3, BothInterpolationsMeetTheirEnds) {
  Rng rng(9);
  for (int i = 0; i < 200; ++i) {
    const Pose a = se3::exp((Vec6() << random_vector(rng), random_vector(rng)).finished());
    const Pose b = se3::exp((Vec6() << random_vector(rng), random_vector(rng)).finished());
    for (auto* path : {&se3::interpolate_screw, &se3::interpolate_straight}) {
      EXPECT_TRUE(path(a, b, 0).is_approx(a, 1e-14));
      EXPECT_TRUE(path(a, b, 1).is_approx(b, 1e-12));
      EXPECT_TRUE(path(a, b, 0.3).is_approx(path(b, a, 0.7), 1e-12));
    }
    // The straight path's origin is on the line, the screw's body twist is constant.
    const Pose straight = se3::interpolate_straight(a, b, 0.25);
    EXPECT_LT((straight.p - (0.75 * a.p + 0.25 * b.p)).norm(), 1e-14);
    const Vec6 first = se3::log(a.inverse() * se3::interpolate_screw(a, b, 0.5));
    const Vec6 second = se3::log(se3::interpolate_screw(a, b, 0.5).inverse() * b);
    EXPECT_LT((first - second).norm(), 1e-11);
  }
}

TEST(Pose, RollPitchYawIsAboutFixedAxesInThatOrder) {
  const Pose X = Pose::from_rpy(Vec3(1, 2, 3), pi / 2, 0, pi / 2);
  // Roll takes y to z; yaw leaves z. Roll takes z to -y; yaw takes -y to x.
  EXPECT_LT((X.R * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((X.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-15);
  const Pose P = Pose::from_rpy(Vec3::Zero(), 0, pi / 2, 0);
  EXPECT_LT((P.R * Vec3::UnitX() + Vec3::UnitZ()).norm(), 1e-15);
}

}  // namespace
}  // namespace geste
