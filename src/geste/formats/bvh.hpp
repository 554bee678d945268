#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"
#include "geste/math/pose.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

// Biovision hierarchy (BVH): a skeleton and its motion as joint angles, in text.
//
// The format has no authoritative text; this reader follows M. Meredith and S. Maddock, "Motion
// Capture File Formats Explained" (University of Sheffield, CS-01-11, 2001), section 3, and where
// that is silent, what the tools that write such files do. What a file means here:
//
//   X_PJ(frame) = translation(t) * R_1(a_1) * R_2(a_2) * ...   column vectors, angles in degrees
//
// R_i is the rotation about the axis of the joint's i-th rotation channel, in the order written. t
// is the joint's OFFSET, except that every component which has a position channel is *replaced* by
// that channel (not added to it): files whose root has an OFFSET other than zero repeat it in the
// channels, and Blender, MotionBuilder and Maya read them so. A note says where this matters.
//
// Axes: Y is up by convention, and in most captures a subject at rest faces +Z with the left hand
// at +X. Units: a BVH file states none; see guess_bvh_scale.

enum class BvhChannel : std::uint8_t {
  x_position,
  y_position,
  z_position,
  x_rotation,
  y_rotation,
  z_rotation
};

inline bool is_rotation(BvhChannel channel) { return channel >= BvhChannel::x_rotation; }
/// 0, 1, 2 for x, y, z.
inline int axis_of(BvhChannel channel) { return static_cast<int>(channel) % 3; }

struct BvhJoint {
  std::string name;            ///< unique in the file (a note tells of names that were not)
  int parent = -1;             ///< index of the parent, always below the joint's own; -1: a root
  Vec3 offset = Vec3::Zero();  ///< in the parent's frame, file units
  std::vector<BvhChannel> channels;  ///< in the order written
  int first_channel = 0;             ///< index of the first of them in a row of `values`
  std::vector<Vec3> end_sites;       ///< tips, in this joint's frame, file units
  int line = 0;                      ///< where the joint begins
};

struct BvhFile {
  std::string file;
  std::vector<BvhJoint> joints;  ///< in the order of the file, parents before children
  int frames = 0;
  int channels = 0;            ///< of all joints together
  double frame_time = 0;       ///< s
  std::vector<double> values;  ///< frames x channels, row by row: file units and degrees
  Notes notes;

  [[nodiscard]] std::span<const double> row(int frame) const {
    return std::span(values).subspan(static_cast<std::size_t>(frame) * channels, channels);
  }
};

Result<BvhFile> parse_bvh(std::string_view bytes, const std::string& file_name);
Result<BvhFile> load_bvh(const std::filesystem::path& path);

/// Forward kinematics: every joint's frame in the file's world, in file units and file axes.
/// X_WJ gets the size of `joints`. Throws std::out_of_range where `frame` is not one of the file.
void compute_bvh_pose(const BvhFile& bvh, int frame, std::vector<Pose>& X_WJ);
/// The same with every angle 0 and every joint at its OFFSET.
void compute_bvh_rest_pose(const BvhFile& bvh, std::vector<Pose>& X_WJ);

struct BvhScale {
  double metres_per_unit = 1;
  Note note;  ///< "bvh.scale_guessed", or "bvh.scale_doubtful" where no unit fits a person
};

/// The unit that makes the skeleton a person's. The size compared is the longest edge of the box of
/// all joints and tips, at rest or in the first frame, whichever is longer: height and span of the
/// arms are nearly equal in people, and some exporters lay all bones of the rest pose along one
/// axis. Candidates: m, cm, mm, inch and the unit of the CMU collection, 1/0.45 inch
/// (0.056444 m); the one nearest to 1.65 m by ratio is taken, and doubted outside 1.4 m to 1.9 m.
BvhScale guess_bvh_scale(const BvhFile& bvh);

struct BvhSceneOptions {
  double metres_per_unit = 0.01;  ///< m; above 0. The default is what most exporters write
  UpAxis up = UpAxis::y;          ///< the file's vertical; `unstated` is read as y

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// The skeleton as a scene: one body and one joint per joint of the file, in its order and with its
/// names. Metres, Z up.
///
/// The change of axes is applied once: the joint of each root has X_PJ = R_WF, the rotation that
/// takes (x, y, z) of a Y-up file to (z, x, y), so that +Z (forward) becomes +X and +X (left)
/// becomes +Y. All other frames keep the file's axes, and at zero configuration the skeleton
/// stands upright. (A file with z up is not turned; x up: (x, y, z) to (y, z, x).)
///
/// Joints: a root, and any joint with position channels, is `free` (its position is all of t
/// above); otherwise by rotation channels 0 `fixed`, 1 `revolute`, 2 `universal` (about different
/// axes), else `spherical`. No limits, no inertia. Each bone is a capsule on its parent's body, a
/// tenth of its length thick, at least 8 mm and at most 60 mm; drawn, but left out of collision
/// because neighbours overlap. The configuration "rest" holds the pose of compute_bvh_rest_pose.
/// Throws std::invalid_argument when the options have faults.
SceneSpec make_bvh_scene(const BvhFile& bvh, const BvhSceneOptions& options);

/// The configuration of that scene in one frame: the joints' entries one after the other, in the
/// order of SceneSpec::joints. Of the two quaternions of a rotation, and of the angles that differ
/// by whole turns, the ones nearest to `previous` are taken; without it, the quaternion with w >= 0
/// and the angle as written. Throws std::out_of_range, std::invalid_argument.
VecX make_bvh_configuration(const BvhFile& bvh, int frame, const BvhSceneOptions& options,
                            const VecX* previous = nullptr);

/// All configurations, one column per frame, continuous from each to the next.
MatX make_bvh_motion(const BvhFile& bvh, const BvhSceneOptions& options);

}  // namespace geste
