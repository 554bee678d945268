#pragma once

#include <fcl/fcl.h>

#include "geste/geometry/mesh.hpp"
#include "geste/math/pose.hpp"

namespace geste::bench {

/// With FCL's tightest boxes, the setting its users choose for meshes.
using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

inline std::shared_ptr<FclModel> make_fcl_model(const TriangleMesh& mesh) {
  auto model = std::make_shared<FclModel>();
  std::vector<fcl::Vector3d> vertices(mesh.vertices.begin(), mesh.vertices.end());
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

inline fcl::Transform3d to_fcl(const Pose& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

}  // namespace geste::bench
