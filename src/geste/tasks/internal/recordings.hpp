#pragma once

#include "geste/formats/bvh.hpp"
#include "geste/tasks/replay.hpp"

namespace geste::internal {

/// A recording and the scene it belongs to.
struct Recording {
  TaskScene world;
  JointMotion motion;
};

/// Adds the recording to the inputs, under the name that the task file gives it.
Result<void> add_input(const std::filesystem::path& path, const std::string& name,
                       std::vector<InputFile>& inputs);

Result<Recording> load_csv_recording(const std::filesystem::path& path,
                                     const ReplayOptions& options, const TaskRun& run);

/// The task file with the skeleton of a BVH recording as one more actor, under the file's name.
TaskFile add_skeleton(TaskFile file, const std::filesystem::path& path,
                      const ReplayOptions& options, double metres_per_unit);
double choose_bvh_unit(const ReplayOptions& options, const BvhFile& bvh);

/// Without an actor the skeleton of the file joins the scene under the file's name; with one, its
/// joints take the values of the file's joints of the same name.
Result<Recording> load_bvh_recording(const std::filesystem::path& path,
                                     const ReplayOptions& options, const TaskRun& run);

}  // namespace geste::internal
