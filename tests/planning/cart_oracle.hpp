#pragma once

#include <Eigen/LU>

#include "geste/core/rng.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/planning/steering/cart_word.hpp"

/// Shortest ways of carts by search alone: no formula of the library is used.
namespace geste::testing::oracle {

/// One piece by its chord, which is turned by half of what the piece turns.
inline CartPose walk(const CartPose& from, int turn, double length) {
  const double half = turn * length / 2;
  const double chord = turn == 0 ? length : 2 * turn * std::sin(half);
  return {from.x + chord * std::cos(from.angle + half),
          from.y + chord * std::sin(from.angle + half), from.angle + 2 * half};
}

inline CartPose walk(const CartWord& word) {
  CartPose pose;
  for (int i = 0; i < word.count(); ++i) pose = walk(pose, word[i].turn, word[i].length);
  return pose;
}

/// Three or five pieces, each of another kind than the one before it, of any length.
inline CartWord draw_word(Rng& rng, bool forwards) {
  CartPiece p[5];
  int turn = 0;
  for (CartPiece& piece : p) {
    turn = static_cast<int>(turn + 1 + rng.integer(1, 2)) % 3 - 1;
    const double most = std::pow(10.0, rng.uniform(-2, 0.4));
    piece = {turn, rng.uniform(forwards ? 0 : -most, most)};
  }
  // Seldom the shortest, and of lengths that chance does not meet: C | C_pi/2 S C_pi/2 | C.
  if (!forwards && rng.uniform() < 0.2) {
    const double way = rng.uniform() < 0.5 ? -1 : 1, side = rng.uniform() < 0.5 ? -1 : 1;
    const int c = static_cast<int>(side);
    return {{c, way * rng.uniform(0, 0.5)},
            {-c, -way * kPi / 2},
            {0, -way * rng.uniform(0, 2)},
            {c, -way * kPi / 2},
            {-c, way * rng.uniform(0, 0.5)}};
  }
  if (rng.uniform() < 0.5) return {p[0], p[1], p[2]};
  return {p[0], p[1], p[2], p[3], p[4]};
}

/// Pieces whose lengths are one of three unknowns times a factor, or given.
struct Pattern {
  struct Piece {
    int turn = 0;
    int unknown = -1;  ///< -1: of the given length
    double factor = 1;
  };
  std::vector<Piece> pieces;
};

inline CartPose walk(const Pattern& pattern, const Vec3& x) {
  CartPose pose;
  for (const Pattern::Piece& p : pattern.pieces)
    pose = walk(pose, p.turn, p.unknown < 0 ? p.factor : p.factor * x[p.unknown]);
  return pose;
}

inline double measure(const Pattern& pattern, const Vec3& x) {
  double sum = 0;
  for (const Pattern::Piece& p : pattern.pieces)
    sum += std::abs(p.unknown < 0 ? p.factor : p.factor * x[p.unknown]);
  return sum;
}

/// Where the pattern misses the end, and how that changes with the unknowns: a longer piece moves
/// what comes after it as a rigid whole.
inline Vec3 measure_miss(const Pattern& pattern, const Vec3& x, const CartPose& end, Mat3& J) {
  std::array<CartPose, 6> poses{};
  std::size_t n = 0;
  for (const Pattern::Piece& p : pattern.pieces) {
    poses[n + 1] = walk(poses[n], p.turn, p.unknown < 0 ? p.factor : p.factor * x[p.unknown]);
    ++n;
  }
  J.setZero();
  const CartPose& last = poses[n];
  for (std::size_t i = 0; i < n; ++i) {
    const Pattern::Piece& p = pattern.pieces[i];
    if (p.unknown < 0) continue;
    const CartPose& at = poses[i + 1];
    J.col(p.unknown) += p.factor * Vec3(std::cos(at.angle) - p.turn * (last.y - at.y),
                                        std::sin(at.angle) + p.turn * (last.x - at.x), p.turn);
  }
  return {last.x - end.x, last.y - end.y, wrap_angle(last.angle - end.angle)};
}

/// Newton's method; true when it came to the end.
inline bool solve(const Pattern& pattern, const CartPose& end, Vec3& x) {
  Mat3 J;
  for (int step = 0; step < 12; ++step) {
    const Vec3 f = measure_miss(pattern, x, end, J);
    if (f.squaredNorm() < 1e-20) return true;
    if (std::abs(J.determinant()) < 1e-12) return false;
    const Vec3 d = J.inverse() * f;
    x -= d * std::min(1.0, 2 / d.norm());
  }
  return false;
}

inline double search(const std::vector<Pattern>& patterns, const CartPose& end, bool forwards) {
  double best = kInfinity;
  const auto wrap = [&](double x) {
    return forwards ? x - 2 * kPi * std::floor(x / 2 / kPi) : wrap_angle(x);
  };
  const std::array<double, 4> starts{-2.5, -0.8, 0.7, 2.4};
  for (const Pattern& pattern : patterns) {
    for (const double t : starts)
      for (const double u : starts)
        for (const double v : starts) {
          Vec3 x(t, u, v);
          if (!solve(pattern, end, x)) continue;
          for (const Pattern::Piece& p : pattern.pieces)
            if (p.unknown >= 0 && p.turn != 0) x[p.unknown] = wrap(x[p.unknown]);
          if (forwards && x.minCoeff() < 0) continue;
          if (measure_gap(walk(pattern, x), end) > 1e-8) continue;
          best = std::min(best, measure(pattern, x));
        }
  }
  return best;
}

inline double search_dubins(const CartPose& end) {
  std::vector<Pattern> patterns;
  for (const int first : {-1, 1}) {
    patterns.push_back({{{first, 0}, {-first, 1}, {first, 2}}});
    for (const int last : {-1, 1}) patterns.push_back({{{first, 0}, {0, 1}, {last, 2}}});
  }
  return search(patterns, end, true);
}

/// The kinds of words that can be shortest (theorem 1 of Reeds and Shepp), with every sign of every
/// piece.
inline double search_reeds_shepp(const CartPose& end) {
  std::vector<Pattern> patterns;
  for (const int c : {-1, 1}) {
    patterns.push_back({{{c, 0}, {-c, 1}, {c, 2}}});
    for (const double sign : {-1.0, 1.0})
      patterns.push_back({{{c, 0}, {-c, 1}, {c, 1, sign}, {-c, 2}}});
    for (const int last : {-1, 1}) {
      patterns.push_back({{{c, 0}, {0, 1}, {last, 2}}});
      for (const double quarter : {-kPi / 2, kPi / 2}) {
        patterns.push_back({{{c, 0}, {-c, -1, quarter}, {0, 1}, {last, 2}}});
        patterns.push_back({{{last, 0}, {0, 1}, {-c, -1, quarter}, {c, 2}}});
        patterns.push_back({{{c, 0}, {-c, -1, quarter}, {0, 1}, {last, -1, quarter}, {-last, 2}}});
      }
    }
  }
  return search(patterns, end, false);
}

}  // namespace geste::testing::oracle
