#include "geste/formats/part.hpp"

#include <gtest/gtest.h>

#include <set>

#include "geste/formats/internal/asset_builder.hpp"

namespace geste {
namespace {

/// Instances of one box under a root that scales, as files in millimetres place them.
Asset make_boxes(int count, const Mat3& root) {
  Asset asset;
  asset.file = "x.glb";
  asset.unit = "m";
  asset.meshes.push_back(make_asset_mesh("box", make_mesh(Box{{100, 200, 300}})));
  for (int i = 0; i < count; ++i) {
    AssetInstance instance;
    instance.name = instance.path = "box_" + std::to_string(i);
    instance.A = root * Pose::rotation(Vec3::UnitZ(), 0.1 * i).R;
    instance.A = instance.A.cast<float>().cast<double>().eval();  // as glTF stores it
    instance.t = Vec3(i, 0, 0);
    asset.instances.push_back(instance);
  }
  return asset;
}

std::set<MeshShape> meshes_of(const SceneSpec& spec) {
  std::set<MeshShape> meshes;
  for (const BodySpec& body : spec.bodies) {
    for (const GeometrySpec& g : body.geometry) meshes.insert(std::get<MeshShape>(g.shape));
  }
  return meshes;
}

TEST(Part, InstancesOfOneScaleShareAMesh) {
  const Asset asset = make_boxes(100, 0.001 * Mat3::Identity());
  const SceneSpec spec = make_part(asset, {.name = "boxes"});
  const auto meshes = meshes_of(spec);
  ASSERT_EQ(meshes.size(), 1u);
  // Each stands where its own matrix puts it.
  for (std::size_t i = 0; i < asset.instances.size(); ++i) {
    const AssetInstance& instance = asset.instances[i];
    const Vec3 corner = asset.meshes[0].mesh->vertices[3];
    const Vec3 placed = spec.joints[i].X_PJ * (*meshes.begin())->vertices[3];
    EXPECT_LT((placed - (instance.A * corner + instance.t)).norm(), 1e-6) << i;
  }
}

TEST(Part, MirrorsAndUnevenScalesKeepTheirOwnMesh) {
  for (const Vec3& scale : {Vec3(-1, 1, 1), Vec3(1, 2, 1)}) {
    const SceneSpec spec = make_part(make_boxes(3, scale.asDiagonal()), {.name = "boxes"});
    EXPECT_EQ(meshes_of(spec).size(), 3u);
  }
  const Asset plain = make_boxes(3, Mat3::Identity());
  EXPECT_EQ(*meshes_of(make_part(plain, {.name = "boxes"})).begin(), plain.meshes[0].mesh);
}

}  // namespace
}  // namespace geste
