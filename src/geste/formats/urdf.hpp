#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

/// A mesh file as URDF means it: one surface in metres, before the element's scale.
struct UrdfMesh {
  MeshShape mesh;
  std::optional<Colour> colour;  ///< when the file states one for the whole surface
};

/// Reads a mesh file; what it has to say besides goes to the notes.
using UrdfMeshLoader = std::function<Result<UrdfMesh>(const std::filesystem::path&, Notes&)>;

enum class UrdfMeshes {
  all,
  collision,  ///< meshes of <visual> are left out
  none,       ///< every mesh is left out, no file is opened
};

struct UrdfOptions {
  UrdfMeshes meshes = UrdfMeshes::all;
  SearchPath search_path;              ///< for package://, model:// and relative mesh names
  UrdfMeshLoader load_mesh = nullptr;  ///< empty: geste's own readers (STL, OBJ, DAE, glTF)
};

/// Reads a robot description (URDF, wiki.ros.org/urdf/XML): bodies and joints in file order, one
/// actor of kind "robot" named after the robot, and one root body on which no joint ends.
///
/// Beyond the standard: joint types `universal` (with <axis2>) and `spherical` or `ball`, several
/// <limit> elements for joints with several degrees of freedom, <capsule>, and quat_xyzw in
/// <origin>. docs/guide/urdf.md tells them in full. Every fault of the file is in the one error;
/// SceneSpec::notes holds what was odd but could be read.
///
/// Colours are taken as sRGB, which is how RViz shows them, and come out linear. Collision shapes
/// are also shown when the file has no <visual> at all.
Result<SceneSpec> parse_urdf(std::string_view xml, const std::string& file_name,
                             const UrdfOptions& options = {});
Result<SceneSpec> load_urdf(const std::filesystem::path& path, const UrdfOptions& options = {});

}  // namespace geste
