#include "geste/geometry/internal/box_tree.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "geste/geometry/internal/surface_cut.hpp"

namespace geste::internal {
namespace {

using Vec3f = Eigen::Vector3f;
using Mat3f = Eigen::Matrix3f;

struct Fit {
  Mat3f axes = Mat3f::Identity();
  Vec3f centre = Vec3f::Zero();
  Vec3f half = Vec3f::Zero();

  /// Half the surface: what the chance of meeting another box grows with.
  [[nodiscard]] float area() const {
    return half.x() * half.y() + half.y() * half.z() + half.z() * half.x();
  }
};

struct Range {
  std::uint32_t begin;
  std::uint32_t end;
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

class Builder {
 public:
  explicit Builder(const TriangleMesh& mesh)
      : mesh_(mesh), capacity_(mesh.triangles.size() < 6000 ? 4 : 8) {}

  BoxTree build() {
    const std::size_t n = mesh_.triangles.size();
    const AxisBox box = compute_box(mesh_);
    origin_ = n > 0 ? box.centre() : Vec3(Vec3::Zero());
    corners_.reserve(n);
    centroids_.reserve(n);
    for (const Triangle& t : mesh_.triangles) {
      Corners c;
      for (int k = 0; k < 3; ++k)
        c[static_cast<std::size_t>(k)] =
            (mesh_.vertices[t[static_cast<std::size_t>(k)]] - origin_).cast<float>();
      centroids_.push_back((c[0] + c[1] + c[2]) / 3);
      corners_.push_back(c);
    }
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0u);
    tree_.scale =
        n > 0 ? static_cast<float>(box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).maxCoeff()) : 0;
    tree_.leaves.reserve(2 * n / capacity_ + 1);
    tree_.nodes.reserve(n / capacity_ / 4 + 2);
    tree_.nodes.emplace_back();
    clear(tree_.nodes[0]);
    if (n == 0) return std::move(tree_);
    const Range all{0, static_cast<std::uint32_t>(n)};
    write_box(0, 0, fit(all));
    tree_.nodes[0].child[0] = add(all);
    return std::move(tree_);
  }

 private:
  using Corners = std::array<Vec3f, 3>;

  static void clear(BoxNode& node) {
    std::memset(&node, 0, sizeof node);
    std::fill(std::begin(node.child), std::end(node.child), kNoChild);
  }

  ChildRef add(Range range) {
    if (range.size() <= capacity_) return add_leaf(range);
    const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    clear(tree_.nodes.back());
    Range parts[kLanes];
    const int count = split(range, parts);
    for (int k = 0; k < count; ++k) {
      write_box(index, k, fit(parts[k]));
      const ChildRef child = add(parts[k]);
      tree_.nodes[index].child[k] = child;
    }
    return index;
  }

  /// Cuts the largest part in two until there are eight.
  int split(Range range, Range (&parts)[kLanes]) {
    parts[0] = range;
    int count = 1;
    while (count < kLanes) {
      int largest = 0;
      for (int k = 1; k < count; ++k) {
        if (parts[k].size() > parts[largest].size()) largest = k;
      }
      if (parts[largest].size() <= capacity_) break;
      const std::uint32_t middle = cut(parts[largest]);
      parts[count++] = {middle, parts[largest].end};
      parts[largest].end = middle;
    }
    return count;
  }

  /// By least surface; in the middle where all centroids are in one place.
  std::uint32_t cut(Range range) {
    const auto begin = order_.begin() + range.begin, end = order_.begin() + range.end;
    Eigen::Array3f low = centroids_[*begin], high = low;
    for (auto t = begin; t != end; ++t) {
      low = low.min(centroids_[*t].array());
      high = high.max(centroids_[*t].array());
    }
    SurfaceCut surface(low, high);
    for (auto t = begin; t != end; ++t) {
      const Corners& c = corners_[*t];
      surface.add(centroids_[*t], c[0].array().min(c[1].array()).min(c[2].array()),
                  c[0].array().max(c[1].array()).max(c[2].array()));
    }
    if (!surface.find()) return range.begin + range.size() / 2;
    const auto middle =
        std::partition(begin, end, [&](std::uint32_t t) { return surface.is_left(centroids_[t]); });
    return static_cast<std::uint32_t>(middle - order_.begin());
  }

  void measure(Range range, Fit& fit) const {
    Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max()), high = -low;
    const Mat3f to_box = fit.axes.transpose();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      for (const Vec3f& p : corners_[order_[i]]) {
        const Vec3f b = to_box * p;
        low = low.cwiseMin(b);
        high = high.cwiseMax(b);
      }
    }
    fit.centre = fit.axes * ((low + high) / 2);
    fit.half = (high - low) / 2;
  }

  [[nodiscard]] Fit fit(Range range) const {
    Fit best;
    measure(range, best);
    const auto consider = [&](const Mat3f& axes) {
      Fit other;
      other.axes = axes;
      measure(range, other);
      if (other.area() < best.area()) best = other;
    };
    consider(principal_axes(range));
    if (range.size() <= 4 * capacity_) {
      const std::uint32_t step = std::max(1u, range.size() / 4);
      for (std::uint32_t i = range.begin; i < range.end; i += step) {
        if (const auto axes = triangle_axes(corners_[order_[i]])) consider(*axes);
      }
    }
    return best;
  }

  [[nodiscard]] Mat3f principal_axes(Range range) const {
    Vec3f mean = Vec3f::Zero();
    for (std::uint32_t i = range.begin; i < range.end; ++i) mean += centroids_[order_[i]];
    mean /= static_cast<float>(range.size());
    Mat3f covariance = Mat3f::Zero();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      for (const Vec3f& p : corners_[order_[i]]) covariance += (p - mean) * (p - mean).transpose();
    }
    Eigen::SelfAdjointEigenSolver<Mat3f> solver;
    solver.computeDirect(covariance);
    Mat3f axes = solver.eigenvectors();
    // Exactly orthonormal, whatever the solver met.
    axes.col(0).normalize();
    axes.col(1) = (axes.col(1) - axes.col(0) * axes.col(0).dot(axes.col(1))).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return axes.allFinite() ? axes : Mat3f(Mat3f::Identity());
  }

  static std::optional<Mat3f> triangle_axes(const Corners& c) {
    Vec3f edge = c[1] - c[0];
    for (const Vec3f& other : {Vec3f(c[2] - c[1]), Vec3f(c[0] - c[2])}) {
      if (other.squaredNorm() > edge.squaredNorm()) edge = other;
    }
    const Vec3f normal = (c[1] - c[0]).cross(c[2] - c[0]);
    const float length = edge.norm(), area = normal.norm();
    if (!(area > 1e-4f * length * length)) return std::nullopt;
    Mat3f axes;
    axes.col(0) = edge / length;
    axes.col(1) = (normal - axes.col(0) * axes.col(0).dot(normal)).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return axes;
  }

  void write_box(std::uint32_t node, int lane, const Fit& fit) {
    BoxNode& to = tree_.nodes[node];
    const Vec3 centre = origin_ + fit.centre.cast<double>();
    for (int i = 0; i < 3; ++i) {
      to.centre[i][lane] = static_cast<float>(centre[i]);
      // Rounding of corners, axes and sums, here and in the queries, stays below this.
      to.half[i][lane] = fit.half[i] + 1e-6f * tree_.scale;
      for (int j = 0; j < 3; ++j) to.axes[3 * i + j][lane] = fit.axes(i, j);
    }
  }

  ChildRef add_leaf(Range range) {
    TriangleLeaf leaf{};
    AxisBox box;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      for (std::uint32_t v : mesh_.triangles[order_[i]]) box.add(mesh_.vertices[v]);
    }
    const Vec3 centre = box.centre();
    Vec3::Map(leaf.centre) = centre;
    Eigen::Vector3f::Map(leaf.half) = (box.size() / 2).cast<float>();
    leaf.count = range.size();
    double extent = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t id = order_[range.begin + std::min(lane, leaf.count - 1)];
      leaf.triangle[lane] = id;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = mesh_.vertices[mesh_.triangles[id][k]] - centre;
        extent = std::max(extent, p.squaredNorm());
        for (std::size_t i = 0; i < 3; ++i)
          leaf.vertex[3 * k + i][lane] = static_cast<float>(p[static_cast<Eigen::Index>(i)]);
      }
    }
    leaf.extent = static_cast<float>(std::sqrt(extent));
    tree_.leaves.push_back(leaf);
    return static_cast<ChildRef>(tree_.leaves.size() - 1) | kLeafBit;
  }

  const TriangleMesh& mesh_;
  std::uint32_t capacity_;
  Vec3 origin_;
  std::vector<Corners> corners_;  ///< from the origin, in float
  std::vector<Vec3f> centroids_;
  std::vector<std::uint32_t> order_;
  BoxTree tree_;
};

}  // namespace

BoxTree build_box_tree(const TriangleMesh& mesh) { return Builder(mesh).build(); }

}  // namespace geste::internal
