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
};

/// Throws where it is no such file.
ProblemFile load_problems(const std::filesystem::path& file);
/// Every JSON file of the folder, by name; a folder without any throws.
std::vector<std::filesystem::path> list_problem_files(const std::filesystem::path& folder);

/// The robot at the origin among the obstacles of a problem, with its names as they are.
SceneSpec make_problem(const SceneSpec& robot, const std::vector<BodySpec>& obstacles);

}  // namespace geste::bench
