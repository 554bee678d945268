#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/planning/nearest.hpp"
#include "geste/planning/problem.hpp"
#include "geste/planning/sampler.hpp"

namespace geste {

/// Points joined by ways, to be asked again and again (MV-6). Belongs to whoever grows it. Links
/// that come from a file are proven when a query first needs them.
class Roadmap {
 public:
  explicit Roadmap(const PlanningSpace& space) : x_(space.size(), 64), nearest_(space) {}

  struct Link {
    int to = 0;
    double length = 0;
    bool is_proven = true;
  };

  [[nodiscard]] int size() const { return nearest_.size(); }
  [[nodiscard]] auto operator[](int i) const { return x_.col(i); }
  [[nodiscard]] const std::vector<Link>& links(int i) const {
    return links_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] std::size_t count_links() const { return count_links_; }
  /// A number that all points that can be reached from i share.
  [[nodiscard]] int component(int i) const;
  [[nodiscard]] int count_components() const { return components_; }
  void find_nearest(ConstVecRef x, int count, std::vector<int>& found) {
    nearest_.find_nearest(x, count, found);
  }

  int add(ConstVecRef x);
  /// By a way that was steered from the one of the higher number.
  void join(int a, int b, double length, bool is_proven = true);
  /// What came of proving a link: it stays, or it goes.
  void settle(int a, int b, bool is_free);
  /// Of a pair that is linked.
  [[nodiscard]] const Link& link(int a, int b) const;
  /// Points from a to b by the shortest way along links; empty where there is none.
  [[nodiscard]] std::vector<int> find_path(int a, int b) const;

 private:
  void unite(int a, int b);

  MatX x_;
  NearestSet nearest_;
  std::vector<std::vector<Link>> links_;
  std::vector<int> parent_;  ///< of the point in its component's tree; itself: the root
  std::size_t count_links_ = 0;
  int components_ = 0;
};

enum class RoadmapKind {
  basic,       ///< every free sample: L. Kavraki et al., T-RA 1996
  visibility,  ///< guards and connectors: T. Simeon, J.-P. Laumond, C. Nissoux, Advanced Robotics
               ///< 2000
};

/// Which points of the roadmap a new one is tried with (Move3D section 3.2).
enum class Strategy {
  nearest,    ///< the nearest ones
  component,  ///< the nearest ones of each component that is not joined yet
};

struct RoadmapOptions {
  RoadmapKind kind = RoadmapKind::visibility;
  SamplerOptions sampler;
  Strategy strategy = Strategy::component;  ///< of basic roadmaps; visibility asks every component
  int neighbours = 10;                      ///< tried, in all or of each component
  /// Visibility: so many free samples in a row that were of no use end it. The share of the free
  /// space that is not seen is then estimated as 1 / enough.
  int enough = 500;
  int threads = 0;  ///< 0: all cores; the same roadmap on any number
};

/// What came of growing a roadmap.
struct RoadmapReport {
  /// none: a visibility roadmap that covers enough, or hardly anything is free.
  StopReason stopped = StopReason::none;
  std::uint64_t samples = 0;  ///< free ones
  int guards = 0;
  int connectors = 0;
  /// Of the free space, seen from the guards: 1 - 1 / (useless samples in a row). 0 for basic ones.
  double coverage = 0;
  LocalPlanner::Counts counts;
};

/// Adds to a roadmap until the budget is used up, or a visibility roadmap covers enough. A step is
/// a free sample. Growing again goes on with fresh samples. A steering method that is not
/// reversible throws std::invalid_argument.
RoadmapReport grow_roadmap(Roadmap& roadmap, const RoadmapOptions& options, LocalPlanner& local,
                           const Budget& budget, Rng& rng, ProgressSink& progress = no_progress());

/// Joins the problem's ends to the roadmap, each to the nearest points it can be joined to, and
/// takes the shortest way (MV-6); a direct one where there is one. Where the nearest ones give no
/// way, all are tried. The path's legs are proven: those of links that were not are so now, and
/// where that fails the link goes and another way is taken. `used_up` where there is none.
PlanReport query_roadmap(Roadmap& roadmap, const PlanningProblem& problem, LocalPlanner& local,
                         int neighbours = 50);

/// Ways from a free point into the roadmap: into each component by the nearest of its points that
/// it sees, among the `neighbours` nearest of all. Steered from the point. What stops others is
/// added to `stops` (PlanReport::stops).
std::vector<Roadmap::Link> find_doors(Roadmap& roadmap, ConstVecRef x, int neighbours,
                                      LocalPlanner& local, std::vector<std::uint64_t>& stops);

/// Proves a link, which goes where it is not free. `way` is its way from the newer point then.
bool prove_link(Roadmap& roadmap, int a, int b, LocalPlanner& local, Way& way);

}  // namespace geste
