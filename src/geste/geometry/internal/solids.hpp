#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geste/geometry/mesh.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// Builds a mesh out of closed solids, each outward-oriented. Solids may overlap (a flange on a
/// pipe); none shares a vertex with another. Without a mesh it only counts triangles, by the same
/// code, so that a count never differs from what is built.
class Solids {
 public:
  /// `segments`: per full turn of what is round; at least 3.
  Solids(TriangleMesh* mesh, int segments) : mesh_(mesh), segments_(segments) {}

  [[nodiscard]] int segments() const { return segments_; }
  [[nodiscard]] std::size_t triangles() const { return triangles_; }

  /// Between two opposite corners.
  void box(const Vec3& low, const Vec3& high);
  /// Centred at X, edges along its axes.
  void box(const Pose& X, const Vec3& size);
  /// A bar of rectangular section from p to q; `width` is across (horizontal where it can be).
  void bar(const Vec3& p, const Vec3& q, double width, double height);
  /// A round rod from p to q.
  void rod(const Vec3& p, const Vec3& q, double radius);
  /// A round rod along a path whose corners are bent to `bend_radius` about their centre line.
  /// Every leg is long enough for the bends at its ends, and no corner turns back on itself.
  void tube(std::span<const Vec3> path, double radius, double bend_radius);
  /// A solid of revolution about the z axis of X. The profile holds (distance from the axis, z) and
  /// runs upwards along the outside; an end on the axis is a pole, another one a flat disc.
  void turned(const Pose& X, std::span<const Vec2> profile);
  /// The same with a profile that closes on itself away from the axis: a ring.
  void turned_ring(const Pose& X, std::span<const Vec2> profile);
  /// A prism: `section` counter-clockwise in the xy-plane of X, from z = 0 to `length`. `faces` are
  /// the triangles of the section.
  void prism(const Pose& X, std::span<const Vec2> section, std::span<const Triangle> faces,
             double length);
  /// An icosahedron whose edges are split `frequency` times, vertices moved out to `radius` of
  /// their unit direction: 20 frequency^2 triangles.
  void geodesic(const Vec3& centre, int frequency,
                const std::function<double(const Vec3& direction)>& radius);

 private:
  std::uint32_t vertex(const Vec3& p);
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  /// Circle of `radius` about `centre`, counter-clockwise from u towards v. Its first vertex.
  std::uint32_t ring(const Vec3& centre, const Vec3& u, const Vec3& v, double radius);
  /// The side between two rings, the second ahead of the first along u x v.
  void side(std::uint32_t from, std::uint32_t to);
  void disc(std::uint32_t ring, bool faces_ahead);

  TriangleMesh* mesh_;
  int segments_;
  std::uint32_t vertices_ = 0;
  std::size_t triangles_ = 0;
};

/// A direction across `axis` (unit), horizontal where it can be; and the third one.
Mat3 make_frame_along(const Vec3& axis);

}  // namespace geste
