#include "geste/formats/gltf.hpp"

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  geste::fuzz::require_sound(geste::parse_glb(geste::fuzz::as_text(data, size), "fuzz.glb"));
  return 0;
}
