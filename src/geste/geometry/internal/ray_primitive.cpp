#include "geste/geometry/internal/ray_primitive.hpp"

#include <algorithm>
#include <cmath>

#include "geste/geometry/internal/quartic.hpp"

namespace geste::internal {
namespace {

/// The line with its parameter counted from where it passes the shape's centre: far away origins
/// then cost no digits. `shift` leads back: t = shift + s.
struct CentredLine {
  Vec3 p;
  Vec3 d;
  double shift = 0;

  explicit CentredLine(const LocalRay& ray) : p(ray.origin), d(ray.direction) {
    for (int pass = 0; pass < 2; ++pass) {  // the second takes the rounding of the first
      const double s = -p.dot(d);
      p += s * d;
      shift += s;
    }
  }
  [[nodiscard]] Vec3 at(double s) const { return p + s * d; }
};

/// The stretch of a line inside a convex solid, and which of its faces bound it.
struct Span {
  double in = -kInfinity;
  double out = kInfinity;
  int in_face = 0;
  int out_face = 0;

  void clip(double from, double to, int from_face, int to_face) {
    if (from > in) in = from, in_face = from_face;
    if (to < out) out = to, out_face = to_face;
  }
  void clear() {
    in = kInfinity;
    out = -kInfinity;
  }
};

struct SpanEnd {
  double s;
  int face;
};

/// The first end of the span that the ray counts.
std::optional<SpanEnd> find_end(const Span& span, const CentredLine& line, const LocalRay& ray) {
  if (!(span.in <= span.out + ray.rounding)) return std::nullopt;
  const double in = line.shift + span.in, out = line.shift + span.out;
  if (in > ray.high) return std::nullopt;
  if (in >= ray.low) return SpanEnd{span.in, span.in_face};
  if (out >= ray.low && out <= ray.high) return SpanEnd{span.out, span.out_face};
  return std::nullopt;
}

Vec3 normal_or(const Vec3& v, const Vec3& otherwise) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : otherwise;
}

/// Between two planes across `axis`. Faces: first, first + 1.
void clip_slab(Span& span, const CentredLine& line, int axis, double half, double rounding,
               int first) {
  const double p = line.p[axis], d = line.d[axis];
  if (std::abs(d) < 1e-30) {
    if (std::abs(p) > half + rounding) span.clear();
    return;
  }
  const double a = (-half - p) / d, b = (half - p) / d;
  if (d > 0)
    span.clip(a, b, first, first + 1);
  else
    span.clip(b, a, first + 1, first);
}

/// Within `radius` of a point.
Span make_ball_span(const CentredLine& line, const Vec3& centre, double radius, double rounding) {
  const Vec3 to = centre - line.p;
  const double middle = to.dot(line.d), off = (to - middle * line.d).norm();
  if (off > radius + rounding) return {kInfinity, -kInfinity};
  const double half = std::sqrt(std::max(0.0, (radius - off) * (radius + off)));
  return {middle - half, middle + half};
}

/// Within `radius` of the z axis.
void clip_tube(Span& span, const CentredLine& line, double radius, double rounding, int face) {
  const Vec2 p = line.p.head<2>(), d = line.d.head<2>();
  const double dd = d.squaredNorm();
  if (dd < 1e-60) {
    if (p.norm() > radius + rounding) span.clear();
    return;
  }
  const double n = std::sqrt(dd), off = std::abs(p.x() * d.y() - p.y() * d.x()) / n;
  if (off > radius + rounding) return span.clear();
  const double middle = -p.dot(d) / dd;
  const double half = std::sqrt(std::max(0.0, (radius - off) * (radius + off))) / n;
  span.clip(middle - half, middle + half, face, face);
}

/// Inside the lower half of a double cone with its apex at z = length/2: w = length/2 - z is the
/// depth below the apex, and inside is length^2 (x^2 + y^2) <= radius^2 w^2, w >= 0.
void clip_nappe(Span& span, const CentredLine& line, const Cone& cone, int face) {
  const double weight = cone.length * cone.length + cone.radius * cone.radius;
  const double across = cone.length * cone.length / weight,
               along = cone.radius * cone.radius / weight;
  const Vec2 p = line.p.head<2>(), d = line.d.head<2>();
  const double w = cone.length / 2 - line.p.z(), dw = -line.d.z();
  const double a = across * d.squaredNorm() - along * dw * dw;
  const double b = across * p.dot(d) - along * w * dw;
  const double c = across * p.squaredNorm() - along * w * w;
  double square = b * b - a * c;
  if (a > 0 && square < -1e-16 * (b * b + std::abs(a * c))) return span.clear();
  square = std::max(0.0, square);
  const double q = b > 0 ? -(b + std::sqrt(square)) : -b + std::sqrt(square);
  const double r1 = a != 0 ? q / a : std::copysign(kInfinity, q), r2 = q != 0 ? c / q : 0;
  const double first = std::min(r1, r2), second = std::max(r1, r2);
  if (a > 0)
    span.clip(first, second, face, face);
  else if (a < 0 && dw > 0)  // down into the lower half
    span.clip(second, kInfinity, face, face);
  else if (a < 0)
    span.clip(-kInfinity, first, face, face);
  else if (b > 0)  // along the side: one crossing
    span.clip(-kInfinity, r2, face, face);
  else if (b < 0)
    span.clip(r2, kInfinity, face, face);
  else if (c > 0)
    span.clear();
}

}  // namespace

std::optional<SurfaceHit> find_surface_hit(const Sphere& shape, const LocalRay& ray) {
  const CentredLine line(ray);
  const auto end =
      find_end(make_ball_span(line, Vec3::Zero(), shape.radius, ray.rounding), line, ray);
  if (!end) return std::nullopt;
  return SurfaceHit{line.shift + end->s, normal_or(line.at(end->s), -line.d)};
}

std::optional<SurfaceHit> find_surface_hit(const Capsule& shape, const LocalRay& ray) {
  const CentredLine line(ray);
  const double half = shape.length / 2;
  Span tube;
  clip_tube(tube, line, shape.radius, ray.rounding, 0);
  clip_slab(tube, line, 2, half, ray.rounding, 0);
  // The solid is convex: its stretch reaches from the first of its pieces to the last.
  Span span{kInfinity, -kInfinity};
  for (const Span& piece : {tube, make_ball_span(line, {0, 0, half}, shape.radius, ray.rounding),
                            make_ball_span(line, {0, 0, -half}, shape.radius, ray.rounding)}) {
    if (piece.in > piece.out) continue;
    span.in = std::min(span.in, piece.in);
    span.out = std::max(span.out, piece.out);
  }
  const auto end = find_end(span, line, ray);
  if (!end) return std::nullopt;
  const Vec3 p = line.at(end->s), core(0, 0, std::clamp(p.z(), -half, half));
  return SurfaceHit{line.shift + end->s, normal_or(p - core, -line.d)};
}

std::optional<SurfaceHit> find_surface_hit(const Box& shape, const LocalRay& ray) {
  const CentredLine line(ray);
  Span span;
  for (int axis = 0; axis < 3; ++axis)
    clip_slab(span, line, axis, shape.size[axis] / 2, ray.rounding, 2 * axis);
  const auto end = find_end(span, line, ray);
  if (!end) return std::nullopt;
  Vec3 normal = Vec3::Zero();
  normal[end->face / 2] = end->face % 2 == 0 ? -1 : 1;
  return SurfaceHit{line.shift + end->s, normal};
}

std::optional<SurfaceHit> find_surface_hit(const Cylinder& shape, const LocalRay& ray) {
  constexpr int kSide = 2;
  const CentredLine line(ray);
  Span span;
  clip_slab(span, line, 2, shape.length / 2, ray.rounding, 0);
  clip_tube(span, line, shape.radius, ray.rounding, kSide);
  const auto end = find_end(span, line, ray);
  if (!end) return std::nullopt;
  if (end->face != kSide)
    return SurfaceHit{line.shift + end->s, Vec3(0, 0, end->face == 0 ? -1 : 1)};
  const Vec3 p = line.at(end->s);
  return SurfaceHit{line.shift + end->s, normal_or(Vec3(p.x(), p.y(), 0), -line.d)};
}

std::optional<SurfaceHit> find_surface_hit(const Cone& shape, const LocalRay& ray) {
  constexpr int kSide = 2;
  if (!(shape.length > 0)) return find_surface_hit(Cylinder{shape.radius, 0}, ray);
  const CentredLine line(ray);
  Span span;
  clip_slab(span, line, 2, shape.length / 2, ray.rounding, 0);
  clip_nappe(span, line, shape, kSide);
  const auto end = find_end(span, line, ray);
  if (!end) return std::nullopt;
  if (end->face == 0) return SurfaceHit{line.shift + end->s, -Vec3::UnitZ()};
  const Vec3 p = line.at(end->s);
  const double out = p.head<2>().norm();
  if (!(out > 0)) return SurfaceHit{line.shift + end->s, Vec3::UnitZ()};
  const Vec3 normal(shape.length * p.x() / out, shape.length * p.y() / out, shape.radius);
  return SurfaceHit{line.shift + end->s, normal.normalized()};
}

/// (|p|^2 + R^2 - r^2)^2 = 4 R^2 (x^2 + y^2), in units of R + r. With the parameter counted from
/// the centre |p|^2 is m^2 + s^2, and no cubic term is left. Its roots include, where the tube is
/// thicker than the circle is wide, the tube's far side inside the solid: there |p|^2 + R^2 < r^2.
std::optional<SurfaceHit> find_surface_hit(const Torus& shape, const LocalRay& ray) {
  const double size = shape.radius + shape.tube_radius;
  if (!(size > 0)) return find_surface_hit(Sphere{0}, ray);
  const CentredLine line(ray);
  const double R = shape.radius / size, r = shape.tube_radius / size;
  const Vec3 p = line.p / size;
  const double m = p.norm();
  if (m > 1 + ray.rounding / size) return std::nullopt;
  const double k = m * m + R * R - r * r;
  const double flat = line.d.head<2>().squaredNorm(), slant = p.head<2>().dot(line.d.head<2>());
  const DepressedQuartic quartic{2 * k - 4 * R * R * flat, -8 * R * R * slant,
                                 k * k - 4 * R * R * p.head<2>().squaredNorm()};
  const double reach = std::sqrt(std::max(0.0, (1 - m) * (1 + m))) + 1e-3;
  const QuarticRoots roots = find_roots(quartic, -reach, reach);
  for (std::size_t i = 0; i < roots.count; ++i) {
    if (k + roots.root[i] * roots.root[i] < 0) continue;
    double s = size * roots.root[i];
    // One step on the distance itself, which is better conditioned than the quartic.
    const auto from_tube = [&](double at) {
      const Vec3 q = line.at(at);
      const double out = q.head<2>().norm();
      const Vec3 ring = out > 0 ? Vec3(q.x() / out, q.y() / out, 0) : Vec3(Vec3::UnitX());
      return Vec3(q - shape.radius * ring);
    };
    for (int pass = 0; pass < 2; ++pass) {
      const Vec3 v = from_tube(s);
      const double length = v.norm(), slope = length > 0 ? v.dot(line.d) / length : 0;
      const double next = slope != 0 ? s - (length - shape.tube_radius) / slope : s;
      if (std::abs(from_tube(next).norm() - shape.tube_radius) <
          std::abs(length - shape.tube_radius))
        s = next;
    }
    const double t = line.shift + s;
    if (t > ray.high) return std::nullopt;
    if (t >= ray.low) return SurfaceHit{t, normal_or(from_tube(s), -line.d)};
  }
  return std::nullopt;
}

}  // namespace geste::internal
