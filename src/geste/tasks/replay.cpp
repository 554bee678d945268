#include "geste/tasks/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/loops.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/recordings.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;

bool is_bvh(const fs::path& path) { return to_lower(path.extension().string()) == ".bvh"; }

/// The recording as it will be shown: cut to [begin, end] and, where asked, at an even rate.
Result<JointMotion> cut(const Scene& scene, JointMotion motion, const ReplayOptions& o,
                        const std::string& file) {
  if (motion.times.empty()) {
    return Diagnostic{.code = "replay.empty",
                      .message = "the recording has no frames",
                      .file = file,
                      .remedy = "record at least one frame"};
  }
  const double begin = std::max(o.begin, motion.times.front());
  const double end = std::min(o.end, motion.times.back());
  if (begin > end) {
    return Diagnostic{
        .code = "replay.empty",
        .message = fmt::format("nothing lies between {} and {}; the recording goes from {} to {}",
                               format_duration(o.begin), format_duration(o.end),
                               format_duration(motion.times.front()),
                               format_duration(motion.times.back())),
        .file = file,
        .remedy = "choose begin and end within the recording"};
  }
  std::vector<double> times;
  if (o.rate > 0) {
    const double count = std::floor((end - begin) * o.rate + 1e-9);
    constexpr double kMostFrames = 1e7;
    if (count > kMostFrames) {
      return Diagnostic{.code = "replay.too_many",
                        .message = fmt::format("{} frames are more than {}", format_number(count),
                                               format_number(kMostFrames)),
                        .file = file,
                        .remedy = "lower the rate or shorten the piece"};
    }
    for (int i = 0; i <= static_cast<int>(count); ++i) times.push_back(begin + i / o.rate);
  } else {
    std::copy_if(motion.times.begin(), motion.times.end(), std::back_inserter(times),
                 [&](double t) { return t >= begin && t <= end; });
    if (times.empty()) times.push_back(begin);
  }
  JointMotion piece{std::move(times), {}};
  piece.q.resize(scene.nq(), static_cast<Eigen::Index>(piece.times.size()));
  for (std::size_t i = 0; i < piece.times.size(); ++i) {
    interpolate(scene, motion, piece.times[i], piece.q.col(static_cast<Eigen::Index>(i)));
  }
  return piece;
}

/// What the frames show of limits and loops.
struct Watch {
  int outside = 0;       ///< frames beyond a joint limit
  LimitViolation worst;  ///< of all frames
  double worst_time = 0;
  double open = 0;        ///< largest residual of the closed chains, m and rad
  int without_value = 0;  ///< frames where a formula cannot close its chain
};

void watch_limits(const Scene& scene, ConstVecRef q, double time, Watch& watch) {
  const LimitViolation found = find_limit_violation(scene, q);
  if (found.excess <= 1e-9) return;
  ++watch.outside;
  if (found.excess <= watch.worst.excess) return;
  watch.worst = found;
  watch.worst_time = time;
}

/// Completes every frame and watches it. Tells what stopped it before the end, if anything.
StopReason complete(const Scene& scene, JointMotion& motion, const TaskRun& run, Watch& watch) {
  Workspace workspace(scene);
  BudgetMeter meter(run.budget);
  ProgressScope stage(run.progress, "replaying", motion.times.size());
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    if (!meter.spend()) return meter.reason();
    auto q = motion.q.col(static_cast<Eigen::Index>(i));
    const ProjectionReport report = project_to_loops(scene, q, workspace);
    watch.open = std::max(watch.open, report.residual);
    if (!report.closed && report.residual <= ProjectionOptions{}.tolerance) ++watch.without_value;
    watch_limits(scene, q, motion.times[i], watch);
    stage.advance();
  }
  return StopReason::none;
}

Diagnostic explain_stop(StopReason reason, const std::string& file) {
  if (reason == StopReason::cancelled)
    return {.code = "cancelled", .message = "stopped before the end", .file = file};
  return {.code = "replay.budget",
          .message = "the time allowed was used up before the end",
          .file = file,
          .remedy = "raise --budget, or replay a shorter piece or at a lower rate"};
}

/// Path length of the joints: the sum of distances from frame to frame.
double measure_length(const Scene& scene, const JointMotion& motion) {
  double length = 0;
  for (Eigen::Index i = 1; i < motion.q.cols(); ++i)
    length += distance(scene, motion.q.col(i - 1), motion.q.col(i));
  return length;
}

void report_watch(const Scene& scene, const Watch& watch, const std::string& file,
                  TaskResult& result) {
  if (watch.outside > 0) {
    result.notes.push_back(
        {"replay.limits",
         fmt::format("{} of {} frames lie beyond joint limits, most by {} at {}", watch.outside,
                     result.motion.times.size(), format_number(watch.worst.excess, 3),
                     format_duration(watch.worst_time, 3)),
         file, 0, 0, fmt::format("joint '{}'", scene.joint(watch.worst.joint).name),
         "check the recording or the joint's limits"});
  }
  if (watch.open > 1e-9) {
    result.notes.push_back({"replay.loop_open",
                            fmt::format("closed chains stay open by up to {} (m and rad)",
                                        format_number(watch.open, 3)),
                            file, 0, 0, "", "give leading joints that can be reached"});
  }
  if (watch.without_value > 0) {
    result.notes.push_back({"replay.loop_unreachable",
                            fmt::format("in {} of {} frames a chain cannot be closed",
                                        watch.without_value, result.motion.times.size()),
                            file, 0, 0, "", "give leading joints that can be reached"});
  }
  result.figures.push_back({"frames_beyond_limits", static_cast<double>(watch.outside), "1"});
  result.figures.push_back({"loop_residual", watch.open, "1"});
}

TaskResult make_result(const Scene& scene, JointMotion motion, const Watch& watch,
                       const std::string& file) {
  TaskResult result;
  result.task = "replay";
  result.found = true;
  result.motion = std::move(motion);
  const double duration = result.motion.times.back() - result.motion.times.front();
  result.verdict = fmt::format("Replayed {} frames over {}", result.motion.times.size(),
                               format_duration(duration, 3));
  result.figures.push_back({"duration", duration, "s"});
  result.figures.push_back(
      {"joint_path_length", measure_length(scene, result.motion), "rad and m"});
  report_watch(scene, watch, file, result);
  return result;
}

}  // namespace

std::vector<Diagnostic> ReplayOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto fault = [&](const char* what) {
    found.push_back({"replay.options", what, "", 0, 0, "task, replay", "correct the value"});
  };
  if (motion.empty()) fault("names no motion file");
  if (rate < 0) fault("the rate is negative");
  if (!(begin <= end)) fault("begin comes after end");
  if (bvh_unit < 0) fault("bvh_unit is negative");
  return found;
}

void Replay::describe(FieldVisitor& v) {
  v.file({"motion", "recorded motion: CSV with a column for each joint, or BVH", true},
         options_.motion);
  v.text({"actor", "BVH: the actor that moves; without it the skeleton joins the scene"},
         options_.actor);
  v.number({"rate", "frames per second of the result; 0: those of the recording"}, options_.rate,
           Dimension::none);
  v.number({"begin", "where in the recording to begin; absent: at its first moment"},
           options_.begin, Dimension::time);
  v.number({"end", "where in the recording to end; absent: at its last moment"}, options_.end,
           Dimension::time);
  v.boolean({"check", "prove that nothing collides, between the frames too"}, options_.check);
  v.number({"bvh_unit", "BVH: length of one unit of the file; 0: guessed from the skeleton"},
           options_.bvh_unit, Dimension::length);
}

Result<TaskScene> Replay::load_scene(const TaskRun& run) {
  const FileSearch search = find_file(options_.motion, run.file.folder);
  if (!search.found || !is_bvh(*search.found) || !options_.actor.empty())
    return Task::load_scene(run);
  const Result<BvhFile> bvh = load_bvh(*search.found);
  if (!bvh) return bvh.error();
  const double unit = internal::choose_bvh_unit(options_, *bvh);
  return load_task_scene(internal::add_skeleton(run.file, *search.found, options_, unit),
                         run.progress, run.budget.cancel);
}

Result<TaskOutcome> Replay::run(const TaskRun& run) {
  if (auto found = options_.faults(); !found.empty()) {
    for (Diagnostic& d : found) d.file = run.file.file;
    return make_error(std::move(found));
  }
  const FileSearch search = find_file(options_.motion, run.file.folder);
  if (!search.found) {
    Diagnostic missing = make_not_found("replay.motion_missing", "motion", options_.motion, search);
    missing.file = run.file.file;
    return missing;
  }
  Result<internal::Recording> recording =
      is_bvh(*search.found) ? internal::load_bvh_recording(*search.found, options_, run)
                            : internal::load_csv_recording(*search.found, options_, run);
  if (!recording) return recording.error();

  TaskScene& world = recording->world;
  Result<JointMotion> motion =
      cut(world.scene, std::move(recording->motion), options_, search.found->string());
  if (!motion) return motion.error();
  Watch watch;
  const StopReason stopped = complete(world.scene, *motion, run, watch);
  if (stopped != StopReason::none) return explain_stop(stopped, run.file.file);
  TaskResult result = make_result(world.scene, std::move(*motion), watch, run.file.file);
  if (options_.check) {
    const Result<bool> proven = internal::certify(world, run, result);
    if (!proven) return proven.error();
    if (!*proven) return explain_stop(StopReason::cancelled, run.file.file);
  }
  result.verdict +=
      fmt::format("; {}.", result.certificate ? internal::describe(*result.certificate)
                                              : "not checked for collisions");
  result.seed = run.seed;
  result.task_file = {run.file.file, run.file.sha256};
  result.inputs = world.inputs;
  result.notes.insert(result.notes.begin(), world.notes.begin(), world.notes.end());
  return TaskOutcome{std::move(world), std::move(result)};
}

}  // namespace geste
