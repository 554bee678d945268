#include "geste/proximity/verify_motion.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "geste/core/parallel.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/internal/verify_pair.hpp"
#include "geste/proximity/internal/verify_stray.hpp"

namespace geste {
namespace {

using internal::Ball;
using internal::LegFinding;
using internal::PairVerifier;
using internal::TriangleTree;
using internal::VerifyObject;
using internal::VerifyPair;
using internal::VerifyScratch;
using internal::VerifyShape;
using internal::VerifyWindow;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("verify_motion: ") + what);
}

void require_sound(const Scene& scene, const CollisionModel& model, const JointMotion& motion,
                   const VerifyOptions& options) {
  require(model.workspace_size() == scene.movers().size() + 1, "the model is of another scene");
  require(!motion.times.empty(), "the motion has no moment");
  require(motion.q.rows() == scene.nq() &&
              motion.q.cols() == static_cast<Eigen::Index>(motion.times.size()),
          "the motion is of another scene");
  require(motion.q.allFinite(), "a joint value is not finite");
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    require(std::isfinite(motion.times[i]), "a time is not finite");
    require(i == 0 || motion.times[i] > motion.times[i - 1], "the times do not rise");
  }
  for (const Joint& j : scene.joints()) {
    const int offset = j.type == JointType::spherical ? 0 : j.type == JointType::free ? 3 : -1;
    if (offset < 0) continue;
    const auto norms = motion.q.middleRows(j.q + offset, 4).colwise().norm();
    require(((norms.array() - 1).abs() < 1e-6).all(), "a quaternion is not unit");
  }
  require(options.touch > 0 && std::isfinite(options.touch), "touch is not above 0");
  require(options.clearance >= 0 && std::isfinite(options.clearance),
          "the clearance is not a distance");
}

class MotionVerifier {
 public:
  MotionVerifier(const Scene& scene, const CollisionModel& model, const JointMotion& motion,
                 const VerifyOptions& options, ProgressSink& progress)
      : scene_(scene),
        model_(model),
        motion_(motion),
        options_(options),
        legs_(motion.times.size() - 1),
        stage_(progress, "verifying", std::max<std::size_t>(2 * legs_, 1)) {}

  VerifyReport run() {
    strays_ = internal::measure_strays(scene_, motion_, options_.cancel);
    if (strays_.broken) return report_broken();
    prepare_objects();
    add_pairs();
    if (options_.cancel.requested()) return report_cancelled();
    // First whether it is free at all, then how free: by then it is known where to look closely.
    if (look_inside(); first_refused_) return report(*first_refused_);
    if (!sweep(-kInfinity)) return report_cancelled();
    if (first_refused_) return report(*first_refused_);
    double nearest = kInfinity;
    for (const Seen& p : seen_) nearest = std::min(nearest, p.nearest);
    const double target = std::min(PairVerifier::kFar, PairVerifier::kShare * nearest);
    if (!sweep(target)) return report_cancelled();
    if (first_refused_) return report(*first_refused_);
    return report_free(target);
  }

 private:
  void prepare_objects() {
    std::unordered_map<const TriangleMesh*, std::shared_ptr<const TriangleTree>> trees;
    std::vector<const TriangleMesh*> meshes;
    for (const CollisionObject& o : model_.objects()) {
      const MeshTree* mesh = o.collider.mesh();
      if (mesh && trees.emplace(&mesh->mesh(), nullptr).second) meshes.push_back(&mesh->mesh());
    }
    std::vector<std::shared_ptr<const TriangleTree>> made(meshes.size());
    parallel_for(meshes.size(), options_.threads,
                 [&](std::size_t i) { made[i] = std::make_shared<TriangleTree>(*meshes[i]); });
    for (std::size_t i = 0; i < meshes.size(); ++i) trees[meshes[i]] = made[i];
    for (const CollisionObject& o : model_.objects()) {
      const MeshTree* mesh = o.collider.mesh();
      VerifyShape shape(o.collider, mesh ? trees.at(&mesh->mesh()) : nullptr);
      const Ball ball{o.mover, o.X_MO * shape.centre, shape.radius};
      objects_.push_back({std::move(shape), ball, o.X_MO, o.body});
    }
  }

  void add_pairs() {
    const int count = static_cast<int>(objects_.size());
    std::vector<char> moves(objects_.size(), 0);
    for (const int i : model_.moving()) moves[static_cast<std::size_t>(i)] = 1;
    for (int i = 0; i < count; ++i) {
      const bool meets_all = moves[static_cast<std::size_t>(i)] || model_.checks_fixed();
      for (int j = i + 1; meets_all && j < count; ++j) add_pair(i, j);
      for (const int j : model_.moving()) {
        if (!meets_all && j > i) add_pair(i, j);
      }
    }
  }

  void add_pair(int i, int j) {
    const VerifyObject &a = objects_[static_cast<std::size_t>(i)],
                       &b = objects_[static_cast<std::size_t>(j)];
    if (a.body == b.body || a.shape.is_empty() || b.shape.is_empty()) return;
    if (model_.rule(a.body, b.body) != PairRule::checked) return;
    VerifyPair pair{.a = i, .b = j};
    const int above = internal::find_common_mover(scene_, a.ball.mover, b.ball.mover);
    pair.stray = internal::bound_stray(scene_, strays_.joints, a.ball, above) +
                 internal::bound_stray(scene_, strays_.joints, b.ball, above);
    const double margin = model_.margin(a.body, b.body);
    // What is claimed to the last digit may come out a digit less here, and what strays as much
    // less as it may be bounded more closely.
    const double rounding = std::min(1e-9, options_.touch / 2);
    pair.refuse = std::max(margin + options_.touch, options_.clearance - rounding - pair.stray);
    pair.floor = pair.refuse - options_.touch / 2;
    pairs_.push_back(pair);
    seen_.emplace_back();
  }

  /// The least distance seen of a pair so far, and where.
  struct Seen {
    double nearest = kInfinity;
    std::size_t leg = 0;
    double at = 0;  ///< fraction of the leg
    Vec3 point = Vec3::Zero();
  };
  struct Refused {
    std::size_t pair = 0;
    Seen seen;
  };

  /// What begins inside something else collides, though no surface may touch.
  void look_inside() {
    Workspace workspace(scene_);
    compute_kinematics(scene_, motion_.q.col(0), workspace);
    std::vector<std::optional<LegFinding>> found(pairs_.size());
    parallel_for(pairs_.size(), options_.threads, [&](std::size_t i) {
      found[i] = internal::find_hidden(object(pairs_[i].a), object(pairs_[i].b), workspace.X_WM());
    });
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i]) take(i, 0, *found[i]);
  }

  /// Takes all pairs through the motion, or to the first window in which one is refused. False when
  /// cancelled.
  bool sweep(double target) {
    const std::size_t size = internal::choose_window_size(scene_);
    std::size_t first = 0;
    do {
      const std::size_t end = std::min(first + size, legs_);
      const VerifyWindow window =
          internal::make_window(scene_, motion_, first, end, options_.threads);
      const std::vector<double> travel = measure_travel(window);
      const PairVerifier verifier(scene_, motion_, objects_, window, travel, target,
                                  options_.cancel);
      std::vector<std::size_t> near;
      for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (needs_look(i, first, travel) && !verifier.is_far_throughout(pairs_[i]))
          near.push_back(i);
      if (!sweep_legs(verifier, near, window)) return false;
      stage_.advance(end - first);
      first = end;
    } while (first < legs_ && !first_refused_);
    return true;
  }

  /// What was proven of things that stand still stays true.
  [[nodiscard]] bool needs_look(std::size_t i, std::size_t first,
                                const std::vector<double>& travel) const {
    return first == 0 || travel[static_cast<std::size_t>(pairs_[i].a)] > 0 ||
           travel[static_cast<std::size_t>(pairs_[i].b)] > 0;
  }

  bool sweep_legs(const PairVerifier& verifier, const std::vector<std::size_t>& near,
                  const VerifyWindow& window) {
    const std::size_t legs = std::max<std::size_t>(window.end - window.first, 1);
    std::vector<LegFinding> found(near.size() * legs);
    // Legs behind the first that is refused are not needed; which were begun all the same is chance
    // and does not show.
    std::atomic<std::size_t> last_needed = legs;
    const bool complete = parallel_for_scratch(
        found.size(), options_.threads, options_.cancel, [&] { return VerifyScratch(scene_); },
        [&](std::size_t k, VerifyScratch& scratch) {
          const std::size_t leg = k / near.size();
          if (leg > last_needed) return;
          found[k] = verifier.run(pairs_[near[k % near.size()]], window.first + leg, scratch);
          if (!found[k].is_refused) return;
          std::size_t known = last_needed;
          while (leg < known && !last_needed.compare_exchange_weak(known, leg)) {
          }
        });
    if (!complete || options_.cancel.requested()) return false;
    const std::size_t needed = std::min(legs, last_needed + 1);
    for (std::size_t k = 0; k < needed * near.size(); ++k)
      take(near[k % near.size()], window.first + k / near.size(), found[k]);
    return true;
  }

  void take(std::size_t i, std::size_t leg, const LegFinding& found) {
    const Seen here{found.nearest, leg, found.at, found.point};
    queries_ += found.queries;
    if (found.nearest < seen_[i].nearest) seen_[i] = here;
    if (!found.is_refused) return;
    if (!first_refused_ ||
        std::tuple(leg, found.at) < std::tuple(first_refused_->seen.leg, first_refused_->seen.at))
      first_refused_ = Refused{i, here};
  }

  /// By object: the way in the window, seen from the world.
  std::vector<double> measure_travel(const VerifyWindow& window) const {
    std::vector<double> travel(objects_.size(), 0);
    const std::vector<int>& moving = model_.moving();
    parallel_for(moving.size(), options_.threads, [&](std::size_t k) {
      const auto i = static_cast<std::size_t>(moving[k]);
      for (std::size_t leg = window.first; leg < window.end; ++leg)
        travel[i] += internal::bound_rate(scene_, window.rates_of(leg), window.poses(leg),
                                          objects_[i].ball, 0);
    });
    return travel;
  }

  [[nodiscard]] VerifyReport report(const Refused& refused) const {
    return report(pairs_[refused.pair], refused.seen);
  }

  [[nodiscard]] VerifyReport report(const VerifyPair& pair, const Seen& seen) const {
    VerifyReport out;
    out.clearance = seen.nearest;
    out.queries = queries_;
    const double t0 = motion_.times[seen.leg];
    out.at = seen.at == 0 ? t0 : t0 + seen.at * (motion_.times[seen.leg + 1] - t0);
    if (seen.nearest == kInfinity) return out;
    out.a = object(pair.a).body;
    out.b = object(pair.b).body;
    out.point = seen.point;
    return out;
  }

  [[nodiscard]] VerifyReport report_free(double target) const {
    const auto rank = [&](std::size_t i) {
      const double nearest = seen_[i].nearest;
      return std::tuple(PairVerifier::keep(pairs_[i], target, nearest), nearest);
    };
    std::optional<std::size_t> worst;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (!worst || rank(i) < rank(*worst)) worst = i;
    VerifyReport out = worst ? report(pairs_[*worst], seen_[*worst]) : VerifyReport{};
    out.clearance = worst ? std::get<0>(rank(*worst)) : kInfinity;
    out.is_free = true;
    return out;
  }

  [[nodiscard]] VerifyReport report_broken() const {
    VerifyReport out;
    out.at = strays_.broken->at;
    out.broken = strays_.broken->what;
    return out;
  }

  [[nodiscard]] VerifyReport report_cancelled() const {
    VerifyReport out;
    out.cancelled = true;
    out.queries = queries_;
    return out;
  }

  [[nodiscard]] const VerifyObject& object(int i) const {
    return objects_[static_cast<std::size_t>(i)];
  }

  const Scene& scene_;
  const CollisionModel& model_;
  const JointMotion& motion_;
  const VerifyOptions& options_;
  const std::size_t legs_;
  ProgressScope stage_;
  internal::VerifyStrays strays_;
  std::vector<VerifyObject> objects_;
  std::vector<VerifyPair> pairs_;
  std::vector<Seen> seen_;  ///< by pair
  std::optional<Refused> first_refused_;
  long queries_ = 0;
};

}  // namespace

VerifyReport verify_motion(const Scene& scene, const CollisionModel& model,
                           const JointMotion& motion, const VerifyOptions& options,
                           ProgressSink& progress) {
  require_sound(scene, model, motion, options);
  return MotionVerifier(scene, model, motion, options, progress).run();
}

}  // namespace geste
