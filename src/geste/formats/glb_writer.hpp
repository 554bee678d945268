#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geste/core/budget.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

// Animated scenes as one self-contained glTF 2.0 binary file (.glb), for any viewer.
// Specification: Khronos glTF 2.0 (ISO/IEC 12113:2022); sections are cited as "glTF 3.6".

/// One coloured shape fixed to a body.
struct GlbGeometry {
  std::string name;  ///< its node is called "body/name"; empty: "body/0", "body/1", ... by place
  Shape shape;
  Pose X_BG;
  std::optional<Colour> colour;  ///< without one, Colour{}
};

struct AnimatedBody {
  std::string name;  ///< of its node, which carries X_WB
  std::vector<GlbGeometry> geometry;
  std::vector<Pose> X_WB;  ///< one per time, or exactly one for a body that never moves
};

struct GlbScene {
  std::string name;  ///< of the glTF scene; may be empty
  std::vector<AnimatedBody> bodies;
  std::vector<double> times;  ///< s, strictly increasing, from 0 on; may be empty if nothing moves
  std::vector<std::pair<std::string, std::string>> extras;  ///< to asset.extras: seed, task, ...
};

struct GlbOptions {
  /// m: a key that linear interpolation of its neighbours gives to within this is left out.
  double position_tolerance = 5e-6;
  /// rad: the same for rotations and spherical interpolation.
  double rotation_tolerance = 5e-6;
  /// rad: edges that bend less are shaded smooth, the others stay sharp.
  double crease_angle = 0.61;
  /// Per full turn of a drawn sphere, cylinder, ...
  int segments = 48;

  /// Every field out of its range, in words; empty when all is well.
  [[nodiscard]] std::vector<std::string> faults() const;
};

/// The bytes of the file. The same scene gives the same bytes.
///
/// Nodes: "geste" at the root turns Z up into glTF's Y up; below it one node per body carries X_WB
/// and, below that, one node per geometry. Metres and seconds. A body without geometry is a node
/// all the same.
///
/// Geometry: a mesh shared by pointer, or primitives of equal parameters, are stored once. Vertices
/// are float32 about the centre of their box, and the node carries the centre: a part modelled a
/// kilometre from its origin loses nothing. Triangles without area are left out, and a shape
/// without triangles leaves its node empty.
///
/// Motion: one animation "motion"; translation and rotation channels for the bodies that move by
/// more than the tolerances. Law: played at a time of the scene (rounded to float32), each body is
/// within `position_tolerance` and `rotation_tolerance` of its X_WB, plus the rounding of keys to
/// float32 (6e-8 of the value). Where several times round to one, the last stays.
///
/// Names that are not UTF-8 get U+FFFD for each bad byte.
///
/// A step of the budget is a body, or a span between two keys that is tried; empty when it ended
/// before.
///
/// Throws std::logic_error on bugs of the caller: options out of range, times not increasing, a
/// wrong number of poses, a pose that is no rigid placement, a null mesh, a size below 0, a
/// coordinate beyond float32; and std::length_error (one of them) when the file would pass the 4
/// GiB of its format.
std::string make_glb(const GlbScene& scene, const GlbOptions& options = {},
                     const Budget& budget = {});

}  // namespace geste
