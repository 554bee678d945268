#pragma once

#include <optional>
#include <vector>

#include "geste/formats/internal/gltf_elements.hpp"
#include "geste/geometry/mesh.hpp"

namespace geste {

/// Turns the primitives of a glTF mesh into one surface, exactly as the file has it: no welding, no
/// triangle dropped. Reuse one reader for all meshes; it keeps its scratch memory.
class GltfMeshReader {
 public:
  GltfMeshReader(const GltfDocument& document, GltfElementReader& elements, GltfLog& log)
      : document_(document), elements_(elements), log_(log) {}

  /// Nothing when the log received a fault.
  std::optional<TriangleMesh> read(const GltfMesh& mesh);

 private:
  bool add_primitive(const GltfPrimitive& primitive, const GltfPlace& place, TriangleMesh& mesh);
  bool read_corners(const GltfPrimitive& primitive);
  bool add_vertices(std::size_t accessor, const GltfPlace& place, std::vector<Vec3>& vertices);
  void add_triangles(GltfMode mode, const GltfPlace& place, std::vector<Triangle>& triangles);

  const GltfDocument& document_;
  GltfElementReader& elements_;
  GltfLog& log_;
  std::vector<std::uint32_t> corners_, picked_;
};

}  // namespace geste
