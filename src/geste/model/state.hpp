#pragma once

#include "geste/model/scene.hpp"

namespace geste {

/// All that must be saved to go on from here.
struct State {
  double time = 0;  ///< s
  VecX q;           ///< nq entries
  VecX v;           ///< nv entries

  State() = default;
  /// At rest in the neutral configuration.
  explicit State(const Scene& scene);
};

}  // namespace geste
