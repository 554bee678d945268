#pragma once

#include <span>

#include "geste/planning/internal/leg_rates.hpp"

namespace geste::internal {

/// The fastest way to go along a path of legs under limits of every rate and its acceleration, at
/// rest where it begins, ends and turns sharply. After H. Pham, Q.-C. Pham, "A new approach to
/// time-optimal path parameterization based on reachability analysis", T-RO 2018: one pass back,
/// one forth, over the squared rate z of the path at closely spaced places.
///
/// The path is measured in the seconds that it takes at full speed, so z is at most 1. A rate that
/// goes by w per unit of the path accelerates by |w| |z'| / 2 along it, and by
///   bend z + jump max(z / spacing, 2 sqrt(z) / frame)
/// across it, where the way bends and where it goes on in another direction: that is what moments
/// at such places, at most a frame apart, show. Both together are kept within the limit.
class SpeedProfile {
 public:
  /// Legs without length are not among them.
  SpeedProfile(std::span<const LegRates> legs, const RateLimits& limits, double frame);

  /// Whether it rests between leg i - 1 and leg i: it could hardly go on there.
  [[nodiscard]] bool rests_before(int i) const { return rests_[static_cast<std::size_t>(i)] != 0; }

  /// Where the motion is at a time.
  struct Moment {
    double time = 0;
    int leg = 0;
    double share = 0;  ///< of the leg
  };
  /// Adds moments of legs [first, last), between which it does not rest, after `begin` seconds: at
  /// every end of a leg, and no farther apart than a frame.
  void add_moments(int first, int last, double begin, std::vector<Moment>& moments) const;

 private:
  /// A place on the path, at the beginning of a cell of a leg.
  struct Node {
    int leg = 0;
    double cell = 0;     ///< length of the cell
    double share = 0;    ///< of the leg, where the cell begins
    int jump = -1;       ///< leg that begins there; -1: inside a leg
    double spacing = 0;  ///< of moments around it
    double most = 1;     ///< z that it can be passed at
    double z = 0;
  };

  void measure_jumps(std::span<const LegRates> legs);
  [[nodiscard]] std::vector<Node> make_nodes(int first, int last) const;
  /// How fast the path's rate may change at a node, on a leg, at z; below 0: it cannot be passed.
  [[nodiscard]] double find_room(const Node& node, int leg, double z) const;
  /// The largest z of a node from which, or to which, `other` can be reached along a cell.
  [[nodiscard]] double reach(const Node& node, int leg, double cell, double other,
                             double room) const;
  [[nodiscard]] double find_most(const Node& node, int leg_before, int leg_after) const;

  RateLimits limits_;
  double frame_ = 0;
  std::vector<double> lengths_;
  MatX along_, bend_;  ///< rates x legs, per unit of the path
  MatX jumps_;         ///< rates x legs: where the leg begins
  std::vector<char> rests_;
};

}  // namespace geste::internal
