#include "geste/tasks/internal/extraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"
#include "geste/geometry/feature_axes.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/straight.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/tasks/internal/found_motion.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/loose_part.hpp"
#include "geste/tasks/internal/reasons.hpp"
#include "geste/tasks/internal/start_contacts.hpp"
#include "geste/tasks/internal/swept.hpp"
#include "geste/tasks/internal/withdrawal.hpp"

namespace geste::internal {
namespace {

constexpr const char* kElement = "task, extract";

bool is_fit(const StartContact& contact) { return contact.is_fit; }

/// One extraction, from the loaded scene to a result.
class Extraction {
 public:
  Extraction(const TaskScene& world, const ExtractOptions& o, const TaskRun& run, bool explains)
      : world_(world), options_(o), run_(run), explains_(explains), rng_(run.seed) {}

  /// False when cancelled.
  Result<bool> go(TaskResult& result) {
    result.task = "extract";
    note_contacts(result);
    const bool has_fits = std::any_of(world_.contacts.begin(), world_.contacts.end(), is_fit);
    if (const Result<void> made = make_rig(has_fits); !made) return made.error();
    if (run_.budget.cancel.requested()) return false;
    problem_.start.resize(rig_->space().size());
    rig_->space().gather(world_.start, problem_.start);
    if (const auto why = explain_end(*rig_, problem_.start, "start", result)) {
      result.reasons = Reasons{.kind = "start", .grade = Grade::proven};
      result.verdict = fmt::format("No motion: the start is not free: {}.", *why);
      return true;
    }
    if (!has_fits) return search(MatX(), result);
    return search_from_fits(result);
  }

 private:
  Result<void> make_rig(bool without_fits) {
    const Scene& scene = world_.scene;
    const Body& part = scene.body(*scene.find_body(options_.part));
    const JointId joints[] = {scene.movers()[static_cast<std::size_t>(part.mover)].joint};
    Surroundings around;
    const ExtractOptions& o = options_;
    if (o.room_low && o.room_high) around.room = AxisBox{*o.room_low, *o.room_high};
    if (o.outside_low && o.outside_high) around.places = {*o.outside_low, *o.outside_high};
    TaskFile file = run_.file;
    if (without_fits)
      for (const StartContact& c : world_.contacts)
        if (c.is_fit) file.collision.allowed.push_back({c.moved, c.other, {}});
    for (const std::string& gone : removed_) {
      file.collision.allowed.push_back({options_.part, gone, {}});
      for (const StartContact& c : world_.contacts)
        if (c.other == gone && !c.is_fit)
          file.collision.allowed.push_back({c.checked_moved, c.checked_other, {}});
    }
    auto rig = PlanningRig::make(world_, file, joints, around, run_.threads, run_.budget.cancel);
    if (!rig) {
      Error error = rig.error();
      if (error.file.empty()) error.file = run_.file.file;
      return error;
    }
    rig_ = std::move(*rig);
    rig_->show_growth(run_.growth);
    return {};
  }

  /// Along the axis of the fits until they are apart, then as without them.
  Result<bool> search_from_fits(TaskResult& result) {
    const std::vector<FitChoice> choices = list_choices();
    if (choices.front().others.empty()) {
      const auto withdrawn = withdraw(find_ends(choices.front()));
      if (withdrawn) {
        if (const Result<void> made = make_rig(false); !made) return made.error();
        return search(*withdrawn, result);
      }
    }
    if (!explains_) return true;
    return explain_fits(choices, result);
  }

  /// An axis to leave fits along, and who must go because it does not lead out of them.
  struct FitChoice {
    std::optional<Vec3> axis;
    std::vector<std::string> others;
  };

  /// The axes of the fits, and none; those that leave the fewest others first.
  [[nodiscard]] std::vector<FitChoice> list_choices() const {
    std::vector<FitChoice> choices{{}};
    for (const StartContact& c : world_.contacts)
      if (c.is_fit && c.axis &&
          std::none_of(choices.begin(), choices.end(),
                       [&](const FitChoice& choice) { return choice.axis == c.axis; }))
        choices.push_back({c.axis, {}});
    for (FitChoice& choice : choices)
      for (const StartContact& c : world_.contacts)
        if (c.is_fit && !(choice.axis && c.axis == choice.axis)) choice.others.push_back(c.other);
    std::stable_sort(choices.begin(), choices.end(), [](const auto& a, const auto& b) {
      return a.others.size() < b.others.size();
    });
    return choices;
  }

  std::vector<VecX> find_ends(const FitChoice& choice) const {
    return choice.axis ? find_withdrawals(world_, rig_->space(), rig_->model(), *choice.axis)
                       : std::vector<VecX>();
  }

  /// Straight to one of these; the search goes on from there.
  std::optional<MatX> withdraw(const std::vector<VecX>& ends) {
    problem_.goals = ends;
    LocalPlanner local(rig_->world());
    std::optional<PlanReport> way = find_straight_way(problem_, local);
    if (!way) return std::nullopt;
    problem_.start = way->path.rightCols(1);
    return std::move(way->path);
  }

  /// No axis leads out of all fits, or others are in the way along it: who must go for a motion to
  /// be there. False when cancelled.
  Result<bool> explain_fits(const std::vector<FitChoice>& choices, TaskResult& result) {
    Reasons reasons{.kind = "fit", .grade = Grade::found_by_search};
    const VecX start = problem_.start;
    for (const FitChoice& choice : choices) {
      problem_.start = start;
      const Result<bool> comes = try_choice(choice, reasons.without);
      if (!comes) return comes.error();
      if (run_.budget.cancel.requested()) return false;
      if (*comes) break;
      reasons.without.clear();
      if (!BudgetMeter(run_.budget).spend(0)) break;
    }
    for (const std::string& name : reasons.without)
      reasons.parts.push_back({name, Grade::found_by_search});
    const bool is_late = reasons.without.empty() && !BudgetMeter(run_.budget).spend(0);
    if (is_late) reasons.kind = "time";
    result.verdict = fmt::format("{}: {}", is_late ? "Out of time" : "No motion found",
                                 say_fits(choices.front()));
    result.verdict += reasons.without.empty()
                          ? "; name in `ignore` what it may go through."
                          : fmt::format("; without {} there is a motion, found and proven.",
                                        list_names(reasons.without));
    result.reasons = std::move(reasons);
    return true;
  }

  /// Whether it comes out along an axis once others are gone, and `without`: all of them.
  Result<bool> try_choice(const FitChoice& choice, std::vector<std::string>& without) {
    removed_ = choice.others;
    if (const Result<void> made = make_rig(true); !made) return made.error();
    std::vector<VecX> ends = find_ends(choice);
    if (choice.axis) {
      if (ends.empty()) return false;
      std::vector<std::string> fewest = list_crossed(problem_.start, ends.front());
      if (ends.size() > 1) {
        std::vector<std::string> other = list_crossed(problem_.start, ends.back());
        if (other.size() < fewest.size()) {
          fewest = std::move(other);
          ends.front() = ends.back();
        }
      }
      ends.resize(1);
      removed_.insert(removed_.end(), fewest.begin(), fewest.end());
    }
    return try_without(ends, without);
  }

  /// "part sits in a (3 mm deep) and crosses b, which share no axis".
  [[nodiscard]] std::string say_fits(const FitChoice& best) const {
    std::vector<std::string> fits;
    for (const StartContact& c : world_.contacts)
      if (c.is_fit)
        fits.push_back(c.depth > 0 ? fmt::format("{} ({} deep)", c.other, format_length(c.depth, 3))
                                   : c.other);
    return fmt::format("{} sits in {}, {}", options_.part, list_names(fits),
                       best.others.empty() ? "and along the axis of the fit something is in the way"
                                           : "and no axis leads out of all of them");
  }

  /// Whether it comes out when removed_ are gone, and `without`: these and who else must go.
  Result<bool> try_without(const std::vector<VecX>& ends, std::vector<std::string>& without) {
    without = removed_;
    if (removed_.empty()) return false;
    if (!ends.empty()) {
      if (const Result<void> made = make_rig(true); !made) return made.error();
      if (!withdraw(ends)) return false;
    }
    if (const Result<void> made = make_rig(false); !made) return made.error();
    const Result<GoalRegion> region = make_region();
    if (!region) return region.error();
    problem_.goals = find_region_goals(*rig_, problem_.start, *region, rng_.split(1)).points;
    if (problem_.goals.empty()) return false;
    SearchRecord record{world_, run_, *rig_, problem_, &*region};
    record.budget = make_search_budget(run_, options_.samples);
    const PlanReport report = find_way(record);
    if (report.status == PlanStatus::found) return true;
    TaskResult trial;
    if (explain_failure(record, report, rng_.split(3), trial)) return true;
    if (!trial.reasons || trial.reasons->without.empty()) return false;
    without.insert(without.end(), trial.reasons->without.begin(), trial.reasons->without.end());
    return true;
  }

  /// Parts that a straight path meets, looked at in steps.
  std::vector<std::string> list_crossed(const VecX& from, const VecX& to) const {
    constexpr int kSteps = 64;
    const PlanningSpace& space = rig_->space();
    Workspace workspace(world_.scene);
    CollisionWorkspace memory(rig_->model());
    DepthOptions only_who;
    only_who.max_points = 1;
    std::vector<std::string> names;
    VecX x(space.size()), q(world_.scene.nq());
    for (int k = 0; k <= kSteps; ++k) {
      space.interpolate(from, to, Course::straight, static_cast<double>(k) / kSteps, x);
      static_cast<void>(space.complete(x, q, workspace));
      compute_kinematics(world_.scene, q, workspace);
      for (const PairClearance& pair :
           find_collisions(rig_->model(), workspace, memory, only_who)) {
        const bool is_a = is_moved(world_.scene.body(pair.a).name);
        if (is_a == is_moved(world_.scene.body(pair.b).name)) continue;
        const std::string name = name_part(world_.scene, is_a ? pair.b : pair.a);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    return names;
  }

  Result<GoalRegion> make_region() const {
    GoalRegion region;
    if (options_.outside_low && options_.outside_high)
      region.box = {*options_.outside_low, *options_.outside_high};
    else
      region.box = measure_box(*rig_, world_.start, false);
    if (options_.direction) region.direction = options_.direction->normalized();
    region.axes = list_axes(world_, options_.part);
    const AxisBox part = measure_box(*rig_, world_.start, true);
    if (region.box.empty() || part.empty())
      return Diagnostic{.code = "extract.nothing_there",
                        .message = part.empty() ? "the part has no shape that could collide"
                                                : "there is nothing but the part",
                        .file = run_.file.file,
                        .element = kElement,
                        .remedy = "add the parts around it, or name one of the assembly's"};
    if (!region.direction && compute_gap(region.box, part) > 0)
      return Diagnostic{.code = "extract.out_already",
                        .message = "the part is outside at the start",
                        .file = run_.file.file,
                        .element = kElement,
                        .remedy = "give a larger box in `outside`, or a `direction`"};
    return region;
  }

  /// Contacts that are taken as given, the deepest first.
  void note_contacts(TaskResult& result) const {
    std::vector<std::string> seats, fits;
    for (const StartContact& c : world_.contacts) {
      if (c.is_fit)
        fits.push_back(c.depth > 0 ? fmt::format("{} ({})", c.other, format_length(c.depth, 3))
                                   : c.other);
      else
        seats.push_back(fmt::format("{} ({} deep, no deeper than {} on the way)", c.other,
                                    format_length(c.depth, 3), format_length(c.bound, 3)));
    }
    if (!seats.empty())
      result.notes.push_back(
          {.code = "extract.contact",
           .message = fmt::format("{} touches {} at the start", options_.part, list_names(seats))});
    if (!fits.empty())
      result.notes.push_back(
          {.code = "extract.fit",
           .message = fmt::format("{} sits deep in {}: it leaves along the axis of the fit",
                                  options_.part, list_names(fits))});
  }

  /// From problem_.start on; `before` leads there from where the part is.
  Result<bool> search(const MatX& before, TaskResult& result) {
    const Result<GoalRegion> region = make_region();
    if (!region) return region.error();
    const Goals goals = find_region_goals(*rig_, problem_.start, *region, rng_.split(1));
    if (goals.points.empty()) {
      result.reasons = goals.reasons;
      result.verdict = fmt::format("No motion: {}.", goals.reason);
      return true;
    }
    problem_.goals = goals.points;
    SearchRecord record{world_, run_, *rig_, problem_, &*region};
    record.budget = make_search_budget(run_, options_.samples);
    PlanReport report = find_way(record);
    if (report.status == PlanStatus::cancelled) return false;
    add_search_figures(report, result);
    if (report.status != PlanStatus::found && !explains_) return true;
    if (report.status != PlanStatus::found) {
      auto way = explain_failure(record, report, rng_.split(3), result);
      if (run_.budget.cancel.requested()) return false;
      if (!way) return true;
      report.path = std::move(*way);
    }
    put_before(before, report.path);
    const Result<bool> taken =
        take_motion(world_, run_, *rig_, report, {options_.speed, false}, result);
    if (taken && *taken && result.found) {
      say_found(result);
      if (options_.swept) add_swept(world_.scene, rig_->space(), result);
    }
    return taken;
  }

  /// Two paths one behind the other; the second begins where the first ends.
  static void put_before(const MatX& first, MatX& path) {
    if (first.cols() == 0) return;
    MatX both(path.rows(), first.cols() + path.cols() - 1);
    both << first, path.rightCols(path.cols() - 1);
    path = std::move(both);
  }

  PlanReport find_way(SearchRecord& record) {
    PlanOptions options;
    options.is_hopeless = [&] { return record.prove(); };
    options.threads = run_.threads;
    options.shorten.is_on = options_.shorten;
    const PlanningWorld world = rig_->world();
    LocalPlanner local(world);
    if (auto straight = find_straight_way(problem_, local)) return *straight;
    if (options_.samples == 0) return {};
    return plan(world, problem_, options, record.budget, rng_.split(2), run_.progress);
  }

  /// How much of the way lies before a moment, in the space's metric.
  [[nodiscard]] double measure_share(const JointMotion& motion, double time) const {
    const PlanningSpace& space = rig_->space();
    VecX a(space.size()), b(space.size()), q(motion.q.rows());
    double before = 0, all = 0;
    for (std::size_t k = 1; k < motion.times.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      space.gather(motion.q.col(column - 1), a);
      space.gather(motion.q.col(column), b);
      const double leg = space.distance(a, b);
      const double t0 = motion.times[k - 1], t1 = motion.times[k];
      before += leg * std::clamp((time - t0) / std::max(t1 - t0, 1e-12), 0.0, 1.0);
      all += leg;
    }
    return all > 0 ? before / all : 0;
  }

  void say_found(TaskResult& result) const {
    std::string text = fmt::format("Yes: {} comes out in one motion of {}, proven free",
                                   options_.part, format_duration(result.motion.times.back(), 3));
    if (const auto& place = result.certificate->tightest) {
      const double share = measure_share(result.motion, place->at);
      result.figures.push_back({"tightest_clearance", place->distance, "m"});
      result.figures.push_back({"tightest_share", share, "1"});
      const std::string& beside = is_moved(place->a) ? place->b : place->a;
      text += fmt::format("; tightest place {} at {} after {:.0f} % of the way",
                          format_length(place->distance, 3), beside, 100 * share);
    }
    result.verdict = text + say_contacts() + ".";
  }

  /// "; it leaves its seat ...".
  [[nodiscard]] std::string say_contacts() const {
    std::vector<std::string> seats, fits;
    double deepest = 0;
    for (const StartContact& c : world_.contacts) {
      (c.is_fit ? fits : seats).push_back(c.other);
      if (!c.is_fit) deepest = std::max(deepest, c.bound);
    }
    std::string text;
    if (!fits.empty())
      text += fmt::format("; it leaves its fit in {} along the axis", list_names(fits));
    if (!seats.empty())
      text += fmt::format("; it touches {} at the start, and comes no deeper than {}",
                          list_names(seats), format_length(deepest, 3));
    return text;
  }

  [[nodiscard]] bool is_moved(const std::string& body) const {
    const Scene& scene = world_.scene;
    const std::optional<BodyId> id = scene.find_body(body);
    return id && scene.body(*id).mover == scene.body(*scene.find_body(options_.part)).mover;
  }

  const TaskScene& world_;
  const ExtractOptions& options_;
  const TaskRun& run_;
  bool explains_;
  Rng rng_;
  std::unique_ptr<PlanningRig> rig_;
  PlanningProblem problem_;
  std::vector<std::string> removed_;  ///< taken as gone while looking for reasons
};

}  // namespace

Result<TaskScene> loosen_part(const TaskScene& world, const ExtractOptions& o, const TaskRun& run) {
  const auto place_error = [&](Error error) {
    if (error.file.empty()) error.file = run.file.file;
    return error;
  };
  Result<TaskScene> loose = loosen(world, {o.part, o.carries, o.ignore}, kElement);
  if (!loose) return place_error(loose.error());
  const Scene& scene = loose->scene;
  std::vector<std::string> moved;
  for (const BodyId body : scene.actor(*scene.find_actor(o.part)).bodies)
    moved.push_back(scene.body(body).name);
  Result<TaskScene> taken = take_start_contacts(std::move(*loose), moved, run.file.collision,
                                                {o.tolerance, run.threads, run.budget.cancel});
  if (!taken) return place_error(taken.error());
  return taken;
}

Result<bool> extract_part(const TaskScene& loose, const ExtractOptions& options, const TaskRun& run,
                          TaskResult& result, bool explains) {
  return Extraction(loose, options, run, explains).go(result);
}

}  // namespace geste::internal
