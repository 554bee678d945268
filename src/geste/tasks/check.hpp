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
  double tolerance = 0;      ///< m; also list pairs that are apart by no more
  double resolution = 1e-6;  ///< m; surfaces that overlap or part by no more touch
};

/// What collides in a scene, for people and for programs: the same facts twice.
struct CheckReport {
  /// Nothing collides. Never where no pair was checked.
  bool free = false;
  std::size_t checked = 0;  ///< pairs
  std::string text;
  std::string json;
  Notes notes;
};

/// Every pair of bodies that interpenetrates, touches, or is nearer than its margin or the
/// tolerance, by name, with depth and point, the worst first (proximity/static_clash.hpp); else the
/// nearest pair; and which pairs were left out, and why.
///
/// Pairs that move against each other collide where they touch or are nearer than their margin;
/// those fixed to each other where they interpenetrate: parts of an assembly rest on each other.
/// Where nothing moves the fixed ones are checked unasked. `path`: a task file, or a CAD file as an
/// assembly of its parts.
Result<CheckReport> check_scene(const std::filesystem::path& path, const CheckOptions& options,
                                ProgressSink& progress = no_progress(),
                                const CancelToken& cancel = {});

}  // namespace geste
