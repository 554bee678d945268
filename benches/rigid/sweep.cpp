#include "rigid/sweep.hpp"

#include <algorithm>
#include <cmath>

namespace geste::bench {

std::vector<Pose> make_frames(std::span<const Vec3> points) {
  std::vector<Pose> frames;
  Quat R = Quat::Identity();
  Vec3 before = Vec3::UnitZ();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& from = points[i > 0 ? i - 1 : 0];
    const Vec3& to = points[std::min(i + 1, points.size() - 1)];
    const Vec3 along = (to - from).normalized();
    R = Quat::FromTwoVectors(before, along) * R;
    before = along;
    frames.emplace_back(R.normalized(), points[i]);
  }
  return frames;
}

std::vector<Vec2> make_circle(double radius, int corners) {
  std::vector<Vec2> circle;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * kPi * i / corners;
    circle.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return circle;
}

TriangleMesh sweep_section(std::span<const Pose> frames, std::span<const Vec2> section) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(section.size());
  for (const Pose& X : frames)
    for (const Vec2& p : section) mesh.vertices.push_back(X * Vec3(p.x(), p.y(), 0));
  const auto last = static_cast<std::uint32_t>((frames.size() - 1) * n);
  for (std::uint32_t ring = 0; ring < last; ring += n) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = ring + i, b = ring + (i + 1) % n;
      mesh.triangles.push_back({a, b, b + n});
      mesh.triangles.push_back({a, b + n, a + n});
    }
  }
  for (std::uint32_t i = 1; i + 1 < n; ++i) {
    mesh.triangles.push_back({0, i + 1, i});
    mesh.triangles.push_back({last, last + i, last + i + 1});
  }
  return mesh;
}

}  // namespace geste::bench
