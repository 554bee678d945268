#pragma once

#include <memory>

#include "geste/planning/free_body_world.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/slide.hpp"
#include "geste/planning/space_tracking.hpp"

namespace geste {

/// Ends of a problem at which an arm can hardly move: a peg that it holds is deep in a hole.
struct NarrowEnds {
  int link = -1;            ///< the mover that is shut in, with what hangs on it; -1: none is
  bool start = false;       ///< whether the start is narrow
  std::vector<char> goals;  ///< by goal of the problem

  [[nodiscard]] bool any() const { return link >= 0; }
};

/// Looks at configurations around the ends; deterministic for a random stream. Finds nothing in
/// spaces in which links cannot be guided: those with loops, steering that refuses segments, or one
/// free body.
NarrowEnds find_narrow_ends(const PlanningProblem& problem, LocalPlanner& local, Rng rng);

/// RRT-Connect for arms whose ends lie in narrow passages, which random configurations do not find
/// out of: in joint space a passage of a straight peg is thin and bent. In task space it is simple.
/// What the arm holds is taken as a free body (FreeBodyWorld); a path is found for it out of the
/// passage, and the arm follows with inverse kinematics in proven segments (PoseTracker). The
/// trees go on from there.
///
/// First the body slides where contacts leave it the most freedom, as a peg does along its
/// hole. Where that is not enough guides are whole paths of the free body from the start's pose to
/// that of a goal, by all searches for free bodies (plan.hpp), each longer than the one before.
struct GuidedTreesOptions {
  RrtConnectOptions trees;
  std::uint64_t guide_steps = 3000;  ///< for the first path of the free body
};

/// What the search has found so far; goes on where it ended when given again.
class GuidedTreesMemory {
 public:
  /// `world` must outlive it, and is that of all searches.
  GuidedTreesMemory(const PlanningWorld& world, NarrowEnds ends)
      : world_(world), narrow_(std::move(ends)), trees_(world.space) {}

 private:
  friend class GuidedTreesSearch;

  /// A root of a tree in a narrow passage.
  struct End {
    bool is_goal = false;
    int root = 0;  ///< in its tree
    Pose X_WL;     ///< of the link there
    bool is_out = false;
  };

  PlanningWorld world_;
  NarrowEnds narrow_;
  RrtConnectMemory trees_;
  std::vector<End> ends_;
  std::vector<Pose> goals_;  ///< of the link, by goal tree's root
  std::unique_ptr<FreeBodyWorld> free_;
  std::uint64_t tree_work_ = 0;
  std::uint64_t guide_work_ = 0;
  int guides_ = 0;  ///< that were followed
};

/// Searches a path. Ends of the problem are checked here; those that were found narrow must be
/// those of the problem.
PlanReport plan_guided_trees(const PlanningProblem& problem, const GuidedTreesOptions& options,
                             LocalPlanner& local, GuidedTreesMemory& memory, const Budget& budget,
                             Rng& rng);

}  // namespace geste
