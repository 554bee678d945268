#include "geste/tasks/internal/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/explain.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> name_bodies(const Scene& scene, const std::vector<BodyId>& bodies) {
  std::vector<std::string> names;
  for (const BodyId body : bodies) {
    std::string name = name_part(scene, body);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

/// Where a body is at a point of the space.
Pose place(const PlanningSpace& space, BodyId body, ConstVecRef x, Workspace& workspace) {
  VecX q(space.scene().nq());
  static_cast<void>(space.complete(x, q, workspace));
  compute_kinematics(space.scene(), q, workspace);
  return compute_pose(space.scene(), workspace, body);
}

bool is_past(const Budget& budget) { return budget.deadline && Clock::now() >= *budget.deadline; }

class Inquiry {
 public:
  Inquiry(const SearchRecord& search, const PlanReport& report, const Rng& rng)
      : search_(search),
        report_(report),
        space_(search.rig.space()),
        scene_(space_.scene()),
        model_(search.rig.model()),
        rng_(rng),
        workspace_(scene_),
        moved_(list_moved_bodies(space_, model_)) {}

  Reasons run() {
    reasons_.kind = is_past(search_.budget) ? "time" : "budget";
    if (report_.status == PlanStatus::start_blocked) reasons_.kind = "start";
    if (report_.status == PlanStatus::goal_blocked) reasons_.kind = "goal";
    if (search_.proof) add_enclosure(*search_.proof);
    const bool is_searched = search_.proof || report_.status == PlanStatus::used_up;
    if (moved_.empty() || !is_searched) return reasons_;
    find_approach();
    // Who is out of time has found out nothing about parts.
    if (is_past(search_.run.budget)) return reasons_;
    find_changes();
    add_parts(reasons_.without, Grade::found_by_search);
    if (!search_.proof) add_suspects();
    return reasons_;
  }

  /// A way after all, found while looking for one that something thinner could go.
  [[nodiscard]] const std::optional<MatX>& way() const { return way_; }

 private:
  void add_parts(const std::vector<std::string>& names, Grade grade) {
    for (const std::string& name : names) {
      const auto is_named = [&](const Reasons::Part& p) { return p.name == name; };
      if (std::none_of(reasons_.parts.begin(), reasons_.parts.end(), is_named))
        reasons_.parts.push_back({name, grade});
    }
  }

  void add_enclosure(const EnclosureProof& proof) {
    const Confinement& c = proof.confinement;
    reasons_.kind = "blocked";
    reasons_.grade = Grade::proven;
    reasons_.enclosure =
        Reasons::Enclosure{name_part(scene_, proof.ball.body), proof.ball.radius, c.box,
                           name_bodies(scene_, c.walls),       c.needs_range,     c.cells};
    add_parts(reasons_.enclosure->walls, Grade::proven);
  }

  /// Of the body that goals are said of best: the last of a chain.
  void find_approach() {
    if (report_.nearest.size() == 0) return;
    const BodyId leading = moved_.back();
    const Vec3 here = place(space_, leading, report_.nearest, workspace_).p;
    double left = kInfinity;
    for (const VecX& goal : search_.problem.goals)
      left = std::min(left, (place(space_, leading, goal, workspace_).p - here).norm());
    reasons_.approach = Reasons::Approach{name_part(scene_, leading), here, left};
  }

  /// Searches in changed worlds.
  void find_changes() {
    ExplainOptions options;
    options.plan.threads = search_.run.threads;
    // Less than the whole search had, so that reasons take about as long as it did.
    constexpr std::uint64_t kAfterProof = 3000;
    options.samples =
        search_.proof ? kAfterProof : std::clamp<std::uint64_t>(report_.steps / 5, 200, 3000);
    options.looks = 10 * options.samples;
    if (search_.proof) options.first = search_.proof->confinement.walls;
    for (const StartContact& c : search_.world.contacts)
      if (!c.is_fit && c.checked_other != c.other)
        options.part_of[*scene_.find_body(c.checked_other)] = *scene_.find_body(c.other);
    Explainer explainer(search_.rig.world(), search_.problem, options, search_.run.budget, rng_);
    // Links of an arm are as thick as they are.
    if (is_loose_part(space_)) find_gap(explainer);
    if (way_) return;
    if (const auto blockage = explainer.find_blockage(report_))
      reasons_.without = name_bodies(scene_, blockage->parts);
  }

  void find_gap(Explainer& explainer) {
    const auto ball = search_.proof ? std::optional(search_.proof->ball)
                                    : find_inner_ball(space_, model_, search_.run.budget);
    if (!ball) return;
    // Thinner than that and nothing would be left.
    constexpr double kMost = 0.9;
    const auto shortfall = explainer.find_shortfall(kMost * ball->radius);
    if (shortfall && shortfall->thinner == 0 && !search_.proof) way_ = shortfall->path;
    if (shortfall && shortfall->thinner > 0) add_gap(*shortfall);
  }

  void add_gap(const Shortfall& s) {
    const PairClearance& pair = s.deepest;
    Reasons::Gap gap;
    // Thinner on both sides.
    gap.missing = 2 * s.thinner;
    gap.between = name_bodies(scene_, s.between);
    gap.share = s.share;
    if (!s.between.empty()) {
      const bool is_first = std::find(moved_.begin(), moved_.end(), pair.a) != moved_.end();
      gap.moved = name_part(scene_, is_first ? pair.a : pair.b);
      gap.depth = -pair.separation.distance;
      gap.on_moved = is_first ? pair.separation.on_a : pair.separation.on_b;
      gap.on_other = is_first ? pair.separation.on_b : pair.separation.on_a;
    }
    reasons_.gap = std::move(gap);
  }

  /// Who stopped a search that was long enough to tell.
  void add_suspects() {
    constexpr std::uint64_t kEnough = 1000;
    constexpr double kOften = 0.1;
    if (report_.steps < kEnough) return;
    for (const auto& [name, fraction] : count_stops(search_.rig, report_)) {
      if (fraction < kOften) break;
      add_parts({name}, Grade::suspected);
      if (reasons_.parts.back().name == name) reasons_.parts.back().stops = fraction;
    }
  }

  const SearchRecord& search_;
  const PlanReport& report_;
  const PlanningSpace& space_;
  const Scene& scene_;
  const CollisionModel& model_;
  Rng rng_;
  Workspace workspace_;
  std::vector<BodyId> moved_;
  Reasons reasons_;
  std::optional<MatX> way_;
};

/// What ended the search, before anything that was found out.
std::string say_end(const SearchRecord& search, const PlanReport& report, const Reasons& r) {
  if (const auto& e = r.enclosure) {
    const std::string ball = fmt::format("a ball of {} in {} cannot get to the goal",
                                         format_length(2 * e->radius, 3), e->moved);
    const std::string range = e->needs_range ? ", within the range of what moves" : "";
    if (e->walls.empty()) return fmt::format("Proven blocked: {}{}", ball, range);
    return fmt::format("Proven blocked: {} {} it, {}{}", list_names(e->walls),
                       e->walls.size() == 1 ? "encloses" : "enclose", ball, range);
  }
  if (r.kind == "start" || r.kind == "goal")
    return fmt::format("No motion: the {} is nearer to something than can be proven free", r.kind);
  if (r.kind != "time") return fmt::format("No motion found within {} samples", report.steps);
  if (report.steps == 0) return "Out of time before the search had begun";
  const double seconds =
      std::chrono::duration<double>(*search.budget.deadline - search.begin).count();
  return fmt::format("Out of time: no motion found within {} ({} samples)",
                     format_duration(std::max(0.0, seconds), 3), report.steps);
}

/// What was found in changed worlds: all of it is proven there, and none of it here.
std::string say_changes(const Reasons& r) {
  std::string text;
  if (!r.without.empty())
    text = fmt::format("; without {} there is a motion, found and proven", list_names(r.without));
  if (r.gap) {
    text += fmt::format("; thinner by {} it would come through, found and proven",
                        format_length(r.gap->missing, 3));
    if (!r.gap->between.empty())
      text += fmt::format(", tightest {} {}", r.gap->between.size() > 1 ? "between" : "at",
                          list_names(r.gap->between));
  }
  return text;
}

std::string say_suspects(const Reasons& r) {
  std::string text;
  for (const Reasons::Part& p : r.parts)
    if (p.grade == Grade::suspected)
      text += fmt::format("{}{} ({:.0f} %)", text.empty() ? "" : ", ", p.name, 100 * p.stops);
  return text.empty() ? text : "; suspected, as most often met: " + text;
}

std::string say(const SearchRecord& search, const PlanReport& report, const Reasons& r) {
  std::string text = say_end(search, report, r) + say_changes(r);
  if (!r.enclosure && r.without.empty() && !r.gap) {
    if (r.approach)
      text +=
          fmt::format("; {} came as near to the goal as {}, at {:.4f} {:.4f} {:.4f} m",
                      r.approach->moved, format_length(r.approach->left, 3),
                      r.approach->position.x(), r.approach->position.y(), r.approach->position.z());
    text += say_suspects(r);
  }
  if (r.kind == "time") text += "; more time may find one";
  if (r.kind == "budget") text += "; more samples may find one";
  return text + ".";
}

}  // namespace

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = names.size() <= kMost ? names.size() : kMost - 1;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    text += fmt::format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", names[i]);
  }
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

Budget make_search_budget(const TaskRun& run, long long samples) {
  constexpr double kLong = 5;    // s; less is all for the search
  constexpr double kLeft = 0.2;  // of the time
  Budget budget = run.budget;
  budget.max_steps = std::min(budget.max_steps, static_cast<std::uint64_t>(samples));
  if (!budget.deadline) return budget;
  const double seconds = std::chrono::duration<double>(*budget.deadline - Clock::now()).count();
  if (seconds > kLong) budget.deadline = make_deadline((1 - kLeft) * seconds);
  return budget;
}

std::optional<EnclosureProof> prove_enclosed(const PlanningRig& rig, const PlanningProblem& problem,
                                             const GoalRegion* region, const Budget& budget) {
  constexpr std::size_t kTries = 3;
  const PlanningSpace& space = rig.space();
  std::vector<InnerBall> balls = find_inner_balls(space, rig.model(), budget);
  if (balls.empty()) return std::nullopt;
  std::stable_sort(balls.begin(), balls.end() - 1,
                   [](const auto& a, const auto& b) { return a.radius > b.radius; });
  std::rotate(balls.begin(), balls.end() - 1, balls.end());
  if (balls.size() > kTries) balls.resize(kTries);
  ConfinementOptions options;
  options.budget = budget;
  options.budget.max_steps = Budget::kUnlimited;
  options.is_room_binding = rig.has_room();
  Workspace workspace(space.scene());
  for (const InnerBall& ball : balls) {
    BallGoal goal;
    if (region)
      goal.outside = region->box;
    else
      for (const VecX& x : problem.goals)
        goal.places.push_back(place(space, ball.body, x, workspace) * ball.p_B);
    if (auto proof = prove_confined(space, rig.model(), ball, problem.start, goal, options))
      return EnclosureProof{ball, std::move(*proof)};
  }
  return std::nullopt;
}

std::optional<MatX> explain_failure(const SearchRecord& search, const PlanReport& report,
                                    const Rng& rng, TaskResult& result) {
  Inquiry inquiry(search, report, rng.split(0));
  const Reasons reasons = inquiry.run();
  if (inquiry.way()) {
    MatX path = *inquiry.way();
    LocalPlanner local(search.rig.world());
    Rng shortening = rng.split(1);
    Budget rest = search.run.budget;
    rest.max_steps = Budget::kUnlimited;
    shorten(path, {}, local, rest, shortening);
    return path;
  }
  result.reasons = reasons;
  result.verdict = say(search, report, reasons);
  return std::nullopt;
}

}  // namespace geste::internal
