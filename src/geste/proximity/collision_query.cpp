#include "geste/proximity/collision_query.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "geste/proximity/internal/collision_search.hpp"

namespace geste {
namespace {

struct ObjectRange {
  int begin = 0;
  int end = 0;
};

/// Objects of one body follow each other.
ObjectRange find_objects(const CollisionModel& model, BodyId body) {
  const std::vector<CollisionObject>& objects = model.objects();
  const auto is_of_body = [&](const CollisionObject& o) { return o.body == body; };
  const auto first = std::find_if(objects.begin(), objects.end(), is_of_body);
  const auto last = std::find_if_not(first, objects.end(), is_of_body);
  return {static_cast<int>(first - objects.begin()), static_cast<int>(last - objects.begin())};
}

}  // namespace

CollisionWorkspace::CollisionWorkspace(const CollisionModel& model)
    : model_serial_(model.serial()), placed_(model.objects().size()), hints_(256) {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const CollisionObject& o = model.objects()[i];
    placed_[i] = {o.X_MO, place_box(o.X_MO, o.collider.box()), -1};
  }
}

bool is_free(const CollisionModel& model, const Workspace& workspace, CollisionWorkspace& memory) {
  CollisionSearch search(model, workspace, memory);
  if (const auto [i, j] = search.last_hit(); i >= 0 && search.collide(i, j)) return false;
  return !search.find(model.largest_margin(), [&](int i, int j) {
    if (!search.collide(i, j)) return false;
    search.last_hit() = {i, j};
    return true;
  });
}

std::vector<PairClearance> find_collisions(const CollisionModel& model, const Workspace& workspace,
                                           CollisionWorkspace& memory, const DepthOptions& depth) {
  CollisionSearch search(model, workspace, memory);
  std::vector<PairClearance> found;
  search.find(model.largest_margin(), [&](int i, int j) {
    if (!search.collide(i, j)) return false;
    found.push_back(search.report(i, j, depth));
    return false;
  });
  // The deepest objects of each pair of bodies, then the deepest pairs.
  const auto order = [](const PairClearance& x) {
    return std::tuple(x.a, x.b, x.separation.distance, x.object_a, x.object_b);
  };
  std::sort(found.begin(), found.end(),
            [&](const auto& x, const auto& y) { return order(x) < order(y); });
  found.erase(std::unique(found.begin(), found.end(),
                          [](const auto& x, const auto& y) { return x.a == y.a && x.b == y.b; }),
              found.end());
  std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) {
    return x.separation.distance < y.separation.distance;
  });
  return found;
}

std::optional<PairClearance> find_nearest_pair(const CollisionModel& model,
                                               const Workspace& workspace,
                                               CollisionWorkspace& memory, double limit) {
  CollisionSearch search(model, workspace, memory);
  // Of pairs that are equally near the lowest is named, whatever the order they are met in.
  constexpr double kTie = 1e-9;
  struct Candidate {
    double distance;
    int a, b;
  };
  std::vector<Candidate> candidates;
  double least = kInfinity, reach = std::max(limit, kTie);
  const auto look = [&](int i, int j) {
    const PairClearance pair = search.separate(i, j, reach);
    const double distance = pair.separation.distance;
    if (distance > least + kTie || distance == kInfinity) return reach;
    candidates.push_back({distance, pair.object_a, pair.object_b});
    least = std::min(least, distance);
    reach = std::min(reach, std::max(least, 0.0) + 2 * kTie);
    return reach;
  };
  if (const auto [i, j] = search.last_nearest(); i >= 0) look(i, j);
  search.find_nearer(reach, look);
  std::erase_if(candidates, [&](const Candidate& c) { return c.distance > least + kTie; });
  if (candidates.empty()) return std::nullopt;
  const Candidate best = *std::min_element(
      candidates.begin(), candidates.end(),
      [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  search.last_nearest() = {best.a, best.b};
  const PairClearance pair = search.report(best.a, best.b, {});
  if (!(pair.separation.distance < limit)) return std::nullopt;
  return pair;
}

std::optional<PairClearance> compute_clearance(const CollisionModel& model,
                                               const Workspace& workspace, BodyId a, BodyId b,
                                               CollisionWorkspace& memory,
                                               const DepthOptions& depth) {
  if (a == b) throw std::invalid_argument("compute_clearance: one body has no clearance to itself");
  CollisionSearch search(model, workspace, memory);
  const ObjectRange of_a = find_objects(model, std::min(a, b));
  const ObjectRange of_b = find_objects(model, std::max(a, b));
  std::optional<PairClearance> best;
  DepthOptions options = depth;
  for (int i = of_a.begin; i < of_a.end; ++i) {
    for (int j = of_b.begin; j < of_b.end; ++j) {
      // Boxes that are farther apart than the best so far hold nothing nearer.
      if (best && search.compute_box_gap(i, j) > std::max(best->separation.distance, 0.0)) continue;
      const PairClearance pair = search.report(i, j, options);
      if (best && !(pair.separation.distance < best->separation.distance)) continue;
      best = pair;
      constexpr double kRounding = 1e-9;
      options.limit = std::min(depth.limit, std::max(pair.separation.distance, 0.0) + kRounding);
    }
  }
  return best;
}

std::optional<PointClearance> compute_clearance(const CollisionModel& model,
                                                const Workspace& workspace, BodyId body,
                                                const Vec3& p_W, CollisionWorkspace& memory) {
  CollisionSearch search(model, workspace, memory);
  const ObjectRange objects = find_objects(model, body);
  std::optional<PointClearance> best;
  for (int i = objects.begin; i < objects.end; ++i) {
    const PointClearance found = search.separate_point(i, p_W);
    if (!best || found.distance < best->distance) best = found;
  }
  return best;
}

}  // namespace geste
