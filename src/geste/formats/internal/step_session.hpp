#pragma once

#include <TDocStd_Document.hxx>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"

namespace geste {

/// A STEP file as OpenCASCADE's document of named, placed and coloured shapes, in millimetres.
struct StepDocument {
  Handle(TDocStd_Document) document;
  std::vector<std::string> length_units;
  std::vector<std::string> unused_units;
  Notes notes;
};

/// Translates a checked STEP text. `location` is where references to other files start from; empty
/// when they are not followed. OpenCASCADE keeps its reader settings and its message sinks in
/// static variables: this function sets them, holds a lock meanwhile, and puts them back.
Result<StepDocument> translate_step(std::string_view bytes, const std::string& file_name,
                                    const std::string& location,
                                    const std::function<bool()>& cancelled);

/// Runs `work` and turns whatever OpenCASCADE throws into "step.kernel".
Result<void> guard_kernel(const std::string& file_name, const std::function<void()>& work);

Diagnostic make_cancelled(const std::string& file_name);

}  // namespace geste
