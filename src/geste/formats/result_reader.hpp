#pragma once

#include <optional>

#include "geste/formats/task_scene.hpp"
#include "geste/model/motion.hpp"

namespace geste {

/// What a result.json says of its motion and of where that came from (result_files.hpp writes it).
struct StoredResult {
  bool found = false;      ///< there is a motion
  InputFile task_file;     ///< as seen from the result's folder; no name: none is recorded
  std::size_t frames = 0;  ///< moments of motion.csv
  Course course = Course::straight;
  std::optional<double> clearance;  ///< m, that its certificate claims
  std::vector<InputFile> inputs;    ///< as the task file names them
};

/// The error lists every field that is missing or of the wrong kind; for what is no JSON it has the
/// line.
Result<StoredResult> parse_result_json(std::string_view text, const std::string& file);
Result<StoredResult> load_result_json(const std::filesystem::path& path);

}  // namespace geste
