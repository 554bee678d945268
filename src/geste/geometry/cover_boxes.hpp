#pragma once

#include "geste/geometry/mesh_tree.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// A box of its own orientation, in the mesh's frame.
struct OrientedBox {
  Pose X;  ///< of its centre
  Vec3 half = Vec3::Zero();
};

/// Boxes of the mesh's tree that together hold its surface: those below `size` across, and larger
/// ones where more than `most` would come out. The largest are opened first.
std::vector<OrientedBox> make_cover_boxes(const MeshTree& mesh, double size, std::size_t most);

}  // namespace geste
