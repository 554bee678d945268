#include <algorithm>

#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

/// Looks at the frames of a motion for when fits are apart.
class FitWatch {
 public:
  FitWatch(const TaskScene& world, const JointMotion& motion)
      : scene_(world.scene), motion_(motion), workspace_(world.scene) {
    CollisionOptions options;
    options.use_reach = false;
    model_.emplace(CollisionModel::make(scene_, options).value());
    memory_.emplace(*model_);
  }

  /// The first frame at which the two are apart, or leave the axis before.
  std::size_t find_apart(const StartContact& fit) {
    const BodyId moved = *scene_.find_body(fit.moved), other = *scene_.find_body(fit.other);
    place(0);
    const Pose start = compute_pose(scene_, workspace_, moved);
    std::size_t k = 0;
    for (; k + 1 < motion_.times.size(); ++k) {
      place(k);
      const auto pair = compute_clearance(*model_, workspace_, moved, other, *memory_);
      if (!pair || pair->separation.distance > 2 * kTouch) break;
      place(k + 1);
      if (!follows(fit, start, compute_pose(scene_, workspace_, moved))) break;
    }
    return k;
  }

 private:
  void place(std::size_t frame) {
    compute_kinematics(scene_, motion_.q.col(static_cast<Eigen::Index>(frame)), workspace_);
  }

  /// Whether the part is where it was but for a shift along the axis.
  static bool follows(const StartContact& fit, const Pose& from, const Pose& to) {
    constexpr double kRounding = 1e-9;
    if (!fit.axis) return false;
    const Vec3 shift = to.p - from.p;
    const Vec3 aside = shift - fit.axis->dot(shift) * *fit.axis;
    return aside.norm() <= kRounding * (1 + shift.norm()) && (to.R - from.R).norm() <= kRounding;
  }

  const Scene& scene_;
  const JointMotion& motion_;
  Workspace workspace_;
  std::optional<CollisionModel> model_;
  std::optional<CollisionWorkspace> memory_;
};

JointMotion take_frames(const JointMotion& motion, std::size_t first, std::size_t last) {
  const auto at = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  return {{motion.times.begin() + static_cast<std::ptrdiff_t>(first),
           motion.times.begin() + static_cast<std::ptrdiff_t>(last) + 1},
          motion.q.middleCols(at(first), at(last - first + 1)),
          motion.course};
}

}  // namespace

std::vector<MotionStage> split_at_fits(const TaskScene& world, const JointMotion& motion,
                                       std::vector<StartContact>& contacts) {
  contacts = world.contacts;
  if (std::none_of(contacts.begin(), contacts.end(), [](const auto& c) { return c.is_fit; }))
    return {{motion, {}}};
  FitWatch watch(world, motion);
  std::vector<std::pair<std::size_t, StartContact>> fits;
  for (StartContact& c : contacts) {
    if (!c.is_fit) continue;
    const std::size_t frame = watch.find_apart(c);
    c.apart_at = motion.times[frame];
    fits.emplace_back(frame, c);
  }
  std::stable_sort(fits.begin(), fits.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<MotionStage> stages;
  const std::size_t last = motion.times.size() - 1;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= fits.size(); ++i) {
    const std::size_t to = i < fits.size() ? fits[i].first : last;
    if (to == from && !(i == fits.size() && stages.empty())) continue;
    MotionStage stage{take_frames(motion, from, to), {}};
    for (std::size_t k = i; k < fits.size(); ++k) stage.exempt.push_back(fits[k].second);
    stages.push_back(std::move(stage));
    from = to;
  }
  return stages;
}

Result<CollisionModel> make_motion_model(const TaskScene& world, const TaskFile& task,
                                         const MotionPairs& pairs, int threads,
                                         const CancelToken& cancel, const CollisionModel* lent) {
  CollisionOptions options;
  CollisionSpec spec = make_collision_spec(world, task.collision);
  if (!pairs.with_seats) spec = leave_out_seats(world, std::move(spec));
  for (const StartContact& fit : pairs.exempt) spec.allowed.push_back({fit.moved, fit.other, {}});
  static_cast<CollisionSpec&>(options) = std::move(spec);
  options.use_reach = false;
  options.reserve = pairs.reserve;
  options.threads = threads;
  options.cancel = cancel;
  Result<CollisionModel> model = CollisionModel::make(world.scene, options, lent);
  if (model) return model;
  Error error = model.error();
  if (error.file.empty()) error.file = task.file;
  return error;
}

namespace {

/// What was seen of one more stage, or of the same one with other pairs.
void join(const VerifyReport& stage, VerifyReport& all) {
  const long queries = all.queries + stage.queries;
  if (stage.clearance < all.clearance) all = stage;
  all.queries = queries;
}

}  // namespace

Result<VerifyReport> verify_stages(const TaskScene& world, const TaskFile& task,
                                   const JointMotion& motion, const VerifyOptions& options,
                                   ProgressSink& progress) {
  std::vector<StartContact> contacts;
  const bool has_seats = std::any_of(world.contacts.begin(), world.contacts.end(),
                                     [](const StartContact& c) { return !c.is_fit; });
  VerifyReport all;
  all.is_free = true;
  all.clearance = kInfinity;
  for (const MotionStage& stage : split_at_fits(world, motion, contacts)) {
    // Seats are as near as they are: their clearance says nothing.
    for (const bool with_seats : {true, false}) {
      if (with_seats && !has_seats) continue;
      const Result<CollisionModel> model = make_motion_model(
          world, task, {0, with_seats, stage.exempt}, options.threads, options.cancel);
      if (!model) return model.error();
      VerifyOptions how = options;
      how.clearance = 0;
      VerifyReport report = verify_motion(world.scene, *model, stage.motion, how, progress);
      if (report.is_free && !with_seats && report.clearance < options.clearance)
        report = verify_motion(world.scene, *model, stage.motion, options, progress);
      if (!report.is_free || report.cancelled) return report;
      if (!with_seats) join(report, all);
    }
  }
  return all;
}

}  // namespace geste::internal
