#include "geste/geometry/feature_axes.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/point_welder.hpp"

namespace geste {
namespace {

constexpr double kDegree = kPi / 180;
/// Cosine of the angle within which two directions count as one.
const double kSame = std::cos(2 * kDegree);

/// Directions without sign, gathered by where they point.
class DirectionClusters {
 public:
  void add(const Vec3& direction, double weight) {
    for (Cluster& c : clusters_) {
      const double along = c.sum.dot(direction);
      if (std::abs(along) < kSame * c.sum.norm()) continue;
      c.sum += (along < 0 ? -weight : weight) * direction;
      c.weight += weight;
      return;
    }
    // What comes late in a mesh of many directions is one of many.
    constexpr std::size_t kMost = 256;
    if (clusters_.size() < kMost) clusters_.push_back({weight * direction, weight});
  }

  void list(std::size_t most, bool is_flat, std::vector<FeatureAxis>& axes) const {
    std::vector<FeatureAxis> own;
    for (const Cluster& c : clusters_)
      own.push_back({c.sum.normalized(), is_flat ? std::sqrt(c.weight) : c.weight, is_flat});
    std::stable_sort(own.begin(), own.end(),
                     [](const auto& x, const auto& y) { return x.weight > y.weight; });
    if (own.size() > most) own.resize(most);
    axes.insert(axes.end(), own.begin(), own.end());
  }

 private:
  struct Cluster {
    Vec3 sum;
    double weight;
  };
  std::vector<Cluster> clusters_;
};

/// An edge of a triangle, by where its ends are.
struct Side {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Vec3 normal;  ///< of the triangle
};

class AxisFinder {
 public:
  AxisFinder(const TriangleMesh& mesh, const Pose& X_WM, const AxisBox& within)
      : mesh_(mesh), X_WM_(X_WM), within_(within), places_(mesh.vertices.size()) {
    PointWelder welder(mesh.vertices.size());
    welder.add(mesh.vertices, places_);
    points_ = welder.take_points();
  }

  std::vector<FeatureAxis> run(std::size_t most) {
    for (const Triangle& t : mesh_.triangles) add_triangle(t);
    const auto key = [](const Side& s) { return std::pair(s.from, s.to); };
    std::stable_sort(sides_.begin(), sides_.end(),
                     [&](const Side& x, const Side& y) { return key(x) < key(y); });
    for (std::size_t i = 0, end = 0; i < sides_.size(); i = end) {
      while (end < sides_.size() && key(sides_[end]) == key(sides_[i])) ++end;
      if (end == i + 2) add_edge(sides_[i], sides_[i + 1]);
    }
    std::vector<FeatureAxis> axes;
    edge_directions_.list(most, false, axes);
    normals_.list(most, true, axes);
    return axes;
  }

 private:
  void add_triangle(const Triangle& t) {
    const Vec3 corners[] = {X_WM_ * mesh_.vertices[t[0]], X_WM_ * mesh_.vertices[t[1]],
                            X_WM_ * mesh_.vertices[t[2]]};
    AxisBox box;
    for (const Vec3& p : corners) box.add(p);
    if (compute_gap(box, within_) > 0) return;
    const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double twice_area = normal.norm();
    if (!(twice_area > 0)) return;
    normals_.add(normal / twice_area, twice_area / 2);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = places_[t[k]], b = places_[t[(k + 1) % 3]];
      sides_.push_back({std::min(a, b), std::max(a, b), normal / twice_area});
    }
  }

  void add_edge(const Side& a, const Side& b) {
    const Vec3 along = X_WM_.R * (points_[a.to] - points_[a.from]);
    const double angle = std::atan2(a.normal.cross(b.normal).norm(), a.normal.dot(b.normal));
    if (angle < kDegree || !(along.norm() > 0)) return;
    edge_directions_.add(along.normalized(), along.norm() * angle);
  }

  const TriangleMesh& mesh_;
  const Pose& X_WM_;
  const AxisBox& within_;
  std::vector<std::uint32_t> places_;
  std::vector<Vec3> points_;
  std::vector<Side> sides_;
  DirectionClusters edge_directions_;
  DirectionClusters normals_;
};

/// Of what is round about z.
std::vector<FeatureAxis> make_round(double length) {
  return {{Vec3::UnitZ(), 2 * kPi * length, false}, {Vec3::UnitZ(), length, true}};
}

std::vector<FeatureAxis> make_box_axes(const Vec3& size) {
  std::vector<FeatureAxis> axes;
  for (const bool is_flat : {false, true})
    for (int k = 0; k < 3; ++k)
      axes.push_back(
          {Vec3::Unit(k), is_flat ? std::sqrt(size.prod() / size[k]) : 2 * kPi * size[k], is_flat});
  std::stable_sort(axes.begin(), axes.end(), [](const auto& x, const auto& y) {
    return std::pair(x.is_flat, -x.weight) < std::pair(y.is_flat, -y.weight);
  });
  return axes;
}

std::vector<FeatureAxis> turned(std::vector<FeatureAxis> axes, const Mat3& R) {
  for (FeatureAxis& axis : axes) axis.direction = R * axis.direction;
  return axes;
}

}  // namespace

std::vector<FeatureAxis> find_feature_axes(const Shape& shape, const Pose& X_WS,
                                           const AxisBox& within, std::size_t most) {
  using Axes = std::vector<FeatureAxis>;
  const auto round = [&](double length) { return turned(make_round(length), X_WS.R); };
  return std::visit(
      Overloaded{[&](const MeshShape& s) { return AxisFinder(*s, X_WS, within).run(most); },
                 [&](const HullShape& s) {
                   const TriangleMesh mesh{s->vertices, s->faces};
                   return AxisFinder(mesh, X_WS, within).run(most);
                 },
                 [&](const Sphere&) { return Axes(); },
                 [&](const Box& s) { return turned(make_box_axes(s.size), X_WS.R); },
                 [&](const Cylinder& s) { return round(s.length); },
                 [&](const Cone& s) { return round(s.length); },
                 [&](const Capsule& s) { return round(s.length); },
                 [&](const Torus& s) { return round(2 * s.tube_radius); }},
      shape);
}

}  // namespace geste
