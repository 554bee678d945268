#include <cmath>

#include "geste/formats/result_reader.hpp"

#include "checks.hpp"

using namespace geste;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = parse_result_json(fuzz::as_text(data, size), "result.json");
  if (!result) return fuzz::require_telling(result.error()), 0;
  fuzz::require(
      !result->clearance || (*result->clearance >= 0 && std::isfinite(*result->clearance)),
      "a claimed clearance is a distance");
  fuzz::require(result->inputs.size() <= size, "no more inputs than the file can name");
  return 0;
}
