#include "geste/formats/urdf.hpp"

#include "checks.hpp"

using namespace geste;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  UrdfOptions options;
  options.meshes = UrdfMeshes::none;
  fuzz::require_sound(parse_urdf(fuzz::as_text(data, size), "fuzz.urdf", options));
  return 0;
}
