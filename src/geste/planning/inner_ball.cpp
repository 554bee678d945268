#include <algorithm>
#include <utility>

#include "geste/planning/confinement.hpp"
#include "geste/planning/internal/point_probe.hpp"

namespace geste {
namespace {

using internal::PointProbe;

/// The deepest place in a body, by a grid and then by smaller and smaller steps from its best
/// point.
std::pair<Vec3, double> find_deepest(PointProbe& probe, BodyId body) {
  constexpr int kGrid = 12, kRounds = 40;
  const AxisBox box = probe.box(body);
  std::pair<Vec3, double> best{box.centre(), probe.measure(body, box.centre())};
  const auto look = [&](const Vec3& p) {
    const double distance = probe.measure(body, p);
    if (distance >= best.second) return false;
    best = {p, distance};
    return true;
  };
  for (int i = 0; i < kGrid * kGrid * kGrid; ++i) {
    const Vec3 share(i % kGrid + 0.5, i / kGrid % kGrid + 0.5, i / (kGrid * kGrid) + 0.5);
    look(box.min + box.size().cwiseProduct(share) / kGrid);
  }
  Vec3 step = box.size() / kGrid;
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (int k = 0; k < 6; ++k)
      moved |= look(best.first + (k < 3 ? 1 : -1) * step[k % 3] * Vec3::Unit(k % 3));
    if (!moved) step /= 2;
  }
  return best;
}

}  // namespace

std::vector<InnerBall> find_inner_balls(const PlanningSpace& space, const CollisionModel& model,
                                        const Budget& budget) {
  VecX x(space.size());
  space.gather(space.rest(), x);
  PointProbe probe(space, model, x);
  std::vector<InnerBall> balls;
  BodyId last;
  for (const CollisionObject& o : model.objects()) {
    if (o.body == last || !space.moves(o.mover)) continue;
    if (!BudgetMeter(budget).spend(0)) break;
    last = o.body;
    const auto [p_W, distance] = find_deepest(probe, o.body);
    // Less rounding.
    const double radius = -distance * (1 - 1e-6);
    if (radius > 0) balls.push_back({o.body, probe.pose(o.body).inverse() * p_W, radius});
  }
  return balls;
}

std::optional<InnerBall> find_inner_ball(const PlanningSpace& space, const CollisionModel& model,
                                         const Budget& budget) {
  const std::vector<InnerBall> balls = find_inner_balls(space, model, budget);
  const auto best = std::max_element(
      balls.begin(), balls.end(), [](const auto& a, const auto& b) { return a.radius < b.radius; });
  return best == balls.end() ? std::nullopt : std::optional(*best);
}

}  // namespace geste
