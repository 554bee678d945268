#include "geste/tasks/internal/certify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/proximity/motion_proof.hpp"

namespace geste::internal {
namespace {

std::string name_of(const Scene& scene, BodyId body) {
  return body.valid() ? scene.body(body).name : std::string();
}

Certificate::Contact to_contact(const Scene& scene, const MotionContact& c) {
  const Separation& s = c.pair.separation;
  return {c.at, name_of(scene, c.pair.a), name_of(scene, c.pair.b), s.distance,
          (s.on_a + s.on_b) / 2};
}

Certificate to_certificate(const Scene& scene, const CollisionModel& model,
                           const MotionProof& proof, const ProofOptions& options) {
  Certificate c;
  c.is_free = proof.is_free();
  c.touch = options.touch;
  for (const RuledPair& pair : model.list_pairs()) c.pairs += pair.rule == PairRule::checked;
  for (const ClearanceSpan& s : proof.profile)
    c.profile.push_back({s.begin, s.end, s.clearance, name_of(scene, s.a), name_of(scene, s.b)});
  if (const ClearanceSpan* tightest = find_tightest(proof)) c.clearance = tightest->clearance;
  if (proof.contact) c.contact = to_contact(scene, *proof.contact);
  if (proof.broken) c.broken = Certificate::Break{proof.broken->at, proof.broken->what};
  c.stray = proof.stray;
  return c;
}

}  // namespace

Result<CollisionModel> make_motion_model(const TaskScene& world, const TaskFile& task, int threads,
                                         const CancelToken& cancel) {
  CollisionOptions options;
  static_cast<CollisionSpec&>(options) = task.collision;
  options.use_reach = false;
  options.threads = threads;
  options.cancel = cancel;
  Result<CollisionModel> model = CollisionModel::make(world.scene, options);
  if (model) return model;
  Error error = model.error();
  if (error.file.empty()) error.file = task.file;
  return error;
}

Result<std::optional<Certificate>> certify(const TaskScene& world, const JointMotion& motion,
                                           const TaskRun& run) {
  const CancelToken& cancel = run.budget.cancel;
  const Result<CollisionModel> model = make_motion_model(world, run.file, run.threads, cancel);
  if (!model) return model.error();
  ProofOptions options;
  options.cancel = cancel;
  const std::optional<MotionProof> proof =
      prove_motion(world.scene, *model, motion, options, run.threads, run.progress);
  if (!proof) return std::optional<Certificate>();
  return std::optional(to_certificate(world.scene, *model, *proof, options));
}

std::string describe(const Certificate& c) {
  if (c.broken)
    return fmt::format("it leaves its mechanism after {:.4g} s: {}", c.broken->at, c.broken->what);
  if (c.contact) {
    const double distance = c.contact->distance;
    if (c.stray > c.touch && distance > c.touch)
      return fmt::format(
          "it may collide at {:.4g} s: {} - {}, {:.3g} mm apart, while loops and followers stray "
          "by "
          "up to {:.3g} mm between frames; more frames tell it better",
          c.contact->at, c.contact->a, c.contact->b, 1e3 * distance, 1e3 * c.stray);
    const std::string how =
        distance < 0 ? fmt::format("{:.3g} mm deep", -1e3 * distance)
                     : (distance > c.touch ? fmt::format("{:.3g} mm apart", 1e3 * distance)
                                           : std::string("touching"));
    return fmt::format("it collides at {:.4g} s: {} - {}, {}", c.contact->at, c.contact->a,
                       c.contact->b, how);
  }
  if (c.pairs == 0) return "nothing in it can collide";
  const auto tightest =
      std::min_element(c.profile.begin(), c.profile.end(),
                       [](const auto& x, const auto& y) { return x.clearance < y.clearance; });
  std::string text = fmt::format("proven free of collisions: nothing comes nearer than {:.3g} mm",
                                 1e3 * c.clearance);
  if (tightest != c.profile.end() && !tightest->a.empty())
    text += fmt::format(" ({} - {} at {:.4g} s)", tightest->a, tightest->b, tightest->begin);
  return text;
}

}  // namespace geste::internal
