#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "geste/model/motion.hpp"

namespace geste {

/// How far a mechanism that stays closed is from a leg on which every joint goes its own way.
///
/// Between two configurations a motion says where every joint is, also those that follow a table or
/// a formula, or close a loop (motion.hpp). The mechanism itself goes elsewhere: to the closed
/// configuration next to what the motion says. A bound of the difference, joint by joint, makes a
/// proof for the one a proof for the other: nothing is farther from where it was proven than its
/// joints allow.
///
/// - Tables: straight between points, so the difference is largest at one of them.
/// - Formulas f with |Df| <= slope and |D2f| <= curvature (FunctionBounds), of leading values with
///   rates q' and q'': at most (curvature |q'|^2 + slope |q''|) / 8 between the ends.
/// - General loops G(q) = 0: over a piece of the leg |G| is at most its value at the ends and
///   1/8 |(G o q)''|, and at most 5/4 of its value there and in the middle and
///   1/124 |(G o q)'''|. With s the smallest singular value of DG there, L a Lipschitz constant of
///   DG and h = L |G| / s^2 <= 1/2 a closed configuration lies within (1 - sqrt(1 - 2 h)) s / L
///   (Kantorovich's theorem for the step of least length). Pieces are cut until this holds and is
///   not much more than at their ends. Equations that no joint answers to (a loop in a plane has
///   three of them) must hold as they are, and their number must stay the same. "Next" is meant in
///   the joints that the loop may move (LoopSpec::joints): where drives keep theirs on the motion,
///   name the others there.
class StrayBound {
 public:
  /// The scene must outlive it.
  explicit StrayBound(const Scene& scene);
  ~StrayBound();
  StrayBound(StrayBound&&) noexcept;
  StrayBound& operator=(StrayBound&&) noexcept;

  /// False where all that depends on other joints follows them on straight lines: nothing strays.
  [[nodiscard]] bool is_needed() const;

  /// Where no bound is found: too far from closed, at a singular place, or by a function of which
  /// nothing is known.
  struct Failure {
    double at = 0;  ///< share of the leg
    std::string what;
  };
  /// Between complete configurations. The result is in `strays`.
  std::optional<Failure> compute(ConstVecRef q0, ConstVecRef q1, Course course);
  /// By mover.
  [[nodiscard]] std::span<const JointTravel> strays() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace geste
