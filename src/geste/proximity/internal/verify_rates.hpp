#pragma once

#include <span>
#include <vector>

#include "geste/model/motion.hpp"

// How fast the verifier lets things move on one leg of a motion, a fraction s of it going from 0 to
// 1. All rates are per s: what a rate says is also the way travelled on the whole leg.
//
// A joint moves its mover M against the parent P with a constant angular rate w and the origin of M
// with at most v (JointRate). A point that stays within R of M's origin then moves in P with at
// most v + w R, since |v + w x r| <= |v| + |w| |r|, and stays within R + max |p_PM| of P's origin.
// Summed from an object's mover up to any mover above, this bounds its points' rates seen from
// there: what the joints further up do moves both alike.

namespace geste::internal {

struct JointRate {
  double turn = 0;        ///< rad
  double shift = 0;       ///< m, of the mover's origin in its parent
  double arm = 0;         ///< m, the farthest that the mover's origin comes from its parent's
  bool is_screw = false;  ///< the origin's velocity turns with the child; else it is constant
};

/// Of every mover, on the leg from q0 to q1, with the poses of the movers at both.
std::vector<JointRate> compute_rates(const Scene& scene, ConstVecRef q0, ConstVecRef q1,
                                     Course course, std::span<const Pose> X_WM0,
                                     std::span<const Pose> X_WM1);

/// Around a thing that is fixed to a mover.
struct Ball {
  int mover = 0;
  Vec3 centre = Vec3::Zero();  ///< in the mover's frame
  double radius = 0;
};

/// The largest rate of any point of the ball, seen from the mover `above`, on a leg that begins at
/// X_WM.
double bound_rate(const Scene& scene, std::span<const JointRate> rates, std::span<const Pose> X_WM,
                  const Ball& ball, int above);

/// The largest acceleration of any point of the ball, seen from the mover `seen_from`, on a leg
/// that begins at X_WM. Up the ball's chain and down the other one: a joint that turns by w and
/// shifts by v adds w^2 R + 2 w u to the acceleration of a point that is within R of its origin and
/// that moves with u below it (Coriolis), and w v where the shift turns along.
double bound_acceleration(const Scene& scene, std::span<const JointRate> rates,
                          std::span<const Pose> X_WM, const Ball& ball, int seen_from);

/// The lowest mover that carries both.
int find_common_mover(const Scene& scene, int a, int b);

}  // namespace geste::internal
