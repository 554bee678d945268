#include "geste/formats/gltf.hpp"

#include "checks.hpp"

using namespace geste;

namespace {

/// Every buffer file exists: a few floats that make triangles, and small integers.
Result<std::string> give_buffer(const std::string& relative_path) {
  fuzz::require(!relative_path.empty() && relative_path.front() != '/',
                "absolute paths are refused");
  std::string bytes;
  for (int i = 0; i < 64; ++i) {
    const float value = static_cast<float>(i * i % 7);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  for (int i = 0; i < 64; ++i) bytes.push_back(static_cast<char>(i % 8));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_sound(parse_gltf(fuzz::as_text(data, size), "fuzz.gltf", give_buffer));
  return 0;
}
