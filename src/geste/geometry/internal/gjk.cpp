#include "geste/geometry/internal/gjk.hpp"

#include <algorithm>

namespace geste::internal {
namespace {

constexpr int kMaxSteps = 128;
/// Of the extent: what separates upper and lower bound at the end. Polyhedra end on a corner that
/// comes again, and lose nothing; curves converge by a factor of 2 to 10 a step.
constexpr double kGjkGap = 1e-12;

bool holds(const Simplex& s, const Vec3& w) {
  for (int i = 0; i < s.size; ++i) {
    if (s.p[i].w == w) return true;
  }
  return false;
}

}  // namespace

CoreDistance compute_core_distance(CoreDifference& difference, const Vec3& guess,
                                   const EnoughDistance& enough) {
  CoreDistance result;
  Simplex& simplex = result.simplex;
  Simplex reduced;  // what stays; goes back only when it is nearer
  const double contact = kContact * difference.extent(), gap = kGjkGap * difference.extent();
  Vec3 direction = guess.squaredNorm() > 0 ? guess : Vec3(Vec3::UnitX());
  double norm = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMaxSteps; ++step) {
    const SupportPoint next = difference.compute_support(-direction);
    const double lower = direction.dot(next.w) / (step == 0 ? direction.norm() : norm);
    result.lower_bound = step == 0 ? lower : std::max(result.lower_bound, lower);
    if (result.lower_bound > enough.above) {
      if (step == 0) result.v = next.w, simplex.p[0] = next, simplex.size = 1;
      return result;
    }
    if (step > 0 && (norm - lower <= gap + 1e-15 * norm || holds(simplex, next.w))) break;
    simplex.p[simplex.size] = next;
    ++simplex.size;
    Vec3 v;
    if (!reduce(simplex, reduced, v)) {
      result.v = Vec3::Zero();
      result.do_meet = true;
      return result;
    }
    const double new_norm = v.norm();
    if (!(new_norm < norm)) {  // rounding has the last word; what was before is as good
      --simplex.size;
      break;
    }
    simplex.take(reduced);
    result.v = direction = v;
    norm = new_norm;
    if (norm <= contact) {
      result.do_meet = true;
      return result;
    }
    if (norm <= enough.below) break;
  }
  return result;
}

}  // namespace geste::internal
