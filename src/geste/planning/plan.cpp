#include "geste/planning/plan.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <variant>

#include "geste/core/index.hpp"
#include "geste/core/parallel.hpp"
#include "geste/planning/contact_roadmap.hpp"
#include "geste/planning/growing.hpp"
#include "geste/planning/guided_trees.hpp"
#include "geste/planning/key_trees.hpp"
#include "geste/planning/slide.hpp"

namespace geste {
namespace {

/// A kind of search with all that it has found so far.
template <class Options, class Memory, auto kPlan>
struct Kept {
  Options options;
  Memory memory;

  PlanReport go_on(const PlanningProblem& problem, LocalPlanner& local, const Budget& budget,
                   Rng& rng) {
    return kPlan(problem, options, local, memory, budget, rng);
  }
};

/// It plans in worlds of its own.
PlanReport grow(const PlanningProblem& problem, const GrowingOptions& options, LocalPlanner&,
                GrowingMemory& memory, const Budget& budget, Rng& rng) {
  return plan_growing(problem, options, memory, budget, rng);
}

using Trees = Kept<RrtConnectOptions, RrtConnectMemory, plan_rrt_connect>;
using Contacts = Kept<ContactRoadmapOptions, ContactRoadmapMemory, plan_contact_roadmap>;
using Growing = Kept<GrowingOptions, GrowingMemory, grow>;
using Keys = Kept<KeyTreesOptions, KeyTreesMemory, plan_key_trees>;
using Guided = Kept<GuidedTreesOptions, GuidedTreesMemory, plan_guided_trees>;

/// How much of a round's steps a search gets: at first, once rounds are long, and in the round that
/// is all its own.
struct Share {
  static constexpr std::uint64_t kLong = 15'000;

  double first = 1;
  double later = first;
  double alone = first;

  [[nodiscard]] std::uint64_t of(std::uint64_t steps, bool is_alone) const {
    const double share = is_alone ? alone : steps > kLong ? later : first;
    return static_cast<std::uint64_t>(share * static_cast<double>(steps));
  }
};

/// One of the searches, and how much of the work it gets.
class Search {
 public:
  using Kind = std::variant<Trees, Contacts, Growing, Keys, Guided>;

  Search(Kind kind, const Share& share, const Rng& rng)
      : kind_(std::move(kind)), share_(share), rng_(rng) {}

  void go_on(const PlanningProblem& problem, LocalPlanner& local, const Budget& budget) {
    last_ = std::visit([&](auto& kind) { return kind.go_on(problem, local, budget, rng_); }, kind_);
  }
  [[nodiscard]] const PlanReport& last() const { return last_; }
  [[nodiscard]] const Share& share() const { return share_; }

 private:
  Kind kind_;
  Share share_;
  Rng rng_;
  PlanReport last_;
};

/// A sample of trees takes a quarter of what a step of contact roadmaps takes.
constexpr int kSamplesPerStep = 4;

/// One of the searches for a single thing that can slide: trees, narrow places, what is slim at
/// first, and trees from the narrowest places. Arms, with contacts of all their links, take so long
/// at sliding that problems among shelves were not solved.
Search make_loose_search(const PlanningWorld& world, const RrtConnectOptions& options, int k,
                         const Rng& rng) {
  RrtConnectOptions trees = options;
  trees.samples_per_step = kSamplesPerStep;
  switch (k % 4) {
    case 0:
      // What is wide it solves within a tenth of a second, where it is alone for so long.
      return {Trees{trees, RrtConnectMemory(world.space)}, {0.5, 0.5, 40}, rng};
    case 1:
      // What it finds it finds in the first seconds.
      return {Contacts{{}, ContactRoadmapMemory(world.space)}, {1, 0.25}, rng};
    case 2:
      return {Growing{{.trees = trees, .contact = {}}, GrowingMemory(world)}, {1}, rng};
    default:
      // Nearly all samples of trees in narrow places come to nothing, and take little.
      if (KeyPlaces::fits(world.space))
        return {Keys{{.range = trees.range / 2, .samples_per_step = 4 * kSamplesPerStep},
                     KeyTreesMemory(world)},
                {0.5, 1},
                rng};
      // Domains help where most is wide, and hinder where all is narrow.
      trees.range /= 2, trees.domain = 0;
      return {Trees{trees, RrtConnectMemory(world.space)}, {0.25}, rng};
  }
}

/// The k-th of the searches: trees with a range of their own, the first as asked for, and one of
/// them without domains: what these keep the others from one of a hundred problems of an arm needs.
Search make_search(const PlanningWorld& world, const SampleRoom& room, const PlanOptions& options,
                   int k, const Rng& rng) {
  RrtConnectOptions varied = options.search;
  if (!(varied.range > 0)) varied.range = choose_range(room.extent());
  if (world.space.items().size() == 1 && Slider::fits(world))
    return make_loose_search(world, varied, k, rng);
  constexpr double kScales[] = {1, 0.5, 0.5, 0.25};
  varied.range *= kScales[k % 4];
  // Without domains few samples are refused, so that each takes longer.
  const bool has_domains = k % 4 != 2;
  if (!has_domains) varied.domain = 0;
  return {Trees{varied, RrtConnectMemory(world.space)}, {has_domains ? 1.0 : 0.5}, rng};
}

void add(const PlanReport& part, PlanReport& whole) {
  whole.steps += part.steps;
  whole.counts.points += part.counts.points;
  whole.counts.legs += part.counts.legs;
}

bool is_over(PlanStatus status) { return status != PlanStatus::used_up; }

class Portfolio {
 public:
  Portfolio(const PlanningWorld& world, const PlanningProblem& problem, const PlanOptions& options,
            const Rng& rng)
      : world_(world), problem_(problem), options_(options), room_(world, problem), rng_(rng) {}

  /// The first `count` searches go on for `steps` samples each. The one that answers, or none.
  Search* run_round(std::size_t count, std::uint64_t steps, const BudgetMeter& meter) {
    while (searches_.size() < count) searches_.push_back(make_next());
    // Who is alone leaves most of the budget to the others.
    constexpr std::size_t kRest = 10;
    const bool is_alone = count < usual();
    const std::uint64_t most =
        std::max<std::uint64_t>(1, meter.remaining().max_steps / (is_alone ? kRest : count));
    // Who comes after one that answers need not be asked.
    std::atomic<std::size_t> answer = count;
    const auto go_on = [&](std::size_t k, LocalPlanner& local) {
      if (answer < k) return;
      Search& s = searches_[k];
      Budget share = meter.remaining();
      share.max_steps = std::min(s.share().of(steps, is_alone), most);
      s.go_on(problem_, local, share);
      std::size_t first = answer;
      while (is_over(s.last().status) && k < first && !answer.compare_exchange_weak(first, k)) {
      }
    };
    if (count == 1) {
      go_on(0, first());
    } else {
      parallel_for_scratch(
          count, options_.threads, [&] { return LocalPlanner(world_); }, go_on);
    }
    for (std::size_t k = 0; k < std::min(answer + 1, count); ++k) add(searches_[k].last(), total_);
    return answer < count ? &searches_[answer] : nullptr;
  }

  /// All searches. Where the first did not find a path it is looked at whether an end is so narrow
  /// that one more should take part.
  std::size_t count() {
    if (!narrow_ && !searches_.empty())
      narrow_ = find_narrow_ends(problem_, first(), rng_.split(kProbing));
    return usual() + (narrow_ && narrow_->any() && usual() > 1 ? 1 : 0);
  }
  [[nodiscard]] std::uint64_t steps() const { return total_.steps; }
  LocalPlanner& first() {
    if (!first_) first_.emplace(world_);
    return *first_;
  }
  /// What all of them found, or the one that answered.
  PlanReport sum_up(const Search* winner) {
    PlanReport report = std::move(total_);
    for (const Search& s : searches_) {
      if (winner && &s != winner) continue;
      if (s.last().gap < report.gap) {
        report.gap = s.last().gap;
        report.nearest = s.last().nearest;
      }
      report.nodes += s.last().nodes;
      if (report.stops.size() < s.last().stops.size()) report.stops.resize(s.last().stops.size());
      for (std::size_t i = 0; i < s.last().stops.size(); ++i) report.stops[i] += s.last().stops[i];
    }
    if (winner) {
      report.status = winner->last().status;
      report.path = winner->last().path;
      report.goal = winner->last().goal;
    }
    return report;
  }

 private:
  static constexpr std::uint64_t kProbing = ~std::uint64_t{1};

  [[nodiscard]] std::size_t usual() const { return at(std::max(1, options_.searches)); }

  Search make_next() {
    const std::size_t k = searches_.size();
    const Rng rng = rng_.split(k);
    if (k < usual()) return make_search(world_, room_, options_, static_cast<int>(k), rng);
    return {Guided{{.trees = options_.search}, GuidedTreesMemory(world_, *narrow_)}, {1}, rng};
  }

  const PlanningWorld& world_;
  const PlanningProblem& problem_;
  const PlanOptions& options_;
  SampleRoom room_;
  Rng rng_;
  std::optional<NarrowEnds> narrow_;  ///< nothing: not looked at yet
  std::vector<Search> searches_;      ///< those that were begun
  std::optional<LocalPlanner> first_;
  PlanReport total_;
};

}  // namespace

PlanReport plan(const PlanningWorld& world, const PlanningProblem& problem,
                const PlanOptions& options, const Budget& budget, const Rng& rng,
                ProgressSink& progress) {
  ProgressScope stage(progress, "planning");
  Portfolio portfolio(world, problem, options, rng);
  BudgetMeter meter(budget);
  Search* winner = nullptr;
  std::uint64_t steps = std::max<std::uint64_t>(2, options.first_round);
  for (bool is_first = true; !winner && meter.spend(0); is_first = false) {
    const std::size_t count = is_first ? 1 : portfolio.count();
    if (meter.remaining().max_steps < count) break;
    const std::uint64_t before = portfolio.steps();
    winner = portfolio.run_round(count, steps, meter);
    const std::uint64_t spent = portfolio.steps() - before;
    meter.spend(spent);
    stage.advance(spent);
    if (count > 1) steps += steps / 2;
    if (is_first && !winner && options.is_hopeless && options.is_hopeless()) break;
  }
  PlanReport report = portfolio.sum_up(winner);
  if (!winner && meter.reason() == StopReason::cancelled) report.status = PlanStatus::cancelled;
  if (report.status == PlanStatus::found) {
    Rng shortening = rng.split(~std::uint64_t{0});
    Budget rest = budget;
    rest.max_steps = Budget::kUnlimited;
    shorten(report.path, options.shorten, portfolio.first(), rest, shortening);
  }
  return report;
}

}  // namespace geste
