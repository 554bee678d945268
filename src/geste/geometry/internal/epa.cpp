#include "geste/geometry/internal/epa.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/polytope.hpp"

namespace geste::internal {
namespace {

constexpr double kFlat = 1e-13;    ///< of the extent: thinner differences have no inside
constexpr double kPlanar = 1e-13;  ///< of the extent: points so near a face lie in it
constexpr double kGap = 1e-12;     ///< of the extent: between depth and its lower bound at the end

struct Plane {
  double height = std::numeric_limits<double>::infinity();  ///< of the supporting plane
  Vec3 normal = Vec3::UnitZ();
  int face = 0;  ///< gave the normal
};

/// The part of the polytope's surface nearest to `foot`, as a triangle with weights. A flat side of
/// A - B comes in several triangles; only one of them holds the foot.
Simplex find_witness(const Polytope& polytope, const Plane& plane, double extent) {
  const Vec3 foot = plane.height * plane.normal;
  const auto from_foot = [&](const PolytopeFace& face) {
    Simplex s;
    for (int i = 0; i < 3; ++i) s.p[i] = polytope.vertex(face.vertex[i]), s.p[i].w -= foot;
    Vec3 unused;
    s.size = 3;
    Simplex reduced;
    reduce(s, reduced, unused);
    return std::pair(reduced, unused.squaredNorm());
  };
  auto best = from_foot(polytope.face(plane.face));
  for (int f = 0; f < polytope.face_count() && best.second > 1e-26 * extent * extent; ++f) {
    const PolytopeFace& face = polytope.face(f);
    const double above = std::abs(face.normal.dot(foot) - face.height);
    if (face.is_removed || above * above >= best.second) continue;
    const auto other = from_foot(face);
    if (other.second < best.second) best = other;
  }
  return best.first;
}

CorePenetration make_penetration(const Polytope& polytope, const Plane& plane, double error,
                                 double extent) {
  const Simplex witness = find_witness(polytope, plane, extent);
  CorePenetration result;
  result.depth = plane.height;
  result.normal = plane.normal;
  result.error = error;
  result.on_a = witness.on_a();
  result.on_b = witness.on_b();
  // What is left between them is the gap: each takes half of it.
  const Vec3 rest = 0.5 * (plane.height * plane.normal - (result.on_a - result.on_b));
  result.on_a += rest;
  result.on_b -= rest;
  return result;
}

/// A difference without inside touches the origin with a side of depth 0.
CorePenetration make_flat(CoreDifference& difference, const Vec3& normal, const Simplex& start) {
  const double up = normal.dot(difference.compute_support(normal).w);
  const double down = -normal.dot(difference.compute_support(-normal).w);
  CorePenetration result;
  result.normal = up <= down ? normal : Vec3(-normal);
  result.depth = std::min(up, down);
  result.on_a = start.on_a();
  result.on_b = result.on_a - result.depth * result.normal;
  return result;
}

/// The support, along the directions and against them, where `measure` is largest.
template <class Measure>
SupportPoint find_farthest(CoreDifference& difference, std::initializer_list<Vec3> directions,
                           Measure measure) {
  SupportPoint best = difference.compute_support(*directions.begin());
  double farthest = measure(best.w);
  const auto take = [&](const SupportPoint& p) {
    const double value = measure(p.w);
    if (value > farthest) farthest = value, best = p;
  };
  for (const Vec3& d : directions) {
    take(difference.compute_support(d));
    take(difference.compute_support(-d));
  }
  return best;
}

/// Four supports that span space. Where there are none, false and the direction of no extent.
bool find_corners(CoreDifference& difference, SupportPoint corner[4], Vec3& flat_normal) {
  const double flat = kFlat * difference.extent();
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  corner[0] = difference.compute_support(x);
  const Vec3 p = corner[0].w;
  corner[1] =
      find_farthest(difference, {x, y, z}, [&](const Vec3& w) { return (w - p).squaredNorm(); });
  const Vec3 u = corner[1].w - p;
  flat_normal = z;
  if (!(u.norm() > flat)) return false;
  const Vec3 along = u.normalized(), side = compute_perpendicular(along);
  flat_normal = side;
  const auto from_line = [&](const Vec3& w) { return along.cross(w - p).squaredNorm(); };
  corner[2] = find_farthest(difference, {side, along.cross(side)}, from_line);
  if (!(from_line(corner[2].w) > flat * flat)) return false;
  flat_normal = along.cross(corner[2].w - p).normalized();
  const auto from_plane = [&](const Vec3& w) { return std::abs(flat_normal.dot(w - p)); };
  corner[3] = find_farthest(difference, {flat_normal}, from_plane);
  return from_plane(corner[3].w) > flat;
}

/// Whether the distance search's last four points are a tetrahedron to start from.
bool has_volume(const Simplex& s, double extent) {
  if (s.size != 4) return false;
  const Vec3 u = s.p[1].w - s.p[0].w, v = s.p[2].w - s.p[0].w, w = s.p[3].w - s.p[0].w;
  const double longest = std::sqrt(std::max({u.squaredNorm(), v.squaredNorm(), w.squaredNorm()}));
  return std::abs(u.cross(v).dot(w)) > 1e-6 * longest * longest * longest &&
         longest > 1e-3 * extent;
}

/// From a started polytope to the answer; nothing when its rim tears.
std::optional<CorePenetration> find_penetration(CoreDifference& difference, Polytope& polytope) {
  const double extent = difference.extent();
  Plane best;
  for (;;) {
    const int nearest = polytope.pop_nearest();
    // The nearest face bounds the depth from below, the lowest supporting plane from above.
    const double lower = nearest < 0 ? best.height : polytope.face(nearest).height;
    const double gap = std::max(0.0, best.height - lower);
    if (gap <= kGap * extent) return make_penetration(polytope, best, gap, extent);
    const PolytopeFace face = polytope.face(nearest);
    const SupportPoint next = difference.compute_support(face.normal);
    const double height = face.normal.dot(next.w);
    if (height < best.height) {
      best = {height, face.normal, nearest};
      polytope.set_ceiling(height);
    }
    const Polytope::Growth growth = polytope.expand(nearest, next);
    if (growth == Polytope::Growth::torn) return std::nullopt;
    if (growth == Polytope::Growth::no_room) {
      return make_penetration(polytope, best, best.height - lower, extent);
    }
  }
}

}  // namespace

CorePenetration compute_core_penetration(CoreDifference& difference, const Simplex& start) {
  SupportPoint found[4];
  const SupportPoint* corner = start.p;
  if (!has_volume(start, difference.extent())) {
    Vec3 flat_normal;
    if (!find_corners(difference, found, flat_normal)) {
      return make_flat(difference, flat_normal, start);
    }
    corner = found;
  }
  Polytope polytope;
  if (difference.is_polyhedral()) {
    polytope.start(corner, kPlanar * difference.extent());
    if (const auto result = find_penetration(difference, polytope)) return *result;
  }
  polytope.start(corner, 0);
  return find_penetration(difference, polytope).value_or(CorePenetration());
}

}  // namespace geste::internal
