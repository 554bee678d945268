#include "geste/geometry/internal/solids.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace geste {
namespace {

/// Vertices on the rim of a face of the geodesic are shared with its neighbours; this numbers them:
/// 12 corners, then 30 edges of `frequency` - 1 vertices, then the insides of 20 faces.
struct Icosahedron {
  static constexpr std::array<std::array<std::uint32_t, 3>, 20> kFaces{
      {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

  static Vec3 corner(std::uint32_t i) {
    const double g = std::numbers::phi;
    static const std::array<Vec3, 12> corners{Vec3(-1, g, 0),  Vec3(1, g, 0),   Vec3(-1, -g, 0),
                                              Vec3(1, -g, 0),  Vec3(0, -1, g),  Vec3(0, 1, g),
                                              Vec3(0, -1, -g), Vec3(0, 1, -g),  Vec3(g, 0, -1),
                                              Vec3(g, 0, 1),   Vec3(-g, 0, -1), Vec3(-g, 0, 1)};
    return corners[i].normalized();
  }

  /// The number of each edge, by its corners in either order.
  static std::array<std::array<std::uint32_t, 12>, 12> number_edges() {
    std::array<std::array<std::uint32_t, 12>, 12> edges{};
    std::uint32_t next = 0;
    for (const auto& face : kFaces) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = face[i], b = face[(i + 1) % 3];
        if (a < b) edges[a][b] = edges[b][a] = next++;
      }
    }
    return edges;
  }
};

}  // namespace

Mat3 make_frame_along(const Vec3& axis) {
  const Vec3 up = std::abs(axis.z()) < 0.999 ? Vec3::UnitZ() : Vec3::UnitX();
  Mat3 frame;
  frame.col(2) = axis;
  frame.col(0) = up.cross(axis).normalized();
  frame.col(1) = axis.cross(frame.col(0));
  return frame;
}

std::uint32_t Solids::vertex(const Vec3& p) {
  if (mesh_) mesh_->vertices.push_back(p);
  return vertices_++;
}

void Solids::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if (mesh_) mesh_->triangles.push_back({a, b, c});
  ++triangles_;
}

std::uint32_t Solids::ring(const Vec3& centre, const Vec3& u, const Vec3& v, double radius) {
  const std::uint32_t first = vertices_;
  if (!mesh_) {
    vertices_ += static_cast<std::uint32_t>(segments_);
    return first;
  }
  for (int i = 0; i < segments_; ++i) {
    const double angle = 2 * kPi * i / segments_;
    vertex(centre + radius * (std::cos(angle) * u + std::sin(angle) * v));
  }
  return first;
}

void Solids::side(std::uint32_t from, std::uint32_t to) {
  const auto n = static_cast<std::uint32_t>(segments_);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    triangle(from + i, from + j, to + j);
    triangle(from + i, to + j, to + i);
  }
}

void Solids::disc(std::uint32_t ring, bool faces_ahead) {
  const auto n = static_cast<std::uint32_t>(segments_);
  for (std::uint32_t i = 1; i + 1 < n; ++i) {
    if (faces_ahead) {
      triangle(ring, ring + i, ring + i + 1);
    } else {
      triangle(ring, ring + i + 1, ring + i);
    }
  }
}

void Solids::box(const Pose& X, const Vec3& size) {
  static constexpr std::array<Triangle, 12> kFaces{{{0, 2, 3},
                                                    {0, 3, 1},
                                                    {4, 5, 7},
                                                    {4, 7, 6},
                                                    {0, 1, 5},
                                                    {0, 5, 4},
                                                    {2, 6, 7},
                                                    {2, 7, 3},
                                                    {0, 4, 6},
                                                    {0, 6, 2},
                                                    {1, 3, 7},
                                                    {1, 7, 5}}};
  const std::uint32_t first = vertices_;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5);
    vertex(X * Vec3(corner.cwiseProduct(size)));
  }
  for (const Triangle& f : kFaces) triangle(first + f[0], first + f[1], first + f[2]);
}

void Solids::box(const Vec3& low, const Vec3& high) {
  box(Pose::translation(0.5 * (low + high)), high - low);
}

void Solids::bar(const Vec3& p, const Vec3& q, double width, double height) {
  const Vec3 along = q - p;
  box(Pose(make_frame_along(along.normalized()), 0.5 * (p + q)), Vec3(width, height, along.norm()));
}

void Solids::rod(const Vec3& p, const Vec3& q, double radius) {
  const Mat3 frame = make_frame_along((q - p).normalized());
  const std::uint32_t from = ring(p, frame.col(0), frame.col(1), radius);
  const std::uint32_t to = ring(q, frame.col(0), frame.col(1), radius);
  side(from, to);
  disc(from, false);
  disc(to, true);
}

void Solids::tube(std::span<const Vec3> path, double radius, double bend_radius) {
  Mat3 frame = make_frame_along((path[1] - path[0]).normalized());
  const std::uint32_t start = ring(path[0], frame.col(0), frame.col(1), radius);
  std::uint32_t last = start;
  for (std::size_t k = 1; k + 1 < path.size(); ++k) {
    const Vec3 in = frame.col(2), out = (path[k + 1] - path[k]).normalized();
    const double turn = std::atan2(in.cross(out).norm(), in.dot(out));
    if (turn < 1e-6) continue;
    const Vec3 axis = in.cross(out).normalized();
    const Vec3 begin = path[k] - bend_radius * std::tan(turn / 2) * in;
    const Vec3 centre = begin + bend_radius * axis.cross(in);
    const int steps = std::max(2, static_cast<int>(std::lround(segments_ * turn / (2 * kPi))));
    const Mat3 before = frame;
    for (int i = 0; i <= steps; ++i) {
      const Mat3 R = Eigen::AngleAxisd(turn * i / steps, axis).toRotationMatrix();
      frame = R * before;
      const std::uint32_t next =
          ring(centre + R * (begin - centre), frame.col(0), frame.col(1), radius);
      side(last, next);
      last = next;
    }
    frame.col(2) = out;
  }
  const std::uint32_t end = ring(path.back(), frame.col(0), frame.col(1), radius);
  side(last, end);
  disc(start, false);
  disc(end, true);
}

void Solids::turned(const Pose& X, std::span<const Vec2> profile) {
  const bool pole_below = profile.front().x() == 0, pole_above = profile.back().x() == 0;
  const auto n = static_cast<std::uint32_t>(segments_);
  const std::size_t first = pole_below ? 1 : 0, end = profile.size() - (pole_above ? 1 : 0);
  std::uint32_t bottom = 0, last = 0;
  for (std::size_t k = first; k < end; ++k) {
    const std::uint32_t next =
        ring(X * Vec3(0, 0, profile[k].y()), X.R.col(0), X.R.col(1), profile[k].x());
    if (k == first) bottom = next;
    if (k > first) side(last, next);
    last = next;
  }
  if (pole_below) {
    const std::uint32_t pole = vertex(X * Vec3(0, 0, profile.front().y()));
    for (std::uint32_t i = 0; i < n; ++i) triangle(pole, bottom + (i + 1) % n, bottom + i);
  } else {
    disc(bottom, false);
  }
  if (pole_above) {
    const std::uint32_t pole = vertex(X * Vec3(0, 0, profile.back().y()));
    for (std::uint32_t i = 0; i < n; ++i) triangle(pole, last + i, last + (i + 1) % n);
  } else {
    disc(last, true);
  }
}

void Solids::turned_ring(const Pose& X, std::span<const Vec2> profile) {
  std::uint32_t first = 0, last = 0;
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const std::uint32_t next =
        ring(X * Vec3(0, 0, profile[k].y()), X.R.col(0), X.R.col(1), profile[k].x());
    if (k == 0) first = next;
    if (k > 0) side(last, next);
    last = next;
  }
  side(last, first);
}

void Solids::prism(const Pose& X, std::span<const Vec2> section, std::span<const Triangle> faces,
                   double length) {
  const auto n = static_cast<std::uint32_t>(section.size());
  const std::uint32_t first = vertices_;
  for (const double z : {0.0, length}) {
    for (const Vec2& p : section) vertex(X * Vec3(p.x(), p.y(), z));
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    triangle(first + i, first + j, first + n + j);
    triangle(first + i, first + n + j, first + n + i);
  }
  for (const Triangle& f : faces) {
    triangle(first + f[0], first + f[2], first + f[1]);
    triangle(first + n + f[0], first + n + f[1], first + n + f[2]);
  }
}

void Solids::geodesic(const Vec3& centre, int frequency,
                      const std::function<double(const Vec3& direction)>& radius) {
  const auto f = static_cast<std::uint32_t>(frequency);
  if (!mesh_) {
    triangles_ += std::size_t{20} * f * f;
    vertices_ += 10 * f * f + 2;
    return;
  }
  const auto edges = Icosahedron::number_edges();
  const std::uint32_t inside = (f - 1) * (f - 2) / 2;  // vertices within one face; 0 for f = 1
  const std::uint32_t first = vertices_;
  mesh_->vertices.resize(first + 10 * f * f + 2);
  vertices_ = first + 10 * f * f + 2;

  for (std::uint32_t face = 0; face < 20; ++face) {
    const auto& corners = Icosahedron::kFaces[face];
    const std::uint32_t a = corners[0], b = corners[1], c = corners[2];
    const Vec3 A = Icosahedron::corner(a), B = Icosahedron::corner(b), C = Icosahedron::corner(c);
    const auto on_edge = [&](std::uint32_t p, std::uint32_t q, std::uint32_t from_p) {
      return 12 + edges[p][q] * (f - 1) + (p < q ? from_p : f - from_p) - 1;
    };
    // i steps towards B, j towards C.
    const auto number = [&](std::uint32_t i, std::uint32_t j) {
      if (i == 0 && j == 0) return first + a;
      if (i == f) return first + b;
      if (j == f) return first + c;
      if (j == 0) return first + on_edge(a, b, i);
      if (i == 0) return first + on_edge(a, c, j);
      if (i + j == f) return first + on_edge(b, c, j);
      return first + 12 + 30 * (f - 1) + face * inside + (j - 1) * (2 * f - j - 2) / 2 + i - 1;
    };
    for (std::uint32_t j = 0; j <= f; ++j) {
      for (std::uint32_t i = 0; i + j <= f; ++i) {
        const Vec3 direction = ((f - i - j) * A + i * B + j * C).normalized();
        mesh_->vertices[number(i, j)] = centre + radius(direction) * direction;
        if (i + j == f) continue;
        triangle(number(i, j), number(i + 1, j), number(i, j + 1));
        if (i + j + 1 < f) triangle(number(i + 1, j), number(i + 1, j + 1), number(i, j + 1));
      }
    }
  }
}

}  // namespace geste
