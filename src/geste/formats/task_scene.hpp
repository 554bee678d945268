#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/formats/part.hpp"
#include "geste/formats/task_file.hpp"
#include "geste/model/scene.hpp"

namespace geste {

/// A file that went into a scene, by content.
struct InputFile {
  std::string file;
  std::string sha256;
};

/// Two parts that touch or overlap where a scene begins, which a task takes as given.
///
/// A seat may stay as deep as it is: a shrunken copy of one of the two is checked instead, which
/// proves that they never come deeper into each other than `bound`. A fit is
/// deeper than shrinking can follow, as a bolt in solid material: it is not checked while the part
/// moves along `axis`, until the two are apart.
struct StartContact {
  std::string moved;
  std::string other;
  double depth = 0;             ///< m, measured; 0: they only touch
  Vec3 point = Vec3::Zero();    ///< of the contact, in the world
  double bound = 0;             ///< m; of a seat
  std::string checked_moved{};  ///< of a seat: the bodies that are checked instead of the two, of
  std::string checked_other{};  ///< which at least one is a shrunken copy
  bool is_fit = false;
  std::optional<Vec3> axis{};  ///< of a fit, in the world; nothing: none was found
  double apart_at = 0;         ///< s; of a fit in a motion: when the two are apart
};

/// The world of a task file: everything loaded, placed and compiled.
struct TaskScene {
  Scene scene;
  VecX start;  ///< the actors' start configurations over neutral; complete
  std::vector<InputFile> inputs;
  Notes notes;
  BodyAssemblies assemblies{};  ///< of the parts that are assemblies
  std::vector<StartContact> contacts{};
};

/// Loads every file that the task names and compiles the scene. The error lists the faults of all
/// parts and actors, not of the first one only.
Result<TaskScene> load_task_scene(const TaskFile& task, ProgressSink& progress = no_progress(),
                                  const CancelToken& cancel = {});

}  // namespace geste
