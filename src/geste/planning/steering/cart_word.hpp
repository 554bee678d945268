#pragma once

#include <array>
#include <initializer_list>

#include "geste/math/types.hpp"

namespace geste {

inline constexpr double kQuarterTurn = kPi / 2;

/// Where a cart stands: its axle's middle and its heading. The unit of length is the turning radius
/// wherever this is used.
struct CartPose {
  double x = 0;
  double y = 0;
  double angle = 0;
};

/// A part of a cart's way at one steering lock.
struct CartPiece {
  int turn = 0;       ///< 1: left (L), 0: straight (S), -1: right (R)
  double length = 0;  ///< in turning radii (of an arc: rad); negative: backwards
};

/// A cart's way as pieces, the form of all shortest ways: L. E. Dubins, "On curves of minimal
/// length with a constraint on average curvature", Amer. J. Math. 79, 1957; J. Reeds, L. Shepp,
/// "Optimal paths for a car that goes both forwards and backwards", Pacific J. Math. 145(2), 1990.
class CartWord {
 public:
  static constexpr int kMost = 5;

  CartWord() = default;
  CartWord(std::initializer_list<CartPiece> pieces) {
    for (const CartPiece& p : pieces) pieces_[static_cast<std::size_t>(count_++)] = p;
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const CartPiece& operator[](int i) const {
    return pieces_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] double length() const;
  /// How much more of it goes to the left than to the right; the same for the way back.
  [[nodiscard]] double bias() const;

  // The symmetries of Reeds and Shepp, section 8.
  /// Forwards and backwards swapped: leads to (-x, y, -angle).
  void flip_time();
  /// Left and right swapped: leads to (x, -y, -angle).
  void reflect();
  /// The pieces in reverse order: see turn_round().
  void reverse();

 private:
  std::array<CartPiece, kMost> pieces_{};
  int count_ = 0;
};

/// Where a piece leads.
CartPose follow(const CartPose& from, const CartPiece& piece);
/// Where a word leads, from the origin.
CartPose follow(const CartWord& word);
/// What a word in reverse order leads to, when the word leads to `end`.
CartPose turn_round(const CartPose& end);
/// How far apart, by the worst of the three numbers; angles on the circle.
double measure_gap(const CartPose& a, const CartPose& b);

/// The shortest of the words that are offered and lead where they shall. Some come in twos (C|C|C
/// turns by its length, to whichever side it begins): of these the one more to the left, so that
/// the way back is of the same one.
class ShortestWord {
 public:
  explicit ShortestWord(const CartPose& end) : end_(end) {}

  void offer(const CartWord& word);
  [[nodiscard]] const CartWord& word() const { return word_; }

  /// How near the end a word must lead, in turning radii and radians: what rounding leaves.
  static constexpr double kClosed = 1e-9;

 private:
  CartPose end_;
  CartWord word_;
  double length_ = kInfinity;
};

}  // namespace geste
