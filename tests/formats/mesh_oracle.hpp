#pragma once

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "geste/formats/asset.hpp"

#include "testing.hpp"

namespace geste::testing {

/// All triangles of a file as assimp reads them, in the order of its meshes, each with its own
/// three vertices.
inline TriangleMesh read_with_assimp(const std::filesystem::path& path) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate);
  TriangleMesh soup;
  if (scene == nullptr) return soup;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (mesh.mFaces[f].mNumIndices != 3) continue;
      const auto n = static_cast<std::uint32_t>(soup.vertices.size());
      for (unsigned k = 0; k < 3; ++k) {
        const aiVector3D& v = mesh.mVertices[mesh.mFaces[f].mIndices[k]];
        soup.vertices.emplace_back(v.x, v.y, v.z);
      }
      soup.triangles.push_back({n, n + 1, n + 2});
    }
  }
  return soup;
}

/// Files under `folder` whose extension is `extension` in any case, sorted.
inline std::vector<std::filesystem::path> find_by_extension(const std::filesystem::path& folder,
                                                            const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::string own = entry.path().extension().string();
    std::transform(own.begin(), own.end(), own.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (own == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Triangles of the file before hygiene.
inline std::size_t count_raw_triangles(const Asset& asset) {
  std::size_t count = count_distinct_triangles(asset);
  for (const AssetMesh& mesh : asset.meshes) {
    count += mesh.report.degenerate_triangles + mesh.report.duplicate_triangles;
  }
  return count;
}

/// Checks that `asset` holds the triangles of `soup`, in order and sense, apart from those that
/// hygiene drops. Coordinates agree to single precision.
inline void expect_same_triangles(const Asset& asset, TriangleMesh soup, const std::string& name) {
  EXPECT_EQ(count_raw_triangles(asset), soup.triangles.size()) << name;
  clean_mesh(soup);
  TriangleMesh own;
  for (const AssetInstance& instance : asset.instances) {
    append(own, *asset.meshes[instance.mesh].mesh);
  }
  ASSERT_EQ(own.triangles.size(), soup.triangles.size()) << name;
  double worst = 0;
  for (std::size_t i = 0; i < own.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const Vec3& a = own.vertices[own.triangles[i][k]];
      const Vec3& b = soup.vertices[soup.triangles[i][k]];
      worst = std::max(worst, (a - b).norm() / (1e-3 + b.norm()));
    }
  }
  EXPECT_LT(worst, 1e-6) << name;
}

}  // namespace geste::testing
