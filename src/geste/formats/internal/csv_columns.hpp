#pragma once

#include <string>
#include <vector>

#include "geste/formats/fields.hpp"
#include "geste/model/scene.hpp"

namespace geste {

/// One column of motion.csv beside the time.
struct CsvColumn {
  std::string name;  ///< without its unit
  Dimension dimension = Dimension::none;
  int joint = 0;         ///< index into Scene::joints
  int entry = 0;         ///< of the joint's
  bool is_pose = false;  ///< an entry of the child's pose in the world, not of the joint
};

/// The columns that are written, in the order of q: free bodies as poses in the world.
std::vector<CsvColumn> list_written_columns(const Scene& scene);
/// Those that are read: the entries of every joint, and the poses of free bodies.
std::vector<CsvColumn> list_read_columns(const Scene& scene);

/// "crate:pose.x [m]".
std::string make_header(const CsvColumn& column);

/// The seven entries of a free joint as the pose of its child in the world, and back. Bodies that
/// hang on the world only: q_J = X_PJ^-1 X_WB. Joints that stand at the origin are left as they
/// are, to the last bit.
void make_world_pose(const Joint& joint, double* entries);
void make_joint_entries(const Joint& joint, double* pose);

}  // namespace geste
