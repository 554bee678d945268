#pragma once

#include "geste/planning/problem.hpp"
#include "geste/proximity/scene_spans.hpp"

namespace geste {

/// Draws places in which a loose part is in the narrowest of what it has to pass: a neck of it in a
/// gap of the world, a gap of it around a neck, or a gap across a gap (X. Zhang, R. Belfer,
/// P. G. Kry, E. Vouga, "C-space tunnel discovery for puzzle path planning", ACM Transactions on
/// Graphics 39, 2020, with rays instead of learnt features). They may well collide, by little.
class KeyPlaces {
 public:
  /// Whether one thing moves there, in any direction and around any.
  static bool fits(const PlanningSpace& space);

  /// What else could move is where it is at rest. None where find_scene_spans finds none.
  KeyPlaces(const PlanningWorld& world, Rng& rng);

  /// Nothing is narrow.
  [[nodiscard]] bool is_empty() const { return kinds_.empty(); }
  /// False: what was drawn cannot pass.
  bool draw(Rng& rng, VecRef x) const;

 private:
  enum class Kind { across, within, around };

  PlanningSpace::Item item_;
  SurfaceSpans mine_;    ///< of what moves, in its frame
  SurfaceSpans theirs_;  ///< of all else
  std::vector<Kind> kinds_;
};

}  // namespace geste
