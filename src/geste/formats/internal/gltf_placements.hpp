#pragma once

#include <vector>

#include "geste/formats/asset.hpp"
#include "geste/formats/internal/gltf_elements.hpp"

namespace geste {

/// Fills the asset's instances and assemblies: one instance per node of the scene that shows a
/// mesh, in depth-first order, and one assembly per node with children. AssetInstance::mesh is the
/// index in the file. `text_bytes`: the size of the JSON text, which bounds that of the names and
/// paths made of it.
void place_gltf_meshes(const GltfDocument& document, GltfElementReader& elements,
                       std::size_t text_bytes, GltfLog& log, Asset& asset);

}  // namespace geste
