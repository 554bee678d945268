#pragma once

#include <functional>

#include "geste/core/rng.hpp"
#include "geste/model/configuration.hpp"
#include "geste/proximity/collision_query.hpp"

#include "motions/edge_checker.hpp"

namespace geste::bench {

/// A scene to move in. What collides in `near` but not in `apart` is close to an obstacle.
struct Arena {
  Scene scene;
  CollisionModel model;
  CollisionModel near;
  CollisionModel apart;
};

/// "Close" is within `near` metres, and not within a fifth of that. `previous` lends its shapes.
Arena make_arena(Scene scene, CollisionOptions options, double near,
                 const Arena* previous = nullptr);
Arena make_arena(SceneSpec spec, const CollisionOptions& options, double near,
                 const Arena* previous = nullptr);

/// The edge's other end; false where this draw has none.
using Way = std::function<bool(ConstVecRef q0, Rng& rng, VecRef q1)>;

/// A straight way of these joints in a random direction, `length` long in rad and m alike.
Way make_straight_way(const Scene& scene, std::span<const JointId> joints, double length);
/// A screw of a free joint that takes the body's outermost points about `length` away, the more by
/// turning the less by going, for a body so long.
Way make_screw_way(const Scene& scene, JointId joint, double length);

/// Draws configurations and edges; joints that are not named stay as in `q`.
class EdgeSource {
 public:
  EdgeSource(const Arena& arena, std::span<const JointId> joints, VecX q, Rng rng);

  /// Any configurations within the limits.
  MatX draw(int count);
  /// Edges that begin at random free configurations, or at such as are close to an obstacle too;
  /// fewer than asked for where there are hardly any.
  Edges draw_edges(int count, bool near, const Way& way);

 private:
  bool draw_start(bool near);

  const Arena& arena_;
  ConfigurationSampler sampler_;
  Rng rng_;
  VecX q_;
  Workspace workspace_;
  CollisionWorkspace model_memory_;
  CollisionWorkspace near_memory_;
  CollisionWorkspace apart_memory_;
};

}  // namespace geste::bench
