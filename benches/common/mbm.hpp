#pragma once

#include <filesystem>
#include <optional>

#include "geste/model/scene.hpp"

namespace geste::bench {

/// A robot's NAME.urdf with its NAME.srdf, where there is one, from the first of `folders` that has
/// NAME/NAME.urdf; nothing where none has. A file at fault throws.
std::optional<SceneSpec> find_robot(const std::vector<std::filesystem::path>& folders,
                                    const std::string& name);

struct ArmProblem {
  std::string id;
  std::vector<double> start;  ///< of the joints that are planned
  std::vector<double> goal;
  bool is_valid = true;             ///< as the file says
  std::vector<BodySpec> obstacles;  ///< fixed in the world
};

/// A file of arm planning problems (MotionBenchMaker, as JSON).
struct ProblemFile {
  std::string robot;
  std::string scene_class;
  std::vector<std::string> joints;                   ///< that are planned
  std::vector<std::pair<std::string, double>> held;  ///< the others that the file names
  std::vector<ArmProblem> problems;
};

/// Throws where it is no such file.
ProblemFile load_problems(const std::filesystem::path& file);
/// Every JSON file of the folder, by name; a folder without any throws.
std::vector<std::filesystem::path> list_problem_files(const std::filesystem::path& folder);

/// The joints that are planned; one that the robot lacks throws.
std::vector<JointId> find_joints(const ProblemFile& file, const Scene& scene);
/// Neutral, with the joints that are held where the file says.
VecX make_held(const ProblemFile& file, const Scene& scene);

/// The robot at the origin among the obstacles of a problem, with its names as they are.
SceneSpec make_problem(const SceneSpec& robot, const std::vector<BodySpec>& obstacles);

}  // namespace geste::bench
