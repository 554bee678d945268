#pragma once

#include <optional>

#include "geste/geometry/shape_pair.hpp"
#include "geste/model/workspace.hpp"
#include "geste/proximity/collision_model.hpp"

namespace geste {

/// How two bodies lie to each other, by their nearest or deepest objects. In the world's frame.
struct PairClearance {
  BodyId a;  ///< the lower of the two
  BodyId b;
  int object_a = 0;  ///< in CollisionModel::objects
  int object_b = 0;
  Separation separation;  ///< signed; the normal leads from a to b
  double margin = 0;      ///< m, asked for between these two

  [[nodiscard]] bool collides() const {
    return separation.distance < margin || separation.distance <= 0;
  }
};

/// Memory of queries for one model and one thread: where moving objects are, in a tree that follows
/// them, and what the last queries found. After some queries is_free allocates nothing.
class CollisionWorkspace {
 public:
  explicit CollisionWorkspace(const CollisionModel& model);

 private:
  friend class CollisionSearch;

  struct Placed {
    Pose X_WO;
    AxisBox box;
    int leaf = -1;  ///< in `moving`, once it was there
  };
  struct Hint {
    std::uint64_t pair = ~std::uint64_t{0};
    PairHint hint;
  };

  std::uint64_t model_serial_;
  std::vector<Placed> placed_;                ///< by object
  AabbTree moving_;                           ///< with room to move in
  std::vector<Hint> hints_;                   ///< a slot serves several pairs, the last one stays
  std::pair<int, int> last_hit_{-1, -1};      ///< objects that collided in the last is_free
  std::pair<int, int> last_nearest_{-1, -1};  ///< and that were nearest
  AabbTree::Stack stack_;
  QueryScratch scratch_;
};

// Questions about the poses in `workspace` (compute_kinematics). A body that touches another, or is
// nearer than their margin, collides. Where the model left pairs out by reach or area (MV-7),
// joints must be within their limits and movers within their areas, or contacts may be missed.
// Memory of another model and a workspace of another scene throw std::logic_error. Cost:
// logarithmic in the obstacles per moving object, plus the pairs whose boxes meet.

/// Stops at the first collision.
bool is_free(const CollisionModel& model, const Workspace& workspace, CollisionWorkspace& memory);

/// Every pair of bodies that collides, each once, the deepest first.
std::vector<PairClearance> find_collisions(const CollisionModel& model, const Workspace& workspace,
                                           CollisionWorkspace& memory,
                                           const DepthOptions& depth = {});

/// The pair that is nearest, or deepest in each other. Nothing where no pair that is checked is
/// nearer than `limit`.
std::optional<PairClearance> find_nearest_pair(const CollisionModel& model,
                                               const Workspace& workspace,
                                               CollisionWorkspace& memory,
                                               double limit = kInfinity);

/// How these two bodies lie to each other, whatever the model's rules say of the pair, bodies fixed
/// to each other too: by the nearest or deepest of their objects. Nothing where one of them has no
/// collision geometry. One body twice throws std::invalid_argument.
std::optional<PairClearance> compute_clearance(const CollisionModel& model,
                                               const Workspace& workspace, BodyId a, BodyId b,
                                               CollisionWorkspace& memory,
                                               const DepthOptions& depth = {});

/// A point beside or inside a body, in the world's frame.
struct PointClearance {
  int object = 0;               ///< in CollisionModel::objects
  double distance = 0;          ///< m, to the surface; negative inside (of closed meshes)
  Vec3 nearest = Vec3::Zero();  ///< the surface's nearest point
};

/// By the nearest of the body's objects, or the one the point lies deepest in.
std::optional<PointClearance> compute_clearance(const CollisionModel& model,
                                                const Workspace& workspace, BodyId body,
                                                const Vec3& p_W, CollisionWorkspace& memory);

}  // namespace geste
