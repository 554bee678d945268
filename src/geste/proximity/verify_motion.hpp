#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/model/motion.hpp"
#include "geste/proximity/collision_model.hpp"

namespace geste {

struct VerifyOptions {
  /// m, above 0; what comes as near as its margin and this is refused; of all else it is proven to
  /// stay farther apart than its margin and half of this.
  double touch = kTouch;
  /// m; asked of every pair, as a certificate claims it, and proven up to `touch`, of the motion as
  /// stored. That nothing touches is proven of what strays from it too.
  double clearance = 0;
  int threads = 0;  ///< 0: all cores; the result is the same on any number
  CancelToken cancel{};
};

/// What a second look at a motion found.
struct VerifyReport {
  bool is_free = false;
  bool cancelled = false;
  /// Not free for this: the motion leaves its mechanism at `at` (stray.hpp).
  std::string broken;
  /// m. Free: nothing ever comes nearer; at least nine tenths of what is true where that is below
  /// 0.1 m, and 0.1 m where everything stays farther apart. Infinite where nothing is checked.
  /// Not free: how near the two are, or how deep (as far as told without searching for it).
  double clearance = 0;
  double at = 0;  ///< s; when the nearest seen, or the first too near, place is reached
  BodyId a;       ///< the pair there; invalid where nothing is checked or all stays far apart
  BodyId b;
  Vec3 point = Vec3::Zero();  ///< in the world, between the two
  long queries = 0;           ///< distances that were asked for
};

/// Proves a motion free of collisions once more, from nothing but the scene, the pairs that matter
/// (CollisionModel, made with use_reach = false: a motion may break limits) and the motion (GX-2):
/// a second way that shares no bound and no search with the first.
///
/// A segment is cut in two until every pair of objects is proven apart on each part of it: nodes of
/// their trees are separated along one direction for the whole of an interval, by more than their
/// points can move along that direction (internal/verify_sweep.hpp); accelerations of points are
/// bounded from the joints between the two (internal/verify_rates.hpp). Nodes that are proven for
/// an interval are not looked at in its halves. All of it is in double, on plain trees of boxes.
/// What begins inside a closed mesh collides. Figures hold up to rounding, 1e-9 of the size of
/// things. Mechanisms that stay closed between the moments are covered: distances count less what
/// they may be elsewhere (stray.hpp, which is shared with the first way).
///
/// A motion without moments, of another scene, with times that do not rise, with numbers that are
/// not finite, with quaternions that are not unit, and a touch that is not above 0 throw
/// std::invalid_argument. Cost: the triangles that come near, times the intervals they need, whose
/// number grows with the way that they travel towards each other in terms of how near they are, and
/// hardly where they slide along each other.
VerifyReport verify_motion(const Scene& scene, const CollisionModel& model,
                           const JointMotion& motion, const VerifyOptions& options = {},
                           ProgressSink& progress = no_progress());

}  // namespace geste
