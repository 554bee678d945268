#include "geste/formats/bvh.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "geste/core/files.hpp"
#include "geste/core/quantity.hpp"
#include "geste/geometry/box.hpp"

namespace geste {
namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180;

void check_frame(const BvhFile& bvh, int frame) {
  if (frame >= 0 && frame < bvh.frames) return;
  throw std::out_of_range(
      fmt::format("BVH frame {} asked for, the file has {}", frame, bvh.frames));
}

/// X_PJ of one joint, by the equation in the header.
Pose local_pose(const BvhJoint& joint, std::span<const double> row) {
  Pose X_PJ = Pose::translation(joint.offset);
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    const BvhChannel channel = joint.channels[i];
    const double value = row[joint.first_channel + i];
    if (is_rotation(channel)) {
      X_PJ.R *= Eigen::AngleAxisd(value * kRadiansPerDegree, Vec3::Unit(axis_of(channel)))
                    .toRotationMatrix();
    } else {
      X_PJ.p[axis_of(channel)] = value;
    }
  }
  return X_PJ;
}

/// The longest edge of the box around each root's joints and tips; the longest of them.
double compute_figure_size(const BvhFile& bvh, const std::vector<Pose>& X_WJ) {
  std::vector<AxisBox> boxes;
  std::vector<std::size_t> figure(bvh.joints.size());
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    const BvhJoint& joint = bvh.joints[i];
    if (joint.parent < 0) boxes.emplace_back();
    figure[i] = joint.parent < 0 ? boxes.size() - 1 : figure[joint.parent];
    AxisBox& box = boxes[figure[i]];
    box.add(X_WJ[i].p);
    for (const Vec3& tip : joint.end_sites) box.add(X_WJ[i] * tip);
  }
  double size = 0;
  for (const AxisBox& box : boxes) size = std::max(size, box.extent());
  return size;
}

struct Unit {
  const char* name;
  double metres;
};
constexpr std::array<Unit, 5> kUnits = {{{"metre", 1},
                                         {"centimetre", 0.01},
                                         {"millimetre", 0.001},
                                         {"inch", 0.0254},
                                         {"CMU unit (1/0.45 inch)", 0.0254 / 0.45}}};
constexpr double kPersonSize = 1.65;
constexpr double kSmallestPerson = 1.4;
constexpr double kTallestPerson = 1.9;

}  // namespace

Result<BvhFile> load_bvh(const std::filesystem::path& path) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return parse_bvh(*bytes, path.string());
}

void compute_bvh_pose(const BvhFile& bvh, int frame, std::vector<Pose>& X_WJ) {
  check_frame(bvh, frame);
  const std::span<const double> row = bvh.row(frame);
  X_WJ.resize(bvh.joints.size());
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    const BvhJoint& joint = bvh.joints[i];
    const Pose X_PJ = local_pose(joint, row);
    X_WJ[i] = joint.parent < 0 ? X_PJ : X_WJ[joint.parent] * X_PJ;
  }
}

void compute_bvh_rest_pose(const BvhFile& bvh, std::vector<Pose>& X_WJ) {
  X_WJ.resize(bvh.joints.size());
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    const BvhJoint& joint = bvh.joints[i];
    const Vec3 p_WP = joint.parent < 0 ? Vec3(Vec3::Zero()) : X_WJ[joint.parent].p;
    X_WJ[i] = Pose::translation(p_WP + joint.offset);
  }
}

BvhScale guess_bvh_scale(const BvhFile& bvh) {
  std::vector<Pose> X_WJ;
  compute_bvh_rest_pose(bvh, X_WJ);
  double size = compute_figure_size(bvh, X_WJ);
  if (bvh.frames > 0) {
    compute_bvh_pose(bvh, 0, X_WJ);
    size = std::max(size, compute_figure_size(bvh, X_WJ));
  }
  BvhScale scale;
  scale.note.file = bvh.file;
  scale.note.remedy = "state the metres per unit where the source of the file is known";
  if (!(size > 0)) {
    scale.note.code = "bvh.scale_doubtful";
    scale.note.message = "the skeleton has no size to guess its unit from; 1 unit is taken as 1 m";
    return scale;
  }
  const auto misfit = [&](const Unit& unit) {
    return std::abs(std::log(size * unit.metres / kPersonSize));
  };
  const Unit* best = kUnits.data();
  for (const Unit& unit : kUnits) {
    if (misfit(unit) < misfit(*best)) best = &unit;
  }
  const double metres = size * best->metres;
  const bool fits = metres >= kSmallestPerson && metres <= kTallestPerson;
  scale.metres_per_unit = best->metres;
  scale.note.code = fits ? "bvh.scale_guessed" : "bvh.scale_doubtful";
  scale.note.message = fmt::format(
      "BVH states no unit; 1 unit is taken as 1 {} ({} m), which makes the skeleton {:.2f} m "
      "long{}",
      best->name, format_number(best->metres, 6), metres, fits ? "" : ", unlike an adult");
  return scale;
}

}  // namespace geste
