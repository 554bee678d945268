#include "geste/proximity/collision_query.hpp"

#include <algorithm>
#include <tuple>

#include "geste/proximity/internal/collision_search.hpp"

namespace geste {

CollisionWorkspace::CollisionWorkspace(const CollisionModel& model)
    : model_(&model), placed_(model.objects().size()), hints_(256) {
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
    found.push_back(search.separate(i, j, kInfinity, depth));
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
  const auto look = [&](int i, int j) {
    const PairClearance pair = search.separate(i, j, reach);
    const bool counts = pair.separation.distance < limit;
    if (counts && (!best || order(pair) < order(*best))) best = pair;
    // Pairs as near as the best are looked at too, so that the answer does not depend on the order.
    constexpr double kTie = 1e-12;
    if (best) reach = std::max(best->separation.distance, 0.0) * (1 + kTie) + kTie;
    return reach;
  };
  if (const auto [i, j] = search.last_nearest(); i >= 0) look(i, j);
  search.find_nearer(reach, look);
  if (best) search.last_nearest() = {best->object_a, best->object_b};
  return best;
}

}  // namespace geste
