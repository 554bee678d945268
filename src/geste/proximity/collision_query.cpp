#include "geste/proximity/collision_query.hpp"

#include <algorithm>
#include <tuple>

#include "geste/proximity/internal/collision_search.hpp"

namespace geste {

CollisionWorkspace::CollisionWorkspace(const CollisionModel& model)
    : model_(&model), placed_(model.objects().size()), hints_(256) {
  // Moving objects enter the tree when they are first placed.
  for (Placed& p : placed_) p.leaf = -1;
}

bool is_free(const CollisionModel& model, const Workspace& workspace, CollisionWorkspace& memory) {
  CollisionSearch search(model, workspace, memory);
  return !search.find(model.largest_margin(), [&](int i, int j) { return search.collide(i, j); });
}

std::vector<PairClearance> find_collisions(const CollisionModel& model, const Workspace& workspace,
                                           CollisionWorkspace& memory) {
  CollisionSearch search(model, workspace, memory);
  std::vector<PairClearance> found;
  search.find(model.largest_margin(), [&](int i, int j) {
    if (!search.collide(i, j)) return false;
    found.push_back(search.separate(i, j, kInfinity));
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
  std::optional<PairClearance> best;
  const auto order = [](const PairClearance& x) {
    return std::tuple(x.separation.distance, x.object_a, x.object_b);
  };
  double reach = limit;
  search.find_nearer(reach, [&](int i, int j) {
    const PairClearance pair = search.separate(i, j, reach);
    const bool counts = pair.separation.distance < limit;
    if (counts && (!best || order(pair) < order(*best))) best = pair;
    // Pairs as near as the best are looked at too, so that the answer does not depend on the order.
    constexpr double kTie = 1e-12;
    if (best) reach = std::max(best->separation.distance, 0.0) * (1 + kTie) + kTie;
    return reach;
  });
  return best;
}

}  // namespace geste
