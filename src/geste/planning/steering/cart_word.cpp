#include "geste/planning/steering/cart_word.hpp"

#include <algorithm>
#include <cmath>

#include "geste/model/joint_manifold.hpp"

namespace geste {

double CartWord::length() const {
  double sum = 0;
  for (int i = 0; i < count_; ++i) sum += std::abs((*this)[i].length);
  return sum;
}

double CartWord::bias() const {
  double sum = 0;
  for (int i = 0; i < count_; ++i) sum += (*this)[i].turn * std::abs((*this)[i].length);
  return sum;
}

void CartWord::flip_time() {
  for (CartPiece& p : pieces_) p.length = -p.length;
}

void CartWord::reflect() {
  for (CartPiece& p : pieces_) p.turn = -p.turn;
}

void CartWord::reverse() { std::reverse(pieces_.begin(), pieces_.begin() + count_); }

CartPose follow(const CartPose& from, const CartPiece& piece) {
  if (piece.turn == 0)
    return {from.x + piece.length * std::cos(from.angle),
            from.y + piece.length * std::sin(from.angle), from.angle};
  const double angle = from.angle + piece.turn * piece.length;
  return {from.x + piece.turn * (std::sin(angle) - std::sin(from.angle)),
          from.y - piece.turn * (std::cos(angle) - std::cos(from.angle)), angle};
}

CartPose follow(const CartWord& word) {
  CartPose pose;
  for (int i = 0; i < word.count(); ++i) pose = follow(pose, word[i]);
  return pose;
}

CartPose turn_round(const CartPose& end) {
  const double c = std::cos(end.angle), s = std::sin(end.angle);
  return {end.x * c + end.y * s, end.x * s - end.y * c, end.angle};
}

double measure_gap(const CartPose& a, const CartPose& b) {
  return std::max(
      {std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(wrap_angle(a.angle - b.angle))});
}

void ShortestWord::offer(const CartWord& word) {
  const double length = word.length();
  constexpr double kSame = 1e-13;
  if (length > length_ + kSame) return;
  if (length > length_ - kSame && word.bias() < word_.bias() + kSame) return;
  if (measure_gap(follow(word), end_) > kClosed * (1 + length)) return;
  word_ = word;
  length_ = length;
}

}  // namespace geste
