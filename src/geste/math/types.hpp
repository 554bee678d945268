#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <numbers>

namespace geste {

// Else the program and libgeste would disagree about where objects lie and who frees their memory.
static_assert(EIGEN_MAX_ALIGN_BYTES == 16 && EIGEN_MALLOC_ALREADY_ALIGNED == 0,
              "compile with the flags of the CMake target geste::geste or of pkg-config geste");

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Mat6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Mat3X = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using MatX = Eigen::MatrixXd;
/// Components x, y, z, w in memory and in every file and vector of geste.
using Quat = Eigen::Quaterniond;

/// A view of some entries of a configuration or velocity, without owning or copying them.
using ConstVecRef = Eigen::Ref<const VecX>;
using VecRef = Eigen::Ref<VecX>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kPi = std::numbers::pi;

}  // namespace geste
