#include "geste/formats/internal/csv_columns.hpp"

#include <fmt/format.h>

#include <span>

#include "geste/formats/internal/si_unit.hpp"

namespace geste {
namespace {

struct Entry {
  const char* name;
  Dimension dimension;
};

std::span<const Entry> list_entries(JointType type) {
  using enum Dimension;
  static constexpr Entry kFree[] = {{"x", length}, {"y", length}, {"z", length}, {"qx", none},
                                    {"qy", none},  {"qz", none},  {"qw", none}};
  static constexpr Entry kSpherical[] = {{"qx", none}, {"qy", none}, {"qz", none}, {"qw", none}};
  static constexpr Entry kPlanar[] = {{"x", length}, {"y", length}, {"angle", angle}};
  static constexpr Entry kUniversal[] = {{"1", angle}, {"2", angle}};
  static constexpr Entry kSlide[] = {{"", length}};
  static constexpr Entry kHinge[] = {{"", angle}};
  switch (type) {
    case JointType::free:
      return kFree;
    case JointType::spherical:
      return kSpherical;
    case JointType::planar:
      return kPlanar;
    case JointType::universal:
      return kUniversal;
    case JointType::prismatic:
      return kSlide;
    case JointType::revolute:
    case JointType::continuous:
      return kHinge;
    case JointType::fixed:
      break;
  }
  return {};
}

bool is_free_body(const Joint& joint) {
  return joint.type == JointType::free && !joint.parent.valid();
}

void add_joint_columns(const Joint& joint, int index, std::vector<CsvColumn>& columns) {
  int entry = 0;
  for (const Entry& e : list_entries(joint.type)) {
    const bool is_alone = e.name[0] == '\0';
    columns.push_back({is_alone ? joint.name : fmt::format("{}:{}", joint.name, e.name),
                       e.dimension, index, entry++, false});
  }
}

void add_pose_columns(const Scene& scene, const Joint& joint, int index,
                      std::vector<CsvColumn>& columns) {
  int entry = 0;
  for (const Entry& e : list_entries(joint.type)) {
    columns.push_back({fmt::format("{}:pose.{}", scene.body(joint.child).name, e.name), e.dimension,
                       index, entry++, true});
  }
}

bool is_identity(const Pose& X) { return X.p.isZero(0) && X.R.isIdentity(0); }

/// entries = X * entries, as seven numbers: position, then quaternion x, y, z, w.
void transform(const Pose& X, double* entries) {
  Eigen::Map<Vec3> p(entries);
  Eigen::Map<Quat> q(entries + 3);
  p = Vec3(X * Vec3(p));
  q = Quat(X.quaternion() * Quat(q));
}

}  // namespace

std::vector<CsvColumn> list_written_columns(const Scene& scene) {
  std::vector<CsvColumn> columns;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& joint = scene.joints()[i];
    if (is_free_body(joint)) {
      add_pose_columns(scene, joint, static_cast<int>(i), columns);
    } else {
      add_joint_columns(joint, static_cast<int>(i), columns);
    }
  }
  return columns;
}

std::vector<CsvColumn> list_read_columns(const Scene& scene) {
  std::vector<CsvColumn> columns;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& joint = scene.joints()[i];
    add_joint_columns(joint, static_cast<int>(i), columns);
    if (is_free_body(joint)) add_pose_columns(scene, joint, static_cast<int>(i), columns);
  }
  return columns;
}

std::string make_header(const CsvColumn& column) {
  const char* unit = find_si_unit(column.dimension);
  return unit == nullptr ? column.name : fmt::format("{} [{}]", column.name, unit);
}

void make_world_pose(const Joint& joint, double* entries) {
  if (!is_identity(joint.X_PJ)) transform(joint.X_PJ, entries);
}

void make_joint_entries(const Joint& joint, double* pose) {
  if (!is_identity(joint.X_PJ)) transform(joint.X_PJ.inverse(), pose);
}

}  // namespace geste
