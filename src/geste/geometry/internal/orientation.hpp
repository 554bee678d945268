#pragma once

#include <cstddef>

#include "geste/geometry/internal/edges.hpp"
#include "geste/geometry/mesh.hpp"

namespace geste {

struct OrientationOutcome {
  std::size_t flipped_triangles = 0;
  std::size_t components = 0;
  std::size_t inward_components = 0;
  bool consistent = true;  ///< false where a one-sided surface leaves neighbours in disagreement
};

/// Turns triangles as clean_mesh promises. `edges` belongs to the mesh as it is on entry.
OrientationOutcome orient_triangles(TriangleMesh& mesh, const EdgeMap& edges);

}  // namespace geste
