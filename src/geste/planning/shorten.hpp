#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/rng.hpp"
#include "geste/planning/local_planner.hpp"
#include "geste/planning/timing.hpp"

namespace geste {

struct ShortenOptions {
  bool is_on = true;   ///< off: the path stays as it is
  int patience = 6;    ///< shortcuts that fail or gain nothing in a row, until it is good enough
  int most = 200;      ///< shortcuts tried in all
  double gain = 0.02;  ///< share of the duration that a shortcut must save to count as a success
  TimingOptions timing{};
};

/// Makes a path of proven legs quicker: first points are left out where the steering method
/// joins those before and after, then random places on the path are joined (R. Geraerts,
/// M. Overmars, "Creating high-quality paths for motion planning", IJRR 2007, section 4). Every
/// leg stays proven and ends stay. What counts is how long the motion takes (make_timed): it never
/// becomes longer. A shortcut that is shorter but has one more corner to stop at is none.
void shorten(MatX& path, const ShortenOptions& options, LocalPlanner& local, const Budget& budget,
             Rng& rng);

/// Sum of the legs in the space's metric.
double measure_length(const PlanningSpace& space, const Eigen::Ref<const MatX>& path);

}  // namespace geste
