#pragma once

#include <memory>

#include "geste/planning/local_planner.hpp"

namespace geste {

/// What is different.
struct WorldChange {
  std::vector<BodyId> without;  ///< what moves may go through these
  double thinner = 0;  ///< m; what moves is thinner by this on every side (thin_bodies.hpp)
  double slimmer = 0;  ///< what moves has lost this share of its thickness (thin_bodies.hpp)
};

/// A planner's world once more with something changed: to ask what would be if. Space and steering
/// are those of the original, which must outlive it; shapes and trees that are the same are lent.
class ChangedWorld {
 public:
  ChangedWorld(const PlanningWorld& original, const WorldChange& change);

  ChangedWorld(const ChangedWorld&) = delete;
  ChangedWorld& operator=(const ChangedWorld&) = delete;

  /// Prepared when it is first asked for, which may take long.
  [[nodiscard]] PlanningWorld world();
  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const CollisionModel& model() const { return model_; }

 private:
  PlanningWorld original_;
  Scene scene_;
  CollisionModel model_;
  std::optional<Validator> validator_;
};

/// The world in which what moves has lost a share of its thickness, and a planner for it.
class SlimWorld {
 public:
  /// A slimness of 0 is the original itself, which must outlive it.
  SlimWorld(const PlanningWorld& original, double slimness);

  [[nodiscard]] LocalPlanner& local() const { return *local_; }

 private:
  std::unique_ptr<ChangedWorld> changed_;  ///< nothing: it is whole
  std::unique_ptr<LocalPlanner> local_;
};

/// The bodies that the space's joints move and that can collide, in order.
std::vector<BodyId> list_moved_bodies(const PlanningSpace& space, const CollisionModel& model);

}  // namespace geste
