#include "geste/tasks/internal/closing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/core/quantity.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/timing.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/tasks/internal/certify.hpp"

namespace geste::internal {
namespace {

Diagnostic make_closing_fault(std::string message, std::string remedy) {
  return {.code = "move.close",
          .message = std::move(message),
          .element = "task, move, close",
          .remedy = std::move(remedy)};
}

const NamedConfiguration* find_named(const Scene& scene, const std::string& actor,
                                     const std::string& name) {
  const NamedConfiguration* named = scene.find_configuration(name);
  return named ? named : scene.find_configuration(actor + "/" + name);
}

/// The joints that a configuration moves from where they are, of those that were not planned.
std::vector<JointId> find_closing_joints(const PlanningRig& rig, ConstVecRef q,
                                         ConstVecRef closed) {
  const Scene& scene = rig.space().scene();
  std::vector<JointId> joints;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& joint = scene.joints()[i];
    const bool is_planned =
        std::any_of(rig.space().items().begin(), rig.space().items().end(),
                    [&](const PlanningSpace::Item& item) { return item.joint.q == joint.q; });
    if (joint.nv == 0 || joint.role != JointRole::independent || is_planned) continue;
    if (q.segment(joint.q, joint.nq) != closed.segment(joint.q, joint.nq))
      joints.emplace_back(static_cast<int>(i));
  }
  return joints;
}

/// Goes from contact to contact.
class Closing {
 public:
  Closing(const PlanningRig& rig, ConstVecRef closed, std::vector<JointId> joints)
      : scene_(rig.space().scene()),
        closed_(closed),
        joints_(std::move(joints)),
        prover_(scene_, rig.model()),
        memory_(prover_),
        workspace_(scene_),
        model_(rig.model()),
        distances_(rig.model()) {}

  /// The configurations after each leg; every leg is proven.
  std::vector<VecX> run(VecX q) {
    std::vector<VecX> legs;
    while (!joints_.empty()) {
      VecX target = q;
      for (const JointId id : joints_) {
        const Joint& joint = scene_.joint(id);
        target.segment(joint.q, joint.nq) = closed_.segment(joint.q, joint.nq);
      }
      if (!compute_dependents(scene_, target, workspace_)) break;
      const MotionProof proof = prove(q, target);
      const VecX end = proof.is_free() ? target : find_free_end(q, target, proof.free_until);
      if (end != q) legs.push_back(end);
      q = end;
      if (proof.is_free() || !proof.contact) break;
      touches_.push_back(fmt::format("{} and {}", scene_.body(proof.contact->pair.a).name,
                                     scene_.body(proof.contact->pair.b).name));
      if (!stop(proof.contact->pair)) break;
    }
    return legs;
  }
  [[nodiscard]] const std::vector<std::string>& touches() const { return touches_; }

 private:
  MotionProof prove(const VecX& a, const VecX& b) {
    ProofOptions options;
    options.accuracy = 1;
    return prover_.free_until(a, b, Course::straight, memory_, options);
  }

  /// How near the nearest two are, beyond their margin.
  double measure_clearance(const VecX& q) {
    compute_kinematics(scene_, q, workspace_);
    const std::optional<PairClearance> pair = find_nearest_pair(model_, workspace_, distances_);
    return pair ? pair->separation.distance - pair->margin : kInfinity;
  }

  /// A hair before a contact, so that all who look at the motion again have room for their proofs.
  VecX find_free_end(const VecX& q, const VecX& target, double share) {
    constexpr double kHair = 50e-6;  // m
    const double apart = std::min(kHair, measure_clearance(q) - 1e-9);
    VecX end = q;
    for (double back = 1e-6; back < share; back *= 2) {
      interpolate(scene_, q, target, Course::straight, share - back, end);
      if (compute_dependents(scene_, end, workspace_) && measure_clearance(end) >= apart &&
          prove(q, end).is_free())
        return end;
    }
    return q;
  }

  /// Stops the joints that move one of the two, directly or as those that it follows; whether
  /// there are any.
  bool stop(const PairClearance& pair) {
    std::vector<JointId> moving;
    for (const BodyId body : {pair.a, pair.b})
      for (int m = scene_.body(body).mover; m != 0; m = scene_.movers()[at(m)].parent)
        moving.push_back(scene_.movers()[at(m)].joint);
    const auto moves = [&](JointId id) {
      return std::find(moving.begin(), moving.end(), id) != moving.end();
    };
    const auto leads = [&](JointId id) {
      return std::any_of(
          scene_.followers().begin(), scene_.followers().end(), [&](const Follower& f) {
            return moves(f.joint) &&
                   std::find(f.leaders.begin(), f.leaders.end(), id) != f.leaders.end();
          });
    };
    return std::erase_if(joints_, [&](JointId id) { return moves(id) || leads(id); }) > 0;
  }

  const Scene& scene_;
  VecX closed_;
  std::vector<JointId> joints_;  ///< that still close
  MotionProver prover_;
  MotionProver::Memory memory_;
  Workspace workspace_;
  const CollisionModel& model_;
  CollisionWorkspace distances_;
  std::vector<std::string> touches_;
};

void append(const JointMotion& more, JointMotion& motion) {
  const double begin = motion.times.back();
  const Eigen::Index count = more.q.cols() - 1;
  for (std::size_t i = 1; i < more.times.size(); ++i) motion.times.push_back(begin + more.times[i]);
  motion.q.conservativeResize(Eigen::NoChange, motion.q.cols() + count);
  motion.q.rightCols(count) = more.q.rightCols(count);
}

}  // namespace

Result<void> check_closing(const TaskScene& world, const PlanningRig& rig, const std::string& actor,
                           const std::string& configuration) {
  const NamedConfiguration* named = find_named(world.scene, actor, configuration);
  if (!named)
    return make_closing_fault(fmt::format("there is no configuration '{}'", configuration),
                              "add it to `configurations`, or name one of the robot's SRDF");
  VecX closed = world.start;
  apply(world.scene, *named, closed);
  if (find_closing_joints(rig, world.start, closed).empty())
    return make_closing_fault(
        fmt::format("'{}' moves no joint that is not planned", configuration),
        "plan a `group` without the hand, and name a configuration of the hand");
  return {};
}

Result<bool> close_joints(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                          const std::string& actor, const std::string& configuration, double speed,
                          TaskResult& result) {
  const Scene& scene = world.scene;
  const VecX q = result.motion.q.rightCols(1);
  VecX closed = q;
  apply(scene, *find_named(scene, actor, configuration), closed);
  const std::vector<JointId> joints = find_closing_joints(rig, q, closed);
  const Result<PlanningSpace> hand = PlanningSpace::make(scene, rig.model(), joints, q);
  if (!hand) return hand.error();
  Closing closing(rig, closed, joints);
  const std::vector<VecX> legs = closing.run(q);
  MatX path(hand->size(), std::ssize(legs) + 1);
  hand->gather(q, path.col(0));
  for (std::size_t k = 0; k < legs.size(); ++k)
    hand->gather(legs[k], path.col(static_cast<Eigen::Index>(k) + 1));
  append(make_timed(*hand, Course::straight, path, {.speed = speed}), result.motion);
  for (Figure& figure : result.figures)
    if (figure.name == "duration") figure.value = result.motion.times.back();
  result.figures.push_back({"touches", static_cast<double>(closing.touches().size()), "1"});
  const Result<bool> proven = certify(world, run, result);
  if (!proven || !*proven) return proven;
  result.found = result.certificate->is_free;
  result.verdict = fmt::format(
      "{} of {}, {};{} {}.", result.found ? "Found a motion" : "No motion: there is one",
      format_duration(result.motion.times.back(), 3),
      closing.touches().empty()
          ? "which closes on nothing"
          : fmt::format("which closes until {} touch", fmt::join(closing.touches(), ", ")),
      result.found ? "" : " but", describe(*result.certificate));
  return true;
}

}  // namespace geste::internal
