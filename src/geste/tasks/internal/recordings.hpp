#pragma once

#include "geste/tasks/replay.hpp"

namespace geste::internal {

/// A recording and the scene it belongs to.
struct Recording {
  TaskScene world;
  JointMotion motion;
};

Result<Recording> load_csv_recording(const std::filesystem::path& path,
                                     const ReplayOptions& options, const TaskRun& run);

/// Without an actor the skeleton of the file joins the scene under the file's name; with one, its
/// joints take the values of the file's joints of the same name.
Result<Recording> load_bvh_recording(const std::filesystem::path& path,
                                     const ReplayOptions& options, const TaskRun& run);

}  // namespace geste::internal
