#include "geste/tasks/internal/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/model/kinematics.hpp"
#include "geste/planning/confinement.hpp"
#include "geste/planning/explain.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

std::vector<std::string> name_bodies(const Scene& scene, const std::vector<BodyId>& bodies) {
  std::vector<std::string> names;
  for (const BodyId body : bodies) {
    std::string name = name_part(scene, body);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

class Inquiry {
 public:
  Inquiry(const FailedSearch& failed, const Rng& rng)
      : failed_(failed),
        space_(failed.rig.space()),
        scene_(space_.scene()),
        model_(failed.rig.model()),
        rng_(rng),
        workspace_(scene_),
        moved_(list_moved_bodies(space_, model_)) {}

  Reasons run() {
    reasons_.kind = "budget";
    if (moved_.empty()) return reasons_;
    find_approach();
    const std::optional<InnerBall> ball = find_inner_ball(space_, model_);
    if (ball) find_enclosure(*ball);
    find_blocking(ball);
    if (!reasons_.blocking.empty() || reasons_.gap || reasons_.enclosure) reasons_.kind = "blocked";
    return reasons_;
  }

  /// A way after all, found while looking for one that something thinner could go.
  [[nodiscard]] const std::optional<MatX>& way() const { return way_; }

 private:
  /// Where a body is at a point of the space.
  Pose place(BodyId body, ConstVecRef x) {
    VecX q(scene_.nq());
    static_cast<void>(space_.complete(x, q, workspace_));
    compute_kinematics(scene_, q, workspace_);
    return compute_pose(scene_, workspace_, body);
  }

  /// The body that goals are said of best: the last of a chain.
  [[nodiscard]] BodyId leading() const { return moved_.back(); }

  void find_approach() {
    if (failed_.report.nearest.size() == 0) return;
    const Vec3 here = place(leading(), failed_.report.nearest).p;
    double left = kInfinity;
    for (const VecX& goal : failed_.problem.goals)
      left = std::min(left, (place(leading(), goal).p - here).norm());
    reasons_.approach = Reasons::Approach{scene_.body(leading()).name, here, left};
  }

  void find_enclosure(const InnerBall& ball) {
    BallGoal goal;
    if (failed_.region)
      goal.outside = failed_.region->box;
    else
      for (const VecX& x : failed_.problem.goals)
        goal.places.push_back(place(ball.body, x) * ball.p_B);
    ConfinementOptions options;
    options.cancel = failed_.run.budget.cancel;
    const auto proof = prove_confined(space_, model_, ball, failed_.problem.start, goal, options);
    if (!proof) return;
    reasons_.enclosure = Reasons::Enclosure{scene_.body(ball.body).name, ball.radius, proof->box,
                                            name_bodies(scene_, proof->walls), proof->cells};
  }

  void find_blocking(const std::optional<InnerBall>& ball) {
    ExplainOptions options;
    options.plan.threads = failed_.run.threads;
    // Less than the whole search had, so that reasons take about as long as it did.
    options.samples = std::clamp<std::uint64_t>(failed_.report.steps / 5, 200, 3000);
    options.looks = 10 * options.samples;
    Explainer explainer(failed_.rig.world(), failed_.problem, options, failed_.run.budget, rng_);
    // Links of an arm are as thick as they are.
    if (ball && is_loose_part(space_)) {
      // Thinner than that and nothing would be left.
      constexpr double kMost = 0.9;
      const auto shortfall = explainer.find_shortfall(kMost * ball->radius);
      if (shortfall && shortfall->thinner == 0) {
        way_ = shortfall->path;
        return;
      }
      if (shortfall) add_gap(*shortfall);
    }
    if (const auto blockage = explainer.find_blockage(failed_.report))
      reasons_.blocking = name_bodies(scene_, blockage->parts);
  }

  void add_gap(const Shortfall& s) {
    const PairClearance& pair = s.deepest;
    Reasons::Gap gap;
    // Thinner on both sides.
    gap.missing = 2 * (s.thinner + failed_.thinner);
    gap.between = name_bodies(scene_, s.between);
    gap.share = s.share;
    if (!s.between.empty()) {
      const bool is_first = std::find(moved_.begin(), moved_.end(), pair.a) != moved_.end();
      gap.moved = scene_.body(is_first ? pair.a : pair.b).name;
      gap.depth = -pair.separation.distance;
      gap.on_moved = is_first ? pair.separation.on_a : pair.separation.on_b;
      gap.on_other = is_first ? pair.separation.on_b : pair.separation.on_a;
    }
    reasons_.gap = std::move(gap);
  }

  const FailedSearch& failed_;
  const PlanningSpace& space_;
  const Scene& scene_;
  const CollisionModel& model_;
  Rng rng_;
  Workspace workspace_;
  std::vector<BodyId> moved_;
  Reasons reasons_;
  std::optional<MatX> way_;
};

std::string say_blocked(const Reasons& r) {
  std::string text;
  if (!r.blocking.empty()) {
    const bool is_one = r.blocking.size() == 1;
    text = fmt::format("; {} {} it: without {} there is a way, found and proven",
                       list_names(r.blocking), is_one ? "blocks" : "block", is_one ? "it" : "them");
  }
  if (r.gap) {
    text += fmt::format("; {:.3g} mm are missing", 1e3 * r.gap->missing);
    if (r.gap->between.size() > 1)
      text += fmt::format(" between {}", list_names(r.gap->between));
    else if (!r.gap->between.empty())
      text += fmt::format(" at {}", r.gap->between.front());
  }
  return text;
}

std::string say(const FailedSearch& failed, const Reasons& r) {
  std::string text;
  if (r.enclosure)
    text = fmt::format("Proven blocked: {} {} it, a ball of {:.3g} mm in it cannot get out",
                       list_names(r.enclosure->walls),
                       r.enclosure->walls.size() == 1 ? "encloses" : "enclose",
                       2e3 * r.enclosure->radius);
  else
    text = fmt::format("No motion found within {} samples", failed.report.steps);
  text += say_blocked(r);
  if (r.kind != "blocked") {
    // Not every planner says how near it came.
    if (failed.report.gap < kInfinity)
      text += fmt::format(
          ": what is reached from the start and from the goal stays {:.3g} apart (in radians, or "
          "lengths of what moves)",
          failed.report.gap);
    if (r.approach)
      text += fmt::format("; {} came as near as {:.3g} mm, at {:.4f} {:.4f} {:.4f} m",
                          r.approach->moved, 1e3 * r.approach->left, r.approach->position.x(),
                          r.approach->position.y(), r.approach->position.z());
    const std::string blockers = list_blockers(failed.rig, failed.report);
    if (!blockers.empty()) text += fmt::format("; most often in the way: {}", blockers);
  }
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

std::optional<MatX> explain_failure(const FailedSearch& failed, const Rng& rng,
                                    TaskResult& result) {
  Inquiry inquiry(failed, rng.split(0));
  const Reasons reasons = inquiry.run();
  if (inquiry.way()) {
    MatX path = *inquiry.way();
    const PlanningWorld world = failed.rig.world();
    LocalPlanner local(world);
    Rng shortening = rng.split(1);
    Budget rest = failed.run.budget;
    rest.max_steps = Budget::kUnlimited;
    shorten(path, {}, local, rest, shortening);
    return path;
  }
  result.reasons = reasons;
  result.verdict = say(failed, reasons);
  return std::nullopt;
}

}  // namespace geste::internal
