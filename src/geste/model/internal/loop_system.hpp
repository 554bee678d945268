#pragma once

#include <vector>

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste::internal {

/// Where frame B of a loop is, seen from its frame A: the identity in the constrained components
/// when it is closed.
Pose compute_loop_offset(const Scene& scene, const Workspace& workspace, const Loop& loop);

/// Constrained components of all general loops.
int count_loop_rows(const Scene& scene);

/// All general loops of a scene together, as equations in the degrees of freedom that they may
/// move.
class LoopSystem {
 public:
  explicit LoopSystem(const Scene& scene);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] const std::vector<int>& dofs() const { return dofs_; }

  /// rows x dofs, at a complete configuration, whose kinematics it leaves in the workspace. With
  /// (v, w) the twist of B less that of A, both seen from B: the place changes by R_AB v, the
  /// rotation's components by turn(loop, R_AB) w.
  template <class Turn>
  void compute_jacobian(const Scene& scene, ConstVecRef q, Workspace& workspace, MatX& J,
                        Turn turn) {
    set(scene, q, workspace);
    int row = 0;
    for (const Loop& loop : scene.loops()) {
      const Mat3 R_AB = compute_loop_offset(scene, workspace, loop).R;
      const Mat6X& relative = compute_relative(scene, workspace, loop);
      const Mat3 R_turn = turn(loop, R_AB);
      for (int k = 0; k < 6; ++k) {
        if (!loop.constrained[static_cast<std::size_t>(k)]) continue;
        if (k < 3) {
          J.row(row++) = R_AB.row(k) * relative.topRows(3);
        } else {
          J.row(row++) = R_turn.row(k - 3) * relative.bottomRows(3);
        }
      }
    }
  }

 private:
  void set(const Scene& scene, ConstVecRef q, Workspace& workspace);
  /// 6 x dofs, after `set`: how fast B moves against A, seen from B, (linear, angular), per
  /// degree of freedom.
  const Mat6X& compute_relative(const Scene& scene, const Workspace& workspace, const Loop& loop);

  int rows_ = 0;
  std::vector<int> dofs_;
  MatX map_;
  Mat6X J_A_, J_B_, relative_;
};

}  // namespace geste::internal
