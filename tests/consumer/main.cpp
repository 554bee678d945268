// A box that floats freely, with a lid on a hinge, built in code by a program outside the project.
// The program may be compiled for other vector units than libgeste: matrices, vectors that either
// side allocates and the other frees, and exceptions cross the border and must arrive whole.
#include <geste/core/version.hpp>
#include <geste/model/kinematics.hpp>
#include <geste/model/scene.hpp>
#include <geste/model/state.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

geste::SceneSpec make_box_with_lid() {
  geste::SceneSpec spec;
  spec.name = "box";
  spec.bodies = {{.name = "box"}, {.name = "lid"}};
  spec.joints.push_back({.name = "float", .type = geste::JointType::free, .child = "box"});
  spec.joints.push_back({.name = "hinge",
                         .type = geste::JointType::revolute,
                         .parent = "box",
                         .child = "lid",
                         .X_PJ = geste::Pose::translation(0.4, 0, 0.1),
                         .axis = geste::Vec3::UnitY(),
                         .limits = {{.lower = -1, .upper = 1}}});
  spec.frames.push_back(
      {.name = "handle", .body = "lid", .X_BF = geste::Pose::translation(0.3, 0, 0)});
  return spec;
}

bool check(const char* what, const geste::Vec3& actual, const geste::Vec3& expected) {
  std::printf("%s: %.6f %.6f %.6f\n", what, actual.x(), actual.y(), actual.z());
  if ((actual - expected).norm() < 1e-12) return true;
  std::printf("  expected %.6f %.6f %.6f\n", expected.x(), expected.y(), expected.z());
  return false;
}

/// The box at (1, 2, 3), turned by 90 degrees about Z; the lid turned by 30 degrees about its Y.
bool check_kinematics(const geste::Scene& scene) {
  const double angle = std::numbers::pi / 6;
  geste::State state(scene);  // allocated by libgeste, freed here
  const geste::Quat turned(Eigen::AngleAxisd(std::numbers::pi / 2, geste::Vec3::UnitZ()));
  state.q << 1, 2, 3, turned.coeffs(), angle;

  geste::Workspace workspace(scene);
  geste::compute_kinematics(scene, state.q, workspace);
  geste::compute_joint_columns(scene, workspace);
  const geste::FrameId handle = scene.find_frame("handle").value();
  const geste::Pose X_WH = geste::compute_pose(scene, workspace, handle);
  geste::Mat6X jacobian(6, scene.nv());
  geste::compute_frame_jacobian(scene, workspace, handle, jacobian);

  // By hand: the handle is (0.4 + 0.3 cos, 0, 0.1 - 0.3 sin) in the box, and (x, y) is (-y, x)
  // after the turn.
  const double c = std::cos(angle), s = std::sin(angle);
  return check("handle", X_WH.p, {1, 2.4 + 0.3 * c, 3.1 - 0.3 * s}) &
         check("its velocity per hinge rate", jacobian.col(6).head<3>(), {0, -0.3 * s, -0.3 * c}) &
         check("hinge axis", jacobian.col(6).tail<3>(), {-1, 0, 0});
}

/// Bad input is an error that names the culprit; a bug of the caller is an exception.
bool check_errors() {
  geste::SceneSpec spec = make_box_with_lid();
  spec.joints.back().parent = "bxo";
  const auto scene = geste::Scene::compile(std::move(spec));
  if (scene) return false;
  std::printf("%s\n", geste::to_text(scene.error()).c_str());
  try {
    static_cast<void>(geste::make_error({}));
  } catch (const std::logic_error&) {
    return scene.error().message.find("bxo") != std::string::npos;
  }
  return false;
}

}  // namespace

int main() {
  const auto scene = geste::Scene::compile(make_box_with_lid());
  if (!scene) {
    std::printf("%s\n", geste::to_text(scene.error()).c_str());
    return 1;
  }
  std::printf("geste %s: %d degrees of freedom\n", geste::kVersion, scene->nv());
  return scene->nv() == 7 && check_kinematics(*scene) && check_errors() ? 0 : 1;
}
