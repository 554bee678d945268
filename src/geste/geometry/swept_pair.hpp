#pragma once

#include "geste/geometry/shape_pair.hpp"

namespace geste {

/// How B moves against A for a while. Every point of B stays within `sag` of the chord from where
/// it begins to where it ends, and within `reach` of where it is in the middle.
struct PairSweep {
  Pose X_AB_begin;
  Pose X_AB_middle;
  Pose X_AB_end;
  double sag = 0;    ///< m
  double reach = 0;  ///< m
};

enum class SweepAnswer {
  apart,     ///< proven: farther apart than the clearance all the while
  touching,  ///< in the middle, nearer than clearance + touch
  open,      ///< neither is proven: cut the motion in two and ask again
};

/// Whether two surfaces stay farther apart than `clearance` while B moves.
///
/// Two convex pieces stay apart by g if one direction separates them by g + sag both where the
/// motion begins and where it ends: along a fixed direction the least height of points that move on
/// chords is a least of straight lines, so it is lowest at an end. Pieces farther than clearance +
/// reach from each other in the middle need no direction; the others are taken one by one, with the
/// direction of their nearest points in the middle. So bounds close with the square of the
/// interval, not with the interval, where surfaces slide along each other.
///
/// `open` cannot come out any more once reach and sag together are below `touch`. Tori go by
/// distance and reach alone. Insides do not count: who begins outside and stays apart is outside.
SweepAnswer sweep_apart(const Collider& a, const Collider& b, const PairSweep& sweep,
                        double clearance, double touch, QueryScratch& scratch,
                        PairHint* hint = nullptr);

/// What a joint does to a body about where it is: turns it by up to `turn` (rad) about the line
/// along the unit vector `axis` through `origin`, or slides it by up to `slide` (m) along it,
/// either way.
struct JointRange {
  Vec3 origin = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  double turn = 0;
  double slide = 0;
};

/// Two bodies that each move by a joint of their own, all in A's frame where it stands in the
/// middle.
struct PairRange {
  Pose X_AB;         ///< in the middle
  JointRange a, b;   ///< of the joint on the side of A, and on that of B
  double reach = 0;  ///< m; seen from A every point of B stays so near to where it is in the middle
};

/// rad; farther turns are not asked about, but cut in two.
inline constexpr double kWidestTurn = 0.8;

/// Whether two solids stay farther apart than `clearance` wherever their joints are within their
/// ranges, both independently. False: it is not proven.
///
/// As in sweep_apart one direction serves for two convex pieces, but it stands still in the frame
/// between the two joints: a joint moves nothing along its own axis, and points on their arcs are
/// bounded to the second order of the turn.
bool range_apart(const Collider& a, const Collider& b, const PairRange& range, double clearance,
                 QueryScratch& scratch);

}  // namespace geste
