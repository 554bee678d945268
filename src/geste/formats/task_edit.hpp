#pragma once

#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

// Changes to the text of a task file that leave all the rest as its author wrote it: order, blanks
// and comments. The error says why a text cannot be changed so (it is no YAML, or one mapping in
// braces).

struct EditedTask {
  std::string text;
  int line = 0;  ///< where the new lines begin
};

/// The configuration under `configurations:`, in the place of one of the same name or behind the
/// others.
Result<EditedTask> set_configuration(std::string_view text, const std::string& file,
                                     const ConfigurationSpec& configuration);

/// The file with another `task:`. `options_json`: a JSON object (which is YAML too). `base`: the
/// folder where relative paths start, where it is not that of the file (empty).
Result<std::string> set_task(std::string_view text, const std::string& file,
                             const std::string& kind, const std::string& options_json,
                             const std::string& base);

/// The options under `task:` as they are written there, as JSON: `2 mm` stays a text, and what is
/// left to its default is absent. "{}" where the file asks for nothing.
Result<std::string> get_task_options(std::string_view text, const std::string& file);

}  // namespace geste
