#pragma once

#include <filesystem>
#include <string>

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/core/result.hpp"

namespace geste {

struct VerifyResultOptions {
  std::filesystem::path task_file{};  ///< where it lies now; empty: where the result says
  int threads = 0;                    ///< 0: all cores; the outcome does not depend on it
};

/// What a second look at a result found, for people and for programs: the same facts twice.
struct VerifyOutcome {
  bool verified = false;  ///< free of collisions, with the clearance that it claims
  std::string text;
  std::string json;
  Notes notes;
};

/// Proves the motion of a result folder once more (GX-2): reads result.json and motion.csv, loads
/// the scene from the task file and hands all to verify_motion. The error says what is missing,
/// damaged or no longer the same as when the result was made.
Result<VerifyOutcome> verify_result(const std::filesystem::path& folder,
                                    const VerifyResultOptions& options = {},
                                    ProgressSink& progress = no_progress(),
                                    const CancelToken& cancel = {});

}  // namespace geste
