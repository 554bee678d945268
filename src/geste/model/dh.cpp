#include "geste/model/dh.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace geste {
namespace {

Pose classic_tail(const DhRow& row) {
  return Pose::translation(row.a, 0, row.d) * Pose::rotation(Vec3::UnitX(), row.alpha);
}

/// Everything before the joint's own motion; d commutes with the turn about z.
Pose modified_head(const DhRow& row) {
  return Pose::rotation(Vec3::UnitX(), row.alpha) * Pose::translation(row.a, 0, row.d);
}

}  // namespace

SceneSpec make_dh_chain(const std::string& name, const std::vector<DhRow>& rows,
                        DhConvention convention) {
  SceneSpec spec;
  spec.name = name;
  spec.bodies.push_back({.name = "link0"});
  Pose before;  // classic: what follows the joint of the row before, up to its frame
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DhRow& row = rows[i];
    const bool turning = row.type == JointType::revolute || row.type == JointType::continuous;
    if (!turning && row.type != JointType::prismatic) {
      throw std::invalid_argument(
          fmt::format("make_dh_chain: row {} has joint type {}; a row holds revolute, "
                      "continuous or prismatic joints",
                      i + 1, to_string(row.type)));
    }
    const Pose offset = Pose::rotation(Vec3::UnitZ(), row.theta);
    JointSpec joint;
    joint.name = fmt::format("joint{}", i + 1);
    joint.type = row.type;
    joint.parent = fmt::format("link{}", i);
    joint.child = fmt::format("link{}", i + 1);
    joint.axis = Vec3::UnitZ();
    joint.limits = {row.limits};
    joint.X_PJ =
        convention == DhConvention::classic ? before * offset : modified_head(row) * offset;
    before = classic_tail(row);
    spec.bodies.push_back({.name = joint.child});
    spec.frames.push_back({fmt::format("dh{}", i + 1), joint.child,
                           convention == DhConvention::classic ? before : Pose()});
    spec.joints.push_back(std::move(joint));
  }
  return spec;
}

}  // namespace geste
