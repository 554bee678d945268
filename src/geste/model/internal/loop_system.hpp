#pragma once

#include <vector>

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste::internal {

/// Where frame B of a loop is, seen from its frame A: the identity in the constrained components
/// when it is closed.
Pose compute_loop_offset(const Scene& scene, const Workspace& workspace, const Loop& loop);

/// All general loops of a scene together, as equations in the degrees of freedom that they may
/// move.
class LoopSystem {
 public:
  explicit LoopSystem(const Scene& scene);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] const std::vector<int>& dofs() const { return dofs_; }

  /// At a complete configuration; leaves its kinematics in the workspace.
  void set(const Scene& scene, ConstVecRef q, Workspace& workspace);
  /// 6 x dofs, after `set`: how fast B moves against A, seen from B, (linear, angular), per
  /// degree of freedom.
  const Mat6X& compute_relative(const Scene& scene, const Workspace& workspace, const Loop& loop);

 private:
  int rows_ = 0;
  std::vector<int> dofs_;
  MatX map_;
  Mat6X J_A_, J_B_, relative_;
};

}  // namespace geste::internal
