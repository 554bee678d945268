#pragma once

#include "geste/formats/internal/pack_writer.hpp"
#include "geste/formats/internal/shaded_mesh.hpp"

namespace geste {

/// The entry of a mesh in a scene pack, its buffers added to `writer`. Takes the mesh because it
/// puts vertices and triangles into an order that compresses well.
PackWriter::Json pack_mesh(ShadedMesh mesh, PackWriter& writer);

}  // namespace geste
