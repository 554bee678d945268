#include "geste/tasks/internal/planner_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "geste/core/text.hpp"
#include "geste/planning/ompl_planners.hpp"
#include "geste/planning/plan_manhattan.hpp"
#include "geste/planning/plan_roadmap.hpp"
#include "geste/proximity/fast_path.hpp"
#include "geste/tasks/internal/roadmap_store.hpp"

namespace geste {
namespace {

constexpr std::string_view kOmplPrefix = "ompl/";
const std::vector<std::string> kRoadmapPlanners{"prm", "visibility_prm"};
const std::vector<std::string> kSamplers{"uniform", "gaussian", "bridge"};
const std::vector<std::string> kStrategies{"nearest", "component"};

/// Ours, and those of OMPL behind its name.
const std::vector<std::string>& list_planners() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"rrt_connect", "prm", "visibility_prm"};
    for (const std::string& name : list_ompl_planners())
      all.push_back(std::string(kOmplPrefix) + name);
    return all;
  }();
  return names;
}

bool is_ompl(const PlannerChoice& choice) { return choice.planner.starts_with(kOmplPrefix); }

Diagnostic make_planner_fault(std::string code, std::string message, std::string remedy) {
  return {.code = std::move(code),
          .message = std::move(message),
          .element = "planner",
          .remedy = std::move(remedy)};
}

/// A number that a planner takes.
struct PlannerParameter {
  std::string name;
  double least = 0;
  bool is_whole = false;
  std::function<void(double)> set;
  double most = 1e9;
};

/// Sets all parameters of a choice.
Result<void> set_parameters(const PlannerChoice& choice,
                            const std::vector<PlannerParameter>& known) {
  std::vector<Diagnostic> faults;
  std::vector<std::string> names;
  for (const PlannerParameter& p : known) names.push_back(p.name);
  for (const auto& parameter : choice.parameters) {
    const auto& [name, values] = parameter;
    const auto p = std::find_if(known.begin(), known.end(),
                                [&](const auto& k) { return k.name == parameter.first; });
    if (p == known.end()) {
      faults.push_back(make_planner_fault(
          "plan.parameter",
          fmt::format("the planner '{}' has no parameter '{}'", choice.planner, name),
          suggest_name(name, names)));
      continue;
    }
    const double value = values.size() == 1 ? values[0] : -1;
    const bool fits =
        value >= p->least && value <= p->most && (!p->is_whole || value == std::floor(value));
    if (fits)
      p->set(value);
    else
      faults.push_back(
          make_planner_fault("plan.parameter", fmt::format("the parameter '{}' does not fit", name),
                             fmt::format("give one {}number from {} to {}",
                                         p->is_whole ? "whole " : "", p->least, p->most)));
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return {};
}

Result<PlanOptions> make_search_options(const PlannerChoice& choice,
                                        const internal::PlannerRun& run) {
  PlanOptions options;
  options.threads = run.threads;
  options.shorten.is_on = run.shorten;
  options.is_hopeless = run.is_hopeless;
  const Result<void> set = set_parameters(
      choice,
      {{"range", 0, false, [&](double v) { options.search.range = v; }},
       {"domain", 0, false, [&](double v) { options.search.domain = v; }},
       {"searches", 1, true, [&](double v) { options.searches = static_cast<int>(v); }, 64}});
  if (!set) return set.error();
  return options;
}

Result<RoadmapOptions> make_roadmap_options(const PlannerChoice& choice,
                                            const internal::PlannerRun& run) {
  RoadmapOptions options;
  options.threads = run.threads;
  const auto whole = [](int& to) { return [&to](double v) { to = static_cast<int>(v); }; };
  const bool is_basic = choice.planner == "prm";
  options.kind = is_basic ? RoadmapKind::basic : RoadmapKind::visibility;
  options.strategy = choice.strategy == "nearest" ? Strategy::nearest : Strategy::component;
  options.sampler.kind = choice.sampler == "gaussian" ? SamplerKind::gaussian
                         : choice.sampler == "bridge" ? SamplerKind::bridge
                                                      : SamplerKind::uniform;
  std::vector<PlannerParameter> known{
      {"neighbours", 1, true, whole(options.neighbours)},
      {"deviation", 0, false, [&](double v) { options.sampler.deviation = v; }}};
  if (!is_basic) known.push_back({"enough", 1, true, whole(options.enough)});
  if (const Result<void> set = set_parameters(choice, known); !set) return set.error();
  return options;
}

Result<void> check_order(const internal::PlanningRig& rig, const PlannerChoice& choice) {
  if (!rig.is_order_searched()) return {};
  return make_planner_fault(
      "plan.planner", fmt::format("'{}' needs an order of moves that is given", choice.planner),
      "give `order` instead of `searched`, or use rrt_connect");
}

/// Links of roadmaps lead both ways.
Result<void> check_roadmap_steering(const internal::PlanningRig& rig, const PlannerChoice& choice) {
  if (const Result<void> given = check_order(rig, choice); !given) return given.error();
  if (!rig.steering().is_reversible())
    return make_planner_fault(
        "plan.planner",
        fmt::format("'{}' needs ways that can be gone back, and the steering method has none",
                    choice.planner),
        "use rrt_connect, or the method reeds_shepp");
  return {};
}

Result<PlanReport> run_trees(const internal::PlanningRig& rig, const PlannerChoice& choice,
                             const PlanningProblem& problem, const internal::PlannerRun& run) {
  const Result<PlanOptions> options = make_search_options(choice, run);
  if (!options) return options.error();
  if (!rig.is_order_searched())
    return plan(rig.world(), problem, *options, run.budget, run.rng, run.progress);
  ManhattanPlanOptions manhattan;
  manhattan.plan = *options;
  manhattan.plan.is_hopeless = {};  // was asked before
  return plan_manhattan(rig.world(), problem, manhattan, run.budget, run.rng, run.progress);
}

/// Those of OMPL say themselves which parameters they take.
Result<PlanReport> run_ompl_planner(const internal::PlanningRig& rig, const PlannerChoice& choice,
                                    const PlanningProblem& problem, const internal::PlannerRun& run,
                                    TaskResult& result) {
  if (const Result<void> given = check_order(rig, choice); !given) return given.error();
  OmplOptions options;
  options.planner = choice.planner.substr(kOmplPrefix.size());
  options.shorten.is_on = run.shorten;
  for (const auto& [name, values] : choice.parameters) {
    if (values.size() != 1)
      return make_planner_fault("plan.parameter",
                                fmt::format("the parameter '{}' does not fit", name),
                                "give one number");
    options.parameters.emplace_back(name, values[0]);
  }
  if (!is_ompl_repeatable(options.planner))
    result.notes.push_back(
        {.code = "plan.not_repeatable",
         .message = "does not go by its seed alone, so that the same seed may give another way",
         .element = fmt::format("planner '{}'", choice.planner),
         .remedy = "choose another planner where that matters"});
  return plan_ompl(rig.world(), problem, options, run.budget, run.rng, run.progress);
}

std::filesystem::path find_roadmap_path(const PlannerChoice& choice,
                                        const internal::PlannerRun& run) {
  return choice.roadmap.empty() ? std::filesystem::path() : run.folder / choice.roadmap;
}

Result<PlanReport> run_roadmap(const internal::PlanningRig& rig, const PlannerChoice& choice,
                               const PlanningProblem& problem, const internal::PlannerRun& run,
                               TaskResult& result) {
  const Result<RoadmapOptions> roadmap_options = make_roadmap_options(choice, run);
  if (!roadmap_options) return roadmap_options.error();
  if (const Result<void> fits = check_roadmap_steering(rig, choice); !fits) return fits.error();
  auto store = internal::RoadmapStore::open(rig, find_roadmap_path(choice, run));
  if (!store) return store.error();
  RoadmapPlanOptions options;
  options.roadmap = *roadmap_options;
  options.shorten.is_on = run.shorten;
  RoadmapReport grown;
  const int before = store->roadmap().size();
  PlanReport report = plan_roadmap(rig.world(), problem, options, store->roadmap(), run.budget,
                                   run.rng, run.progress, &grown);
  const bool is_new = grown.samples > 0 || store->roadmap().size() > before;
  if (is_new && report.status != PlanStatus::cancelled) {
    const Result<std::size_t> bytes = store->save(rig, options.roadmap.kind, grown);
    if (!bytes) return bytes.error();
  }
  if (grown.coverage > 0) result.figures.push_back({"roadmap_coverage", grown.coverage, "1"});
  result.figures.push_back({"roadmap_read", store->was_read() ? 1.0 : 0.0, "1"});
  return report;
}

/// Where points are looked for and what they are tried with.
void describe_sampling(FieldVisitor& v, PlannerChoice& choice) {
  v.table({"parameters", "numbers that the planner takes, by name"}, choice.parameters);
  v.choice({"sampler", "prm, visibility_prm: where points are looked for"}, choice.sampler,
           kSamplers);
  v.choice({"strategy",
            "prm: which points a new one is tried with: the nearest, or the nearest of "
            "each component"},
           choice.strategy, kStrategies);
  // Forms send defaults too.
  const PlannerChoice plain;
  const bool is_basic = choice.planner == "prm";
  const bool is_roadmap = is_basic || choice.planner == "visibility_prm";
  const std::pair<const char*, bool> idle[] = {
      {"sampler", choice.sampler != plain.sampler && !is_roadmap},
      {"roadmap", !choice.roadmap.empty() && !is_roadmap},
      {"strategy", choice.strategy != plain.strategy && !is_basic}};
  for (const auto& [key, is_idle] : idle)
    if (is_idle)
      v.fault(key, "task.planner",
              fmt::format("'{}' says nothing to the planner '{}'", key, choice.planner),
              "leave it out, or name the planner that is meant");
}

}  // namespace

void describe_planner(FieldVisitor& v, PlannerChoice& choice) {
  v.choice({"planner", "how the way is searched"}, choice.planner, list_planners());
  v.file({"roadmap", "prm, visibility_prm: file to take the roadmap from, and to keep it in"},
         choice.roadmap);
  describe_sampling(v, choice);
}

void describe_grower(FieldVisitor& v, PlannerChoice& choice) {
  v.choice({"planner", "which kind of roadmap"}, choice.planner, kRoadmapPlanners);
  describe_sampling(v, choice);
}

namespace internal {

/// Of arms: a free body among parts is the exact stage's business anyway.
void note_slow_pairs(const PlanningRig& rig, TaskResult& result) {
  const Scene& scene = rig.space().scene();
  std::vector<JointId> joints;
  for (const PlanningSpace::Item& item : rig.space().items())
    joints.push_back(*scene.find_joint(item.joint.name));
  const bool is_arm =
      joints.size() > 1 &&
      std::all_of(joints.begin(), joints.end(), [&](JointId j) { return scene.joint(j).nv == 1; });
  if (!is_arm || rig.space().has_loops()) return;
  const FastPathReport report =
      measure_fast_path(scene, rig.world().validator, joints, rig.space().rest());
  if (std::optional<Note> note = explain_slow_path(scene, report))
    result.notes.push_back(std::move(*note));
}

Result<PlanReport> run_planner(const PlanningRig& rig, const PlannerChoice& choice,
                               const PlanningProblem& problem, const PlannerRun& run,
                               TaskResult& result) {
  // The default planner asks when its first round has found nothing; easy problems need no proof.
  const bool asks_itself = choice.planner == "rrt_connect" && !rig.is_order_searched();
  if (!asks_itself && run.is_hopeless && run.is_hopeless()) return PlanReport{};
  note_slow_pairs(rig, result);
  if (is_ompl(choice)) return run_ompl_planner(rig, choice, problem, run, result);
  return choice.planner == "rrt_connect" ? run_trees(rig, choice, problem, run)
                                         : run_roadmap(rig, choice, problem, run, result);
}

Result<GrownRoadmap> run_grower(const PlanningRig& rig, const PlannerChoice& choice,
                                const PlannerRun& run) {
  const Result<RoadmapOptions> options = make_roadmap_options(choice, run);
  if (!options) return options.error();
  if (const Result<void> fits = check_roadmap_steering(rig, choice); !fits) return fits.error();
  auto store = RoadmapStore::open(rig, find_roadmap_path(choice, run));
  if (!store) return store.error();
  Roadmap& roadmap = store->roadmap();
  LocalPlanner local(rig.world());
  Rng rng = run.rng.split(static_cast<std::uint64_t>(roadmap.size()));
  GrownRoadmap grown;
  grown.report = grow_roadmap(roadmap, *options, local, run.budget, rng, run.progress);
  if (grown.report.stopped == StopReason::cancelled) return grown;
  const Result<std::size_t> bytes = store->save(rig, options->kind, grown.report);
  if (!bytes) return bytes.error();
  grown.points = roadmap.size();
  grown.links = roadmap.count_links();
  grown.components = roadmap.count_components();
  grown.bytes = *bytes;
  return grown;
}

}  // namespace internal
}  // namespace geste
