#include "geste/proximity/verify_motion.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "geste/core/parallel.hpp"
#include "geste/proximity/internal/verify_pair.hpp"
#include "geste/proximity/internal/verify_stray.hpp"

namespace geste {
namespace {

using internal::Ball;
using internal::PairAdvance;
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
    // First whether it is free at all, then how free: by then it is known where to look closely.
    if (options_.cancel.requested() || !sweep(-kInfinity)) return report_cancelled();
    if (const VerifyPair* refused = find_refused()) return report(*refused);
    double nearest = kInfinity;
    for (const VerifyPair& p : pairs_) nearest = std::min(nearest, p.nearest);
    const double target = std::min(PairAdvance::kFar, PairAdvance::kShare * nearest);
    restart();
    if (!sweep(target)) return report_cancelled();
    if (const VerifyPair* refused = find_refused()) return report(*refused);
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
    pair.above = internal::find_common_mover(scene_, a.ball.mover, b.ball.mover);
    pair.stray = internal::bound_stray(scene_, strays_.joints, a.ball, pair.above) +
                 internal::bound_stray(scene_, strays_.joints, b.ball, pair.above);
    const double margin = model_.margin(a.body, b.body);
    // What is claimed to the last digit may come out a digit less here, and what strays as much
    // less as it may be bounded more closely.
    const double rounding = std::min(1e-9, options_.touch / 2);
    pair.floor = std::max(margin, options_.clearance - options_.touch - pair.stray);
    pair.refuse = std::max(margin + options_.touch, options_.clearance - rounding - pair.stray);
    pairs_.push_back(pair);
  }

  void restart() {
    for (VerifyPair& p : pairs_) {
      p.leg = 0;
      p.s = 0;
    }
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
      const PairAdvance advance(scene_, motion_, objects_, window, travel, target, options_.cancel);
      const bool complete = parallel_for_scratch(
          pairs_.size(), options_.threads, options_.cancel, [&] { return VerifyScratch(scene_); },
          [&](std::size_t i, VerifyScratch& scratch) { advance.run(pairs_[i], scratch); });
      if (!complete || options_.cancel.requested()) return false;
      stage_.advance(end - first);
      first = end;
    } while (first < legs_ && !find_refused());
    return true;
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

  /// The earliest; of those at once the first.
  [[nodiscard]] const VerifyPair* find_refused() const {
    const VerifyPair* first = nullptr;
    for (const VerifyPair& p : pairs_) {
      if (p.is_refused && (!first || std::tuple(p.nearest_leg, p.nearest_s) <
                                         std::tuple(first->nearest_leg, first->nearest_s)))
        first = &p;
    }
    return first;
  }

  [[nodiscard]] VerifyReport report(const VerifyPair& pair) const {
    VerifyReport out;
    out.clearance = pair.nearest;
    out.queries = count_queries();
    if (pair.nearest == kInfinity) return out;
    out.a = objects_[static_cast<std::size_t>(pair.a)].body;
    out.b = objects_[static_cast<std::size_t>(pair.b)].body;
    out.point = pair.point;
    const double t0 = motion_.times[pair.nearest_leg];
    out.at =
        pair.nearest_s == 0 ? t0 : t0 + pair.nearest_s * (motion_.times[pair.nearest_leg + 1] - t0);
    return out;
  }

  [[nodiscard]] VerifyReport report_free(double target) const {
    const VerifyPair* worst = nullptr;
    const auto rank = [&](const VerifyPair& p) {
      return std::tuple(PairAdvance::keep(p, target), p.nearest);
    };
    for (const VerifyPair& p : pairs_) {
      if (!worst || rank(p) < rank(*worst)) worst = &p;
    }
    VerifyReport out = worst ? report(*worst) : VerifyReport{};
    out.clearance = worst ? PairAdvance::keep(*worst, target) : kInfinity;
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
    out.queries = count_queries();
    return out;
  }

  [[nodiscard]] long count_queries() const {
    long sum = 0;
    for (const VerifyPair& p : pairs_) sum += p.queries;
    return sum;
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
};

}  // namespace

VerifyReport verify_motion(const Scene& scene, const CollisionModel& model,
                           const JointMotion& motion, const VerifyOptions& options,
                           ProgressSink& progress) {
  require_sound(scene, model, motion, options);
  return MotionVerifier(scene, model, motion, options, progress).run();
}

}  // namespace geste
