#pragma once

#include <stdexcept>

#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/point_distance.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste {

/// One question about one set of poses.
class CollisionSearch {
 public:
  CollisionSearch(const CollisionModel& model, const Workspace& workspace,
                  CollisionWorkspace& memory)
      : model_(model), memory_(memory) {
    if (memory.model_serial_ != model.serial())
      throw std::logic_error("collision query: the memory is of another model");
    if (workspace.X_WM().size() != model.workspace_size())
      throw std::logic_error("collision query: the workspace is of another scene");
    for (const int i : model.moving()) place(i, workspace);
  }

  /// Calls visit(i, j) for objects whose boxes are within `reach` and whose bodies are checked,
  /// until it returns true.
  template <class Visit>
  bool find(double reach, Visit visit) {
    for (const int i : model_.moving()) {
      const AxisBox box = inflate(placed(i).box, reach);
      const auto look = [&](int j) { return is_checked(i, j) && visit(i, j); };
      if (model_.fixed().find(box, memory_.stack_, look)) return true;
      const auto look_once = [&](int j) { return j > i && !is_rigid(i, j) && look(j); };
      if (memory_.moving_.find(box, memory_.stack_, look_once)) return true;
    }
    for (int i = 0; model_.checks_fixed() && i < count(); ++i) {
      const auto look = [&](int j) {
        return j > i && is_rigid(i, j) && is_checked(i, j) && visit(i, j);
      };
      if (tree_of(i).find(inflate(placed(i).box, reach), memory_.stack_, look)) return true;
    }
    return false;
  }

  /// Visits what may be nearer than visit's last answer.
  template <class Visit>
  void find_nearer(double limit, Visit visit) {
    for (const int i : model_.moving()) {
      const AxisBox& box = placed(i).box;
      const auto look = [&](int j) { return limit = is_checked(i, j) ? visit(i, j) : limit; };
      const auto look_once = [&](int j) { return j > i && !is_rigid(i, j) ? look(j) : limit; };
      memory_.moving_.find_nearer(box, limit, memory_.stack_, look_once);
      model_.fixed().find_nearer(box, limit, memory_.stack_, look);
    }
    for (int i = 0; model_.checks_fixed() && i < count(); ++i) {
      tree_of(i).find_nearer(placed(i).box, limit, memory_.stack_, [&](int j) {
        if (j > i && is_rigid(i, j) && is_checked(i, j)) limit = visit(i, j);
        return limit;
      });
    }
  }

  bool collide(int i, int j) {
    const double margin = this->margin(i, j);
    if (compute_gap(placed(i).box, placed(j).box) > margin) return false;
    return comes_within(object(i).collider, object(j).collider, relative(i, j), margin,
                        memory_.scratch_, &find_hint(i, j));
  }

  /// What is farther apart than `limit` may come out infinitely far. Faster by what was found last,
  /// and so not the same to the last bit each time: for decisions, not for reports.
  PairClearance separate(int i, int j, double limit) {
    if (j < i) std::swap(i, j);
    DepthOptions options;
    options.limit = limit;
    return make_clearance(i, j, &find_hint(i, j), options);
  }
  /// The same bytes whatever was asked before.
  PairClearance report(int i, int j, const DepthOptions& options) {
    if (j < i) std::swap(i, j);
    return make_clearance(i, j, nullptr, options);
  }

  [[nodiscard]] double compute_box_gap(int i, int j) {
    return compute_gap(placed(i).box, placed(j).box);
  }
  PointClearance separate_point(int i, const Vec3& p_W) {
    const Vec3 p_O = pose(i).inverse() * p_W;
    const Collider& collider = object(i).collider;
    if (const PrimitiveShape* primitive = collider.primitive()) {
      const PointSeparation s = compute_point_separation(*primitive, p_O);
      return {i, s.distance, pose(i) * s.nearest};
    }
    const MeshTree& mesh = *collider.mesh();
    const NearestPoint found = find_nearest(mesh, p_O, memory_.scratch_);
    const bool inside = mesh.is_closed() && is_inside(mesh, p_O, memory_.scratch_);
    return {i, inside ? -found.distance : found.distance, pose(i) * found.point};
  }

  // What the last question found is looked at first in the next one.
  [[nodiscard]] std::pair<int, int>& last_hit() { return memory_.last_hit_; }
  [[nodiscard]] std::pair<int, int>& last_nearest() { return memory_.last_nearest_; }

  [[nodiscard]] double margin(int i, int j) const {
    return model_.margin(object(i).body, object(j).body);
  }
  [[nodiscard]] const CollisionObject& object(int i) const {
    return model_.objects()[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Pose& pose(int i) { return placed(i).X_WO; }
  Pose relative(int i, int j) { return pose(i).inverse() * pose(j); }

 private:
  CollisionWorkspace::Placed& placed(int i) { return memory_.placed_[static_cast<std::size_t>(i)]; }

  void place(int i, const Workspace& workspace) {
    const CollisionObject& o = object(i);
    CollisionWorkspace::Placed& p = placed(i);
    p.X_WO = workspace.X_WM()[static_cast<std::size_t>(o.mover)] * o.X_MO;
    p.box = place_box(p.X_WO, o.collider.box());
    if (p.leaf < 0) {
      p.leaf = memory_.moving_.insert(p.box, i);
    } else {
      memory_.moving_.update(p.leaf, p.box, 0.05 * p.box.extent());
    }
  }

  [[nodiscard]] bool is_checked(int i, int j) const {
    return model_.rule(object(i).body, object(j).body) == PairRule::checked;
  }

  PairHint& find_hint(int i, int j) {
    const auto pair = static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j);
    const std::uint64_t mixed = pair * 0x9e3779b97f4a7c15u;
    CollisionWorkspace::Hint& slot = memory_.hints_[mixed >> 56];
    if (slot.pair != pair) slot = {pair, {}};
    return slot.hint;
  }

  /// In the world's frame, the lower object first.
  PairClearance make_clearance(int i, int j, PairHint* hint, const DepthOptions& options) {
    const Separation s = compute_separation(object(i).collider, object(j).collider, relative(i, j),
                                            memory_.scratch_, hint, options);
    return {object(i).body, object(j).body, i, j, geste::placed(s, pose(i)), margin(i, j)};
  }

  [[nodiscard]] int count() const { return static_cast<int>(model_.objects().size()); }
  [[nodiscard]] bool is_rigid(int i, int j) const {
    return model_.rigid_mover(object(i).mover) == model_.rigid_mover(object(j).mover);
  }
  [[nodiscard]] const AabbTree& tree_of(int i) const {
    return object(i).mover == 0 ? model_.fixed() : memory_.moving_;
  }

  const CollisionModel& model_;
  CollisionWorkspace& memory_;
};

}  // namespace geste
