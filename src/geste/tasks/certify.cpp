#include "geste/tasks/internal/certify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/motion_proof.hpp"
#include "geste/proximity/verify_motion.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

std::string name_of(const Scene& scene, BodyId body) {
  return body.valid() ? name_part(scene, body) : std::string();
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

/// Proves a motion stage by stage.
class Certifier {
 public:
  Certifier(const TaskScene& world, const TaskRun& run, const JointMotion& motion)
      : world_(world),
        run_(run),
        motion_(motion),
        stages_(split_at_fits(world, motion, contacts_)),
        has_seats_(std::any_of(contacts_.begin(), contacts_.end(),
                               [](const StartContact& c) { return !c.is_fit; })) {
    options_.touch = kTouch;
    options_.cancel = run.budget.cancel;
  }

  /// Nothing when cancelled.
  Result<std::optional<Certificate>> run() {
    MotionProof whole;
    for (const MotionStage& stage : stages_) {
      const Result<bool> done = prove(stage, whole);
      if (!done) return done.error();
      if (!*done) return std::optional<Certificate>();
      if (!whole.is_free()) break;
    }
    Certificate certificate = to_certificate(world_.scene, *model_, whole, options_);
    certificate.contacts = contacts_;
    if (!certificate.is_free) return std::optional(std::move(certificate));
    const Result<bool> heard = add_second_opinion(certificate);
    if (!heard) return heard.error();
    return *heard ? std::optional(std::move(certificate)) : std::nullopt;
  }

  /// Of the last stage that was looked at, on the true shapes.
  [[nodiscard]] const CollisionModel& model() const { return *model_; }

 private:
  /// Seats first, of which only counts that they come no deeper. False when cancelled.
  Result<bool> prove(const MotionStage& stage, MotionProof& whole) {
    for (const bool with_seats : {true, false}) {
      if (with_seats && !has_seats_) continue;
      Result<CollisionModel> model =
          make_motion_model(world_, run_.file, {kTouch, with_seats, stage.exempt}, run_.threads,
                            options_.cancel, model_ ? &*model_ : nullptr);
      if (!model) return model.error();
      model_ = std::move(*model);
      ProofOptions options = options_;
      if (with_seats) options.accuracy = 1;
      std::optional<MotionProof> proof =
          prove_motion(world_.scene, *model_, stage.motion, options, run_.threads, run_.progress);
      if (!proof) return false;
      if (!with_seats || !proof->is_free()) join(std::move(*proof), whole);
      if (!whole.is_free()) return true;
    }
    return true;
  }

  static void join(MotionProof stage, MotionProof& whole) {
    whole.free_until = stage.free_until;
    whole.profile.insert(whole.profile.end(), stage.profile.begin(), stage.profile.end());
    whole.stray = std::max(whole.stray, stage.stray);
    whole.contact = std::move(stage.contact);
    whole.broken = std::move(stage.broken);
  }

  /// What the verifier refuses is not free. False when cancelled.
  Result<bool> add_second_opinion(Certificate& certificate) {
    VerifyOptions options;
    options.clearance = certificate.clearance;
    options.threads = run_.threads;
    options.cancel = options_.cancel;
    const Result<VerifyReport> report =
        verify_stages(world_, run_.file, motion_, options, run_.progress);
    if (!report) return report.error();
    if (report->cancelled) return false;
    certificate.is_verified = report->is_free;
    certificate.is_free = report->is_free;
    if (report->is_free) return true;
    if (!report->broken.empty())
      certificate.broken = Certificate::Break{report->at, report->broken};
    else
      certificate.contact =
          Certificate::Contact{report->at, name_of(world_.scene, report->a),
                               name_of(world_.scene, report->b), report->clearance, report->point};
    return true;
  }

  const TaskScene& world_;
  const TaskRun& run_;
  const JointMotion& motion_;
  std::vector<StartContact> contacts_;
  std::vector<MotionStage> stages_;
  bool has_seats_;
  ProofOptions options_;
  std::optional<CollisionModel> model_;
};

}  // namespace

Result<bool> certify(const TaskScene& world, const TaskRun& run, TaskResult& result) {
  const JointMotion& motion = result.motion;
  Certifier certifier(world, run, motion);
  Result<std::optional<Certificate>> made = certifier.run();
  if (!made) return made.error();
  if (!*made) return false;
  Certificate certificate = std::move(**made);
  Look look(world.scene, certifier.model(), motion);
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
