#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/core/quantity.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/units.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {
namespace {

Diagnostic make_option_fault(const std::string& option, std::string message, std::string remedy) {
  return {.code = "info.option",
          .message = std::move(message),
          .element = option,
          .remedy = std::move(remedy)};
}

std::vector<std::string> list_joints(const Scene& scene) {
  std::vector<std::string> names;
  for (const Joint& j : scene.joints())
    if (j.nq > 0) names.push_back(j.name);
  return names;
}

/// Numbers behind the '=': one, or as many as the joint has, separated by commas.
Result<void> set_joint(const Scene& scene, const std::string& text, VecX& q) {
  const std::string option = fmt::format("--joints {}", text);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return make_option_fault(option, "has no '='", "write NAME=VALUE, for example joint1=45deg");
  const std::string name(trim(std::string_view(text).substr(0, equals)));
  const std::optional<JointId> id = scene.find_joint(name);
  if (!id || scene.joint(*id).nq == 0)
    return make_option_fault(option, fmt::format("there is no moving joint '{}'", name),
                             suggest_name(name, list_joints(scene)));
  const Joint& joint = scene.joint(*id);
  if (joint.role != JointRole::independent)
    return make_option_fault(option, fmt::format("joint '{}' follows others", name),
                             "give the joints that it follows");
  std::string_view rest = std::string_view(text).substr(equals + 1);
  int entry = 0;
  for (; entry < joint.nq; ++entry) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto value = parse_quantity(rest.substr(0, comma));
    const bool is_wrong_unit =
        value && value->dimension != Dimension::none &&
        value->dimension !=
            (joint.type == JointType::prismatic ? Dimension::length : Dimension::angle);
    const bool is_mixed = joint.type == JointType::planar || joint.type == JointType::free;
    if (!value || (is_wrong_unit && !is_mixed))
      return make_option_fault(option,
                               fmt::format("'{}' is no value of this {} joint",
                                           rest.substr(0, comma), to_string(joint.type)),
                               joint.type == JointType::prismatic
                                   ? "give a length: 0.2 or 200mm"
                                   : "give a number or an angle: 0.8 or 45deg");
    q[joint.q + entry] = value->value;
    if (comma == rest.size()) {
      ++entry;
      rest = {};
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  if (entry != joint.nq || !rest.empty())
    return make_option_fault(
        option, fmt::format("joint '{}' takes {} values", name, joint.nq),
        "separate them with commas; rotations are quaternions x,y,z,w with w last");
  return {};
}

std::vector<std::string> list_bodies(const Scene& scene) {
  std::vector<std::string> names;
  for (const Body& b : scene.bodies()) names.push_back(b.name);
  return names;
}

Vec3 compute_rpy(const Mat3& R) {
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  // Looking straight up or down, roll and yaw turn about the same axis: yaw is 0 then.
  if (std::hypot(R(0, 0), R(1, 0)) < 1e-9) return {std::atan2(-R(1, 2), R(1, 1)), pitch, 0};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

std::string join(const Facts& numbers) {
  std::string text;
  for (const Facts& n : numbers)
    text += (text.empty() ? "" : ", ") + format_number(n.get<double>(), 9);
  return text;
}

Facts pose_to_facts(const std::string& body, const Pose& X) {
  const Quat q = X.quaternion();
  const Vec3 rpy = 180 / std::numbers::pi * compute_rpy(X.R);
  const Facts xyz = {X.p.x(), X.p.y(), X.p.z()};
  const Facts quaternion = {q.x(), q.y(), q.z(), q.w()};
  return {{"body", body},
          {"xyz_m", xyz},
          {"rpy_deg", {rpy.x(), rpy.y(), rpy.z()}},
          {"yaml", fmt::format("{{xyz: [{}], quaternion: [{}]}}", join(xyz), join(quaternion))},
          {"quaternion_xyzw", quaternion}};
}

}  // namespace

Result<void> add_pose_facts(const Scene& scene, VecX q, const InfoOptions& options, Facts& facts) {
  std::vector<Diagnostic> faults;
  for (const std::string& text : options.joints)
    if (Result<void> set = set_joint(scene, text, q); !set) faults.push_back(set.error());
  std::vector<std::string> wanted = options.poses;
  if (wanted.empty() && !options.joints.empty()) wanted = {"all"};
  if (std::find(wanted.begin(), wanted.end(), "all") != wanted.end()) wanted = list_bodies(scene);
  for (const std::string& name : wanted) {
    if (scene.find_body(name)) continue;
    faults.push_back(make_option_fault(fmt::format("--pose {}", name),
                                       fmt::format("there is no link or body '{}'", name),
                                       suggest_name(name, list_bodies(scene))));
  }
  if (!faults.empty()) return make_error(std::move(faults));
  if (wanted.empty()) return {};
  normalize(scene, q);
  Workspace workspace(scene);
  const bool closed = compute_dependents(scene, q, workspace);
  Facts poses = Facts::array();
  for (const std::string& name : wanted)
    poses.push_back(pose_to_facts(name, compute_pose(scene, workspace, *scene.find_body(name))));
  facts["poses"] = std::move(poses);
  if (!closed) facts["closed_chains"] = "open: their formulas have no solution there";
  return {};
}

}  // namespace geste::internal
