#pragma once

#include "geste/model/motion.hpp"

namespace geste::bench {

/// Column k of q0 to column k of q1, complete (compute_dependents).
struct Edges {
  MatX q0;
  MatX q1;
  Course course = Course::straight;

  [[nodiscard]] int count() const { return static_cast<int>(q0.cols()); }
};

}  // namespace geste::bench
