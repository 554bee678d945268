// The fuzzers read no files and generate no worlds. These let them link without OpenCASCADE, assimp
// and the generators; to reach one is a fault of the entry.
#include "geste/formats/dae.hpp"
#include "geste/formats/step.hpp"
#include "geste/geometry/generate.hpp"

#include "checks.hpp"

namespace geste {
namespace {

Error unreachable() {
  fuzz::require(false, "no entry reads files or generates worlds");
  return {};
}

}  // namespace

Result<StepFile> load_step(const std::filesystem::path&, const StepOptions&) {
  return unreachable();
}
Result<Asset> load_dae(const std::filesystem::path&) { return unreachable(); }
Result<GeneratedWorld> generate_world(std::string_view, const WorldOptions&) {
  return unreachable();
}

}  // namespace geste
