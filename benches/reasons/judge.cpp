#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "geste/model/kinematics.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "common/take.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

/// Whether the second prover finds the motion free, in a collision model of its own.
bool is_free(const TaskOutcome& outcome) {
  CollisionOptions options;
  options.use_reach = false;
  const Scene& scene = outcome.world.scene;
  const CollisionModel model = take(CollisionModel::make(scene, options));
  return verify_motion(scene, model, outcome.result.motion, {.touch = 1e-7}).is_free;
}

/// What is kept stays at moments of the motion.
bool is_kept(const Case& c, const TaskOutcome& outcome) {
  if (c.kind != CaseKind::keep) return true;
  const Scene& scene = outcome.world.scene;
  const BodyId body = scene.find_body(c.conflict.substr(0, c.conflict.rfind('.'))).value();
  Workspace workspace(scene);
  VecX q(scene.nq());
  std::optional<Pose> first;
  for (int i = 0; i <= 100; ++i) {
    interpolate(scene, outcome.result.motion, 0.01 * i * outcome.result.motion.times.back(), q);
    compute_kinematics(scene, q, workspace);
    const Pose X = compute_pose(scene, workspace, body);
    if (!first) first = X;
    if (c.conflict.ends_with(".z") && std::abs(X.p.z() - first->p.z()) > 1e-3) return false;
  }
  return true;
}

bool is_one_of(std::vector<std::string> names, const Case& c) {
  std::sort(names.begin(), names.end());
  return std::any_of(c.culprits.begin(), c.culprits.end(), [&](std::vector<std::string> set) {
    std::sort(set.begin(), set.end());
    return set == names;
  });
}

/// All collisions at this end are with one of the culprits, and as deep as known.
std::string check_ends(const Case& c, const TaskResult& result, const char* where) {
  bool names_it = false;
  double deepest = 0;
  for (const Collision& one : result.collisions) {
    if (one.where != where) return "a collision at the other end";
    const std::string& culprit = c.culprits[0][0];
    if (one.a != culprit && one.b != culprit) return one.a + " and " + one.b + " do not collide";
    names_it = true;
    deepest = std::max(deepest, one.depth);
  }
  if (!names_it) return "no collision is named";
  if (c.by > 0 && std::abs(deepest - c.by) > 1e-5)
    return fmt::format("{:.5f} m deep instead of {:.5f}", deepest, c.by);
  return "";
}

std::string check_conflicts(const Case& c, const Reasons& r) {
  for (const Reasons::Conflict& conflict : r.conflicts) {
    if (!c.conflict.empty() && conflict.what != c.conflict) continue;
    if (c.by > 0 && std::abs(conflict.by - c.by) > 2e-4)
      return fmt::format("off by {:.5f} instead of {:.5f}", conflict.by, c.by);
    return "";
  }
  return "the conflict is not named";
}

/// What an answer about something in the way lacks.
std::string check_blocked(const Case& c, const Reasons& r) {
  if (r.kind != "blocked" && r.kind != "budget") return "kind is " + r.kind;
  if (c.kind == CaseKind::enclosed) {
    if (!r.enclosure) return "not proven";
    for (const std::string& wall : r.enclosure->walls)
      if (!is_one_of({wall}, c)) return wall + " encloses nothing";
  }
  if (r.without.empty()) {
    // What is missing says as much of a gap.
    return c.kind == CaseKind::enclosed || (c.kind == CaseKind::gap && r.gap) ? ""
                                                                              : "no part is named";
  }
  if (!is_one_of(r.without, c)) return fmt::format("other parts: {}", fmt::join(r.without, ", "));
  const bool is_body = c.name.starts_with("body");
  if (c.kind == CaseKind::gap && is_body && !(r.gap && r.gap->missing < 1.5 * c.missing + 2e-3))
    return "what is missing is not found";
  return "";
}

/// Empty where the answer is right.
std::string find_missing(const Case& c, const TaskResult& result) {
  if (c.is_feasible && c.kind != CaseKind::time) return result.found ? "" : "not found";
  if (result.found) return "found";
  if (!result.reasons) return "no reasons";
  const Reasons& r = *result.reasons;
  const auto expect = [&](const char* kind) {
    return r.kind == kind ? std::string() : fmt::format("kind is {}", r.kind);
  };
  std::string missing;
  switch (c.kind) {
    case CaseKind::start:
      missing = expect("start");
      return missing.empty() ? check_ends(c, result, "start") : missing;
    case CaseKind::goal:
      missing = expect("goal");
      return missing.empty() ? check_ends(c, result, "goal") : missing;
    case CaseKind::limits:
      missing = expect("limits");
      return missing.empty() ? check_conflicts(c, r) : missing;
    case CaseKind::keep:
      missing = expect("keep");
      return missing.empty() ? check_conflicts(c, r) : missing;
    case CaseKind::reach:
      return expect("unreachable");
    case CaseKind::time:
      missing = expect("time");
      return missing.empty() && !r.parts.empty() ? "a part is named" : missing;
    default:
      return check_blocked(c, r);
  }
}

}  // namespace

Judge::Judge(fs::path folder) : folder_(std::move(folder)) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

TaskOutcome Judge::solve(const Case& c, const std::vector<std::string>& without, long long samples,
                         double seconds) {
  const fs::path file = folder_ / (c.name + ".yaml");
  std::ofstream(file) << c.task.make(without, samples);
  for (const auto& [name, bytes] : c.task.files) std::ofstream(folder_ / name) << bytes;
  LoadedTask loaded = take(load_task(file));
  Budget budget;
  if (seconds > 0) budget.deadline = make_deadline(seconds);
  return take(loaded.task->run({loaded.file, 1, 0, budget, no_progress()}));
}

Judgement Judge::run(const Case& c) {
  const auto begin = std::chrono::steady_clock::now();
  const TaskOutcome outcome = solve(c, {}, c.task.samples, c.seconds);
  Judgement j;
  j.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  j.verdict = outcome.result.verdict;
  find_untrue(c, outcome, j);
  j.missing = find_missing(c, outcome.result);
  j.is_right = j.missing.empty() && j.untrue.empty();
  return j;
}

void Judge::find_untrue(const Case& c, const TaskOutcome& outcome, Judgement& j) {
  const TaskResult& result = outcome.result;
  if (result.found) {
    if (!c.is_feasible) j.untrue = "found what does not exist";
    // `extract` plans with a part that is thinner by its tolerance, in a scene that has it so.
    else if (!is_free(outcome))
      j.untrue = "found, and the second prover refuses it";
    else if (!is_kept(c, outcome))
      j.untrue = "found, without keeping what is to be kept";
    return;
  }
  if (!result.reasons) return;
  const Reasons& r = *result.reasons;
  const bool is_proven = r.grade == Grade::proven;
  if (c.is_feasible && is_proven) j.untrue = "proves that there is none";
  const bool says_so = has(j.verdict, " block") || has(j.verdict, "enclose") ||
                       has(j.verdict, "Proven") || has(j.verdict, "proven blocked");
  if (says_so && !is_proven) j.untrue = "says more than is proven";
  check_named(c, r, j);
}

void Judge::check_named(const Case& c, const Reasons& r, Judgement& j) {
  for (const Reasons::Part& part : r.parts) {
    const bool is_wall =
        r.enclosure && std::find(r.enclosure->walls.begin(), r.enclosure->walls.end(), part.name) !=
                           r.enclosure->walls.end();
    if (part.grade == Grade::proven && !is_wall) j.untrue = part.name + " is proven by nothing";
  }
  // All walls gone, or all that must go: then there is a motion.
  constexpr long long kSamples = 60'000;
  const auto check = [&](const std::vector<std::string>& names, const char* what) {
    if (names.empty() || !j.untrue.empty()) return;
    const TaskOutcome without = solve(c, names, kSamples, 0);
    if (!without.result.found || !is_free(without))
      j.untrue = fmt::format("{} {}: none is found without", fmt::join(names, ", "), what);
  };
  check(r.without, "must go");
  if (r.enclosure && r.without.empty()) check(r.enclosure->walls, "enclose it");
  if (r.gap && r.gap->missing < 0.999 * c.missing)
    j.untrue = fmt::format("{:.5f} m are missing, not {:.5f}", c.missing, r.gap->missing);
}

}  // namespace geste::bench
