#include "geste/proximity/collision_query.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "geste/proximity/placed_box.hpp"

namespace geste {

CollisionWorkspace::CollisionWorkspace(const CollisionModel& model)
    : model_(&model), placed_(model.objects().size()), hints_(256) {
  // Moving objects enter the tree when they are first placed.
  for (Placed& p : placed_) p.leaf = -1;
}

/// One question about one set of poses.
class CollisionSearch {
 public:
  CollisionSearch(const CollisionModel& model, const Workspace& workspace,
                  CollisionWorkspace& memory)
      : model_(model), memory_(memory) {
    if (memory.model_ != &model)
      throw std::logic_error("collision query: the workspace is of another model");
    for (std::size_t i = 0; i < model.objects().size(); ++i) place(static_cast<int>(i), workspace);
  }

  /// Calls visit(i, j) for objects whose boxes are within `reach` and whose bodies are checked,
  /// until it returns true.
  template <class Visit>
  bool find(double reach, Visit visit) {
    for (const int i : model_.moving()) {
      const AxisBox box = inflate(placed(i).box, reach);
      const auto look = [&](int j) { return is_checked(i, j) && visit(i, j); };
      if (model_.fixed().find(box, memory_.stack_, look)) return true;
      const auto look_once = [&](int j) { return j > i && look(j); };
      if (memory_.moving_.find(box, memory_.stack_, look_once)) return true;
    }
    return model_.checks_fixed() && find_fixed(reach, visit);
  }

  /// Visits what may be nearer than visit's last answer.
  template <class Visit>
  void find_nearer(double limit, Visit visit) {
    for (const int i : model_.moving()) {
      const AxisBox& box = placed(i).box;
      const auto look = [&](int j) { return limit = is_checked(i, j) ? visit(i, j) : limit; };
      const auto look_once = [&](int j) { return j > i ? look(j) : limit; };
      memory_.moving_.find_nearer(box, limit, memory_.stack_, look_once);
      model_.fixed().find_nearer(box, limit, memory_.stack_, look);
    }
  }

  bool collide(int i, int j) {
    const double margin = this->margin(i, j);
    PairHint& hint = find_hint(i, j);
    if (touches(object(i).collider, object(j).collider, relative(i, j), memory_.scratch_, &hint))
      return true;
    return margin > 0 && separate(i, j, margin).separation.distance < margin;
  }

  /// In the world's frame; what is farther apart than `limit` may come out infinitely far.
  PairClearance separate(int i, int j, double limit) {
    DepthOptions options;
    options.limit = limit;
    Separation s = compute_separation(object(i).collider, object(j).collider, relative(i, j),
                                      memory_.scratch_, &find_hint(i, j), options);
    const Pose& X_WA = placed(i).X_WO;
    s.on_a = X_WA * s.on_a;
    s.on_b = X_WA * s.on_b;
    s.normal = X_WA.R * s.normal;
    return {object(i).body, object(j).body, i, j, s, margin(i, j)};
  }

  [[nodiscard]] double margin(int i, int j) const {
    return model_.margin(object(i).body, object(j).body);
  }

 private:
  [[nodiscard]] const CollisionObject& object(int i) const {
    return model_.objects()[static_cast<std::size_t>(i)];
  }
  CollisionWorkspace::Placed& placed(int i) { return memory_.placed_[static_cast<std::size_t>(i)]; }

  void place(int i, const Workspace& workspace) {
    const CollisionObject& o = object(i);
    CollisionWorkspace::Placed& p = placed(i);
    const bool moves = model_.rigid_mover(o.mover) != 0;
    if (!moves && p.leaf == 0) return;  // placed once for all
    p.X_WO = workspace.X_WM()[static_cast<std::size_t>(o.mover)] * o.X_MO;
    p.box = place_box(p.X_WO, o.collider.box());
    if (!moves) {
      p.leaf = 0;
    } else if (p.leaf < 0) {
      p.leaf = memory_.moving_.insert(p.box, i);
    } else {
      memory_.moving_.update(p.leaf, p.box, 0.05 * p.box.extent());
    }
  }

  [[nodiscard]] bool is_checked(int i, int j) const {
    return model_.rule(object(i).body, object(j).body) == PairRule::checked;
  }
  Pose relative(int i, int j) { return placed(i).X_WO.inverse() * placed(j).X_WO; }

  PairHint& find_hint(int i, int j) {
    const auto pair = static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j);
    const std::uint64_t mixed = pair * 0x9e3779b97f4a7c15u;
    CollisionWorkspace::Hint& slot = memory_.hints_[mixed >> 56];
    if (slot.pair != pair) slot = {pair, {}};
    return slot.hint;
  }

  /// Pairs that never move against each other.
  template <class Visit>
  bool find_fixed(double reach, Visit visit) {
    const int count = static_cast<int>(model_.objects().size());
    for (int i = 0; i < count; ++i) {
      const AxisBox box = inflate(placed(i).box, reach);
      const int mover = model_.rigid_mover(object(i).mover);
      const auto look = [&](int j) {
        return j > i && model_.rigid_mover(object(j).mover) == mover && is_checked(i, j) &&
               visit(i, j);
      };
      const AabbTree& tree = mover == 0 ? model_.fixed() : memory_.moving_;
      if (tree.find(box, memory_.stack_, look)) return true;
    }
    return false;
  }

  const CollisionModel& model_;
  CollisionWorkspace& memory_;
};

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
    PairClearance pair = search.separate(i, j, kInfinity);
    if (pair.b < pair.a) {
      std::swap(pair.a, pair.b);
      std::swap(pair.object_a, pair.object_b);
      std::swap(pair.separation.on_a, pair.separation.on_b);
      pair.separation.normal = -pair.separation.normal;
    }
    found.push_back(pair);
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
