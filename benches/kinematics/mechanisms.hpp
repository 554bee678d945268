#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::bench {

Scene load_robot(const std::filesystem::path& urdf, JointType root);
/// 160 revolute joints, each on a random earlier one.
Scene make_tree160();

/// Configurations to walk through, so that no run sees the same one twice in a row.
std::vector<VecX> sample_configurations(const Scene& scene, int count);

/// The same mechanism in MuJoCo: moving bodies only, as in geste's inner loop.
class MujocoPeer {
 public:
  explicit MujocoPeer(const Scene& scene);
  /// mj_kinematics: pose of every body.
  void run(const VecX& q);
  /// mj_kinematics and mj_comPos, which holds every joint's motion axis: what Jacobians are read
  /// from.
  void run_with_columns(const VecX& q);
  /// Largest distance of a body's place from geste's, as a check that both compute the same thing.
  double compare(const Scene& scene, const Workspace& workspace) const;

 private:
  void set(const VecX& q);

  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
  std::vector<int> from_;  ///< our entry for each of theirs
  std::vector<int> body_;  ///< their body for each mover
};

}  // namespace geste::bench
