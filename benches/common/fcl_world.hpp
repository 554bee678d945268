#pragma once

#include <map>

#include "geste/model/motion.hpp"
#include "geste/model/workspace.hpp"
#include "geste/proximity/collision_model.hpp"

#include "common/fcl.hpp"

namespace geste::bench {

/// FCL's trees of meshes, built once for all scenes that use them.
class FclShapes {
 public:
  std::shared_ptr<fcl::CollisionGeometryd> get(const Shape& shape);

 private:
  std::map<MeshShape, std::shared_ptr<fcl::CollisionGeometryd>> meshes_;
};

/// A scene as FCL sees it: one object per geometry, primitives as such, meshes as they are; the
/// pairs of bodies that geste's model checks. Poses come from geste's kinematics. For one thread.
class FclWorld {
 public:
  struct Moving {
    int geometry = 0;  ///< in Scene::geometry
    std::unique_ptr<fcl::CollisionObjectd> object;
    std::vector<fcl::CollisionObjectd*> obstacles;  ///< fixed ones it is held against
    std::vector<std::size_t> others;                ///< moving ones of higher index
  };
  /// How obstacles whose boxes meet a link's are found.
  enum class Broad { pairs, tree };

  FclWorld(const Scene& scene, const CollisionModel& model, FclShapes& shapes);

  /// Moves every object to where the workspace has it.
  void place(const Workspace& workspace);
  /// Where things were placed.
  [[nodiscard]] bool is_free() const;
  /// Looks at these shares of the way from q0 to q1, in this order, until something collides: the
  /// share, or none.
  [[nodiscard]] std::optional<double> find_hit(ConstVecRef q0, ConstVecRef q1, Course course,
                                               std::span<const double> shares);
  [[nodiscard]] bool is_free(ConstVecRef q);
  /// The faster of the two on these configurations.
  void choose_broad(const MatX& q);

  [[nodiscard]] const std::vector<Moving>& moving() const { return moving_; }

 private:
  [[nodiscard]] bool hits_obstacle(const Moving& m) const;

  const Scene& scene_;
  Workspace workspace_;
  VecX q_;
  std::vector<Moving> moving_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> fixed_;
  fcl::DynamicAABBTreeCollisionManagerd tree_;
  Broad broad_ = Broad::pairs;
};

/// Whether two objects touch, exactly.
bool touches(const fcl::CollisionObjectd* a, const fcl::CollisionObjectd* b);

}  // namespace geste::bench
