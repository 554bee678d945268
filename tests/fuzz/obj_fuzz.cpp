#include "geste/formats/obj.hpp"

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  geste::fuzz::require_sound(geste::parse_obj(geste::fuzz::as_text(data, size), "fuzz.obj"));
  return 0;
}
