#include "geste/tasks/internal/certify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/motion_proof.hpp"
#include "geste/proximity/verify_motion.hpp"

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

/// Looks at moments of a motion, one after the other.
class Look {
 public:
  Look(const Scene& scene, const CollisionModel& model, const JointMotion& motion)
      : scene_(scene),
        model_(model),
        motion_(motion),
        workspace_(scene),
        memory_(model),
        q_(motion.q.rows()) {}

  std::optional<Certificate::Gap> measure(double t) {
    place(t);
    const auto pair = find_nearest_pair(model_, workspace_, memory_);
    if (!pair) return std::nullopt;
    const Separation& s = pair->separation;
    return Certificate::Gap{
        t, name_of(scene_, pair->a), name_of(scene_, pair->b), s.distance, s.on_a, s.on_b};
  }

  void list_collisions(double t, const char* where, std::vector<Collision>& collisions) {
    place(t);
    for (const PairClearance& pair : find_collisions(model_, workspace_, memory_)) {
      const Separation& s = pair.separation;
      collisions.push_back({where, name_of(scene_, pair.a), name_of(scene_, pair.b), -s.distance,
                            (s.on_a + s.on_b) / 2});
    }
  }

 private:
  void place(double t) {
    interpolate(scene_, motion_, t, q_);
    compute_kinematics(scene_, q_, workspace_);
  }

  const Scene& scene_;
  const CollisionModel& model_;
  const JointMotion& motion_;
  Workspace workspace_;
  CollisionWorkspace memory_;
  VecX q_;
};

/// The tightest moment of a stretch, each time looked for in the part that was found tightest.
void measure_span(const Certificate::Span& span, Look& look,
                  std::optional<Certificate::Gap>& best) {
  constexpr int kSteps = 16, kRounds = 4;
  double begin = span.begin, end = span.end;
  std::optional<Certificate::Gap> mine;
  for (int round = 0; round < kRounds; ++round) {
    for (int k = 0; k <= kSteps; ++k) {
      const auto gap = look.measure(begin + (end - begin) * k / kSteps);
      if (gap && (!mine || gap->distance < mine->distance)) mine = gap;
    }
    if (!mine) return;
    const double step = (end - begin) / kSteps;
    begin = std::max(span.begin, mine->at - step);
    end = std::min(span.end, mine->at + step);
  }
  if (!best || mine->distance < best->distance) best = mine;
}

/// Where it is tightest, by measuring, for people to look at: stretches with the lowest bounds
/// first, until no other bound is lower than what was found. Nothing where nothing is as near as
/// the proof looked.
std::optional<Certificate::Gap> find_tightest_moment(const Certificate& certificate, Look& look) {
  constexpr std::size_t kMostSpans = 64;
  std::vector<const Certificate::Span*> spans;
  for (const Certificate::Span& span : certificate.profile)
    if (!span.a.empty()) spans.push_back(&span);
  std::stable_sort(spans.begin(), spans.end(),
                   [](const auto* x, const auto* y) { return x->clearance < y->clearance; });
  std::optional<Certificate::Gap> best;
  for (std::size_t k = 0; k < std::min(spans.size(), kMostSpans); ++k) {
    if (best && spans[k]->clearance >= best->distance) break;
    measure_span(*spans[k], look, best);
  }
  return best;
}

/// The verifier's word on a motion that was proven free: what it refuses is not free. False when
/// cancelled.
bool add_second_opinion(const TaskScene& world, const TaskRun& run, const JointMotion& motion,
                        const CollisionModel& lent, Certificate& certificate) {
  CollisionOptions without_reserve = lent.options();
  without_reserve.reserve = 0;
  const CollisionModel model = CollisionModel::make(world.scene, without_reserve, &lent).value();
  VerifyOptions options;
  options.clearance = certificate.clearance;
  options.threads = run.threads;
  options.cancel = run.budget.cancel;
  const VerifyReport report = verify_motion(world.scene, model, motion, options, run.progress);
  if (report.cancelled) return false;
  certificate.is_verified = report.is_free;
  certificate.is_free = report.is_free;
  if (report.is_free) return true;
  if (!report.broken.empty())
    certificate.broken = Certificate::Break{report.at, report.broken};
  else
    certificate.contact =
        Certificate::Contact{report.at, name_of(world.scene, report.a),
                             name_of(world.scene, report.b), report.clearance, report.point};
  return true;
}

}  // namespace

Result<CollisionModel> make_motion_model(const TaskScene& world, const TaskFile& task, int threads,
                                         const CancelToken& cancel, double reserve) {
  CollisionOptions options;
  static_cast<CollisionSpec&>(options) = task.collision;
  options.use_reach = false;
  options.reserve = reserve;
  options.threads = threads;
  options.cancel = cancel;
  Result<CollisionModel> model = CollisionModel::make(world.scene, options);
  if (model) return model;
  Error error = model.error();
  if (error.file.empty()) error.file = task.file;
  return error;
}

Result<bool> certify(const TaskScene& world, const TaskRun& run, TaskResult& result) {
  const JointMotion& motion = result.motion;
  const CancelToken& cancel = run.budget.cancel;
  const Result<CollisionModel> model =
      make_motion_model(world, run.file, run.threads, cancel, kTouch);
  if (!model) return model.error();
  ProofOptions options;
  options.touch = kTouch;
  options.cancel = cancel;
  const std::optional<MotionProof> proof =
      prove_motion(world.scene, *model, motion, options, run.threads, run.progress);
  if (!proof) return false;
  Certificate certificate = to_certificate(world.scene, *model, *proof, options);
  if (certificate.is_free && !add_second_opinion(world, run, motion, *model, certificate))
    return false;
  Look look(world.scene, *model, motion);
  if (certificate.is_free) {
    certificate.tightest = find_tightest_moment(certificate, look);
  } else {
    look.list_collisions(motion.times.front(), "start", result.collisions);
    look.list_collisions(motion.times.back(), "goal", result.collisions);
  }
  result.certificate = std::move(certificate);
  return true;
}

std::string describe(const Certificate& c) {
  if (c.broken)
    return fmt::format("it leaves its mechanism after {}: {}", format_duration(c.broken->at),
                       c.broken->what);
  if (c.contact) {
    const double distance = c.contact->distance;
    if (c.stray > c.touch && distance > c.touch)
      return fmt::format(
          "it may collide at {}: {} - {}, {} apart, while loops and followers stray "
          "by "
          "up to {} between frames; more frames tell it better",
          format_duration(c.contact->at), c.contact->a, c.contact->b, format_length(distance, 3),
          format_length(c.stray, 3));
    const std::string how =
        distance < 0 ? fmt::format("{} deep", format_length(-distance, 3))
                     : (distance > c.touch ? fmt::format("{} apart", format_length(distance, 3))
                                           : std::string("touching"));
    return fmt::format("it collides at {}: {} - {}, {}", format_duration(c.contact->at),
                       c.contact->a, c.contact->b, how);
  }
  if (c.pairs == 0) return "nothing in it can collide";
  // The same place and number as in reports; the bound is named where it shows in the digits.
  if (!c.tightest)
    return fmt::format("proven free of collisions: nothing comes nearer than {}",
                       format_length(c.clearance, 3));
  const Certificate::Gap& gap = *c.tightest;
  std::string text =
      fmt::format("proven free of collisions: tightest {}, {} - {} at {}",
                  format_length(gap.distance, 3), gap.a, gap.b, format_duration(gap.at));
  constexpr double kShows = 0.995;
  if (c.clearance < kShows * gap.distance)
    text += fmt::format(" (proven: never below {})", format_length(c.clearance, 3));
  return text;
}

}  // namespace geste::internal
