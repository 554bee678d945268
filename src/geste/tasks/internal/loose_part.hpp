#pragma once

#include "geste/formats/task_scene.hpp"

namespace geste::internal {

/// Something to be taken out of a scene that the file says nothing of being loose.
struct LoosePart {
  std::string part;                  ///< a part, or one of an assembly: "engine/piston"
  std::vector<std::string> carries;  ///< go along with it; '*' stands for any letters
  std::vector<std::string> ignored;  ///< it may go through them; '*' as above
};

/// The scene in which the part hangs on a free joint, whatever held it, with all that is fixed to
/// it and all that it carries: an actor of the part's name. Everything stands where it stood at the
/// start. The error names every name that fits nothing; `element` says who asked.
Result<TaskScene> loosen(TaskScene world, const LoosePart& loose, const std::string& element);

}  // namespace geste::internal
