#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "geste/core/text.hpp"
#include "geste/formats/gltf.hpp"

#include "testing.hpp"

// MV-10: real assemblies against two independent witnesses, a table of counts and boxes computed
// elsewhere, and assimp.

namespace geste {
namespace {

/// Before hygiene dropped any.
std::size_t triangles_in_file(const AssetMesh& mesh) {
  return mesh.mesh->triangles.size() + mesh.report.degenerate_triangles +
         mesh.report.duplicate_triangles;
}

struct ReferenceRow {
  std::map<std::string, std::string> fields;
  [[nodiscard]] double number(const std::string& key) const {
    return parse_double(fields.at(key)).value();
  }
};

std::vector<ReferenceRow> load_reference(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> keys;
  std::vector<ReferenceRow> rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string cell; std::getline(cut, cell, ',');) cells.emplace_back(trim(cell));
    if (keys.empty()) {
      keys = cells;
      continue;
    }
    ReferenceRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < keys.size(); ++i) row.fields[keys[i]] = cells.at(i);
  }
  return rows;
}

void expect_box_near(const AxisBox& box, const Vec3& min, const Vec3& max) {
  const double tolerance = 1e-3 * (max - min).maxCoeff();
  EXPECT_LE((box.min - min).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LE((box.max - max).cwiseAbs().maxCoeff(), tolerance);
}

class GltfFiles : public ::testing::TestWithParam<const char*> {};

TEST_P(GltfFiles, AgreeWithTheReferenceTable) {
  const std::filesystem::path folder = testing::shared_data() / "cad" / GetParam();
  GESTE_NEEDS_DATA(folder / "reference.csv");
  for (const ReferenceRow& row : load_reference(folder / "reference.csv")) {
    SCOPED_TRACE(row.fields.at("file"));
    const Result<Asset> asset = load_gltf(folder / row.fields.at("file"));
    ASSERT_TRUE(asset) << to_text(asset.error());
    EXPECT_EQ(asset->instances.size(), row.number("part_instances"));
    EXPECT_EQ(asset->meshes.size(), row.number("distinct_meshes"));
    std::size_t distinct = 0, instanced = 0;
    for (const AssetMesh& mesh : asset->meshes) distinct += triangles_in_file(mesh);
    for (const AssetInstance& i : asset->instances) {
      instanced += triangles_in_file(asset->meshes[i.mesh]);
    }
    EXPECT_EQ(distinct, row.number("triangles_distinct"));
    EXPECT_EQ(instanced, row.number("triangles_instanced"));
    expect_box_near(compute_box(*asset),
                    Vec3(row.number("min_x"), row.number("min_y"), row.number("min_z")),
                    Vec3(row.number("max_x"), row.number("max_y"), row.number("max_z")));
  }
}

void add_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent,
              std::size_t& triangles, AxisBox& box) {
  const aiMatrix4x4 X = parent * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    triangles += mesh.mNumFaces;
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D p = X * mesh.mVertices[v];
      box.add(Vec3(p.x, p.y, p.z));
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; ++c) {
    add_node(scene, *node.mChildren[c], X, triangles, box);
  }
}

TEST_P(GltfFiles, AgreeWithAssimp) {
  const std::filesystem::path folder = testing::shared_data() / "cad" / GetParam();
  GESTE_NEEDS_DATA(folder / "reference.csv");
  for (const ReferenceRow& row : load_reference(folder / "reference.csv")) {
    SCOPED_TRACE(row.fields.at("file"));
    const std::filesystem::path file = folder / row.fields.at("file");
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(file.string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    std::size_t triangles = 0;
    AxisBox box;
    add_node(*scene, *scene->mRootNode, aiMatrix4x4(), triangles, box);

    const Result<Asset> asset = load_gltf(file);
    ASSERT_TRUE(asset) << to_text(asset.error());
    std::size_t own = 0;
    for (const AssetInstance& i : asset->instances) {
      own += triangles_in_file(asset->meshes[i.mesh]);
    }
    EXPECT_EQ(own, triangles);
    expect_box_near(compute_box(*asset), box.min, box.max);
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, GltfFiles, ::testing::Values("gltf", "plant"));

}  // namespace
}  // namespace geste
