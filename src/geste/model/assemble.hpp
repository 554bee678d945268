#pragma once

#include <array>
#include <span>

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

struct PlaceOptions {
  std::string name;         ///< of the actor, and prefix of every name: "arm" makes "arm/link1"
  bool keep_names = false;  ///< no prefix: the names are unique in the world as they are
  std::string kind = "robot";
  Pose X_WA;                          ///< where the mechanism's root stands
  JointType root = JointType::fixed;  ///< fixed, planar or free
  std::string parent;                 ///< body that carries the root; empty: the world
};

/// Adds a mechanism (what a robot file holds) to a world under its own name. Each of its root
/// bodies gets a joint of type `root`; that joint is named after the actor ("arm/root"), and with a
/// number when there are several.
void place(SceneSpec& world, const SceneSpec& mechanism, const PlaceOptions& options);

/// The same world after `carrier` took `body` where both are in `q` (a hand takes a part, a hook a
/// tank). The body must hang on a free joint. q stays valid for the new scene as it is.
Result<Scene> attach(const Scene& scene, ConstVecRef q, std::string_view body,
                     std::string_view carrier);

/// The same world after `body` was let go. q must be complete, so that the body stays where it is.
Result<Scene> detach(const Scene& scene, std::string_view body);

/// What a body keeps while it is moved: directions and turns along and about the world's axes.
struct TaskConstraint {
  std::string body{};
  /// Along x, y, z; about x, y, z. A cup that stays upright keeps its turns about x and y, a pen on
  /// a table its place along z.
  std::array<bool, 6> keep{};
};

/// The same world in which bodies keep what they have in `q`: each constraint is a general loop
/// between the world and the body that `joints` close, those of them that move it. q stays valid
/// for the new scene as it is.
Result<Scene> constrain(const Scene& scene, ConstVecRef q,
                        std::span<const TaskConstraint> constraints,
                        std::span<const JointId> joints);

}  // namespace geste
