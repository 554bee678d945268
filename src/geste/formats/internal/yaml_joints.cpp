// Poses and joint values in task files.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "geste/core/quantity.hpp"
#include "geste/formats/internal/yaml_fields.hpp"
#include "geste/formats/units.hpp"

namespace geste::internal {

void YamlFields::pose(const Field& field, Pose& value) {
  bool present = false;
  group(field, present, [&](FieldVisitor& v) {
    Vec3 xyz = Vec3::Zero(), rpy = Vec3::Zero(), rpy_deg = Vec3::Zero();
    std::vector<double> quaternion;
    v.vector({"xyz", "position"}, xyz, Dimension::length);
    v.vector({"rpy", "roll, pitch, yaw about the fixed axes, in rad"}, rpy, Dimension::angle);
    v.vector({"rpy_deg", "roll, pitch, yaw about the fixed axes, in degrees"}, rpy_deg,
             Dimension::degrees);
    v.numbers({"quaternion", "rotation as x, y, z, w: w last"}, quaternion, Dimension::none);
    const int given = (rpy.norm() > 0) + (rpy_deg.norm() > 0) + !quaternion.empty();
    if (given > 1) {
      v.fault("rpy", "task.two_rotations", "more than one rotation is given",
              "keep one of rpy, rpy_deg, quaternion");
    }
    if (!quaternion.empty()) {
      if (const auto q = static_cast<YamlFields&>(v).read_rotation(quaternion))
        value = Pose(*q, xyz);
      return;
    }
    const Vec3 angles = rpy + std::numbers::pi / 180 * rpy_deg;
    value = Pose::from_rpy(xyz, angles.x(), angles.y(), angles.z());
  });
}

std::optional<Quat> YamlFields::read_rotation(const std::vector<double>& quaternion) {
  constexpr double kRounded = 1e-3, kNearlyUnit = 0.05;
  const std::string order = "write [x, y, z, w], w last: [0, 0, 0, 1] turns nothing";
  Quat q = Quat::Identity();
  if (quaternion.size() == 4) q = Quat(quaternion[3], quaternion[0], quaternion[1], quaternion[2]);
  const double norm = q.norm();
  if (quaternion.size() != 4 || !(std::abs(norm - 1) < kNearlyUnit)) {
    fault("quaternion", "task.bad_quaternion",
          "the quaternion must have four entries x, y, z, w of norm 1", "normalise it; " + order);
    return std::nullopt;
  }
  const auto note = [&](const char* code, std::string message) {
    log_.notes.push_back({code, std::move(message), file_, line(), 0, element_, order});
  };
  if (std::abs(norm - 1) > kRounded) {
    note("task.quaternion_norm",
         fmt::format("the quaternion has norm {} and was made unit", format_number(norm)));
  }
  // Nearly a half turn about x is rare; hardly a turn, with w first, is not.
  if (std::abs(q.x()) > 0.9 && std::abs(q.w()) < 0.3) {
    const double turn = 2 * std::acos(std::min(1.0, std::abs(q.w()) / norm));
    note("task.quaternion_order",
         fmt::format("the quaternion turns by {} about nearly the x axis; it looks as if w stood "
                     "first",
                     format_angle(turn)));
  }
  return q.normalized();
}

std::optional<std::vector<double>> YamlFields::read_joint(const Field& field,
                                                          const std::string& joint,
                                                          const YAML::Node& node) {
  std::vector<YAML::Node> items;
  if (!node.IsSequence()) items.push_back(node);
  if (node.IsSequence())
    for (const YAML::Node& item : node) items.push_back(item);
  std::vector<double> values;
  for (const YAML::Node& item : items) {
    // A unit tells which dimension is meant: that of the joint is not known here.
    const auto unit =
        find_unit(item.IsScalar() ? split_quantity(item.Scalar()).second : std::string_view());
    const bool is_joint_unit =
        unit && (unit->dimension == Dimension::angle || unit->dimension == Dimension::length);
    const Dimension dimension = is_joint_unit ? unit->dimension : Dimension::none;
    const auto value = read_number(field, item, dimension);
    if (!value) return std::nullopt;
    if (dimension != Dimension::none) {
      log_.joint_units.push_back(
          {joint, static_cast<int>(values.size()), dimension, {file_, item.Mark().line + 1}});
    }
    values.push_back(*value);
  }
  return values;
}

void YamlFields::joint_values(const Field& field,
                              std::vector<std::pair<std::string, std::vector<double>>>& value) {
  const auto node = find(field);
  if (!node) return;
  if (!node->IsMap()) return wrong_type(field, *node, "a mapping from joints to values");
  for (const auto& entry : *node) {
    if (!entry.first.IsScalar()) {
      wrong_type(field, entry.first, "a mapping from joints to values");
      continue;
    }
    const std::string& joint = entry.first.Scalar();
    if (auto values = read_joint(field, joint, entry.second))
      value.emplace_back(joint, std::move(*values));
  }
}

}  // namespace geste::internal
