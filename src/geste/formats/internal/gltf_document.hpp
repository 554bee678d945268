#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "geste/formats/internal/gltf_json.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/types.hpp"

namespace geste {

// The part of a glTF 2.0 document that concerns shape, with every cross-reference checked. Section
// numbers are those of the Khronos specification 2.0.1.

enum class GltfComponent { i8, u8, i16, u16, u32, f32 };
std::size_t byte_size(GltfComponent component);

struct GltfBuffer {
  std::size_t length = 0;
  std::optional<std::string_view> uri;  ///< absent: the binary chunk of a GLB
  bool meshopt_fallback = false;        ///< may be absent where the reader knows the compression
};

struct GltfBufferView {
  std::size_t buffer = 0, offset = 0, length = 0;
  std::optional<std::size_t> stride;  ///< absent: elements lie without gaps
};

/// Elements that replace some of an accessor's own (3.6.2.3).
struct GltfSparse {
  std::size_t count = 0;
  std::size_t index_view = 0, index_offset = 0;
  GltfComponent index_component = GltfComponent::u32;
  std::size_t value_view = 0, value_offset = 0;
};

struct GltfAccessor {
  std::optional<std::size_t> view;  ///< absent: all zeros
  std::size_t offset = 0, count = 0;
  GltfComponent component = GltfComponent::f32;
  std::size_t width = 1;  ///< components per element
  bool normalized = false;
  std::optional<GltfSparse> sparse;
};

enum class GltfMode { points, lines, line_loop, line_strip, triangles, strip, fan };

struct GltfPrimitive {
  GltfMode mode = GltfMode::triangles;
  std::optional<std::size_t> positions, indices, material;  ///< accessors; a material
  bool draco = false;

  [[nodiscard]] bool has_surface() const {
    return positions &&
           (mode == GltfMode::triangles || mode == GltfMode::strip || mode == GltfMode::fan);
  }
};

struct GltfMesh {
  GltfPlace place;
  std::vector<GltfPrimitive> primitives;
};

/// Placements of a node's mesh relative to the node (EXT_mesh_gpu_instancing); accessors.
struct GltfInstancing {
  std::optional<std::size_t> translations, rotations, scales;
};

struct GltfNode {
  GltfPlace place;
  std::optional<std::size_t> mesh, parent;
  std::vector<std::size_t> children;
  Mat3 A = Mat3::Identity();  ///< p_parent = A p_node + t
  Vec3 t = Vec3::Zero();
  std::optional<GltfInstancing> instancing;
};

struct GltfDocument {
  nlohmann::json json;  ///< owns every string that the views below show
  std::vector<GltfBuffer> buffers;
  std::vector<GltfBufferView> views;
  std::vector<GltfAccessor> accessors;
  std::vector<std::optional<Colour>> materials;
  std::vector<GltfMesh> meshes;
  std::vector<GltfNode> nodes;
  std::vector<std::size_t> roots;  ///< of the scene to show; every node below is reached once
};

/// Where the JSON text starts in the file; a GLB's JSON has no lines to name.
struct GltfTextOrigin {
  bool binary = false;
  std::size_t offset = 0;
};

/// Nothing when `log` received a fault.
std::optional<GltfDocument> parse_gltf_document(std::string_view text, GltfTextOrigin origin,
                                                GltfLog& log);

// Steps of the above, in files of their own.
void read_gltf_accessors(const GltfObject& root, GltfDocument& document, GltfLog& log);
void read_gltf_nodes(const GltfObject& root, GltfDocument& document, GltfLog& log);

/// The linear map of a translation-free glTF node: rotation (x, y, z, w; normalised here) times
/// scale. Nothing for a quaternion without length.
std::optional<Mat3> make_gltf_linear(const std::array<double, 4>& rotation,
                                     const std::array<double, 3>& scale);

}  // namespace geste
