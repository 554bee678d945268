#pragma once

#include <limits>

#include "geste/geometry/internal/simplex.hpp"

namespace geste::internal {

/// Cores nearer than this part of their extent are handed on as meeting: below it the direction
/// between them is rounding error.
constexpr double kContact = 1e-11;

struct CoreDistance {
  bool do_meet = false;    ///< nearer than kContact, or into each other
  Vec3 v = Vec3::Zero();   ///< the point of A - B nearest to the origin: on_a - on_b
  double lower_bound = 0;  ///< proven; |v| is the upper one
  Simplex simplex;         ///< carries v
};

/// When the answer is good enough: as soon as the distance is known to be above or below these.
struct EnoughDistance {
  double above = std::numeric_limits<double>::infinity();
  double below = 0;
};

/// Distance of two cores. Starts towards `guess`, which may be the v of a similar query.
/// E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance
/// between complex objects in three-dimensional space", IEEE J. Robotics and Automation 4(2), 1988;
/// lower bound and end as in G. van den Bergen, "A fast and robust GJK implementation", JGT 4(2),
/// 1999.
CoreDistance compute_core_distance(CoreDifference& difference, const Vec3& guess,
                                   const EnoughDistance& enough = {});

}  // namespace geste::internal
