// The fuzzers read no files, generate no worlds and plan nothing. These let them link without
// OpenCASCADE, assimp, OMPL and the generators; to reach one is a fault of the entry, but for the
// names of OMPL's planners, of which a few will do.
#include "geste/formats/dae.hpp"
#include "geste/formats/step.hpp"
#include "geste/geometry/generate.hpp"
#include "geste/planning/ompl_planners.hpp"

#include "checks.hpp"

namespace geste {
namespace {

Error unreachable() {
  fuzz::require(false, "no entry reads files, generates worlds or plans");
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
Result<PlanReport> plan_ompl(const PlanningWorld&, const PlanningProblem&, const OmplOptions&,
                             const Budget&, const Rng&, ProgressSink&) {
  return unreachable();
}
bool is_ompl_repeatable(std::string_view) { return true; }
const std::vector<std::string>& list_ompl_planners() {
  static const std::vector<std::string> names{"KPIECE1", "RRTConnect"};
  return names;
}

}  // namespace geste
