#pragma once

#include "geste/core/budget.hpp"
#include "geste/planning/problem.hpp"
#include "geste/proximity/reach.hpp"

namespace geste {

/// A ball inside a body: wherever the body is free, so is the ball.
struct InnerBall {
  BodyId body;
  Vec3 p_B = Vec3::Zero();  ///< its centre
  double radius = 0;        ///< m
};

/// The largest that a search finds in each body that the space moves, in the order of the scene: a
/// grid over the body's box, the best place improved. None of bodies without an inside, nor of
/// those that the budget has no time for.
std::vector<InnerBall> find_inner_balls(const PlanningSpace& space, const CollisionModel& model,
                                        const Budget& budget = {});
/// The largest of them.
std::optional<InnerBall> find_inner_ball(const PlanningSpace& space, const CollisionModel& model,
                                         const Budget& budget = {});

/// Where a point of a body can come to within the limits of the space's joints, in the world: the
/// room of a free body, the reach of an arm. Unbounded where a joint has no limit to its travel.
ReachVolume bound_range(const PlanningSpace& space, BodyId body, const Vec3& p_B);

/// Where the ball must come to.
struct BallGoal {
  std::vector<Vec3> places;        ///< any of these, in the world
  std::optional<AxisBox> outside;  ///< or anywhere outside this box
};

struct ConfinementOptions {
  int depth = 12;              ///< how often the box around everything is halved at most
  std::size_t cells = 30'000;  ///< looked at, at most
  Budget budget{};             ///< a step is a cell
  /// Whether a free body may not leave its room; else that is only where samples are drawn.
  bool is_room_binding = true;
};

/// Proof that a ball cannot get to its goal, and so nothing that it is in.
struct Confinement {
  AxisBox box;                ///< its centre stays in here
  std::vector<BodyId> walls;  ///< what keeps it in; the one with most places first
  /// Beside the walls it is held by the range of its joints: the room of a free body, the reach of
  /// an arm.
  bool needs_range = false;
  std::size_t cells = 0;
};

/// Whether the parts that stay keep the ball from its goal, however the body is turned and whatever
/// way it goes (R. A. Brooks, T. Lozano-Perez, "A subdivision algorithm in configuration space for
/// findpath with rotation", 1985, for a ball, which has no rotation).
///
/// Space is cut into cells, those that matter smaller and smaller. For every point of a cell with
/// centre k and half diagonal h the distance to a part is at most d(k) + h: where that is less than
/// the radius and the margin, no point of the cell is a place for the ball's centre. Cells that
/// share a face and are not so proven are joined; the centre moves without jumps, so it stays in
/// those that are joined to its own. As long as cells lead to the goal, those on the way of which
/// nothing is known are cut (D. Zhu, J.-C. Latombe, "New heuristic algorithms for efficient
/// hierarchical path planning", 1991). Cells that the ball's centre cannot come to within the
/// limits of the joints (proximity/reach.hpp) count as walls; the start must be within these
/// limits. Nothing where all on a way are free or as small as can be, or the cells or the budget
/// are used up: that proves nothing.
std::optional<Confinement> prove_confined(const PlanningSpace& space, const CollisionModel& model,
                                          const InnerBall& ball, ConstVecRef start,
                                          const BallGoal& goal,
                                          const ConfinementOptions& options = {});

}  // namespace geste
