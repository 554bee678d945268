#pragma once

#include <map>
#include <memory>

#include "geste/planning/changed_world.hpp"
#include "geste/planning/contact_roadmap.hpp"
#include "geste/planning/rrt_connect.hpp"

namespace geste {

/// Searches a way for what moves made slimmer (make_slimmer), which is soon found, and leads it to
/// where what is whole is free too (M. Saha, J.-C. Latombe, Y.-C. Chang, F. Prinz, "Finding narrow
/// passages with probabilistic roadmaps: the small-step retraction method", Autonomous Robots 19,
/// 2005; here with contacts instead of samples, and with as few sizes on the way as it takes).
///
/// From the slimmest it is tried at full size at once; where that does not succeed it grows half
/// as much first, and so on. Where it can hardly grow at all another way of the slimmest is looked
/// for, and all tries become longer.
struct GrowingOptions {
  RrtConnectOptions trees;        ///< for the slimmest
  ContactRoadmapOptions contact;  ///< for the others
  double slimness = 0.5;          ///< share of its thickness that the slimmest has lost
  std::uint64_t patience = 4000;  ///< steps of the first tries
};

/// What the search has found so far; goes on where it ended when given again.
class GrowingMemory {
 public:
  /// `world` must outlive it, and is that of all searches.
  explicit GrowingMemory(const PlanningWorld& world) : world_(world) {}

  [[nodiscard]] const PlanningWorld& world() const { return world_; }

 private:
  friend class GrowingSearch;

  /// What moves in one of its sizes.
  struct Size {
    Size(const PlanningWorld& original, double slimness)
        : slim(original, slimness), roadmap(original.space) {}

    SlimWorld slim;
    ContactRoadmapMemory roadmap;
  };
  Size& size(double slimness);

  PlanningWorld world_;
  PlanningProblem asked_;         ///< with goals that are free
  std::vector<int> goals_;        ///< of the problem, by goal that is asked for
  std::map<double, Size> sizes_;  ///< by slimness
  double slimmest_ = 0;
  std::optional<RrtConnectMemory> trees_;  ///< of the slimmest
  MatX guide_;  ///< a way for the slimness `from_`; without columns: to be found
  double from_ = 0;
  double to_ = 0;      ///< the slimness that is tried
  double growth_ = 1;  ///< how much less slim is tried
  // Steps of the current try, and of them for laying the guide; how much longer tries have become.
  std::uint64_t tried_ = 0;
  std::uint64_t laying_ = 0;
  double longer_ = 1;
  double trees_longer_ = 1;
};

/// Searches a way; steps are those of its searches. Where nothing can slide (Slider::fits)
/// std::invalid_argument is thrown. Ends of the problem are checked here.
PlanReport plan_growing(const PlanningProblem& problem, const GrowingOptions& options,
                        GrowingMemory& memory, const Budget& budget, Rng& rng);

}  // namespace geste
