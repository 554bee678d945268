#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "geste/core/index.hpp"
#include "geste/core/parallel.hpp"
#include "geste/planning/roadmap.hpp"

namespace geste {
namespace {

/// A free sample, and what it saw of the roadmap when it was looked at.
struct Outlook {
  VecX x;
  std::vector<int> candidates;
  std::vector<Roadmap::Link> seen;
};

/// Samples are looked at several at once, each from one thread, and taken in their order. Whoever
/// is taken looks again only at points that came since. So the roadmap is that of one sample after
/// the other, on any number of threads (GX-6).
class Grower {
 public:
  Grower(Roadmap& roadmap, const RoadmapOptions& options, LocalPlanner& local)
      : roadmap_(roadmap),
        options_(options),
        local_(local),
        asks_components_(options.kind == RoadmapKind::visibility ||
                         options.strategy == Strategy::component),
        way_(local.world().space) {
    for (int k = 1; k < std::min(resolve_threads(options.threads), kBlock); ++k)
      helpers_.push_back(std::make_unique<LocalPlanner>(local.world()));
  }

  static constexpr int kBlock = 32;  ///< samples that are looked at together

  void look(std::span<Outlook> samples) {
    known_ = roadmap_.size();
    for (Outlook& sample : samples) list_candidates(sample.x, sample.candidates);
    std::atomic<std::size_t> next = 0;
    const auto work = [&](std::size_t worker) {
      LocalPlanner& local = worker == 0 ? local_ : *helpers_[worker - 1];
      Way way(local.world().space);
      for (std::size_t i = next++; i < samples.size(); i = next++) {
        const auto measure = [&](int k) { return measure_way(samples[i].x, k, local, way); };
        find_seen(samples[i].candidates, measure, samples[i].seen);
      }
    };
    parallel_for(helpers_.size() + 1, options_.threads, work);
  }

  /// Whether it was of use.
  bool take(Outlook& sample, RoadmapReport& report) {
    if (roadmap_.size() > known_) look_again(sample);
    const std::vector<Roadmap::Link>& seen = sample.seen;
    if (options_.kind == RoadmapKind::visibility) {
      // A guard sees no other one; a connector joins components. Everything else is left out.
      if (seen.size() == 1) return false;
      ++(seen.empty() ? report.guards : report.connectors);
    }
    const int i = roadmap_.add(sample.x);
    for (const Roadmap::Link& link : seen) roadmap_.join(i, link.to, link.length);
    return true;
  }

  /// Asked by helpers.
  [[nodiscard]] LocalPlanner::Counts count_helped() const {
    LocalPlanner::Counts sum;
    for (const auto& helper : helpers_) {
      sum.points += helper->counts().points;
      sum.legs += helper->counts().legs;
    }
    return sum;
  }

 private:
  /// Points that came since may be nearer, and components may have become one: of two that a sample
  /// saw then the nearer stays. A point that was left out because of its component still is.
  void look_again(Outlook& sample) {
    const std::vector<Roadmap::Link> before = std::move(sample.seen);
    const auto measure = [&](int k) {
      if (k >= known_) return measure_way(sample.x, k, local_, way_);
      const auto link = std::find_if(before.begin(), before.end(),
                                     [&](const Roadmap::Link& l) { return l.to == k; });
      return link == before.end() ? kInfinity : link->length;
    };
    list_candidates(sample.x, sample.candidates);
    find_seen(sample.candidates, measure, sample.seen);
  }

  /// Infinite where there is none.
  double measure_way(ConstVecRef x, int k, LocalPlanner& local, Way& way) const {
    return local.connects(x, roadmap_[k], way) ? measure_length(local.world().space, way)
                                               : kInfinity;
  }

  /// Those of the candidates to which there is a way; where components are asked, one of each.
  template <class Measure>
  void find_seen(const std::vector<int>& candidates, Measure measure,
                 std::vector<Roadmap::Link>& seen) const {
    seen.clear();
    for (const int k : candidates) {
      const bool is_seen = asks_components_ && std::any_of(seen.begin(), seen.end(), [&](auto& s) {
                             return roadmap_.component(s.to) == roadmap_.component(k);
                           });
      if (is_seen) continue;
      const double length = measure(k);
      if (length < kInfinity) seen.push_back({k, length});
    }
  }

  /// The nearest points, or the nearest of each component, nearest first.
  void list_candidates(ConstVecRef x, std::vector<int>& candidates) {
    if (!asks_components_) {
      roadmap_.find_nearest(x, options_.neighbours, candidates);
      return;
    }
    candidates.clear();
    roadmap_.find_nearest(x, roadmap_.size(), all_);
    counts_.assign(at(roadmap_.size()), 0);
    for (const int k : all_) {
      if (counts_[at(roadmap_.component(k))]++ < options_.neighbours) candidates.push_back(k);
    }
  }

  Roadmap& roadmap_;
  const RoadmapOptions& options_;
  LocalPlanner& local_;
  std::vector<std::unique_ptr<LocalPlanner>> helpers_;
  bool asks_components_;
  int known_ = 0;  ///< points of the roadmap that samples were held against
  Way way_;
  std::vector<int> all_, counts_;
};

/// Free samples that the budget still allows, at most `count`. None: there is next to nothing free,
/// or it is over.
std::vector<Outlook> draw_samples(FreeSampler& sampler, LocalPlanner& local, BudgetMeter& meter,
                                  int count, Rng& rng) {
  constexpr int kDry = 10'000;  // blocks of draws without a free one
  std::vector<Outlook> samples;
  VecX x(local.world().space.size());
  for (int dry = 0; static_cast<int>(samples.size()) < count && dry < kDry;) {
    if (!sampler.draw(local, rng, x)) {
      if (!meter.spend(0)) break;
      ++dry;
      continue;
    }
    if (!meter.spend()) break;
    dry = 0;
    samples.push_back({x, {}, {}});
  }
  return samples;
}

}  // namespace

RoadmapReport grow_roadmap(Roadmap& roadmap, const RoadmapOptions& options, LocalPlanner& local,
                           const Budget& budget, Rng& rng, ProgressSink& progress) {
  // Links lead both ways.
  if (!local.world().steering.is_reversible())
    throw std::invalid_argument("grow_roadmap: the steering method has no way back");
  const LocalPlanner::Counts before = local.counts();
  Grower grower(roadmap, options, local);
  FreeSampler sampler(local.world().space, options.sampler);
  BudgetMeter meter(budget);
  ProgressScope stage(progress, "growing a roadmap");
  RoadmapReport report;
  int useless = 0;
  const auto is_enough = [&] {
    return options.kind == RoadmapKind::visibility && useless >= options.enough;
  };
  while (!is_enough() && meter.reason() == StopReason::none) {
    std::vector<Outlook> samples = draw_samples(sampler, local, meter, Grower::kBlock, rng);
    if (samples.empty()) break;
    grower.look(samples);
    for (std::size_t i = 0; i < samples.size() && !is_enough(); ++i) {
      ++report.samples;
      stage.advance();
      useless = grower.take(samples[i], report) ? 0 : useless + 1;
    }
  }
  report.stopped = is_enough() ? StopReason::none : meter.reason();
  if (options.kind == RoadmapKind::visibility && useless > 0) report.coverage = 1 - 1.0 / useless;
  const LocalPlanner::Counts helped = grower.count_helped();
  report.counts = {local.counts().points - before.points + helped.points,
                   local.counts().legs - before.legs + helped.legs};
  return report;
}

}  // namespace geste
