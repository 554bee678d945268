#pragma once

#include <filesystem>
#include <optional>

#include "geste/model/scene.hpp"

namespace geste::bench {

/// A robot's NAME.urdf with its NAME.srdf, where there is one, from the first of `folders` that has
/// NAME/NAME.urdf; nothing where none has. A file at fault throws.
std::optional<SceneSpec> find_robot(const std::vector<std::filesystem::path>& folders,
                                    const std::string& name);

/// A file of arm planning problems (MotionBenchMaker, as JSON).
struct ProblemFile {
  std::string robot;
  std::string scene_class;
  std::vector<std::string> joints;                   ///< that are planned
  std::vector<std::pair<std::string, double>> held;  ///< the others that the file names
  std::vector<std::vector<BodySpec>> obstacles;      ///< of each problem, fixed in the world

  /// From where to where: values of `joints`.
  struct Query {
    int id = 0;
    VecX start;
    std::vector<VecX> goals;
    bool is_valid = true;  ///< as far as the file's makers could tell
  };
  std::vector<Query> queries;  ///< of each problem
};

/// Throws where it is no such file.
ProblemFile load_problems(const std::filesystem::path& file);
/// Every JSON file of the folder, by name; a folder without any throws.
std::vector<std::filesystem::path> list_problem_files(const std::filesystem::path& folder);

/// The robot at the origin among the obstacles of a problem, with its names as they are.
/// The planned joints in a scene of the robot, and the configuration that holds the others. Throws
/// where the robot has no such joint.
std::vector<JointId> find_joints(const ProblemFile& file, const Scene& scene);
VecX make_rest(const ProblemFile& file, const Scene& scene);

SceneSpec make_problem(const SceneSpec& robot, const std::vector<BodySpec>& obstacles);

}  // namespace geste::bench
