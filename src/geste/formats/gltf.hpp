#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

// glTF 2.0 (Khronos specification 2.0.1, ISO/IEC 12113:2022), as .glb or as .gltf with its buffers.
//
// - One AssetMesh per glTF mesh that the scene shows: all its triangle primitives joined (lists,
//   strips and fans), coloured by the first base colour. One AssetInstance per node with a mesh,
//   and one per placement of EXT_mesh_gpu_instancing.
// - The scene is the default one, else the first, else all nodes without a parent.
// - The standard fixes the unit (metre) and the up axis (y). Many files hold to neither; see
//   find_unit_doubt.
// - An instance is named after its node, else its mesh, else "node_<number>".
// - Read with notes: points and lines (left out), morph targets and skins (rest shape). Not read:
//   meshes compressed with Draco or meshopt.
// - Memory stays within a fixed multiple of the bytes given.

/// Gives the bytes of a file that the model names by a relative path.
using GltfFileSource = std::function<Result<std::string>(const std::string& relative_path)>;

/// Reads .glb and .gltf, told apart by content. Buffer files are looked up beside the model;
/// absolute paths and URLs are refused.
Result<Asset> load_gltf(const std::filesystem::path& path);

/// Without a `source`, a buffer in another file is an error.
Result<Asset> parse_glb(std::string_view bytes, const std::string& file_name,
                        const GltfFileSource& source = {});
Result<Asset> parse_gltf(std::string_view bytes, const std::string& file_name,
                         const GltfFileSource& source = {});

}  // namespace geste
