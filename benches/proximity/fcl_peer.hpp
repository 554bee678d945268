#pragma once

#include "common/fcl.hpp"

namespace geste::bench {

/// FCL 0.7.
class FclMesh {
 public:
  explicit FclMesh(const TriangleMesh& mesh) : model_(make_fcl_model(mesh)) {}

  /// `a` at X_BA in this one's frame.
  [[nodiscard]] bool touches(const FclMesh& a, const fcl::Transform3d& X_BA) const {
    const fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    fcl::collide(a.model_.get(), X_BA, model_.get(), fcl::Transform3d::Identity(), request, result);
    return result.isCollision();
  }
  [[nodiscard]] double distance(const FclMesh& a, const fcl::Transform3d& X_BA) const {
    fcl::DistanceRequestd request;
    request.enable_nearest_points = true;
    fcl::DistanceResultd result;
    fcl::distance(a.model_.get(), X_BA, model_.get(), fcl::Transform3d::Identity(), request,
                  result);
    return result.min_distance;
  }
  /// Every pair of triangles that meet, with its contact point.
  [[nodiscard]] std::size_t count_contacts(const FclMesh& a, const fcl::Transform3d& X_BA) const {
    fcl::CollisionRequestd request;
    request.num_max_contacts = 10'000'000;
    request.enable_contact = true;
    fcl::CollisionResultd result;
    fcl::collide(a.model_.get(), X_BA, model_.get(), fcl::Transform3d::Identity(), request, result);
    return result.numContacts();
  }

 private:
  std::shared_ptr<FclModel> model_;
};

}  // namespace geste::bench
