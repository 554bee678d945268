#include "geste/geometry/internal/epa.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/gjk.hpp"
#include "geste/geometry/internal/polytope.hpp"

namespace geste::internal {
namespace {

constexpr double kFlat = 1e-13;    ///< of the extent: thinner differences have no inside
constexpr double kPlanar = 1e-13;  ///< of the extent: points so near a face lie in it
/// Of the extent, between depth and its lower bound at the end. Polyhedra end exactly; of curves
/// each further digit costs some ten faces.
constexpr double kEpaGap = 1e-10;

constexpr double kLift = 0.1;  ///< of the extent: far enough for a clear direction

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
    for (SupportPoint& p : reduced.p) p = s.p[0];  // all four are copied below
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

/// One step from a normal n to a better one: the normal where the point (depth + lift) n above the
/// surface of A - B is nearest to it. With y that nearest point, its plane's height is
///   nu.y = (depth + lift) nu.n - |x - y| <= depth + lift - lift,
/// since x lies `lift` above n's plane: the depth never grows. Nothing when it does not shrink.
std::optional<CorePenetration> find_lower_plane(CoreDifference& difference, const Vec3& normal,
                                                double depth) {
  difference.origin = (depth + kLift * difference.extent()) * normal;
  const CoreDistance above = compute_core_distance(difference, -normal);
  difference.origin.setZero();
  if (above.do_meet) return std::nullopt;
  CorePenetration result;
  result.normal = -above.v.normalized();
  result.depth = result.normal.dot(difference.compute_support(result.normal).w);
  if (!(result.depth < depth)) return std::nullopt;
  result.on_a = above.simplex.on_a();
  result.on_b = above.simplex.on_b();
  return result;
}

/// The lowest supporting plane on the great circle from `normal` along `step`: strides that double
/// while they lead down, then golden sections.
Vec3 find_lowest_along(CoreDifference& difference, const Vec3& normal, const Vec3& step) {
  const auto at = [&](double t) { return (normal + t * step).normalized(); };
  const auto height = [&](double t) { return at(t).dot(difference.compute_support(at(t)).w); };
  const double farthest = 0.5 / std::max(step.norm(), 1e-300);
  double low = 0, middle = 0, high = 1, lowest = height(0);
  for (double h = height(high); h < lowest && high < farthest; h = height(high)) {
    low = middle;
    middle = high;
    lowest = h;
    high *= 2;
  }
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < 40; ++i) {
    const double t = high - kGolden * (high - low), u = low + kGolden * (high - low);
    (height(t) < height(u) ? high : low) = height(t) < height(u) ? u : t;
  }
  return at(0.5 * (low + high));
}

/// Where the depth hardly depends on the direction (a shaft in its bore), the polytope is full
/// before upper and lower bound meet; the upper one is then led downhill. Steps are short in just
/// these cases, so a line search follows every two.
void polish(CoreDifference& difference, CorePenetration& best) {
  const double lower = best.depth - best.error, little = 1e-13 * difference.extent();
  for (int round = 0; round < 12; ++round) {
    const Vec3 start = best.normal;
    const double before = best.depth;
    const auto first = find_lower_plane(difference, start, best.depth);
    if (!first) break;
    best = *first;
    const auto second = find_lower_plane(difference, first->normal, first->depth);
    if (!second) break;
    best = *second;
    const Vec3 normal =
        find_lowest_along(difference, second->normal, second->normal - first->normal);
    const double height = normal.dot(difference.compute_support(normal).w);
    if (height < best.depth) {
      if (const auto third = find_lower_plane(difference, normal, height)) best = *third;
    }
    if (before - best.depth <= little) break;
  }
  const Vec3 rest = 0.5 * (best.depth * best.normal - (best.on_a - best.on_b));
  best.on_a += rest;
  best.on_b -= rest;
  best.error = std::max(0.0, best.depth - lower);
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
    if (gap <= kEpaGap * extent) return make_penetration(polytope, best, gap, extent);
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
      CorePenetration result = make_penetration(polytope, best, best.height - lower, extent);
      polish(difference, result);
      return result;
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
