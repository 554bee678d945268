#pragma once

#include <vector>

#include "geste/model/scene.hpp"

namespace geste {

/// Scratch memory for one thread and one scene: allocated here once, filled by the compute_
/// functions, never saved. Each field names who fills it; reading it before throws
/// std::logic_error, and so does a workspace of another scene.
class Workspace {
 public:
  explicit Workspace(const Scene& scene);

  /// Pose of each mover, and one unused pose behind them. compute_kinematics.
  [[nodiscard]] const std::vector<Pose>& X_WM() const {
    if (!has_kinematics_) throw_too_early("compute_kinematics");
    return X_WM_;
  }
  /// 6 x nv: column j is the velocity field of degree of freedom j, as a twist at the world's
  /// origin in world axes, linear first. compute_joint_columns.
  [[nodiscard]] const Mat6X& columns() const {
    if (!has_columns_) throw_too_early("compute_joint_columns");
    return columns_;
  }
  /// Velocity of each mover: twist at its own origin in world axes. compute_velocities.
  [[nodiscard]] const std::vector<Motion>& V_WM() const {
    if (!has_velocities_) throw_too_early("compute_velocities");
    return V_WM_;
  }

 private:
  friend struct WorkspaceAccess;
  [[noreturn]] static void throw_too_early(const char* first);

  std::vector<Pose> X_WM_;
  std::vector<Motion> V_WM_;
  Mat6X columns_;
  // Angles of the turning joints (Scene::angles) with their sines and cosines, padded to whole
  // lanes.
  std::vector<double> angles_;
  std::vector<double> sines_;
  std::vector<double> cosines_;
  // Centre of mass: mass and first moment about the world's origin of each mover's subtree.
  std::vector<double> subtree_mass_;
  std::vector<Vec3> subtree_moment_;
  // Dependent joints: values of leaders and of formula results.
  std::vector<double> leading_;
  std::vector<double> dependent_;
  bool has_kinematics_ = false;
  bool has_columns_ = false;
  bool has_velocities_ = false;
};

}  // namespace geste
