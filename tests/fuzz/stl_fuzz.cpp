#include "geste/formats/stl.hpp"

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  geste::fuzz::require_sound(geste::parse_stl(geste::fuzz::as_text(data, size), "fuzz.stl"));
  return 0;
}
