#include "geste/tasks/grow_roadmap.hpp"

#include <fmt/format.h>

#include "geste/core/quantity.hpp"
#include "geste/tasks/internal/planner_run.hpp"

namespace geste {
namespace {

void add_roadmap_figures(const internal::GrownRoadmap& grown, TaskResult& result) {
  const auto add = [&](const char* name, double value, const char* unit) {
    result.figures.push_back({name, value, unit});
  };
  add("samples", static_cast<double>(grown.report.samples), "1");
  add("points", grown.points, "1");
  add("links", static_cast<double>(grown.links), "1");
  add("components", grown.components, "1");
  add("coverage", grown.report.coverage, "1");
  add("file_size", static_cast<double>(grown.bytes), "bytes");
}

std::string describe_in_words(const internal::GrownRoadmap& grown) {
  std::string text = fmt::format(
      "The roadmap has {} points and {} links in {} component{}, after {} more free samples; its "
      "file takes {:.1f} KB",
      grown.points, grown.links, grown.components, grown.components == 1 ? "" : "s",
      grown.report.samples, 1e-3 * static_cast<double>(grown.bytes));
  if (grown.report.coverage > 0)
    text += fmt::format("; about {} % of the free space is seen",
                        format_number(100 * grown.report.coverage));
  return text + ".";
}

}  // namespace

void GrowRoadmap::describe(FieldVisitor& v) {
  GrowRoadmapOptions& o = options_;
  describe_movers(v, o);
  v.file({"file", "where it is kept; one that is there grows on", true}, o.planner.roadmap);
  describe_room(v, o);
  v.group({"steering", "how points are joined; left out: straight"}, o.steering.is_given,
          [&](FieldVisitor& inner) { describe_steering(inner, o.steering); });
  describe_grower(v, o.planner);
  v.integer({"samples", "free ones to grow it with at most"}, o.samples, 1);
}

Result<TaskOutcome> GrowRoadmap::run(const TaskRun& run) {
  const auto place_error = [&](Error error) {
    if (error.file.empty()) error.file = run.file.file;
    return error;
  };
  std::vector<Diagnostic> faults;
  options_.add_faults("task, roadmap", faults);
  if (!faults.empty()) return place_error(make_error(std::move(faults)));
  Result<TaskScene> world = load_scene(run);
  if (!world) return world.error();
  const auto joints = find_moving_joints(world->scene, options_);
  if (!joints) return place_error(joints.error());
  const auto rig =
      internal::PlanningRig::make(*world, run.file, *joints, {options_.find_room(), {}},
                                  run.threads, run.budget.cancel, options_.steering);
  if (!rig) return place_error(rig.error());
  if (run.budget.cancel.requested()) return internal::explain_cancel(run);
  (*rig)->show_growth(run.growth);
  Budget budget = run.budget;
  budget.max_steps = std::min(budget.max_steps, static_cast<std::uint64_t>(options_.samples));
  const auto grown = internal::run_grower(
      **rig, options_.planner,
      {budget, Rng(run.seed), false, run.threads, run.progress, run.file.folder});
  if (!grown) return place_error(grown.error());
  if (grown->report.stopped == StopReason::cancelled) return internal::explain_cancel(run);
  TaskResult result;
  result.task = "roadmap";
  result.found = grown->points > 0;
  result.verdict = result.found ? describe_in_words(*grown)
                                : "No roadmap: hardly anything is free where it may move.";
  add_roadmap_figures(*grown, result);
  return internal::make_outcome(run, std::move(*world), std::move(result));
}

}  // namespace geste
