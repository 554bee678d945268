#include "geste/tasks/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/files.hpp"
#include "geste/core/quantity.hpp"
#include "geste/core/sha256.hpp"
#include "geste/formats/motion_csv.hpp"
#include "geste/formats/result_reader.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/model/configuration.hpp"
#include "geste/proximity/verify_motion.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/facts.hpp"
#include "geste/tasks/internal/start_contacts.hpp"
#include "geste/tasks/task.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using internal::Facts;

Diagnostic make_changed(const std::string& file, const std::string& element) {
  return {.code = "verify.input_changed",
          .message = "is not the file that the result was made from",
          .file = file,
          .element = element,
          .remedy = "run the task again, or bring the former file back"};
}

Result<StoredResult> load_stored(const fs::path& folder) {
  const fs::path path = folder / "result.json";
  Result<StoredResult> stored = load_result_json(path);
  if (!stored) {
    Error error = stored.error();
    if (!fs::exists(path)) error.remedy = "give the folder that `geste run --out` wrote";
    return error;
  }
  if (!stored->found) {
    return Diagnostic{.code = "verify.no_motion",
                      .message = "the result has no motion to verify",
                      .file = path.string(),
                      .remedy = "verify the folder of a task that found one"};
  }
  return stored;
}

Result<LoadedTask> load_recorded_task(const fs::path& folder, const StoredResult& stored,
                                      const fs::path& given) {
  const std::string result_file = (folder / "result.json").string();
  if (given.empty() && stored.task_file.file.empty()) {
    return Diagnostic{.code = "verify.no_task_file",
                      .message = "does not say which task file it was made from",
                      .file = result_file,
                      .remedy = "run the task again, or name the file with --task"};
  }
  const fs::path path = given.empty() ? (folder / stored.task_file.file).lexically_normal() : given;
  if (given.empty() && !fs::exists(path)) {
    return Diagnostic{
        .code = "verify.task_missing",
        .message = fmt::format("its task file is not at '{}'", path.generic_string()),
        .file = result_file,
        .remedy = "move the result together with its scene, or name the file with --task"};
  }
  Result<LoadedTask> task = load_task(path);
  if (task && !stored.task_file.file.empty() && task->file.sha256 != stored.task_file.sha256)
    return make_changed(path.string(), "");
  return task;
}

Result<TaskScene> load_world(const LoadedTask& loaded, int threads, ProgressSink& progress,
                             const CancelToken& cancel) {
  if (!loaded.task) return load_task_scene(loaded.file, progress, cancel);
  Budget budget;
  budget.cancel = cancel;
  return loaded.task->load_scene(
      {.file = loaded.file, .threads = threads, .budget = budget, .progress = progress});
}

/// Files of the scene by what was loaded, others (a recording) by looking them up.
Result<void> check_inputs(const StoredResult& stored, const TaskFile& task,
                          const TaskScene& world) {
  SearchPath search_path;
  for (const std::string& f : task.search_path) search_path.folders.push_back(task.folder / f);
  for (const InputFile& input : stored.inputs) {
    const auto same_name = [&](const InputFile& i) { return i.file == input.file; };
    const auto found = std::find_if(world.inputs.begin(), world.inputs.end(), same_name);
    std::string sha256 = found == world.inputs.end() ? "" : found->sha256;
    if (sha256.empty()) {
      const FileSearch search = find_file(input.file, task.folder, search_path);
      if (!search.found) {
        Diagnostic missing = make_not_found("verify.input_missing", "input", input.file, search);
        missing.file = task.file;
        return missing;
      }
      const Result<std::string> bytes = load_file(*search.found);
      if (!bytes) return bytes.error();
      sha256 = compute_sha256(*bytes);
    }
    if (sha256 != input.sha256)
      return make_changed(task.file, fmt::format("input '{}'", input.file));
  }
  return {};
}

Result<JointMotion> load_motion(const fs::path& folder, const StoredResult& stored,
                                const TaskScene& world) {
  const fs::path path = folder / "motion.csv";
  Result<JointMotion> motion = load_motion_csv(path, world.scene, world.start);
  if (!motion) return motion;
  if (motion->times.size() != stored.frames) {
    return Diagnostic{.code = "verify.frames",
                      .message = fmt::format("has {} rows, result.json says {}",
                                             motion->times.size(), stored.frames),
                      .file = path.string(),
                      .remedy = "take both files of one result"};
  }
  motion->course = stored.course;
  return motion;
}

std::optional<Note> find_broken_limit(const Scene& scene, const JointMotion& motion,
                                      const std::string& file) {
  LimitViolation worst;
  double at = 0;
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    const LimitViolation found =
        find_limit_violation(scene, motion.q.col(static_cast<Eigen::Index>(i)));
    if (found.excess <= worst.excess) continue;
    worst = found;
    at = motion.times[i];
  }
  constexpr double kRounding = 1e-9;
  if (!worst.joint.valid() || worst.excess <= kRounding) return std::nullopt;
  return Note{.code = "verify.limit",
              .message = fmt::format("is {} beyond its limits at {}", format_number(worst.excess),
                                     format_duration(at)),
              .file = file,
              .element = fmt::format("joint '{}'", scene.joint(worst.joint).name),
              .remedy = "check the motion or the joint's limits"};
}

/// "3.1 mm", "touching", "2 mm deep".
std::string describe_distance(double distance, double touch) {
  if (distance < -touch) return fmt::format("{} deep", format_length(-distance));
  if (distance <= touch) return "touching";
  return fmt::format("{} apart", format_length(distance));
}

class OutcomeWriter {
 public:
  OutcomeWriter(const Scene& scene, const CollisionModel& model, const JointMotion& motion,
                const VerifyOptions& options, const VerifyReport& report,
                const std::vector<Demand>& demands)
      : scene_(scene),
        model_(model),
        motion_(motion),
        options_(options),
        report_(report),
        demands_(demands) {}

  /// Free, and all that the task asked for.
  [[nodiscard]] bool is_verified() const {
    return report_.is_free &&
           std::all_of(demands_.begin(), demands_.end(), [](const Demand& d) { return d.holds; });
  }

  [[nodiscard]] std::string make_text(const std::string& folder) const {
    const double duration = motion_.times.back() - motion_.times.front();
    const std::string what =
        fmt::format("{} frames over {}, {} pair{} checked", motion_.times.size(),
                    format_duration(duration), count_pairs(), count_pairs() == 1 ? "" : "s");
    if (!report_.is_free)
      return fmt::format("{}: refused ({})\n  {}\n", folder, what, explain_refusal());
    if (!is_verified())
      return fmt::format("{}: refused: free of collisions, but not what was asked for ({})\n{}",
                         folder, what, list_demands());
    std::string text = fmt::format("{}: verified free of collisions ({})\n", folder, what);
    if (report_.a.valid()) {
      text += fmt::format("  nothing comes nearer than {}; nearest: {}\n",
                          format_length(report_.clearance), name_place());
    } else if (std::isfinite(report_.clearance)) {
      text += fmt::format("  nothing comes nearer than {}\n", format_length(report_.clearance));
    }
    if (options_.clearance > 0)
      text +=
          fmt::format("  the claimed clearance of {} holds\n", format_length(options_.clearance));
    return text + list_demands();
  }

  [[nodiscard]] std::string make_json(const std::string& folder) const {
    const auto number = [](double x) { return std::isfinite(x) ? Facts(x) : Facts(nullptr); };
    const auto name = [&](BodyId body) {
      return body.valid() ? Facts(internal::name_part(scene_, body)) : Facts(nullptr);
    };
    const bool placed = report_.a.valid(), is_broken = !report_.broken.empty();
    Facts demands = Facts::array();
    for (const Demand& d : demands_)
      demands.push_back({{"what", d.what}, {"holds", d.holds}, {"how", d.how}});
    const Facts facts = {
        {"folder", folder},
        {"verified", is_verified()},
        {"is_free", report_.is_free},
        {"demands", std::move(demands)},
        {"clearance_m", number(report_.clearance)},
        {"claimed_clearance_m",
         options_.clearance > 0 ? Facts(options_.clearance) : Facts(nullptr)},
        {"touch_m", options_.touch},
        {"a", name(report_.a)},
        {"b", name(report_.b)},
        {"at_s", placed || is_broken ? Facts(report_.at) : Facts(nullptr)},
        {"broken", is_broken ? Facts(report_.broken) : Facts(nullptr)},
        {"point",
         placed ? Facts{report_.point.x(), report_.point.y(), report_.point.z()} : Facts(nullptr)},
        {"frames", motion_.times.size()},
        {"course", to_string(motion_.course)},
        {"checked_pairs", count_pairs()},
        {"distances", report_.queries}};
    return facts.dump(2, ' ', false, Facts::error_handler_t::replace) + "\n";
  }

 private:
  [[nodiscard]] std::string name_place() const {
    return fmt::format("{} - {} at {}, at {:.4f} {:.4f} {:.4f} m",
                       internal::name_part(scene_, report_.a),
                       internal::name_part(scene_, report_.b), format_duration(report_.at),
                       report_.point.x(), report_.point.y(), report_.point.z());
  }

  [[nodiscard]] std::string list_demands() const {
    std::string text;
    for (const Demand& d : demands_)
      text += fmt::format("  {}{}: {}\n", d.holds ? "" : "REFUSED: ", d.what, d.how);
    return text;
  }

  [[nodiscard]] std::string explain_refusal() const {
    if (!report_.broken.empty())
      return fmt::format("it leaves its mechanism after {}: {}", format_duration(report_.at),
                         report_.broken);
    std::string text =
        fmt::format("{}: {}", name_place(), describe_distance(report_.clearance, options_.touch));
    if (const double margin = model_.margin(report_.a, report_.b); margin > 0)
      text += fmt::format(", margin {}", format_length(margin));
    if (options_.clearance > 0)
      text += fmt::format(", claimed {}", format_length(options_.clearance));
    return text;
  }

  [[nodiscard]] std::size_t count_pairs() const {
    const std::vector<RuledPair> pairs = model_.list_pairs();
    return static_cast<std::size_t>(std::count_if(
        pairs.begin(), pairs.end(), [](const auto& p) { return p.rule == PairRule::checked; }));
  }

  const Scene& scene_;
  const CollisionModel& model_;
  const JointMotion& motion_;
  const VerifyOptions& options_;
  const VerifyReport& report_;
  const std::vector<Demand>& demands_;
};

Result<std::vector<MotionPiece>> split_motion(const LoadedTask& loaded, const TaskScene& world,
                                              const JointMotion& motion, const VerifyOptions& how,
                                              ProgressSink& progress) {
  if (!loaded.task) return std::vector{MotionPiece{world, motion, {}}};
  Budget budget;
  budget.cancel = how.cancel;
  return loaded.task->split_motion(
      {.file = loaded.file, .threads = how.threads, .budget = budget, .progress = progress}, world,
      motion);
}

/// The report that counts, and the piece it is of: the first that is refused, or the tightest.
struct Verified {
  VerifyReport report;
  std::size_t piece = 0;
};

Result<Verified> verify_pieces(const std::vector<MotionPiece>& pieces, const TaskFile& task,
                               const VerifyOptions& how, ProgressSink& progress) {
  Verified all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Result<VerifyReport> report =
        internal::verify_stages(pieces[i].world, task, pieces[i].motion, how, progress);
    if (!report) return report.error();
    const bool is_last = report->cancelled || !report->is_free;
    if (i == 0 || is_last || report->clearance < all.report.clearance) all = {*report, i};
    if (is_last) break;
  }
  return all;
}

}  // namespace

Result<VerifyOutcome> verify_result(const fs::path& folder, const VerifyResultOptions& options,
                                    ProgressSink& progress, const CancelToken& cancel) {
  const Result<StoredResult> stored = load_stored(folder);
  if (!stored) return stored.error();
  const Result<LoadedTask> task = load_recorded_task(folder, *stored, options.task_file);
  if (!task) return task.error();
  const Result<TaskScene> world = load_world(*task, options.threads, progress, cancel);
  if (!world) return world.error();
  if (const Result<void> same = check_inputs(*stored, task->file, *world); !same)
    return same.error();
  const Result<JointMotion> motion = load_motion(folder, *stored, *world);
  if (!motion) return motion.error();
  VerifyOptions how;
  how.clearance = stored->clearance.value_or(0);
  how.threads = options.threads;
  how.cancel = cancel;
  const Result<std::vector<MotionPiece>> pieces =
      split_motion(*task, *world, *motion, how, progress);
  if (!pieces) return pieces.error();
  const Result<Verified> verified = verify_pieces(*pieces, task->file, how, progress);
  if (!verified) return verified.error();
  if (verified->report.cancelled) {
    return Diagnostic{.code = "cancelled",
                      .message = "stopped before the end",
                      .file = (folder / "motion.csv").string()};
  }
  const TaskScene& where = (*pieces)[verified->piece].world;
  const Result<CollisionModel> model =
      internal::make_motion_model(where, task->file, {}, options.threads, cancel);
  if (!model) return model.error();
  std::vector<Demand> demands;
  for (const MotionPiece& piece : *pieces)
    demands.insert(demands.end(), piece.demands.begin(), piece.demands.end());
  const OutcomeWriter writer(where.scene, *model, *motion, how, verified->report, demands);
  VerifyOutcome outcome{writer.is_verified(), writer.make_text(folder.string()),
                        writer.make_json(folder.string()), world->notes};
  if (auto note = find_broken_limit(world->scene, *motion, (folder / "motion.csv").string()))
    outcome.notes.push_back(std::move(*note));
  return outcome;
}

}  // namespace geste
