#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace geste::internal {

/// Where to cut a heap of boxes in two so that surface times number is least on both sides
/// together: the chance of being met. 16 planes along each axis are tried (I. Wald, "On fast
/// construction of SAH-based bounding volume hierarchies", 2007).
class SurfaceCut {
 public:
  /// The bounds of all centroids.
  SurfaceCut(const Eigen::Array3f& low, const Eigen::Array3f& high);

  void add(const Eigen::Array3f& centroid, const Eigen::Array3f& low, const Eigen::Array3f& high);
  /// False when all centroids are in one place.
  bool find();
  [[nodiscard]] bool is_left(const Eigen::Vector3f& centroid) const {
    return bin_of(centroid[axis_], axis_) < plane_;
  }

 private:
  static constexpr int kBins = 16;
  struct Bin {
    Eigen::Array3f low = Eigen::Array3f::Constant(3e38f);
    Eigen::Array3f high = Eigen::Array3f::Constant(-3e38f);
    std::uint32_t count = 0;

    void add(const Bin& other);
    [[nodiscard]] float cost() const;
  };

  [[nodiscard]] int bin_of(float x, int axis) const {
    return static_cast<int>((x - low_[axis]) * scale_[axis]);
  }

  Eigen::Array3f low_;
  Eigen::Array3f scale_;
  Bin bins_[3][kBins];
  int axis_ = 0;
  int plane_ = 0;
};

}  // namespace geste::internal
