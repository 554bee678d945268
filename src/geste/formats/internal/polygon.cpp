#include "geste/formats/internal/polygon.hpp"

#include <algorithm>

#include "geste/geometry/mesh_report.hpp"

namespace geste {
namespace {

/// Twice the area times the unit normal (Newell), about the first corner to keep precision.
Vec3 newell_normal(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> corners) {
  const Vec3& o = vertices[corners[0]];
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    normal += (vertices[corners[i]] - o).cross(vertices[corners[i + 1]] - o);
  }
  return normal;
}

/// Positive when a, b, c turn left: twice their area.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// The largest `turn` that hygiene would take for none in triangle a, b, c.
double flat_turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return kFlatHeight *
         std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
}

}  // namespace

void PolygonCutter::cut(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> corners,
                        std::vector<Triangle>& out) {
  if (corners.size() < 3) return;
  if (corners.size() == 3) {
    out.push_back({corners[0], corners[1], corners[2]});
  } else if (corners.size() == 4) {
    cut_quad(vertices, corners, out);
  } else {
    clip_ears(vertices, corners, out);
  }
}

void PolygonCutter::cut_quad(const std::vector<Vec3>& vertices,
                             std::span<const std::uint32_t> corners, std::vector<Triangle>& out) {
  const Vec3 normal = newell_normal(vertices, corners);
  // How much of the smaller triangle faces the quad's side when cut from corner `k` to `k + 2`;
  // outside a concave quad one of the two faces the other way.
  const auto smaller = [&](std::size_t k) {
    const Vec3& a = vertices[corners[k]];
    const Vec3& c = vertices[corners[k + 2]];
    const Vec3 b = vertices[corners[k + 1]] - a;
    const Vec3 d = vertices[corners[(k + 3) % 4]] - a;
    return std::min(normal.dot(b.cross(c - a)), normal.dot((c - a).cross(d)));
  };
  const bool first = smaller(0) > 0 || smaller(0) >= smaller(1);
  if (first) {
    out.push_back({corners[0], corners[1], corners[2]});
    out.push_back({corners[0], corners[2], corners[3]});
  } else {
    out.push_back({corners[0], corners[1], corners[3]});
    out.push_back({corners[1], corners[2], corners[3]});
  }
}

bool PolygonCutter::is_convex(std::uint32_t i) const {
  const Vec2 &a = points_[previous_[i]], &b = points_[i], &c = points_[next_[i]];
  return turn(a, b, c) > flat_turn(a, b, c);
}

bool PolygonCutter::is_ear(std::uint32_t i) {
  if (!is_convex(i)) return false;
  const Vec2 &a = points_[previous_[i]], &b = points_[i], &c = points_[next_[i]];
  const double flat = flat_turn(a, b, c);
  work_left_ -= std::min(work_left_, reflex_.size() + 1);
  return std::none_of(reflex_.begin(), reflex_.end(), [&](std::uint32_t r) {
    const Vec2& p = points_[r];
    // Bridges to holes pass twice through the same places.
    if (p == a || p == b || p == c) return false;
    // On an edge is inside: cutting there would leave corners on a line behind.
    return turn(a, b, p) >= -flat && turn(b, c, p) >= -flat && turn(c, a, p) >= -flat;
  });
}

void PolygonCutter::lay_out(const std::vector<Vec3>& vertices,
                            std::span<const std::uint32_t> corners) {
  // Seen along the axis nearest to the normal, from the side where the corners turn left.
  const Vec3 normal = newell_normal(vertices, corners);
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double sign = normal[axis] < 0 ? -1 : 1;

  const auto size = static_cast<std::uint32_t>(corners.size());
  points_.resize(size);
  next_.resize(size);
  previous_.resize(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    points_[i] = Vec2(vertices[corners[i]][u], sign * vertices[corners[i]][v]);
    next_[i] = i + 1 == size ? 0 : i + 1;
    previous_[i] = i == 0 ? size - 1 : i - 1;
  }
  reflex_.clear();
  for (std::uint32_t i = 0; i < size; ++i) {
    if (!is_convex(i)) reflex_.push_back(i);
  }
}

void PolygonCutter::clip_ears(const std::vector<Vec3>& vertices,
                              std::span<const std::uint32_t> corners, std::vector<Triangle>& out) {
  lay_out(vertices, corners);
  std::uint32_t i = 0, tries = 0;
  auto left = static_cast<std::uint32_t>(corners.size());
  while (left > 3) {
    // After a whole turn without an ear (a polygon that crosses itself) any corner must do.
    if (work_left_ > 0 && tries < left && !is_ear(i)) {
      i = next_[i];
      ++tries;
      continue;
    }
    const std::uint32_t before = previous_[i], after = next_[i];
    out.push_back({corners[before], corners[i], corners[after]});
    next_[before] = after;
    previous_[after] = before;
    if (work_left_ == 0) reflex_.clear();
    work_left_ -= std::min(work_left_, reflex_.size());
    std::erase_if(reflex_, [&](std::uint32_t r) {
      return r == i || ((r == before || r == after) && is_convex(r));
    });
    // Leaving one corner between two ears keeps the triangles of round outlines fat.
    i = next_[after];
    --left;
    tries = 0;
  }
  out.push_back({corners[previous_[i]], corners[i], corners[next_[i]]});
  if (work_left_ == 0) ++fans_;
}

}  // namespace geste
