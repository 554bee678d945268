#pragma once

#include <span>
#include <vector>

#include "geste/model/motion.hpp"
#include "geste/model/scene.hpp"

namespace geste {

/// How far the points of one thing, seen from another, can get during a part of a leg
/// (PairSweep).
struct MotionBound {
  double reach = 0;
  double sag = 0;
  double stray = 0;  ///< from where the leg has them to where a closed mechanism has them, at most
};

/// A ball around something, in the world's frame.
struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

/// One piece of a motion, from q0 to q1: every joint goes its way at a constant rate while s goes
/// from 0 to 1.
///
/// Bounds. Seen from A, a point of B is moved by the joints of the chain between their movers one
/// after the other, first those above A (upwards), then those above B (downwards). Let joint k turn
/// by w_k and slide by u_k over the leg, and let the point be at most D_k from its axis (turning
/// joints) or from its child's origin. It then moves the point at most at
///   v_k = u_k + w_k D_k
/// and, with a_k the joint's own acceleration of the point, the whole chain gives
///   |p'| <= sum_k v_k,    |p''| <= sum_k (a_k + 2 v_k sum_{j before k} w_j)
/// because the derivatives of the product of poses are sums of products, and rotations keep
/// lengths. a_k is w_k^2 D_k; on a screw w_k (u_k + w_k D_k); where the child's origin goes
/// straight while it turns w_k^2 D_k seen from the parent, and 2 w_k u_k more seen from the child.
/// D_k is measured in the middle; only the joints after k change it, by at most h sum v over half
/// an interval h, and seen from the child the joint's own sliding. So within h of the middle
///   reach = h |p'|,    sag = (2 h)^2 / 8 |p''|.
/// What joints stray (stray.hpp) moves a point like what they travel:
///   stray = sum_k (u_k + w_k D_k)
/// with their strays for u_k and w_k, and arms that grow by those of the joints after k too.
class Leg {
 public:
  explicit Leg(const Scene& scene);

  /// Between complete configurations.
  void set(ConstVecRef q0, ConstVecRef q1, Course course);
  /// By mover; none after `set`.
  void set_strays(std::span<const JointTravel> strays) {
    strays_.assign(strays.begin(), strays.end());
  }

  /// Of a mover against its parent, over the leg.
  [[nodiscard]] const JointTravel& rate(int mover) const {
    return rates_[static_cast<std::size_t>(mover)];
  }
  /// Difference of the two ends (configuration.hpp).
  [[nodiscard]] const VecX& velocity() const { return v_; }
  [[nodiscard]] Course course() const { return course_; }
  [[nodiscard]] const VecX& begin() const { return q0_; }
  [[nodiscard]] const VecX& end() const { return q1_; }
  void interpolate(double s, VecRef q) const;

  /// Whether two movers move, or stray, against each other on this leg.
  [[nodiscard]] bool moves(int a, int b) const;
  [[nodiscard]] bool moves(int mover) const { return moves(0, mover); }

  /// Of the points of `ball`, fixed to mover b, seen from mover a, within `half` of the moment at
  /// which movers are at X_WM.
  [[nodiscard]] MotionBound bound(int a, int b, const Ball& ball, std::span<const Pose> X_WM,
                                  double half) const;

 private:
  [[nodiscard]] double measure_arm(int mover, const Ball& ball, std::span<const Pose> X_WM) const;

  const Scene* scene_;
  VecX q0_, q1_, v_;
  Course course_ = Course::straight;
  std::vector<JointTravel> rates_;   ///< by mover
  std::vector<JointTravel> strays_;  ///< by mover; empty: none
};

}  // namespace geste
