#pragma once

#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

/// What the header of a COLLADA file states.
struct DaeFacts {
  std::string unit = "m";
  double metres_per_unit = 1;
  UpAxis up = UpAxis::y;
  Notes notes;
};

/// Reads the header, and checks what the importer takes on trust: that stated counts fit the
/// numbers written, that accessors stay inside their arrays, that references lead somewhere, and
/// that instanced nodes form neither a circle nor an avalanche. Faults come with their line.
Result<DaeFacts> check_dae(std::string_view bytes, const std::string& file_name);

}  // namespace geste
