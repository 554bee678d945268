#pragma once

#include <fcl/fcl.h>

#include "geste/geometry/mesh.hpp"
#include "geste/math/pose.hpp"

namespace geste::bench {

/// FCL 0.7 with its tightest boxes, the setting its users choose for meshes.
class FclMesh {
 public:
  explicit FclMesh(const TriangleMesh& mesh) : model_(std::make_shared<Model>()) {
    std::vector<fcl::Vector3d> vertices(mesh.vertices.begin(), mesh.vertices.end());
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model_->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    model_->addSubModel(vertices, triangles);
    model_->endModel();
  }

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
  using Model = fcl::BVHModel<fcl::OBBRSSd>;
  std::shared_ptr<Model> model_;
};

inline fcl::Transform3d to_fcl(const Pose& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

}  // namespace geste::bench
