#pragma once

#include <span>

#include "geste/geometry/internal/triangle_pair.hpp"
#include "geste/geometry/mesh_pair.hpp"

/// Where the triangles of two surfaces pass through each other: what of a triangle can be inside
/// the other solid.
namespace geste::internal {

/// Triangles that are not listed meet nothing: they are wholly inside or wholly outside.
class InsideParts {
 public:
  /// Points are in A's frame.
  InsideParts(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch);

  enum class Kind {
    apart,    ///< on one side of the other surface
    crossed,  ///< inside it lies within the hull of `points` and of the corners that are inside
    unclear,  ///< touched without being crossed: by corners, edges, or in one plane
  };
  struct Part {
    Kind kind = Kind::apart;
    std::span<const Vec3> points;
  };
  [[nodiscard]] Part find_a(std::uint32_t triangle) const { return find(a_, triangle); }
  [[nodiscard]] Part find_b(std::uint32_t triangle) const { return find(b_, triangle); }

 private:
  struct Side {
    struct Entry {
      std::uint32_t triangle;
      bool unclear;
      Vec3 point;
    };
    std::vector<Entry> entries;
    std::vector<std::uint32_t> triangles;  ///< ascending
    std::vector<std::uint32_t> first;      ///< of its points; one more at the end
    std::vector<char> unclear;
    std::vector<Vec3> points;

    void sort();
  };
  static Part find(const Side& side, std::uint32_t triangle);

  Side a_;
  Side b_;
};

/// The corners of the smallest convex polygon around points in the plane of `t`, which has a
/// normal.
void compute_planar_hull(const Triangle3& t, std::vector<Vec3>& points);

}  // namespace geste::internal
