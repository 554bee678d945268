#pragma once

#include <vector>

#include "geste/proximity/internal/verify_distance.hpp"

// Two shapes that move against each other during an interval, proven apart triangle by triangle.
//
// Seen from A, a point p of B has some acceleration of at most `a` while time goes from -h to h.
// Its place is then x(t) = x(0) + (t / h) d(p) within a h^2, where d(p) is half the way from its
// place at -h to that at h: a point's curve is within a (2h)^2 / 8 of its chord, and so is the
// chord's middle of x(0). Along any fixed direction n, B stays in front of A by at least
//
//   min over B of (n . x(0) - |n . d(p)|) - max over A of (n . x) - a h^2.
//
// d is affine in p, so triangles need it at their corners only. The direction is what matters: two
// faces that slide along each other keep their distance however far they go.

namespace geste::internal {

/// B seen from A during an interval.
struct RelativeSweep {
  /// `deviation`: a h^2, m.
  RelativeSweep(const Pose& X_begin, const Pose& X_middle, const Pose& X_end, double deviation_)
      : X_AB(X_middle),
        half_turn((X_end.R - X_begin.R) / 2),
        half_shift((X_end.p - X_begin.p) / 2),
        deviation(deviation_) {}
  /// At rest.
  explicit RelativeSweep(const Pose& X) : RelativeSweep(X, X, X, 0) {}

  /// d of a point that is given in B.
  [[nodiscard]] Vec3 displacement(const Vec3& p_B) const { return half_turn * p_B + half_shift; }

  Pose X_AB;       ///< in the middle
  Mat3 half_turn;  ///< the affine map d
  Vec3 half_shift;
  double deviation = 0;
};

/// How much is to be proven of two shapes, m.
struct SweepGoal {
  double floor = 0;    ///< proven in any case, above 0
  double refuse = 0;   ///< not accepted so near; above `floor`
  double target = 0;   ///< more than this need not be kept,
  double share = 0.9;  ///< nor more than this share of the least distance seen
};

/// Nodes of two trees.
struct NodePair {
  int a = 0;
  int b = 0;
};

/// Proves two shapes apart in one interval after the other, each time beginning with the nodes that
/// the interval around it left open.
class ShapeSweep {
 public:
  ShapeSweep(const VerifyShape& a, const VerifyShape& b, const SweepGoal& goal)
      : a_(a), b_(b), goal_(goal) {}

  /// What follows is about this interval; the sweep must outlive it.
  void begin(const RelativeSweep& sweep);
  /// What stays open of a pair of nodes goes behind `open`: not proven to stay farther apart than
  /// keep(). Distances in the middle of the interval are noted where they were computed.
  void run(NodePair nodes, std::vector<NodePair>& open);

  /// Less than this is not proven.
  [[nodiscard]] double keep() const {
    return std::max(goal_.floor, std::min(goal_.target, goal_.share * nearest_.distance));
  }
  /// The least distance seen, in A's frame; infinite where none was needed.
  [[nodiscard]] const NearestPoints& nearest() const { return nearest_; }
  /// The nearest points in the middle of this interval that are too near to be accepted; infinite:
  /// none are.
  [[nodiscard]] const NearestPoints& contact() const { return contact_; }
  [[nodiscard]] long queries() const { return queries_; }

 private:
  using Node = TriangleTree::Node;
  /// A triangle of B where it is in the middle, and d of its corners.
  struct PlacedTriangle {
    Corners corners;
    Corners displacements;
  };

  void visit(int i, int j, std::vector<NodePair>& open);
  [[nodiscard]] bool are_apart(const Node& a, const Node& b) const;
  [[nodiscard]] bool is_motion_large(const Node& a, const Node& b) const;
  bool are_leaves_apart(const Node& a, const Node& b);
  bool are_triangles_apart(int i, int j, const PlacedTriangle& t);
  bool is_primitive_apart(int i, int j);
  [[nodiscard]] PlacedTriangle place(int j) const;
  void note(double distance, const Vec3& on_a, const Vec3& on_b);

  const VerifyShape& a_;
  const VerifyShape& b_;
  SweepGoal goal_;
  const RelativeSweep* sweep_ = nullptr;
  Mat3 turn_ = Mat3::Zero();  ///< |R_AB|
  NearestPoints nearest_{kInfinity};
  NearestPoints contact_{kInfinity};
  long queries_ = 0;
};

/// The distance of two surfaces, signed where a primitive is entered.
NearestPoints compute_surface_distance(const VerifyShape& a, const VerifyShape& b,
                                       const Pose& X_AB);

}  // namespace geste::internal
