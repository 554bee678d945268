#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "geste/core/quantity.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/demands.hpp"
#include "geste/tasks/internal/extraction.hpp"
#include "geste/tasks/internal/loose_part.hpp"
#include "geste/tasks/internal/planning_rig.hpp"
#include "geste/tasks/internal/reasons.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

constexpr const char* kElement = "task, extract";

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The options of taking out one part after others.
ExtractOptions make_step(const ExtractOptions& options, const std::string& part,
                         const Names& removed) {
  ExtractOptions step = options;
  step.part = part;
  if (part != options.part) step.carries.clear();
  step.ignore.insert(step.ignore.end(), removed.begin(), removed.end());
  return step;
}

/// The joint that a part hangs on in a scene in which it is loose.
JointId find_free_joint(const Scene& scene, const std::string& part) {
  const int mover = scene.body(*scene.find_body(part)).mover;
  return scene.movers()[static_cast<std::size_t>(mover)].joint;
}

/// Bodies that can be taken away: parts that can collide, and nobody's links.
Names list_parts(const TaskScene& world) {
  const Scene& scene = world.scene;
  std::set<BodyId> solid;
  for (const Geometry& g : scene.geometry())
    if (g.collision) solid.insert(g.body);
  Names parts;
  for (const BodyId body : solid) {
    const ActorId actor = scene.body(body).actor;
    if (actor.valid() && scene.actor(actor).kind == "part") parts.push_back(scene.body(body).name);
  }
  return parts;
}

/// One part, taken out.
struct Step {
  std::string part;
  TaskScene world;
  TaskResult result;
};

/// Straight exits tell who blocks whom (non-directional blocking graph: R. H. Wilson,
/// J.-C. Latombe, "Geometric reasoning about mechanical assembly", 1994, with directions from the
/// geometry). An order is read off them, and every step of it is searched for and proven; what
/// turns out not to come out straight is searched for in general.
class Disassembly {
 public:
  Disassembly(const TaskScene& assembled, const ExtractOptions& options, const TaskRun& run)
      : assembled_(assembled), options_(options), run_(run), parts_(list_parts(assembled)) {}

  /// False when cancelled.
  Result<bool> go(TaskResult& result) {
    while (!is_over()) {
      if (is_out(options_.part)) break;
      const Result<bool> gone = take_next();
      if (!gone) return gone.error();
      if (!*gone) break;
    }
    if (run_.budget.cancel.requested()) return false;
    if (!is_out(options_.part)) return explain(result);
    prune();
    say(result);
    return true;
  }

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  [[nodiscard]] bool is_out(const std::string& part) const { return contains(removed_, part); }

  [[nodiscard]] bool is_over() const { return !BudgetMeter(run_.budget).spend(0); }

  [[nodiscard]] bool can_go(const std::string& part) const { return contains(parts_, part); }

  /// Takes out the first part of an order that leads to the target. False where none does.
  Result<bool> take_next() {
    const Names order = find_order();
    if (!order.empty()) return take(order.front());
    return take_in_general();
  }

  /// The parts that must go, the target last; by straight exits, as far as they are known.
  Names find_order() {
    Names known{options_.part};
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (is_over()) return {};
      look_at(known[i]);
      const Names order = settle(known);
      if (!order.empty()) return order;
      for (const Exit& exit : exits_[known[i]])
        for (const std::string& blocker : exit.blockers)
          if (!is_out(blocker) && can_go(blocker) && !contains(known, blocker))
            known.push_back(blocker);
    }
    return {};
  }

  void look_at(const std::string& part) {
    if (exits_.contains(part)) return;
    std::vector<Exit>& exits = exits_[part];
    const ExtractOptions step = make_step(options_, part, {});
    const Result<TaskScene> loose = loosen_part(assembled_, step, run_);
    if (loose) exits = list_exits(*loose, step, run_);
  }

  /// What can go once all in `before` are gone, and what that takes, until the target can; nothing
  /// where it cannot. Of a part's exits the one that takes the fewest others.
  Names settle(const Names& known) {
    std::map<std::string, Names> needs;  // by part: all that go before it, then itself
    for (bool changed = true; changed && !needs.contains(options_.part);) {
      changed = false;
      for (const std::string& part : known) {
        if (is_out(part) || needs.contains(part)) continue;
        if (auto found = find_cheapest(part, needs)) {
          needs[part] = std::move(*found);
          changed = true;
        }
      }
    }
    const auto target = needs.find(options_.part);
    return target == needs.end() ? Names() : target->second;
  }

  std::optional<Names> find_cheapest(const std::string& part,
                                     const std::map<std::string, Names>& needs) {
    std::optional<Names> best;
    const auto known = exits_.find(part);
    if (known == exits_.end()) return best;
    for (const Exit& exit : known->second) {
      Names all;
      bool is_open = !is_failed(part, exit);
      for (const std::string& blocker : exit.blockers) {
        if (!is_open) break;
        if (is_out(blocker)) continue;
        const auto found = needs.find(blocker);
        is_open = found != needs.end();
        if (!is_open) break;
        for (const std::string& name : found->second)
          if (!contains(all, name)) all.push_back(name);
      }
      if (!is_open || (best && best->size() <= all.size() + 1)) continue;
      all.push_back(part);
      best = std::move(all);
    }
    return best;
  }

  /// Whether an exit was open already and the part did not come out.
  [[nodiscard]] bool is_failed(const std::string& part, const Exit& exit) const {
    const auto tried = tried_.find(part);
    return tried != tried_.end() &&
           std::all_of(exit.blockers.begin(), exit.blockers.end(),
                       [&](const std::string& b) { return contains(tried->second, b); });
  }

  /// Searches with who is gone out of the way. True where it came out, or may be tried again.
  Result<bool> take(const std::string& part) {
    // An open exit is straight: the budget is for what has none.
    const Result<bool> taken = extract(part, 0);
    if (!taken || !*taken) return taken;
    if (!is_out(part)) tried_[part] = removed_;
    return true;
  }

  /// Where no straight exit is open: the target, then who is in its ways, the fewest first.
  Result<bool> take_in_general() {
    constexpr long long kSamples = 3000;
    Names candidates{options_.part};
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (const Exit& exit : exits_[candidates[i]])
        for (const std::string& blocker : exit.blockers)
          if (!contains(candidates, blocker) && !is_out(blocker) && can_go(blocker))
            candidates.push_back(blocker);
    for (const std::string& part : candidates) {
      if (is_over()) return false;
      const auto tried = searched_.find(part);
      if (tried != searched_.end() && tried->second == removed_) continue;
      searched_[part] = removed_;
      const Result<bool> taken = extract(part, std::min(kSamples, options_.samples));
      if (!taken || !*taken) return taken;
      if (is_out(part)) return true;
    }
    return false;
  }

  /// False when cancelled.
  Result<bool> extract(const std::string& part, long long samples) {
    ExtractOptions step = make_step(options_, part, removed_);
    step.samples = samples;
    Result<TaskScene> loose = loosen_part(assembled_, step, run_);
    if (!loose) return loose.error();
    TaskResult result;
    const Result<bool> done = extract_part(*loose, step, run_, result, false);
    if (!done || !*done) return done;
    if (!result.found) return true;
    removed_.push_back(part);
    steps_.push_back({part, std::move(*loose), std::move(result)});
    return true;
  }

  /// Leaves out steps that no later one needs: their parts are in nobody's way. The others are
  /// proven again with these parts where they were; if that fails all steps stay.
  void prune() {
    Names needed{options_.part};
    for (std::size_t i = steps_.size(); i-- > 0;) {
      if (!contains(needed, steps_[i].part)) continue;
      for (std::size_t k = 0; k < i; ++k)
        if (!contains(needed, steps_[k].part) && is_in_way(steps_[k].part, steps_[i]))
          needed.push_back(steps_[k].part);
    }
    if (needed.size() == steps_.size()) return;
    std::vector<Step> pruned;
    Names gone;
    for (const Step& step : steps_) {
      if (!contains(needed, step.part)) continue;
      auto again = prove_again(step, gone);
      if (!again) return;
      pruned.push_back(std::move(*again));
      gone.push_back(step.part);
    }
    steps_ = std::move(pruned);
  }

  /// The same motion with fewer parts gone before.
  [[nodiscard]] std::optional<Step> prove_again(const Step& step, const Names& gone) const {
    Result<TaskScene> loose = loosen_part(assembled_, make_step(options_, step.part, gone), run_);
    if (!loose) return std::nullopt;
    Step again{step.part, std::move(*loose), step.result};
    const Result<bool> certified = certify(again.world, run_, again.result);
    if (!certified || !*certified || !again.result.certificate->is_free) return std::nullopt;
    return again;
  }

  /// Whether a part, where it was at the start, is met by another's motion; looked at frame by
  /// frame. What merely touches it there counts, too: the proof was made without it.
  [[nodiscard]] bool is_in_way(const std::string& part, const Step& step) const {
    const Scene& scene = step.world.scene;
    const int mover = scene.body(*scene.find_body(step.part)).mover;
    CollisionOptions options;
    static_cast<CollisionSpec&>(options) = run_.file.collision;
    options.use_reach = false;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    CollisionWorkspace memory(model);
    Workspace workspace(scene);
    const BodyId other = *scene.find_body(part);
    const JointMotion& motion = step.result.motion;
    for (Eigen::Index k = 0; k < motion.q.cols(); ++k) {
      compute_kinematics(scene, motion.q.col(k), workspace);
      for (std::size_t b = 0; b < scene.bodies().size(); ++b) {
        if (scene.bodies()[b].mover != mover) continue;
        const auto pair = compute_clearance(model, workspace, BodyId(b), other, memory);
        if (pair && pair->separation.distance < 2 * kTouch) return true;
      }
    }
    return false;
  }

  /// Why the target does not come out after all that could go.
  Result<bool> explain(TaskResult& result) {
    ExtractOptions last = make_step(options_, options_.part, removed_);
    const Result<TaskScene> loose = loosen_part(assembled_, last, run_);
    if (!loose) return loose.error();
    const Result<bool> done = extract_part(*loose, last, run_, result, true);
    if (!done || !*done) return done;
    if (result.found) {  // The longer search found what the shorter ones did not.
      removed_.push_back(options_.part);
      steps_.push_back({options_.part, *loose, std::move(result)});
      result = {};
      prune();
      say(result);
      return true;
    }
    if (!removed_.empty())
      result.verdict =
          fmt::format("No order found. After {}: {}", list_names(removed_), result.verdict);
    return true;
  }

  void say(TaskResult& result) const {
    result.task = "extract";
    result.found = true;
    double seconds = 0;
    for (const Step& s : steps_) seconds += s.result.motion.times.back();
    Names before;
    for (const Step& s : steps_)
      if (s.part != options_.part) before.push_back(s.part);
    result.verdict =
        before.empty()
            ? steps_.back().result.verdict
            : fmt::format("Yes: {} comes out after {}; {} motions of {} in all, each proven free.",
                          options_.part, fmt::join(before, ", then "), steps_.size(),
                          format_duration(seconds, 3));
  }

  const TaskScene& assembled_;
  const ExtractOptions& options_;
  const TaskRun& run_;
  Names parts_;
  std::map<std::string, std::vector<Exit>> exits_;
  std::map<std::string, Names> tried_;     ///< straight: who was gone then
  std::map<std::string, Names> searched_;  ///< in general: who was gone then
  Names removed_;
  std::vector<Step> steps_;
};

/// Adds what is proven of one more motion, later by `offset`.
void join(const Certificate& step, double offset, std::optional<Certificate>& whole) {
  if (!whole) {
    whole = step;
    return;
  }
  whole->is_free = whole->is_free && step.is_free;
  whole->is_verified = whole->is_verified && step.is_verified;
  whole->clearance = std::min(whole->clearance, step.clearance);
  whole->pairs = std::max(whole->pairs, step.pairs);
  whole->stray = std::max(whole->stray, step.stray);
  for (Certificate::Span span : step.profile) {
    span.begin += offset;
    span.end += offset;
    whole->profile.push_back(std::move(span));
  }
  if (step.tightest && (!whole->tightest || step.tightest->distance < whole->tightest->distance)) {
    whole->tightest = step.tightest;
    whole->tightest->at += offset;
  }
  for (StartContact contact : step.contacts) {
    contact.apart_at += offset;
    whole->contacts.push_back(std::move(contact));
  }
}

/// All steps one after the other in one scene.
class SequenceWriter {
 public:
  SequenceWriter(const TaskScene& world, TaskResult& result)
      : world_(world), result_(result), q_(world.start) {
    result_.motion = {{0}, q_};
  }

  void add(const Step& step) {
    const JointMotion& motion = step.result.motion;
    const Joint& own = step.world.scene.joint(find_free_joint(step.world.scene, step.part));
    const Joint& here = world_.scene.joint(find_free_joint(world_.scene, step.part));
    const double offset = result_.motion.times.back();
    const Eigen::Index before = result_.motion.q.cols();
    result_.motion.course = motion.course;
    result_.motion.q.conservativeResize(q_.size(), before + motion.q.cols() - 1);
    for (Eigen::Index k = 1; k < motion.q.cols(); ++k) {
      q_.segment(here.q, here.nq) = motion.q.col(k).segment(own.q, own.nq);
      result_.motion.q.col(before + k - 1) = q_;
      result_.motion.times.push_back(offset + motion.times[static_cast<std::size_t>(k)]);
    }
    join(*step.result.certificate, offset, result_.certificate);
    const Certificate& c = *step.result.certificate;
    result_.sequence.push_back({step.part, offset, result_.motion.times.back(), c.clearance});
    for (const Note& note : step.result.notes) result_.notes.push_back(note);
  }

 private:
  const TaskScene& world_;
  TaskResult& result_;
  VecX q_;
};

Result<TaskScene> loosen_these(const TaskScene& assembled, const Names& parts,
                               const ExtractOptions& options) {
  TaskScene world = assembled;
  for (const std::string& part : parts) {
    const ExtractOptions step = make_step(options, part, {});
    Result<TaskScene> loose = loosen(std::move(world), {step.part, step.carries, {}}, kElement);
    if (!loose) return loose;
    world = std::move(*loose);
  }
  return world;
}

}  // namespace

Result<TaskOutcome> disassemble(const TaskScene& assembled, const ExtractOptions& options,
                                const TaskRun& run) {
  Disassembly disassembly(assembled, options, run);
  TaskResult result;
  const Result<bool> done = disassembly.go(result);
  if (!done) return done.error();
  if (!*done) return explain_cancel(run);
  Names moved;
  for (const Step& step : disassembly.steps()) moved.push_back(step.part);
  if (!result.found) moved = {options.part};
  Result<TaskScene> world = loosen_these(assembled, moved, options);
  if (!world) return world.error();
  if (result.found) {
    SequenceWriter writer(*world, result);
    for (const Step& step : disassembly.steps()) writer.add(step);
    result.figures.push_back({"parts_out", static_cast<double>(moved.size()), "1"});
    result.figures.push_back({"duration", result.motion.times.back(), "s"});
  }
  return make_outcome(run, std::move(*world), std::move(result));
}

Result<TaskScene> loosen_all(const TaskScene& assembled, const ExtractOptions& options,
                             const TaskRun& run) {
  Names parts = list_parts(assembled);
  if (!contains(parts, options.part)) parts.push_back(options.part);
  Result<TaskScene> world = loosen_these(assembled, parts, options);
  if (world) return world;
  Error error = world.error();
  if (error.file.empty()) error.file = run.file.file;
  return error;
}

std::vector<Demand> check_extraction(const TaskScene& loose, const ExtractOptions& options,
                                     const JointMotion& motion) {
  const JointId joint = find_free_joint(loose.scene, options.part);
  GoalRegion region;
  if (options.outside_low && options.outside_high)
    region.box = {*options.outside_low, *options.outside_high};
  if (options.direction) region.direction = options.direction->normalized();
  return {check_start(loose, motion, {&joint, 1}),
          check_outside(loose.scene, motion, joint, region)};
}

namespace {

/// Frames between which one part moves.
struct Run {
  std::string part;
  std::size_t from = 0, to = 0;
};

/// Who moves when. The error names two that move at once, and who moves twice.
Result<std::vector<Run>> list_runs(const TaskScene& world, const Names& parts,
                                   const JointMotion& motion) {
  std::vector<Run> runs;
  Names moved;
  for (std::size_t k = 1; k < motion.times.size(); ++k) {
    std::string mover;
    for (const std::string& part : parts) {
      const Joint& joint = world.scene.joint(find_free_joint(world.scene, part));
      const auto column = static_cast<Eigen::Index>(k);
      if (motion.q.col(column).segment(joint.q, joint.nq) ==
          motion.q.col(column - 1).segment(joint.q, joint.nq))
        continue;
      if (!mover.empty())
        return Diagnostic{.code = "extract.two_at_once",
                          .message = fmt::format("{} and {} move at the same time, at {}", mover,
                                                 part, format_duration(motion.times[k])),
                          .element = kElement,
                          .remedy = "a disassembly takes out one part after the other"};
      mover = part;
    }
    if (mover.empty()) continue;
    if (runs.empty() || runs.back().part != mover) {
      if (contains(moved, mover))
        return Diagnostic{.code = "extract.moves_twice",
                          .message = fmt::format("{} moves again after others have", mover),
                          .element = kElement,
                          .remedy = "a disassembly takes out one part after the other"};
      moved.push_back(mover);
      runs.push_back({mover, k - 1, k});
    }
    runs.back().to = k;
  }
  return runs;
}

}  // namespace

Result<std::vector<MotionPiece>> split_sequence(const TaskScene& assembled,
                                                const ExtractOptions& options, const TaskRun& run,
                                                const TaskScene& world, const JointMotion& motion) {
  const Result<std::vector<Run>> runs = list_runs(world, list_parts(assembled), motion);
  if (!runs) return runs.error();
  std::vector<MotionPiece> pieces;
  Names removed;
  for (const Run& r : *runs) {
    const ExtractOptions step = make_step(options, r.part, removed);
    Result<TaskScene> loose = loosen_part(assembled, step, run);
    if (!loose) return loose.error();
    const Joint& own = loose->scene.joint(find_free_joint(loose->scene, r.part));
    const Joint& here = world.scene.joint(find_free_joint(world.scene, r.part));
    JointMotion piece{{}, MatX(loose->scene.nq(), static_cast<Eigen::Index>(r.to - r.from + 1))};
    piece.course = motion.course;
    for (std::size_t k = r.from; k <= r.to; ++k) {
      const auto column = static_cast<Eigen::Index>(k - r.from);
      piece.times.push_back(motion.times[k]);
      piece.q.col(column) = loose->start;
      piece.q.col(column).segment(own.q, own.nq) =
          motion.q.col(static_cast<Eigen::Index>(k)).segment(here.q, here.nq);
    }
    std::vector<Demand> demands = check_extraction(*loose, step, piece);
    for (Demand& d : demands) d.what = fmt::format("{}, {}", r.part, d.what);
    pieces.push_back({std::move(*loose), std::move(piece), std::move(demands)});
    removed.push_back(r.part);
  }
  if (pieces.empty() || removed.back() != options.part) {
    if (pieces.empty()) pieces.push_back({world, motion, {}});
    pieces.back().demands.push_back(
        {"goal", false, fmt::format("{} is not taken out at the end", options.part)});
  }
  return pieces;
}

}  // namespace geste::internal
