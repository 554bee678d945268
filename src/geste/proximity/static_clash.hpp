#pragma once

#include <vector>

#include "geste/geometry/mesh_depth.hpp"
#include "geste/model/workspace.hpp"
#include "geste/proximity/collision_model.hpp"

namespace geste {

/// How two bodies lie to each other in one state, the worst first.
enum class ClashKind : std::uint8_t {
  clash,     ///< they interpenetrate by more than the resolution
  crossing,  ///< two open surfaces pass through each other: neither has an inside, so no depth
  touch,     ///< their surfaces meet, or overlap or part by no more than the resolution
  near,      ///< apart, by no more than the tolerance
};

/// "clash", "crossing", "touch" or "near".
const char* to_text(ClashKind kind);

/// One pair of bodies, by its deepest or nearest objects. In the world's frame.
struct StaticClash {
  BodyId a;  ///< the lower of the two
  BodyId b;
  int object_a = 0;  ///< in CollisionModel::objects
  int object_b = 0;
  ClashKind kind = ClashKind::near;
  Separation separation;  ///< signed; the normal leads from a to b
  /// m; how far the true surfaces may lie from the triangles of the two, together: a clash no
  /// deeper than this may be a fit that tessellation cut (TriangleMesh::deflection).
  double deflection = 0;

  /// m; 0 where they do not interpenetrate, and where neither has an inside. What it measures is
  /// said in separation.hpp; the true depth is at most `separation.error` more.
  [[nodiscard]] double depth() const { return std::max(0.0, -separation.distance); }
  /// Midway between the nearest or deepest points.
  [[nodiscard]] Vec3 point() const { return (separation.on_a + separation.on_b) / 2; }
};

struct StaticClashOptions {
  double tolerance = 0;  ///< m; pairs that are apart by at most this are listed as near
  /// m; surfaces that overlap or part by at most this are flush: they touch. Files of single
  /// precision cannot say more about a part of some metres.
  double resolution = 1e-6;
  /// Only pairs with one of these bodies; empty: all pairs.
  std::vector<BodyId> of{};
  int max_points = 20'000;  ///< DepthOptions::max_points, for each pair
  int threads = 0;          ///< 0: all cores; the answer does not depend on it
  CancelToken cancel{};
};

struct StaticClashes {
  std::vector<StaticClash> pairs;  ///< by kind, then the deepest or nearest first, then by body
  std::size_t checked = 0;         ///< pairs of bodies that were decided, by boxes or exactly
  std::size_t measured = 0;        ///< pairs of objects whose boxes met, and were measured exactly
  bool complete = true;            ///< false: cancelled, and pairs are missing
};

/// Every pair of bodies that interpenetrates, touches or is nearer than the tolerance, at the poses
/// in `workspace` (compute_kinematics). Pairs are those that the model checks
/// (CollisionModel::rule); with CollisionOptions::check_fixed also bodies fixed to each other: the
/// static clashes of an assembly. Margins play no part. A negative or infinite tolerance or
/// resolution throws std::invalid_argument.
///
/// A closed mesh has an inside, and what lies wholly in it interpenetrates it. An open mesh has
/// none: its surface can be deep inside a closed one, but two open ones only cross or touch.
///
/// Cost: O(n log n) boxes for n objects and O(m^2) rules for m bodies, plus one exact measurement
/// (shape_pair.hpp) for each pair of objects whose boxes come within the tolerance; `max_points`
/// bounds each.
StaticClashes find_static_clashes(const CollisionModel& model, const Workspace& workspace,
                                  const StaticClashOptions& options = {});

}  // namespace geste
