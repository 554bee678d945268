#include "geste/tasks/extract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/thin_shape.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/straight.hpp"
#include "geste/tasks/internal/found_motion.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/loose_part.hpp"
#include "geste/tasks/internal/reasons.hpp"
#include "geste/tasks/internal/swept.hpp"

namespace geste {
namespace {

using internal::PlanningRig;

constexpr const char* kElement = "task, extract";

Result<TaskScene> loosen_part(const TaskScene& world, const ExtractOptions& o, double thinner,
                              const TaskFile& file) {
  Result<TaskScene> loose =
      internal::loosen(world, {o.part, o.carries, o.ignore, thinner}, kElement);
  if (loose) return loose;
  Error error = loose.error();
  if (error.file.empty()) error.file = file.file;
  return error;
}

/// Where a motion is tightest.
struct TightPlace {
  double distance = kInfinity;  ///< m
  double at = 0;                ///< s
  BodyId a, b;
};

/// The part as it is drawn, beside the thinner one that is planned with.
class WholePart {
 public:
  WholePart(const TaskScene& world, const PlanningRig& rig, CollisionOptions options)
      : scene_(world.scene), workspace_(world.scene) {
    // Seats of CAD parts touch or nearly do.
    constexpr double kTouch = 10e-6;
    CollisionOptions touching = options;
    touching.margin = kTouch;
    touching.margins.clear();
    model_.emplace(CollisionModel::make(scene_, touching, &rig.model()).value());
    memory_.emplace(*model_);
    compute_kinematics(scene_, world.start, workspace_);
    contacts_ = find_collisions(*model_, workspace_, *memory_);
    // What lies in its seat is near all the way out: the others tell more.
    for (const PairClearance& pair : contacts_)
      options.allowed.push_back({scene_.body(pair.a).name, scene_.body(pair.b).name, {}});
    CollisionModel others = CollisionModel::make(scene_, options, &*model_).value();
    model_ = std::move(others);
    memory_.emplace(*model_);
  }

  /// What it touches at the start, the deepest first.
  [[nodiscard]] const std::vector<PairClearance>& contacts() const { return contacts_; }

  /// Measured at moments, more of them where it is tightest; beside what it does not touch at the
  /// start.
  TightPlace find_tightest(const JointMotion& motion) {
    constexpr int kMoments = 200, kRounds = 4;
    TightPlace best;
    double begin = motion.times.front(), end = motion.times.back();
    for (int round = 0; round < kRounds; ++round) {
      const double step = (end - begin) / kMoments;
      for (int i = 0; i <= kMoments; ++i) look(motion, begin + i * step, best);
      begin = std::max(motion.times.front(), best.at - step);
      end = std::min(motion.times.back(), best.at + step);
    }
    return best;
  }

 private:
  void look(const JointMotion& motion, double time, TightPlace& best) {
    VecX q(scene_.nq());
    interpolate(scene_, motion, time, q);
    compute_kinematics(scene_, q, workspace_);
    const auto pair = find_nearest_pair(*model_, workspace_, *memory_, best.distance);
    if (pair) best = {pair->separation.distance, time, pair->a, pair->b};
  }

  const Scene& scene_;
  Workspace workspace_;
  std::optional<CollisionModel> model_;
  std::optional<CollisionWorkspace> memory_;
  std::vector<PairClearance> contacts_;
};

/// One extraction, from the loaded scene to a result.
class Extraction {
 public:
  Extraction(const TaskScene& world, const TaskScene& whole, const ExtractOptions& o,
             const TaskRun& run)
      : world_(world), whole_world_(whole), options_(o), run_(run), rng_(run.seed) {}

  /// False when cancelled.
  Result<bool> go(TaskResult& result) {
    result.task = "extract";
    result.figures.push_back({"tolerance", options_.tolerance, "m"});
    if (const Result<void> made = make_rig(); !made) return made.error();
    if (run_.budget.cancel.requested()) return false;
    WholePart whole(
        whole_world_, *rig_,
        internal::make_planning_options(whole_world_, run_.file, run_.threads, run_.budget.cancel));
    problem_.start.resize(rig_->space().size());
    rig_->space().gather(world_.start, problem_.start);
    if (const auto why = internal::explain_end(*rig_, problem_.start, "start", result)) {
      result.reasons = Reasons{.kind = "start", .grade = Grade::proven};
      result.verdict = say_overlap(*why, result);
      return true;
    }
    note_contacts(whole.contacts(), result);
    const Result<internal::GoalRegion> region = make_region();
    if (!region) return region.error();
    const internal::Goals goals =
        internal::find_region_goals(*rig_, problem_.start, *region, rng_.split(1));
    if (goals.points.empty()) {
      result.reasons = goals.reasons;
      result.verdict = fmt::format("No motion: {}.", goals.reason);
      return true;
    }
    problem_.goals = goals.points;
    return search(*region, whole, result);
  }

 private:
  Result<void> make_rig() {
    const Scene& scene = world_.scene;
    const Body& part = scene.body(*scene.find_body(options_.part));
    const JointId joints[] = {scene.movers()[static_cast<std::size_t>(part.mover)].joint};
    internal::Surroundings around;
    const ExtractOptions& o = options_;
    if (o.room_low && o.room_high) around.room = AxisBox{*o.room_low, *o.room_high};
    if (o.outside_low && o.outside_high) around.places = {*o.outside_low, *o.outside_high};
    auto rig =
        PlanningRig::make(world_, run_.file, joints, around, run_.threads, run_.budget.cancel);
    if (!rig) {
      Error error = rig.error();
      if (error.file.empty()) error.file = run_.file.file;
      return error;
    }
    rig_ = std::move(*rig);
    rig_->show_growth(run_.growth);
    return {};
  }

  Result<internal::GoalRegion> make_region() const {
    internal::GoalRegion region;
    if (options_.outside_low && options_.outside_high)
      region.box = {*options_.outside_low, *options_.outside_high};
    else
      region.box = internal::measure_box(*rig_, world_.start, false);
    if (options_.direction) region.direction = options_.direction->normalized();
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

  /// What it touches where it begins is the usual case in CAD; how to go on is said.
  [[nodiscard]] std::string say_overlap(const std::string& why, const TaskResult& result) const {
    double deepest = 0;
    for (const Collision& c : result.collisions) deepest = std::max(deepest, c.depth);
    std::string text = fmt::format("No motion: the start is not free: {}", why);
    if (deepest <= 0) return text + ".";
    // With some play, to two digits.
    const double wanted = 1.1e3 * (options_.tolerance + deepest) + 0.01;
    const double digit = std::pow(10, std::floor(std::log10(wanted)) - 1);
    return text + fmt::format(
                      "; should it count as fitting, give `tolerance: {} mm`, or name in "
                      "`ignore` what it may go through.",
                      format_number(digit * std::ceil(wanted / digit)));
  }

  void note_contacts(const std::vector<PairClearance>& contacts, TaskResult& result) const {
    const Scene& scene = whole_world_.scene;
    for (const PairClearance& pair : contacts) {
      result.notes.push_back(
          {.code = "extract.contact",
           .message =
               fmt::format("{} and {} touch at the start, {} deep, within the tolerance of {}",
                           scene.body(pair.a).name, scene.body(pair.b).name,
                           format_length(std::max(0.0, -pair.separation.distance), 2),
                           format_length(options_.tolerance, 3))});
    }
  }

  Result<bool> search(const internal::GoalRegion& region, WholePart& whole, TaskResult& result) {
    internal::SearchRecord record{world_, run_, *rig_, problem_, &region, options_.tolerance};
    record.budget = internal::make_search_budget(run_, options_.samples);
    PlanReport report = find_way(record);
    if (report.status == PlanStatus::cancelled) return false;
    internal::add_search_figures(report, result);
    if (report.status != PlanStatus::found) {
      auto way = internal::explain_failure(record, report, rng_.split(3), result);
      if (run_.budget.cancel.requested()) return false;
      if (!way) return true;
      report.path = std::move(*way);
    }
    const Result<bool> taken =
        internal::take_motion(world_, run_, *rig_, report, {options_.speed, false}, result);
    if (taken && *taken && result.found) {
      say_found(whole, result);
      if (options_.swept) internal::add_swept(whole_world_.scene, rig_->space(), result);
    }
    return taken;
  }

  PlanReport find_way(internal::SearchRecord& record) {
    PlanOptions options;
    options.is_hopeless = [&] { return record.prove(); };
    options.threads = run_.threads;
    options.shorten.is_on = options_.shorten;
    const PlanningWorld world = rig_->world();
    LocalPlanner local(world);
    if (auto straight = find_straight_way(problem_, local)) return *straight;
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

  void say_found(WholePart& whole, TaskResult& result) const {
    std::string text = fmt::format("Yes: {} comes out in one motion of {}, proven free",
                                   options_.part, format_duration(result.motion.times.back(), 3));
    const TightPlace place = whole.find_tightest(result.motion);
    if (place.distance < kInfinity) {
      const Scene& scene = whole_world_.scene;
      const double share = measure_share(result.motion, place.at);
      result.figures.push_back({"tightest_clearance", place.distance, "m"});
      result.figures.push_back({"tightest_share", share, "1"});
      const bool is_a_moved = scene.body(place.a).mover == scene.body(part_of(scene)).mover;
      text += fmt::format("; tightest place {} at {} after {:.0f} % of the way",
                          format_length(place.distance, 3),
                          scene.body(is_a_moved ? place.b : place.a).name, 100 * share);
    }
    if (!whole.contacts().empty()) text += say_contacts(whole.contacts());
    result.verdict = text + ".";
  }

  /// "; it slides along its seat, ...".
  [[nodiscard]] std::string say_contacts(const std::vector<PairClearance>& contacts) const {
    const Scene& scene = whole_world_.scene;
    const int moved = scene.body(part_of(scene)).mover;
    std::vector<std::string> names;
    for (const PairClearance& pair : contacts)
      names.push_back(scene.body(scene.body(pair.a).mover == moved ? pair.b : pair.a).name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return fmt::format("; it leaves {}, which it touches at the start, no deeper than {}",
                       internal::list_names(names),
                       format_length(kThinReach * options_.tolerance, 3));
  }

  [[nodiscard]] BodyId part_of(const Scene& scene) const { return *scene.find_body(options_.part); }

  const TaskScene& world_;
  const TaskScene& whole_world_;
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
  v.number({"tolerance", "contacts that are no deeper do not count"}, o.tolerance,
           Dimension::length);
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

Result<TaskScene> Extract::load_file(const TaskRun& run) {
  if (auto found = options_.faults(); !found.empty()) {
    Error error = make_error(std::move(found));
    error.file = run.file.file;
    return error;
  }
  return Task::load_scene(run);
}

Result<TaskScene> Extract::load_scene(const TaskRun& run) {
  const Result<TaskScene> loaded = load_file(run);
  if (!loaded) return loaded.error();
  return loosen_part(*loaded, options_, options_.tolerance, run.file);
}

Result<TaskOutcome> Extract::run(const TaskRun& run) {
  const Result<TaskScene> loaded = load_file(run);
  if (!loaded) return loaded.error();
  Result<TaskScene> world = loosen_part(*loaded, options_, options_.tolerance, run.file);
  if (!world) return world.error();
  // The same once more as it is drawn: figures are of the true shapes.
  const Result<TaskScene> whole = loosen_part(*loaded, options_, 0, run.file);
  if (!whole) return whole.error();
  TaskResult result;
  const Result<bool> done = Extraction(*world, *whole, options_, run).go(result);
  if (!done) return done.error();
  if (!*done) return internal::explain_cancel(run);
  return internal::make_outcome(run, std::move(*world), std::move(result));
}

}  // namespace geste
