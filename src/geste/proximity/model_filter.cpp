#include <algorithm>

#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/shape_pair.hpp"
#include "geste/proximity/internal/model_builder.hpp"

// MV-7: what a body can never touch, by its area or by its joints, need not be looked at.

namespace geste {
namespace {

AxisBox bound(const std::vector<CollisionObject>& objects, const std::vector<int>& of_body) {
  AxisBox box;
  for (const int i : of_body) {
    const CollisionObject& o = objects[static_cast<std::size_t>(i)];
    box.add(place_box(o.X_MO, o.collider.box()));
  }
  return box;
}

}  // namespace

void CollisionModelBuilder::apply_areas() {
  // By body: the places it stays in, one or another.
  std::vector<std::vector<ReachVolume>> areas(scene_.bodies().size());
  for (const MotionArea& area : options_.areas) {
    if (area.box.empty() || !area.box.min.allFinite() || !area.box.max.allFinite()) {
      faults_.push_back({.code = "collision.area",
                         .message = "the area is empty or not finite",
                         .file = area.source.file,
                         .line = area.source.line,
                         .element = area.mover.empty() ? "area" : "area of '" + area.mover + "'",
                         .remedy = "give a lower and an upper corner"});
      continue;
    }
    const Bodies scope =
        area.mover.empty() ? with_objects_ : find_bodies(area.mover, "area", area.source);
    for (const BodyId body : scope) areas[body.index()].push_back(make_volume(area.box));
  }
  for (const BodyId a : with_objects_) {
    const auto& own = areas[a.index()];
    if (!moves(a) || own.empty()) continue;
    for (const BodyId b : with_objects_) {
      if (model_.is_fixed(a, b)) continue;
      const double margin = model_.margin(a, b);
      const auto& others = areas[b.index()];
      const bool apart = std::all_of(own.begin(), own.end(), [&](const ReachVolume& place) {
        if (!moves(b)) return !touches_volume(place, b, margin);
        return !others.empty() &&
               std::all_of(others.begin(), others.end(), [&](const ReachVolume& other) {
                 return compute_gap(place.box, other.box) > margin;
               });
      });
      if (apart) set(a, b, PairRule::outside_area);
    }
  }
}

void CollisionModelBuilder::find_reaches() {
  reach_.resize(scene_.bodies().size());
  for (const BodyId body : with_objects_) {
    std::vector<ReachVolume>& levels = reach_[body.index()];
    levels.push_back(make_volume(bound(model_.objects_, objects_of_body_[body.index()])));
    for (int m = scene_.body(body).mover; m != 0;
         m = scene_.movers()[static_cast<std::size_t>(m)].parent)
      levels.push_back(sweep(scene_, m, levels.back()));
  }
}

void CollisionModelBuilder::apply_reach() {
  find_reaches();
  for (const BodyId a : with_objects_) {
    if (!moves(a)) continue;
    for (const BodyId b : with_objects_) {
      if ((moves(b) && b < a) || model_.is_fixed(a, b)) continue;
      if (model_.rule(a, b) == PairRule::checked && is_beyond_reach(a, b))
        set(a, b, PairRule::beyond_reach);
    }
  }
}

bool CollisionModelBuilder::is_beyond_reach(BodyId a, BodyId b) const {
  const double margin = model_.margin(a, b);
  if (!moves(b)) {
    const ReachVolume& in_world = reach_[a.index()].back();
    return in_world.is_bounded() && !touches_volume(in_world, b, margin);
  }
  // In the frame of the mover that both hang on, which is the same from the world downwards.
  const std::vector<Mover>& movers = scene_.movers();
  const auto depth = [&](BodyId body) { return reach_[body.index()].size(); };
  int mover_a = scene_.body(a).mover, mover_b = scene_.body(b).mover;
  std::size_t level_a = 0, level_b = 0;
  while (mover_a != mover_b) {
    const bool up_a = depth(a) - level_a >= depth(b) - level_b;
    int& mover = up_a ? mover_a : mover_b;
    mover = movers[static_cast<std::size_t>(mover)].parent;
    ++(up_a ? level_a : level_b);
  }
  return !may_meet(reach_[a.index()][level_a], reach_[b.index()][level_b], margin);
}

/// Exact on the obstacle's shape.
bool CollisionModelBuilder::touches_volume(const ReachVolume& volume, BodyId body,
                                           double margin) const {
  const AxisBox box = inflate(volume.box, margin);
  QueryScratch scratch;
  for (const int i : objects_of_body_[body.index()]) {
    const CollisionObject& o = model_.objects_[static_cast<std::size_t>(i)];
    if (compute_gap(box, place_box(o.X_MO, o.collider.box())) > 0) continue;
    const Collider room{Shape(Box{box.size()})}, ball{Shape(Sphere{volume.radius + margin})};
    if (touches(room, o.collider, Pose(Mat3::Identity(), -box.centre()) * o.X_MO, scratch) &&
        touches(ball, o.collider, Pose(Mat3::Identity(), -volume.centre) * o.X_MO, scratch))
      return true;
  }
  return false;
}

}  // namespace geste
