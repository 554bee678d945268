#include "geste/planning/explain.hpp"

#include <algorithm>
#include <limits>

#include "geste/core/index.hpp"
#include "geste/planning/internal/crossings.hpp"
#include "geste/planning/straight.hpp"

namespace geste {
namespace {

using Bodies = std::vector<BodyId>;
using internal::add_once;
using internal::Crossings;

double measure_size(const CollisionModel& model, BodyId body) {
  double size = 0;
  for (const CollisionObject& o : model.objects())
    if (o.body == body) size += o.collider.box().size().prod();
  return size;
}

}  // namespace

bool Explainer::is_over() const { return !BudgetMeter(budget_).spend(0); }

BodyId Explainer::find_part(BodyId body) const {
  const auto found = options_.part_of.find(body);
  return found == options_.part_of.end() ? body : found->second;
}

std::optional<MatX> Explainer::search(const WorldChange& parts, std::uint64_t samples) {
  if (is_over()) return std::nullopt;
  WorldChange change = parts;
  for (const auto& [body, part] : options_.part_of)
    if (std::find(parts.without.begin(), parts.without.end(), part) != parts.without.end())
      change.without.push_back(body);
  ChangedWorld changed(world_, change);
  const PlanningWorld world = changed.world();
  LocalPlanner local(world);
  if (auto straight = find_straight_way(problem_, local)) return std::move(straight->path);
  PlanOptions options = options_.plan;
  options.shorten.is_on = false;
  Budget budget = budget_;
  budget.max_steps = samples;
  PlanReport report = plan(world, problem_, options, budget, rng_.split(++searches_));
  if (report.status != PlanStatus::found) return std::nullopt;
  return std::move(report.path);
}

std::vector<Bodies> Explainer::list_crossed() {
  constexpr int kSteps = 48;
  // Only who, not how deep.
  DepthOptions depth;
  depth.max_points = 1;
  Crossings crossings(world_.space, model_);
  std::vector<Bodies> sets;
  VecX x(world_.space.size());
  for (const VecX& goal : problem_.goals) {
    Bodies crossed;
    for (int k = 1; k < kSteps; ++k) {
      world_.space.interpolate(problem_.start, goal, world_.steering.course(),
                               static_cast<double>(k) / kSteps, x);
      for (const PairClearance& pair : crossings.find(x, depth))
        if (const auto body = crossings.other(pair)) add_once(find_part(*body), crossed);
    }
    std::sort(crossed.begin(), crossed.end());
    if (!crossed.empty()) sets.push_back(std::move(crossed));
  }
  std::stable_sort(sets.begin(), sets.end(), [](const Bodies& a, const Bodies& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

std::vector<BodyId> Explainer::list_suspects(const PlanReport& failed,
                                             const std::vector<Bodies>& sets) {
  std::vector<std::uint64_t> stops(world_.space.scene().bodies().size());
  for (std::size_t i = 0; i < failed.stops.size(); ++i) {
    const CollisionObject& o = model_.objects()[i];
    if (!world_.space.moves(o.mover)) stops[find_part(o.body).index()] += failed.stops[i];
  }
  for (const BodyId body : options_.first)
    stops[find_part(body).index()] = std::numeric_limits<std::uint64_t>::max();
  Bodies suspects;
  for (std::size_t i = 0; i < stops.size(); ++i)
    if (stops[i] > 0) suspects.emplace_back(i);
  for (const Bodies& set : sets)
    for (const BodyId body : set) add_once(body, suspects);
  std::stable_sort(suspects.begin(), suspects.end(),
                   [&](BodyId a, BodyId b) { return stops[a.index()] > stops[b.index()]; });
  if (suspects.size() > options_.suspects) suspects.resize(options_.suspects);
  // What is small is sooner taken away.
  std::stable_sort(suspects.begin(), suspects.end(), [&](BodyId a, BodyId b) {
    return measure_size(model_, a) < measure_size(model_, b);
  });
  return suspects;
}

Blockage Explainer::reduce(Blockage found) {
  // Those that were named last are the least suspect, and are put back first.
  for (std::size_t i = found.parts.size(); i-- > 0 && found.parts.size() > 1;) {
    Bodies fewer = found.parts;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (auto path = search({fewer, 0}, options_.samples))
      found = {std::move(fewer), std::move(*path)};
  }
  return found;
}

std::optional<Blockage> Explainer::find_blockage(const PlanReport& failed) {
  constexpr std::size_t kMostSets = 4;
  std::vector<Bodies> sets = list_crossed();
  const Bodies suspects = list_suspects(failed, sets);
  for (const BodyId suspect : suspects) {
    if (is_over()) return std::nullopt;
    if (auto path = search({{suspect}, 0}, options_.samples))
      return Blockage{{suspect}, std::move(*path)};
  }
  // All suspects together, where no straight way is better.
  if (sets.size() > kMostSets) sets.resize(kMostSets);
  if (suspects.size() > 1) sets.push_back(suspects);
  std::optional<Blockage> best;
  for (const Bodies& set : sets) {
    if (is_over()) return std::nullopt;
    if (set.size() < 2 || (best && best->parts.size() <= 2)) continue;
    auto path = search({set, 0}, options_.samples);
    if (!path) continue;
    Blockage reduced = reduce({set, std::move(*path)});
    if (!best || reduced.parts.size() < best->parts.size()) best = std::move(reduced);
  }
  return best;
}

}  // namespace geste
