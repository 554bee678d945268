#include "geste/tasks/extract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/geometry/feature_axes.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/straight.hpp"
#include "geste/tasks/internal/found_motion.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/loose_part.hpp"
#include "geste/tasks/internal/reasons.hpp"
#include "geste/tasks/internal/start_contacts.hpp"
#include "geste/tasks/internal/swept.hpp"
#include "geste/tasks/internal/withdrawal.hpp"

namespace geste {
namespace {

using internal::PlanningRig;

constexpr const char* kElement = "task, extract";

/// The part on a free joint, with all its contacts at the start taken as given.
Result<TaskScene> loosen_part(const TaskScene& world, const ExtractOptions& o,
                              const TaskRun& run) {
  const auto place_error = [&](Error error) {
    if (error.file.empty()) error.file = run.file.file;
    return error;
  };
  Result<TaskScene> loose = internal::loosen(world, {o.part, o.carries, o.ignore}, kElement);
  if (!loose) return place_error(loose.error());
  const Scene& scene = loose->scene;
  std::vector<std::string> moved;
  for (const BodyId body : scene.actor(*scene.find_actor(o.part)).bodies)
    moved.push_back(scene.body(body).name);
  Result<TaskScene> taken = internal::take_start_contacts(
      std::move(*loose), moved, run.file.collision,
      {o.tolerance, run.threads, run.budget.cancel});
  if (!taken) return place_error(taken.error());
  return taken;
}

bool is_fit(const StartContact& contact) { return contact.is_fit; }

/// One extraction, from the loaded scene to a result.
class Extraction {
 public:
  Extraction(const TaskScene& world, const ExtractOptions& o, const TaskRun& run)
      : world_(world), options_(o), run_(run), rng_(run.seed) {}

  /// False when cancelled.
  Result<bool> go(TaskResult& result) {
    result.task = "extract";
    note_contacts(result);
    const bool has_fits =
        std::any_of(world_.contacts.begin(), world_.contacts.end(), is_fit);
    if (const Result<void> made = make_rig(has_fits); !made) return made.error();
    if (run_.budget.cancel.requested()) return false;
    problem_.start.resize(rig_->space().size());
    rig_->space().gather(world_.start, problem_.start);
    if (const auto why = internal::explain_end(*rig_, problem_.start, "start", result)) {
      result.reasons = Reasons{.kind = "start"};
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
    internal::Surroundings around;
    const ExtractOptions& o = options_;
    if (o.room_low && o.room_high) around.room = AxisBox{*o.room_low, *o.room_high};
    if (o.outside_low && o.outside_high) around.places = {*o.outside_low, *o.outside_high};
    TaskFile file = run_.file;
    if (without_fits)
      for (const StartContact& c : world_.contacts)
        if (c.is_fit) file.collision.allowed.push_back({c.moved, c.other, {}});
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
    const internal::Withdrawal out =
        internal::find_withdrawal(world_, rig_->space(), rig_->model());
    if (out.ends.empty()) {
      result.reasons = Reasons{.kind = "start"};
      result.verdict = fmt::format(
          "No motion: {}; name in `ignore` what it may go through.", out.reason);
      return true;
    }
    problem_.goals = out.ends;
    LocalPlanner local(rig_->world());
    const std::optional<PlanReport> withdrawn = find_straight_way(problem_, local);
    if (!withdrawn) {
      PlanReport failed;
      failed.stops.resize(rig_->model().objects().size());
      static_cast<void>(internal::explain_failure(
          {world_, run_, *rig_, problem_, failed, nullptr, 0}, rng_.split(3), result));
      return !run_.budget.cancel.requested();
    }
    problem_.start = withdrawn->path.rightCols(1);
    if (const Result<void> made = make_rig(false); !made) return made.error();
    return search(withdrawn->path, result);
  }

  Result<internal::GoalRegion> make_region() const {
    internal::GoalRegion region;
    if (options_.outside_low && options_.outside_high)
      region.box = {*options_.outside_low, *options_.outside_high};
    else
      region.box = internal::measure_box(*rig_, world_.start, false);
    if (options_.direction) region.direction = options_.direction->normalized();
    region.axes = list_axes();
    const AxisBox part = internal::measure_box(*rig_, world_.start, true);
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

  /// Directions that the part and what it touches were made along.
  [[nodiscard]] std::vector<Vec3> list_axes() const {
    const Scene& scene = world_.scene;
    Workspace workspace(scene);
    compute_kinematics(scene, world_.start, workspace);
    const AxisBox part = internal::measure_box(*rig_, world_.start, true);
    const AxisBox around = inflate(part, 0.05 * part.size().norm());
    std::vector<Vec3> axes;
    const auto add = [&](const std::string& body) {
      for (std::size_t g = 0; g < scene.geometry().size(); ++g) {
        const Geometry& geometry = scene.geometry()[g];
        if (!geometry.collision || scene.body(geometry.body).name != body) continue;
        const Pose X_WG = compute_geometry_pose(scene, workspace, static_cast<int>(g));
        for (const FeatureAxis& axis : find_feature_axes(geometry.shape, X_WG, around))
          axes.push_back(axis.direction);
      }
    };
    add(options_.part);
    for (const StartContact& c : world_.contacts) add(c.other);
    return axes;
  }

  /// Contacts that are taken as given, the deepest first.
  void note_contacts(TaskResult& result) const {
    std::vector<std::string> seats, fits;
    for (const StartContact& c : world_.contacts) {
      if (c.is_fit)
        fits.push_back(fmt::format("{} ({:.3g} mm)", c.other, 1e3 * c.depth));
      else
        seats.push_back(fmt::format("{} ({:.3g} mm deep, no deeper than {:.3g} mm on the way)",
                                    c.other, 1e3 * c.depth, 1e3 * c.bound));
    }
    if (!seats.empty())
      result.notes.push_back({.code = "extract.contact",
                              .message = fmt::format("{} touches {} at the start", options_.part,
                                                     internal::list_names(seats))});
    if (!fits.empty())
      result.notes.push_back(
          {.code = "extract.fit",
           .message = fmt::format("{} sits deep in {}: it leaves along the axis of the fit",
                                  options_.part, internal::list_names(fits))});
  }

  /// From problem_.start on; `before` leads there from where the part is.
  Result<bool> search(const MatX& before, TaskResult& result) {
    const Result<internal::GoalRegion> region = make_region();
    if (!region) return region.error();
    const internal::Goals goals =
        internal::find_region_goals(*rig_, problem_.start, *region, rng_.split(1));
    if (goals.points.empty()) {
      result.reasons = Reasons{.kind = "goal"};
      result.verdict = fmt::format("No motion: {}.", goals.reason);
      return true;
    }
    problem_.goals = goals.points;
    PlanReport report = find_way();
    if (report.status == PlanStatus::cancelled) return false;
    internal::add_search_figures(report, result);
    if (report.status != PlanStatus::found) {
      auto way = internal::explain_failure(
          {world_, run_, *rig_, problem_, report, &*region, 0}, rng_.split(3), result);
      if (run_.budget.cancel.requested()) return false;
      if (!way) return true;
      report.path = std::move(*way);
    }
    put_before(before, report.path);
    const Result<bool> taken =
        internal::take_motion(world_, run_, *rig_, report, {options_.speed, false}, result);
    if (taken && *taken && result.found) {
      say_found(result);
      if (options_.swept) internal::add_swept(world_.scene, rig_->space(), result);
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

  PlanReport find_way() {
    PlanOptions options;
    options.threads = run_.threads;
    options.shorten.is_on = options_.shorten;
    const PlanningWorld world = rig_->world();
    LocalPlanner local(world);
    if (auto straight = find_straight_way(problem_, local)) return *straight;
    Budget budget = run_.budget;
    budget.max_steps = std::min(budget.max_steps, static_cast<std::uint64_t>(options_.samples));
    return plan(world, problem_, options, budget, rng_.split(2), run_.progress);
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
    std::string text = fmt::format("Yes: {} comes out in one motion of {:.3g} s, proven free",
                                   options_.part, result.motion.times.back());
    if (const auto& place = result.certificate->tightest) {
      const double share = measure_share(result.motion, place->at);
      result.figures.push_back({"tightest_clearance", place->distance, "m"});
      result.figures.push_back({"tightest_share", share, "1"});
      const std::string& beside = is_moved(place->a) ? place->b : place->a;
      text += fmt::format("; tightest place {:.3g} mm at {} after {:.0f} % of the way",
                          1e3 * place->distance, beside, 100 * share);
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
      text += fmt::format("; it leaves its fit in {} along the axis", internal::list_names(fits));
    if (!seats.empty())
      text += fmt::format("; it touches {} at the start, and comes no deeper than {:.3g} mm",
                          internal::list_names(seats), 1e3 * deepest);
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
  Rng rng_;
  std::unique_ptr<PlanningRig> rig_;
  PlanningProblem problem_;
};

}  // namespace

std::vector<Diagnostic> ExtractOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto need = [&](bool holds, const char* what, const char* remedy) {
    if (!holds) found.push_back({"extract.options", what, "", 0, 0, kElement, remedy});
  };
  const auto need_box = [&](const std::optional<Vec3>& low, const std::optional<Vec3>& high,
                            const char* what) {
    need(low.has_value() == high.has_value() && (!low || (low->array() < high->array()).all()),
         what, "give `low` and `high`, every entry of `low` below that of `high`");
  };
  need(tolerance >= 0 && tolerance <= 0.1, "the tolerance is not between 0 and 100 mm",
       "correct the value");
  need_box(outside_low, outside_high, "the box of `outside` is empty or lacks a corner");
  need_box(room_low, room_high, "the room is empty or lacks a corner");
  need(!direction || direction->norm() > 0, "the direction has no length", "give [0, 0, 1], say");
  need(speed >= 0.001 && speed <= 1, "the speed is not a share between 0.001 and 1",
       "correct the value");
  return found;
}

void Extract::describe(FieldVisitor& v) {
  ExtractOptions& o = options_;
  v.text({"part", "what to take out: a part, or one of an assembly as part/instance", true},
         o.part);
  v.texts({"carries", "parts that come along; * stands for any letters"}, o.carries);
  v.texts({"ignore", "parts that it may go through, as screws in threads; * as above"}, o.ignore);
  v.number({"tolerance", "how much deeper than at the start parts may come that it touches there"},
           o.tolerance, Dimension::length);
  internal::describe_corners(
      v, {"outside", "the box it must leave whole; left out: that of all other parts"},
      o.outside_low, o.outside_high);
  Vec3 direction = o.direction.value_or(Vec3::Zero());
  v.vector({"direction", "the side on which it must come out; left out: any"}, direction,
           Dimension::none);
  if (v.has("direction")) o.direction = direction;
  internal::describe_corners(v, {"room", "where its middle may be; left out: around everything"},
                             o.room_low, o.room_high);
  v.integer({"samples", "to search with at most"}, o.samples, 1);
  v.number({"speed", "share of the speed limits"}, o.speed, Dimension::none);
  v.boolean({"shorten", "make the motion shorter than it was found"}, o.shorten);
  v.boolean({"swept", "write the space that is passed through to swept.stl"}, o.swept);
}

Result<TaskScene> Extract::load_scene(const TaskRun& run) {
  if (auto found = options_.faults(); !found.empty()) {
    Error error = make_error(std::move(found));
    error.file = run.file.file;
    return error;
  }
  const Result<TaskScene> loaded = Task::load_scene(run);
  if (!loaded) return loaded.error();
  return loosen_part(*loaded, options_, run);
}

Result<TaskOutcome> Extract::run(const TaskRun& run) {
  Result<TaskScene> world = load_scene(run);
  if (!world) return world.error();
  TaskResult result;
  const Result<bool> done = Extraction(*world, options_, run).go(result);
  if (!done) return done.error();
  if (!*done) return internal::explain_cancel(run);
  return internal::make_outcome(run, std::move(*world), std::move(result));
}

}  // namespace geste
