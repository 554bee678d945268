#include "geste/proximity/motion_proof.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "geste/core/parallel.hpp"
#include "geste/proximity/internal/leg_prover.hpp"

namespace geste {

struct MotionProver::Data {
  ProofScene scene;
};

struct MotionProver::Memory::Data {
  LegProver prover;
};

MotionProver::MotionProver(const Scene& scene, const CollisionModel& model)
    : data_(new Data{ProofScene(scene, model)}) {}
MotionProver::~MotionProver() = default;
MotionProver::MotionProver(MotionProver&&) noexcept = default;
MotionProver& MotionProver::operator=(MotionProver&&) noexcept = default;

MotionProver::Memory::Memory(const MotionProver& prover)
    : data_(new Data{LegProver(prover.data_->scene)}) {}
MotionProver::Memory::~Memory() = default;
MotionProver::Memory::Memory(Memory&&) noexcept = default;
MotionProver::Memory& MotionProver::Memory::operator=(Memory&&) noexcept = default;

MotionProof MotionProver::free_until(ConstVecRef q0, ConstVecRef q1, Course course, Memory& memory,
                                     const ProofOptions& options) const {
  if (&memory.data_->prover.world() != &data_->scene)
    throw std::logic_error("MotionProver: the memory is of another prover");
  return memory.data_->prover.prove(q0, q1, course, options);
}

namespace {

/// Shares of a leg as times, put behind what is there.
void append(const MotionProof& leg, double t0, double t1, MotionProof& motion) {
  const auto time = [&](double s) { return s == 1 ? t1 : t0 + s * (t1 - t0); };
  for (const ClearanceSpan& span : leg.profile)
    append({time(span.begin), time(span.end), span.clearance, span.a, span.b}, motion.profile);
  motion.free_until = time(leg.free_until);
  motion.stray = std::max(motion.stray, leg.stray);
  if (leg.contact) motion.contact = MotionContact{time(leg.contact->at), leg.contact->pair};
  if (leg.broken) motion.broken = MotionBreak{time(leg.broken->at), leg.broken->what};
}

}  // namespace

std::optional<MotionProof> prove_motion(const Scene& scene, const CollisionModel& model,
                                        const JointMotion& motion, const ProofOptions& options,
                                        int threads, ProgressSink& progress) {
  const std::size_t moments = motion.times.size();
  if (moments == 0) throw std::invalid_argument("prove_motion: the motion has no moment");
  const std::size_t legs = std::max<std::size_t>(moments - 1, 1);
  const MotionProver prover(scene, model);
  ProgressScope stage(progress, "proving the motion", legs);
  std::vector<MotionProof> proofs(legs);
  // Behind the first leg that is not free nothing is asked; which legs were begun all the same is
  // chance and does not show.
  std::atomic<std::size_t> last_needed = legs;
  const bool complete = parallel_for_scratch(
      legs, threads, options.cancel, [&] { return MotionProver::Memory(prover); },
      [&](std::size_t k, MotionProver::Memory& memory) {
        stage.advance();
        if (k > last_needed) return;
        const auto from = static_cast<Eigen::Index>(k);
        const auto to = std::min(from + 1, motion.q.cols() - 1);
        proofs[k] =
            prover.free_until(motion.q.col(from), motion.q.col(to), motion.course, memory, options);
        if (proofs[k].is_free()) return;
        std::size_t known = last_needed;
        while (k < known && !last_needed.compare_exchange_weak(known, k)) {
        }
      });
  if (!complete || options.cancel.requested()) return std::nullopt;
  MotionProof whole;
  for (std::size_t k = 0; k < legs && whole.is_free(); ++k)
    append(proofs[k], motion.times[k], motion.times[std::min(k + 1, moments - 1)], whole);
  return whole;
}

const ClearanceSpan* find_tightest(const MotionProof& proof) {
  const auto found = std::min_element(
      proof.profile.begin(), proof.profile.end(),
      [](const ClearanceSpan& x, const ClearanceSpan& y) { return x.clearance < y.clearance; });
  return found == proof.profile.end() ? nullptr : &*found;
}

}  // namespace geste
