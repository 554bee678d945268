#pragma once

#include <filesystem>
#include <string>

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/core/result.hpp"

namespace geste {

struct CheckOptions {
  std::string state = "start";  ///< a named configuration, laid over the start
  bool fixed = false;           ///< also pairs that never move against each other
  bool list_dropped = false;    ///< name every pair that was left out, in the text too
  int samples = 1000;           ///< per actor without SRDF, to find pairs that always touch
  std::uint64_t seed = 1;
  int threads = 0;
};

/// What collides in a scene, for people and for programs: the same facts twice.
struct CheckReport {
  bool free = true;
  std::string text;
  std::string json;
  Notes notes;
};

/// Every pair of bodies that touches or is nearer than its margin, by name, with depth and point;
/// else the nearest pair; and which pairs were left out, and why.
Result<CheckReport> check_scene(const std::filesystem::path& task_file, const CheckOptions& options,
                                ProgressSink& progress = no_progress(),
                                const CancelToken& cancel = {});

}  // namespace geste
