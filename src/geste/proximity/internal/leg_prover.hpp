#pragma once

#include <deque>
#include <map>

#include "geste/geometry/swept_pair.hpp"
#include "geste/model/stray.hpp"
#include "geste/proximity/internal/leg.hpp"
#include "geste/proximity/motion_proof.hpp"

namespace geste {

/// Two objects, and what is known of them on the way.
struct ProofPair {
  int a = 0;  ///< in CollisionModel::objects; a < b
  int b = 0;
  double margin = 0;
};

/// Puts a span behind a profile; what is the same for both becomes one.
void append(const ClearanceSpan& span, std::vector<ClearanceSpan>& profile);

/// What the proofs of a scene share.
struct ProofScene {
  ProofScene(const Scene& s, const CollisionModel& m);

  const Scene& scene;
  const CollisionModel& model;
  std::vector<Ball> balls;  ///< by object, in the frame of its mover
};

/// Proves one leg by dichotomy.
class LegProver {
 public:
  explicit LegProver(const ProofScene& world);
  [[nodiscard]] const ProofScene& world() const { return world_; }

  MotionProof prove(ConstVecRef q0, ConstVecRef q1, Course course, const ProofOptions& options);
  [[nodiscard]] bool may_stray() const { return strays_.is_needed(); }

  // Part by part: which pairs are still to be proven is known, and nothing strays.
  void set_leg(ConstVecRef q0, ConstVecRef q1, Course course, const ProofOptions& options);
  struct Contact {
    double at = 0;
    ProofPair pair;
  };
  /// A contact in a part of the leg, not always the first. What begins outside is meant: insides do
  /// not count.
  std::optional<Contact> find_contact(double begin, double end, std::span<const ProofPair> pairs);

  /// Where to count the intervals that are looked at, by pair of objects; null: nowhere.
  using SweepCounts = std::map<std::pair<int, int>, long>;
  void set_sweep_counts(SweepCounts* counts) { sweep_counts_ = counts; }

 private:
  using Poses = std::span<const Pose>;
  /// A part of the leg, and which of `pairs_` are open in it.
  struct Interval {
    double begin = 0;
    double end = 1;
    Poses at_begin;
    Poses at_end;
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t depth = 0;
    [[nodiscard]] double middle() const { return (begin + end) / 2; }
    [[nodiscard]] double half() const { return (end - begin) / 2; }
  };
  /// What holds for an interval whatever is found in it.
  struct Known {
    double clearance = 0;
    BodyId a{}, b{};
  };

  /// False where the leg leaves its mechanism.
  bool bound_strays(MotionProof& proof);
  bool begins_free(MotionProof& proof);
  void collect_pairs();
  void add_pair(int i, int j);
  Known set_resting_aside();

  /// True when the interval is proven whole; else `contact_` is the first place that touches, or it
  /// was cancelled.
  bool prove(const Interval& interval, Known known, std::vector<ClearanceSpan>& profile);
  /// A part of the leg that is still to be looked at, and which of `pairs_` are open in it.
  struct Part {
    double begin = 0;
    double end = 1;
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t depth = 0;
  };
  /// Puts the halves of what stays open into `parts_`.
  std::optional<Contact> find_contact(Part part);
  struct Finding {
    SweepAnswer answer;
    double clearance = 0;  ///< proven, when apart
  };
  Finding examine(const ProofPair& pair, const Interval& interval, Poses middle);
  PairSweep make_sweep(int a, int b, const Interval& interval, Poses middle,
                       const MotionBound& bound) const;
  MotionContact describe(const Contact& contact);

  void place(double s, Workspace& workspace);
  void place_ends(const Part& part);
  /// Where movers are at `s`. Intervals of one depth use the same memory one after the other.
  Poses compute_poses(double s, std::size_t depth);
  [[nodiscard]] const CollisionObject& object(int i) const {
    return world_.model.objects()[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Pose place(int i, Poses X_WM) const {
    return X_WM[static_cast<std::size_t>(object(i).mover)] * object(i).X_MO;
  }
  [[nodiscard]] Ball place_ball(int i, Poses X_WM) const {
    const Ball& ball = world_.balls[static_cast<std::size_t>(i)];
    return {X_WM[static_cast<std::size_t>(object(i).mover)] * ball.centre, ball.radius};
  }

  const ProofScene& world_;
  Leg leg_;
  StrayBound strays_;
  double largest_stray_ = 0;  ///< of a pair on this leg
  ProofOptions options_;
  bool wants_profile_ = true;
  VecX q_;
  Workspace begin_, end_;
  double begin_at_ = -1, end_at_ = -1;  ///< of find_contact: what they hold; -1: something else
  std::deque<Workspace> middles_;       ///< by depth
  std::vector<ProofPair> pairs_;        ///< a stack: those of an interval above those it is part of
  std::vector<Part> parts_;
  CollisionWorkspace collision_;
  std::optional<Contact> contact_;
  bool is_cancelled_ = false;
  AabbTree::Stack stack_;
  std::vector<AxisBox> swept_;  ///< of the moving objects over the whole leg
  QueryScratch scratch_;
  SweepCounts* sweep_counts_ = nullptr;
};

}  // namespace geste
