#pragma once

#include <filesystem>

#include "geste/core/rng.hpp"
#include "geste/geometry/mesh_tree.hpp"
#include "geste/math/pose.hpp"

namespace geste::bench {

/// Two meshes to be held against each other.
struct MeshCase {
  std::string name;
  MeshShape a;  ///< the mover
  MeshShape b;  ///< the world
};

/// The whole of a file as one mesh; `size` scales its box to that many metres, 0 leaves it.
MeshShape load_whole(const std::filesystem::path& file, double size = 0);
MeshShape make_plant(std::size_t facets);

/// Links of the robots against every CAD file of 30,000 triangles or more, and against a plant.
std::vector<MeshCase> find_large_cases(const std::filesystem::path& data);
/// Robot and environment of the puzzles that are small.
std::vector<MeshCase> find_small_cases(const std::filesystem::path& data);

/// Poses of A in B: `near` ones were moved along a line until they touched, then up to 1 % of A's
/// size back or forth; the others lie anywhere about B's box.
std::vector<Pose> sample_poses(const MeshTree& a, const MeshTree& b, bool near, int count, Rng rng);

}  // namespace geste::bench
