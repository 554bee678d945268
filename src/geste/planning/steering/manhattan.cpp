#include "geste/planning/steering/manhattan.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/planning/steering/fault.hpp"

namespace geste {
std::vector<ManhattanMove> make_manhattan_moves(const PlanningSpace& space) {
  std::vector<ManhattanMove> moves;
  for (std::size_t i = 0; i < space.items().size(); ++i) {
    const PlanningSpace::Item& item = space.items()[i];
    const int single = count_plain_entries(item.joint.type), number = static_cast<int>(i);
    for (int k = 0; k < single; ++k) moves.push_back({number, item.x + k, 1});
    if (single < item.joint.nq) moves.push_back({number, item.x + single, item.joint.nq - single});
  }
  return moves;
}

Result<std::unique_ptr<SteeringMethod>> ManhattanSteering::make(const PlanningSpace& space,
                                                                std::vector<ManhattanMove> order) {
  const std::vector<ManhattanMove> moves = make_manhattan_moves(space);
  if (order.empty()) order = moves;
  std::vector<Diagnostic> faults;
  for (const ManhattanMove& move : moves) {
    const auto times = std::count(order.begin(), order.end(), move);
    if (times == 1) continue;
    const PlanningSpace::Item& item = space.items()[at(move.item)];
    faults.push_back(make_steering_fault(
        item.joint, fmt::format("entry {} comes {} times in the order", move.entry - item.x, times),
        "name every move once (make_manhattan_moves lists them)"));
  }
  if (faults.empty() && order.size() != moves.size())
    faults.push_back({.code = "plan.steering",
                      .message = "the order names moves that the space does not have",
                      .remedy = "name every move once (make_manhattan_moves lists them)"});
  if (!faults.empty()) return make_error(std::move(faults));
  return std::unique_ptr<SteeringMethod>(new ManhattanSteering(space, std::move(order)));
}

bool ManhattanSteering::steer(ConstVecRef a, ConstVecRef b, Way& way) const {
  way.clear();
  way.add(a);
  for (const ManhattanMove& move : order_) {
    const auto from = way.back().segment(move.entry, move.count);
    if (from == b.segment(move.entry, move.count)) continue;
    const VecX x = way.back();
    auto next = way.add();
    next = x;
    next.segment(move.entry, move.count) = b.segment(move.entry, move.count);
  }
  if (way.count() == 1) way.add(b);
  return true;
}

double ManhattanSteering::lower_bound(ConstVecRef a, ConstVecRef b) const {
  double sum = 0;
  for (const PlanningSpace::Item& item : space_.items()) {
    double v[6];
    difference(item.joint, a.data() + item.x, b.data() + item.x, v);
    const auto slide = [&](int k) {
      return item.per_metre * std::abs(b[item.x + k] - a[item.x + k]);
    };
    switch (item.joint.type) {
      case JointType::revolute:
      case JointType::continuous:
        sum += std::abs(v[0]);
        break;
      case JointType::prismatic:
        sum += slide(0);
        break;
      case JointType::universal:
        sum += std::abs(v[0]) + std::abs(v[1]);
        break;
      case JointType::planar:
        sum += slide(0) + slide(1) + std::abs(v[2]);
        break;
      case JointType::spherical:
        sum += Eigen::Map<const Vec3>(v).norm();
        break;
      case JointType::free:
        sum += slide(0) + slide(1) + slide(2) + Eigen::Map<const Vec3>(v + 3).norm();
        break;
      case JointType::fixed:
        break;
    }
  }
  return sum;
}

}  // namespace geste
