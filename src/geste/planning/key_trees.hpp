#pragma once

#include <array>
#include <memory>
#include <optional>

#include "geste/planning/changed_world.hpp"
#include "geste/planning/forest.hpp"
#include "geste/planning/key_places.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/slide.hpp"

namespace geste {

/// Trees from start, goals and from the narrowest places in between (KeyPlaces): trees that come
/// from outside do not find into these, those that begin there find out.
///
/// A place that is drawn is brought to where it is free with the part slim at first, and then ever
/// less so: what is whole would lie so deep in other things that contacts do not tell the way out.
/// What is left and is narrow becomes the root of a tree. Start, goals and all keys that have met
/// neither get a share of the work each, within which who had the least is next.
struct KeyTreesOptions {
  double range = 0;          ///< how far one step goes at most, in the space's metric; 0: chosen
  int samples_per_step = 1;  ///< of the budget, at least 1
};

/// What the search has found so far; goes on where it ended when given again.
class KeyTreesMemory {
 public:
  /// `world` must outlive it, and is that of all searches.
  explicit KeyTreesMemory(const PlanningWorld& world) : world_(world), forest_(world.space) {}

  [[nodiscard]] const SearchForest& forest() const { return forest_; }

 private:
  friend class KeyTreesSearch;

  /// What moves in one of its sizes.
  struct Size {
    Size(const PlanningWorld& original, double slimness)
        : slim(original, slimness),
          slider(std::make_unique<Slider>(slim.local(), SlideOptions{.proves = false})) {}

    SlimWorld slim;
    std::unique_ptr<Slider> slider;
  };

  PlanningWorld world_;
  SearchForest forest_;     ///< trees of the start, of the goals that are free, and of keys
  std::vector<int> goals_;  ///< of the problem, by tree 1, 2, ...
  std::optional<KeyPlaces> places_;
  std::vector<Size> sizes_;                ///< the slimmest first, at last the whole
  std::vector<std::uint64_t> work_;        ///< in samples, by tree
  std::vector<int> side_;                  ///< by tree: KeyTreesSearch::Side
  std::array<std::uint64_t, 3> shared_{};  ///< work, by side
  std::uint64_t drawing_ = 0;              ///< work for new keys
  std::vector<std::uint64_t> stops_;       ///< PlanReport::stops
  int met_ = -1;                           ///< tree of the goal that the start's has met
};

/// Searches a way. For loose parts (KeyPlaces::fits, Slider::fits); others throw
/// std::invalid_argument. Ends of the problem are checked here.
PlanReport plan_key_trees(const PlanningProblem& problem, const KeyTreesOptions& options,
                          LocalPlanner& local, KeyTreesMemory& memory, const Budget& budget,
                          Rng& rng);

}  // namespace geste
