#include "geste/planning/steering/composed.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/planning/steering/fault.hpp"

namespace geste {
namespace {

/// Points of two groups as near as this (of 1, the whole way) are one.
constexpr double kSameShare = 1e-12;

Result<std::unique_ptr<SteeringMethod>> make_straight(const PlanningSpace& space) {
  return std::unique_ptr<SteeringMethod>(new LinearSteering(space));
}

/// Which item of the space belongs to which group, -1: to none.
std::vector<int> assign_items(const PlanningSpace& space, std::span<const SteeringGroup> groups,
                              std::vector<Diagnostic>& faults) {
  std::vector<int> owner(space.items().size(), -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const JointId id : groups[g].joints) {
      const Joint& joint = space.scene().joint(id);
      const auto item = std::find_if(space.items().begin(), space.items().end(),
                                     [&](const auto& i) { return i.joint.name == joint.name; });
      if (item == space.items().end()) {
        faults.push_back(make_steering_fault(joint, "has a steering method but is not planned",
                                             "plan it, or take it out of its group"));
        continue;
      }
      int& of = owner[static_cast<std::size_t>(item - space.items().begin())];
      if (of >= 0)
        faults.push_back(make_steering_fault(joint, "has two steering methods",
                                             "take it out of one of its groups"));
      of = static_cast<int>(g);
    }
  }
  return owner;
}

}  // namespace

void ComposedSteering::Part::gather(const PlanningSpace& whole, ConstVecRef x, VecRef own) const {
  for (std::size_t k = 0; k < items.size(); ++k) {
    const PlanningSpace::Item& to = space->items()[k];
    own.segment(to.x, to.joint.nq) = x.segment(whole.items()[at(items[k])].x, to.joint.nq);
  }
}

void ComposedSteering::Part::scatter(const PlanningSpace& whole, ConstVecRef own, VecRef x) const {
  for (std::size_t k = 0; k < items.size(); ++k) {
    const PlanningSpace::Item& from = space->items()[k];
    x.segment(whole.items()[at(items[k])].x, from.joint.nq) = own.segment(from.x, from.joint.nq);
  }
}

class ComposedSteering::PartWay {
 public:
  PartWay(const Part& part, const PlanningSpace& whole)
      : part_(part), whole_(whole), way_(*part.space), point_(part.space->size()) {}

  bool steer(ConstVecRef a, ConstVecRef b) {
    VecX end(point_.size());
    part_.gather(whole_, a, point_);
    part_.gather(whole_, b, end);
    if (!part_.method->steer(point_, end, way_)) return false;
    shares_.assign(1, 0);
    for (int i = 1; i < way_.count(); ++i)
      shares_.push_back(shares_.back() + part_.space->distance(way_[i - 1], way_[i]));
    const double length = shares_.back();
    for (double& s : shares_) s = length > 0 ? s / length : 0;
    return true;
  }

  /// Of points before the end.
  [[nodiscard]] const std::vector<double>& shares() const { return shares_; }

  /// Puts its entries at a share into a point of the whole. Shares come in order.
  void put(double share, VecRef x) {
    while (leg_ + 2 < way_.count() && shares_[at(leg_ + 1)] <= share + kSameShare) ++leg_;
    const double begin = shares_[at(leg_)], span = shares_[at(leg_ + 1)] - begin;
    if (share <= begin + kSameShare || span <= 0) {
      part_.scatter(whole_, way_[leg_], x);
      return;
    }
    part_.space->interpolate(way_[leg_], way_[leg_ + 1], part_.method->course(),
                             std::min(1.0, (share - begin) / span), point_);
    part_.scatter(whole_, point_, x);
  }

 private:
  const Part& part_;
  const PlanningSpace& whole_;
  Way way_;
  std::vector<double> shares_;
  int leg_ = 0;
  VecX point_;
};

Result<std::unique_ptr<SteeringMethod>> ComposedSteering::make(
    const PlanningSpace& space, std::span<const SteeringGroup> groups) {
  std::vector<Diagnostic> faults;
  const std::vector<int> owner = assign_items(space, groups, faults);
  if (space.has_loops())
    faults.push_back({.code = "plan.loop",
                      .message = "groups of joints would open chains that are closed by projection",
                      .remedy = "steer all joints by 'projected'"});
  if (!faults.empty()) return make_error(std::move(faults));
  std::unique_ptr<ComposedSteering> made(new ComposedSteering(space));
  const auto collect = [&](int group) {
    std::vector<int> items;
    for (std::size_t i = 0; i < owner.size(); ++i)
      if (owner[i] == group) items.push_back(static_cast<int>(i));
    return items;
  };
  for (int g = -1; g < static_cast<int>(groups.size()); ++g) {
    const auto added = made->add(collect(g), g < 0 ? make_straight : groups[at(g)].make);
    if (added) continue;
    faults.push_back(added.error());
    faults.insert(faults.end(), added.error().also.begin(), added.error().also.end());
  }
  if (faults.empty()) faults = made->find_mixed();
  if (!faults.empty()) return make_error(std::move(faults));
  return std::unique_ptr<SteeringMethod>(std::move(made));
}

Result<void> ComposedSteering::add(std::vector<int> items, const SteeringMaker& make) {
  if (items.empty()) return {};
  auto part = std::make_unique<PlanningSpace>(space_.make_part(items));
  auto method = make(*part);
  if (!method) return method.error();
  if ((*method)->course() == Course::screw) course_ = Course::screw;
  parts_.push_back({std::move(part), std::move(*method), std::move(items)});
  return {};
}

std::vector<Diagnostic> ComposedSteering::find_mixed() const {
  std::vector<Diagnostic> faults;
  for (const Part& part : parts_) {
    if (part.method->course() == course_) continue;
    for (const PlanningSpace::Item& item : part.space->items())
      if (item.joint.type == JointType::planar || item.joint.type == JointType::free)
        faults.push_back(make_steering_fault(
            item.joint, "would go straight while joints of other groups go along arcs or screws",
            "steer it as a cart too, or plan it on its own"));
  }
  return faults;
}

bool ComposedSteering::is_reversible() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.method->is_reversible(); });
}

bool ComposedSteering::steer(ConstVecRef a, ConstVecRef b, Way& way) const {
  std::vector<PartWay> ways;
  std::vector<double> shares;
  for (const Part& part : parts_) {
    ways.emplace_back(part, space_);
    if (!ways.back().steer(a, b)) return false;
    shares.insert(shares.end(), ways.back().shares().begin(), ways.back().shares().end());
  }
  std::sort(shares.begin(), shares.end());
  way.clear();
  way.add(a);
  double last = 0;
  for (const double share : shares) {
    if (share <= last + kSameShare || share >= 1 - kSameShare) continue;
    auto x = way.add();
    for (PartWay& part : ways) part.put(share, x);
    last = share;
  }
  way.add(b);
  return true;
}

double ComposedSteering::lower_bound(ConstVecRef a, ConstVecRef b) const {
  double squared = 0;
  for (const Part& part : parts_) {
    VecX own_a(part.space->size()), own_b(part.space->size());
    part.gather(space_, a, own_a);
    part.gather(space_, b, own_b);
    squared += std::pow(part.method->lower_bound(own_a, own_b), 2);
  }
  return std::sqrt(squared);
}

}  // namespace geste
