#include "geste/model/configuration.hpp"
#include "geste/proximity/fast_path.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {
namespace {

/// More take many seconds to prepare.
constexpr int kMostMoving = 40;

std::vector<JointId> find_arm_joints(const Scene& scene) {
  std::vector<JointId> joints;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& joint = scene.joints()[i];
    const bool is_drawn =
        joint.type == JointType::continuous ||
        (joint.nv == 1 && !joint.limits.empty() && std::isfinite(joint.limits.front().lower) &&
         std::isfinite(joint.limits.front().upper));
    if (joint.role == JointRole::independent && joint.nv == 1 && is_drawn)
      joints.push_back(JointId(static_cast<int>(i)));
  }
  return joints;
}

}  // namespace

void add_speed_facts(const Scene& scene, const CollisionSpec& collision, const VecX& q,
                     Facts& facts) {
  const std::vector<JointId> joints = find_arm_joints(scene);
  if (joints.size() < 2 || joints.size() > kMostMoving || !scene.loops().empty()) return;
  CollisionOptions options;
  static_cast<CollisionSpec&>(options) = collision;
  const Result<CollisionModel> model = CollisionModel::make(scene, options);
  if (!model || model->moving().empty()) return;
  const Validator validator(scene, *model);
  const FastPathReport report = measure_fast_path(scene, validator, joints, q);
  if (report.edges > 0) facts["collision_checking"] = to_text(scene, report);
}

}  // namespace geste::internal
