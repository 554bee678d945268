#pragma once

#include "geste/model/internal/loop_system.hpp"
#include "geste/model/stray.hpp"

namespace geste::internal {

/// A leg, and how fast every mover goes on it.
struct StrayLeg {
  VecX q0, q1, v;
  Course course = Course::straight;
  std::vector<JointTravel> rates;  ///< by mover
};

/// The part of StrayBound that is about general loops. Loops hold as equations
///   G = (place of B in A, rotation of A to B), the constrained components,
/// with the rotation as half the vector of R - R^T where one or three of its components are
/// constrained, and as the image of the axis that stays free where two are: nothing but products
/// of poses, whose derivatives are bounded by the turns and slides of the joints between A and B
/// and their arms.
class LoopStray {
 public:
  explicit LoopStray(const Scene& scene);

  /// How far the loops' degrees of freedom (their norm) are from a closed configuration, at most.
  std::optional<StrayBound::Failure> compute(const StrayLeg& leg, double& most);
  [[nodiscard]] const std::vector<JointId>& joints() const { return joints_; }

 private:
  /// What moves one frame of a loop against the other.
  struct Chain {
    std::vector<int> movers;
    double gain = 0;  ///< turns and slides of all of them, per unit of the loops' joints
    /// Joints that move one of them through a table or a formula.
    std::vector<JointId> hidden_leaders;
  };
  struct Piece {
    double begin = 0;
    double end = 1;
    double open_begin = 0;  ///< |G| at the ends
    double open_end = 0;
  };

  [[nodiscard]] Chain make_chain(const Loop& loop) const;
  void add_leaders(JointId joint, std::vector<JointId>& leaders) const;
  [[nodiscard]] bool moves(JointId joint) const;
  /// The independent joint that moves a mover, and how fast against its own rate; nothing when a
  /// table or a formula is between.
  [[nodiscard]] std::optional<std::pair<JointId, double>> find_driver(int mover) const;
  /// Nothing where the piece must be cut.
  std::optional<double> bound(const Piece& piece);
  /// Turns and slides of a chain over the leg.
  [[nodiscard]] double measure_way(const Chain& chain) const;
  void place(double s);
  /// G into g_, and its norm; infinite where a loop is turned the wrong way round.
  double evaluate();
  double measure_opening(double s);
  /// The smallest singular value of DG that counts, where what G does not answer to is closed, else
  /// 0; infinite where G answers to no joint.
  double find_smallest();

  const Scene& scene_;
  std::vector<JointId> joints_;
  std::vector<Chain> chains_;  ///< by loop
  LoopSystem system_;
  Workspace workspace_;
  const StrayLeg* leg_ = nullptr;
  VecX q_;
  VecX g_;
  MatX J_;
  int rank_ = -1;  ///< on this leg
  std::vector<Piece> pieces_;
};

}  // namespace geste::internal
