#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "geste/formats/urdf.hpp"

namespace geste::testing {

/// The tetrahedron on the unit vectors: volume 1/6, outside out.
inline TriangleMesh tetrahedron() {
  TriangleMesh mesh;
  mesh.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

/// A loader that hands out tetrahedra and counts what it is asked for.
inline UrdfOptions with_fake_meshes(std::map<std::filesystem::path, int>& asked) {
  UrdfOptions options;
  options.load_mesh = [&asked](const std::filesystem::path& path, Notes&) -> Result<UrdfMesh> {
    ++asked[path];
    return UrdfMesh{std::make_shared<const TriangleMesh>(tetrahedron()), {}};
  };
  return options;
}

inline UrdfOptions without_meshes() {
  UrdfOptions options;
  options.meshes = UrdfMeshes::none;
  return options;
}

/// A robot of two links; `link` goes into the first, `joint` into the joint between them.
inline std::string two_links(const std::string& link, const std::string& joint = "",
                             const std::string& type = "fixed") {
  return "<robot name='r'>\n<link name='a'>\n" + link + "\n</link>\n<link name='b'/>\n" +
         "<joint name='j' type='" + type + "'>\n<parent link='a'/><child link='b'/>\n" + joint +
         "\n</joint>\n</robot>\n";
}

inline SceneSpec read(const std::string& xml) {
  const auto result = parse_urdf(xml, "r.urdf", without_meshes());
  if (!result) ADD_FAILURE() << to_text(result.error()) << "\n" << xml;
  return result ? *result : SceneSpec{};
}

}  // namespace geste::testing
