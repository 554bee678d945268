#pragma once

#include "geste/core/budget.hpp"
#include "geste/planning/problem.hpp"

namespace geste {

/// A ball inside a body: wherever the body is free, so is the ball.
struct InnerBall {
  BodyId body;
  Vec3 p_B = Vec3::Zero();  ///< its centre
  double radius = 0;        ///< m
};

/// The largest that a search finds in what the space moves: a grid over the box of each body, the
/// best place improved. Nothing where no body has an inside.
std::optional<InnerBall> find_inner_ball(const PlanningSpace& space, const CollisionModel& model);

/// Where the ball must come to.
struct BallGoal {
  std::vector<Vec3> places;        ///< any of these, in the world
  std::optional<AxisBox> outside;  ///< or anywhere outside this box
};

struct ConfinementOptions {
  int depth = 12;              ///< how often the box around everything is halved at most
  std::size_t cells = 30'000;  ///< looked at, at most
  CancelToken cancel{};
};

/// Proof that a ball cannot get to its goal, and so nothing that it is in.
struct Confinement {
  AxisBox box;                ///< its centre stays in here
  std::vector<BodyId> walls;  ///< what keeps it in; the one with most places first
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
/// hierarchical path planning", 1991). Nothing where all on a way are free or as small as can be,
/// or the cells are used up: that proves nothing.
std::optional<Confinement> prove_confined(const PlanningSpace& space, const CollisionModel& model,
                                          const InnerBall& ball, ConstVecRef start,
                                          const BallGoal& goal,
                                          const ConfinementOptions& options = {});

}  // namespace geste
