#include "geste/tasks/internal/keep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/core/quantity.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

constexpr const char* kKept[] = {"x", "y", "z", "roll", "pitch", "yaw"};

/// Place, then rotation, seen from the start along the world's axes.
Vec6 measure_offset(const Pose& X_start, const Pose& X_WB) {
  return (Vec6() << X_WB.p - X_start.p, so3::log(X_WB.R * X_start.R.transpose())).finished();
}

bool is_more_than_rounding(const Reasons::Conflict& c) {
  return c.by > (c.is_angle ? kKeepAngle : kKeepLength);
}

}  // namespace

Result<std::vector<TaskConstraint>> read_keep(const std::vector<std::string>& keep) {
  std::vector<TaskConstraint> constraints;
  std::vector<Diagnostic> faults;
  for (const std::string& text : keep) {
    const std::size_t dot = std::min(text.rfind('.'), text.size());
    const auto* found =
        std::find(std::begin(kKept), std::end(kKept), text.substr(std::min(dot + 1, text.size())));
    if (found == std::end(kKept)) {
      faults.push_back({"move.keep", fmt::format("'{}' is nothing that can be kept", text), "", 0,
                        0, "task, move",
                        "name a body and one of x, y, z, roll, pitch, yaw, as in cup.roll"});
      continue;
    }
    const std::string body = text.substr(0, dot);
    auto own = std::find_if(constraints.begin(), constraints.end(),
                            [&](const TaskConstraint& c) { return c.body == body; });
    if (own == constraints.end()) own = constraints.insert(own, {body, {}});
    own->keep[static_cast<std::size_t>(found - kKept)] = true;
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return constraints;
}

std::vector<Reasons::Conflict> measure_keep(const TaskConstraint& kept, const Pose& X_start,
                                            const Pose& X_WB) {
  const Vec6 offset = measure_offset(X_start, X_WB);
  std::vector<Reasons::Conflict> off;
  for (int k = 0; k < 6; ++k)
    if (kept.keep[at(k)]) off.push_back({kept.body + "." + kKept[k], std::abs(offset[k]), k >= 3});
  return off;
}

std::vector<Reasons::Conflict> measure_keep(const Scene& scene,
                                            const std::vector<TaskConstraint>& kept,
                                            ConstVecRef start, ConstVecRef q) {
  Workspace before(scene), then(scene);
  compute_kinematics(scene, start, before);
  compute_kinematics(scene, q, then);
  std::vector<Reasons::Conflict> off;
  for (const TaskConstraint& c : kept) {
    const BodyId body = scene.find_body(c.body).value();
    for (Reasons::Conflict& one :
         measure_keep(c, compute_pose(scene, before, body), compute_pose(scene, then, body)))
      off.push_back(std::move(one));
  }
  return off;
}

Pose snap_to_keep(const TaskConstraint& kept, const Pose& X_start, const Pose& X_WB) {
  Vec6 offset = measure_offset(X_start, X_WB);
  for (int k = 0; k < 6; ++k)
    if (kept.keep[at(k)]) offset[k] = 0;
  return {so3::exp(offset.tail<3>()) * X_start.R, X_start.p + offset.head<3>()};
}

bool is_conflict(const std::vector<Reasons::Conflict>& off) {
  return std::any_of(off.begin(), off.end(), is_more_than_rounding);
}

std::string say_off(const std::vector<Reasons::Conflict>& off) {
  const bool has_large = is_conflict(off);
  std::string text;
  for (const Reasons::Conflict& c : off) {
    if (c.by < 1e-9 || (has_large && !is_more_than_rounding(c))) continue;
    text +=
        fmt::format("{}{}{} by {}", text.empty() ? "" : ", ", c.what, text.empty() ? " is off" : "",
                    c.is_angle ? format_angle(c.by, 3) : format_length(c.by, 3));
  }
  return text;
}

}  // namespace geste::internal
