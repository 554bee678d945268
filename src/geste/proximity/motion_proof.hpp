#pragma once

#include <memory>

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/model/motion.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste {

/// A stretch of a motion and what is proven of it: all that is checked stays farther apart than
/// `clearance`.
struct ClearanceSpan {
  double begin = 0;  ///< share of the leg, or s of the motion
  double end = 0;
  double clearance = 0;  ///< m
  BodyId a;              ///< who comes nearest; invalid where nothing is nearer than asked for
  BodyId b;
};

/// Where a motion touches.
struct MotionContact {
  double at = 0;  ///< share of the leg, or s of the motion
  PairClearance pair;
};

/// Where a motion leaves its mechanism.
struct MotionBreak {
  double at = 0;     ///< share of the leg, or s of the motion
  std::string what;  ///< "loop 'grip' cannot be kept closed"
};

/// What is proven of a continuous motion (GX-2, MV-9). No moment is left out: what is not proven
/// free touches, and is named.
///
/// It holds for the motion as stored, where every joint goes its own way from one moment to the
/// next, and for a mechanism that keeps its loops closed and its followers in step meanwhile:
/// clearances are less by how far the two are apart (stray.hpp). Where that cannot be bounded the
/// motion is not proven.
struct MotionProof {
  double free_until = 0;                 ///< everything before is proven free
  std::vector<ClearanceSpan> profile;    ///< without gaps from the beginning to free_until
  std::optional<MotionContact> contact;  ///< the first one
  std::optional<MotionBreak> broken;
  /// m; how far two checked things may be from where the motion as stored has them, against each
  /// other. Taken off every clearance already.
  double stray = 0;

  [[nodiscard]] bool is_free() const { return !contact && !broken; }
};

struct ProofOptions {
  /// m; what comes nearer than its margin and this counts as touching.
  double touch = 10e-6;
  /// m; clearances above it are only said to be at least this.
  double limit = 0.1;
  /// The profile's bounds fall short of the clearance in the middle of their span by at most this
  /// share, or by `touch`. 1: no more is proven than that nothing touches, which is fastest.
  double accuracy = 0.1;
  /// Looked at between any two intervals: a proof that is stopped is broken there.
  CancelToken cancel{};
};

/// Proves motions of a scene, one leg at a time, in double precision on the true shapes. Made once,
/// shared by all threads; scene and model must outlive it.
///
/// A leg is cut in two where it must be: a pair that is proven for an interval (swept_pair.hpp,
/// bounds in internal/leg.hpp) is not looked at in its halves. No step is fixed: an interval is as
/// long as its clearance allows. Cost: the pairs that come near, times the intervals they need,
/// which is logarithmic in the clearance for a motion that comes near and leaves, and grows with
/// the root of 1 / clearance where it slides along.
class MotionProver {
 public:
  MotionProver(const Scene& scene, const CollisionModel& model);
  ~MotionProver();
  MotionProver(MotionProver&&) noexcept;
  MotionProver& operator=(MotionProver&&) noexcept;

  /// Memory of one thread.
  class Memory {
   public:
    explicit Memory(const MotionProver& prover);
    ~Memory();
    Memory(Memory&&) noexcept;
    Memory& operator=(Memory&&) noexcept;

   private:
    friend class MotionProver;
    struct Data;
    std::unique_ptr<Data> data_;
  };

  /// From q0 to q1, both complete and within limits. Moments are shares of the way.
  [[nodiscard]] MotionProof free_until(ConstVecRef q0, ConstVecRef q1, Course course,
                                       Memory& memory, const ProofOptions& options = {}) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

/// A whole motion, leg by leg on several threads; the same bytes on any number. Moments are times.
/// Nothing when cancelled. A motion of one moment is a state; without any it throws
/// std::invalid_argument.
std::optional<MotionProof> prove_motion(const Scene& scene, const CollisionModel& model,
                                        const JointMotion& motion, const ProofOptions& options = {},
                                        int threads = 0, ProgressSink& progress = no_progress());

/// The span with the least clearance.
const ClearanceSpan* find_tightest(const MotionProof& proof);

}  // namespace geste
