#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/geometry/box.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

// Worlds made from a seed: large, lifelike and the same on every run, for examples, tests and
// benchmarks that need a plant when nobody may give theirs away. Z up, metres, the ground at z = 0
// and its middle at the origin.

struct WorldOptions {
  std::uint64_t seed = 1;
  std::size_t facets = 0;    ///< triangles over all parts; 0: what the kind gives by itself
  Vec3 size = Vec3::Zero();  ///< m in x, y and up from the ground; zero: the kind's own
};

struct GeneratedPart {
  std::string name;  ///< letters, digits and '_'; one of its kind in the world
  /// A closed, outward-oriented mesh without degenerate triangles, in the frame below.
  MeshShape mesh;
  Pose X_WP;
  Colour colour;
};

/// A box that no part reaches into, kept free for machines and loads.
struct FreeSpace {
  std::string name;
  AxisBox box;
};

struct GeneratedWorld {
  std::vector<GeneratedPart> parts;
  std::vector<FreeSpace> free;
  AxisBox box;  ///< holds every part
};

/// How many triangles, over all parts.
std::size_t count_facets(const GeneratedWorld& world);

class WorldPlan;

struct WorldKind {
  const char* name;
  const char* help;    ///< one sentence: what is in it, what is kept free
  std::size_t facets;  ///< when the options name none
  Vec3 size;           ///< when the options name none
  Vec3 smallest_size;
  void (*lay_out)(WorldPlan&);
};

/// Every kind, in the order the documentation lists them.
std::span<const WorldKind> world_kinds();
const WorldKind* find_world_kind(std::string_view name);

/// The world of a kind. Laws, for every kind and seed: the same options give the same bytes; the
/// triangles are within 5 % of `facets`; every mesh is clean and closed and encloses a positive
/// volume; every part lies in `box`; no part reaches into a free space. Errors: an unknown kind, a
/// size or number of facets that the kind cannot keep.
///
/// Parts are first laid out as descriptions, as many as the facets allow; then the roundness of
/// pipes, tanks and rocks is chosen so that the number of triangles comes out. 300,000 facets take
/// about a tenth of a second.
Result<GeneratedWorld> generate_world(std::string_view kind, const WorldOptions& options = {});

}  // namespace geste
