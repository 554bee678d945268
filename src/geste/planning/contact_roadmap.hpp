#pragma once

#include <array>

#include "geste/core/budget.hpp"
#include "geste/planning/nearest.hpp"
#include "geste/planning/problem.hpp"

namespace geste {

/// A roadmap for what hardly fits: points in narrow places, joined by ways that slide along what is
/// in the way (Slider).
///
/// Samples that collide are brought to where they do not (retraction): of the space around a
/// passage much more is in collision than in the passage, and the nearest free place is in it.
/// Points that are there grow towards samples, as in a tree, and on around the bends of what they
/// get into. Both are done anywhere and near the
/// component of start or goal that is smaller, each with the same share of the work. Every new
/// point is joined to the nearest points of components that it is not part of. While searching,
/// ways that slide are looked at where they bend; once start and goal are joined every leg between
/// them is proven, and what does not stand is cut out again.
///
/// With a guide (ContactRoadmapMemory::follow) all of the work goes into where it is broken.
struct ContactRoadmapOptions {
  double range = 0;    ///< legs where nothing is near, in the space's metric; 0: chosen
  double step = 0.1;   ///< beside something, in the space's metric
  int neighbours = 3;  ///< components that a new point is joined to at most
};

/// What the search has found so far; goes on where it ended when given again.
class ContactRoadmapMemory {
 public:
  explicit ContactRoadmapMemory(const PlanningSpace& space);

  [[nodiscard]] int size() const { return nearest_.size(); }
  [[nodiscard]] auto operator[](int i) const { return x_.col(i); }
  /// A number that all points that are joined share.
  [[nodiscard]] int component(int i) const;
  /// The points of a component, by its number.
  [[nodiscard]] const std::vector<int>& points(int component) const {
    return members_[static_cast<std::size_t>(component)];
  }
  void find_nearest(ConstVecRef x, int count, std::vector<int>& found) {
    nearest_.find_nearest(x, count, found);
  }
  [[nodiscard]] int find_nearest(ConstVecRef x) { return nearest_.find_nearest(x); }

  int add(ConstVecRef x);
  /// By the points of a way from a to b, both included.
  void join(int a, int b, const Eigen::Ref<const MatX>& way, bool is_proven);

  struct Link {
    int to = 0;
    int way = 0;
    bool is_reversed = false;
    double length = 0;
  };
  /// The shortest way along links from a to b, which must be joined.
  [[nodiscard]] std::vector<Link> find_path(int a, int b) const;
  [[nodiscard]] const MatX& way(int number) const { return ways_[at(number)].points; }
  [[nodiscard]] bool is_proven(int way) const { return ways_[at(way)].is_proven; }
  /// With the points that it was proven with.
  void set_proven(int way, const Eigen::Ref<const MatX>& points) {
    ways_[at(way)] = {points, true};
  }
  /// A way that turned out not to be one.
  void cut(int way);

  /// A way from start to goal that is not free, but nearly: its points are retracted and joined.
  void follow(MatX way) {
    guide = std::move(way);
    laid.clear();
  }

  [[nodiscard]] bool is_laid() const { return std::ssize(laid) == guide.cols(); }
  /// The columns of the guide before which it is not joined.
  void find_breaks(std::vector<int>& breaks) const;

  MatX guide;                           ///< without columns: none
  std::vector<int> laid;                ///< by column of the guide: its point, or -1; so far
  std::vector<int> goals;               ///< of the problem, by point 1, 2, ...: those that are free
  double gap = kInfinity;               ///< how near start and goals came to each other
  VecX nearest;                         ///< the start's point there
  std::array<std::uint64_t, 4> work{};  ///< spent on each source of points
  std::vector<std::uint64_t> stops;     ///< PlanReport::stops

 private:
  struct LinkWay {
    MatX points;
    bool is_proven = false;
  };
  void merge(int kept, int gone);
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const PlanningSpace* space_;
  MatX x_;
  NearestSet nearest_;
  std::vector<int> component_;             ///< by point
  std::vector<std::vector<int>> members_;  ///< by component; empty: gone into another
  std::vector<std::vector<Link>> links_;
  std::vector<LinkWay> ways_;
};

/// Searches a way; a step is a look at the contacts of a place. Where the space or its steering
/// allows no sliding (Slider::fits) std::invalid_argument is thrown. Ends of the problem are
/// checked here.
PlanReport plan_contact_roadmap(const PlanningProblem& problem,
                                const ContactRoadmapOptions& options, LocalPlanner& local,
                                ContactRoadmapMemory& memory, const Budget& budget, Rng& rng);

}  // namespace geste
