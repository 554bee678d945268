#pragma once

#include "geste/model/workspace.hpp"

namespace geste {

/// How the compute_ functions of this room write into a workspace.
struct WorkspaceAccess {
  static std::vector<Pose>& X_WM(Workspace& w) { return w.X_WM_; }
  static std::vector<Motion>& V_WM(Workspace& w) { return w.V_WM_; }
  static std::vector<double>& angles(Workspace& w) { return w.angles_; }
  static std::vector<double>& sines(Workspace& w) { return w.sines_; }
  static std::vector<double>& cosines(Workspace& w) { return w.cosines_; }
  static Mat6X& columns(Workspace& w) { return w.columns_; }
  static std::vector<double>& subtree_mass(Workspace& w) { return w.subtree_mass_; }
  static std::vector<Vec3>& subtree_moment(Workspace& w) { return w.subtree_moment_; }
  static std::vector<double>& leading(Workspace& w) { return w.leading_; }
  static std::vector<double>& dependent(Workspace& w) { return w.dependent_; }
  static void set_kinematics(Workspace& w) {
    w.has_kinematics_ = true;
    w.has_columns_ = false;
    w.has_velocities_ = false;
  }
  static void set_columns(Workspace& w) { w.has_columns_ = true; }
  static void set_velocities(Workspace& w) { w.has_velocities_ = true; }
};

}  // namespace geste
