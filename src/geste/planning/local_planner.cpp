#include "geste/planning/local_planner.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"

namespace geste {

LocalPlanner::LocalPlanner(const PlanningWorld& world)
    : world_(world),
      memory_(world.validator),
      workspace_(world.space.scene()),
      q0_(world.space.scene().nq(), 1),
      q1_(world.space.scene().nq(), 1),
      point_(world.space.size()),
      whole_(world.space) {}

bool LocalPlanner::is_free(ConstVecRef x) {
  if (!is_inside(x) || !world_.space.complete(x, q0_.col(0), workspace_)) {
    stop_ = {};
    return false;
  }
  ConfigurationAnswer answer;
  world_.validator.check(q0_, {&answer, 1}, memory_);
  ++counts_.points;
  if (!answer.is_free) stop_ = {false, 0, answer.object_a, answer.object_b};
  return answer.is_free;
}

void LocalPlanner::check(const Eigen::Ref<const MatX>& x, std::span<char> free) {
  block_.resize(q0_.rows(), x.cols());
  kept_.clear();
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    free[static_cast<std::size_t>(k)] = 0;
    if (!is_inside(x.col(k))) continue;
    const auto next = static_cast<Eigen::Index>(kept_.size());
    if (world_.space.complete(x.col(k), block_.col(next), workspace_))
      kept_.push_back(static_cast<int>(k));
  }
  answers_.resize(kept_.size());
  const auto count = static_cast<Eigen::Index>(kept_.size());
  world_.validator.check(block_.leftCols(count), answers_, memory_);
  counts_.points += kept_.size();
  for (std::size_t i = 0; i < kept_.size(); ++i) free[at(kept_[i])] = answers_[i].is_free;
}

bool LocalPlanner::is_leg_free(ConstVecRef a, ConstVecRef b) {
  stop_ = {};
  if (!is_inside(b) || !world_.space.complete(a, q0_.col(0), workspace_) ||
      !world_.space.complete(b, q1_.col(0), workspace_))
    return false;
  world_.validator.check_edges(q0_, q1_, world_.steering.course(), {&stop_, 1}, memory_,
                               EdgeBegin::free);
  ++counts_.legs;
  if (stop_.is_free && world_.watcher) world_.watcher->take(q0_.col(0), q1_.col(0));
  return stop_.is_free;
}

bool LocalPlanner::set_out(ConstVecRef a, ConstVecRef b, double range, bool from_goal,
                           Way& way) const {
  if (!from_goal || world_.steering.is_reversible())
    return world_.steering.set_out(a, b, range, way);
  if (!world_.steering.steer(b, a, way)) return false;
  way.reverse();
  return true;
}

LocalPlanner::Reached LocalPlanner::advance(ConstVecRef a, ConstVecRef b, double range,
                                            bool from_goal, Way& way) {
  const PlanningSpace& space = world_.space;
  const Course course = world_.steering.course();
  stop_ = {};
  if (!set_out(a, b, range, from_goal, way)) return Reached::nothing;
  double left = range;
  for (int i = 1; i < way.count(); ++i) {
    const double length = space.distance(way[i - 1], way[i]);
    const bool is_cut = length > left;
    if (is_cut) {
      space.interpolate(way[i - 1], way[i], course, left / length, point_);
      way.cut(i);
      way.add(point_);
    }
    if (!is_leg_free(way[i - 1], way[i])) {
      way.cut(i);
      return i > 1 ? Reached::part : Reached::nothing;
    }
    if (is_cut) return Reached::part;
    left -= length;
  }
  return way.back() == b ? Reached::all : Reached::part;
}

LocalPlanner::Reached LocalPlanner::pursue(ConstVecRef a, ConstVecRef b, double range,
                                           bool from_goal, Way& way) {
  stop_ = {};
  way.clear();
  way.add(a);
  do {
    if (!set_out(way.back(), b, range, from_goal, whole_) || !follow(range, way))
      return way.count() > 1 ? Reached::part : Reached::nothing;
  } while (way.back() != b);
  return Reached::all;
}

bool LocalPlanner::follow(double range, Way& way) {
  const PlanningSpace& space = world_.space;
  for (int i = 1; i < whole_.count(); ++i) {
    const double length = space.distance(whole_[i - 1], whole_[i]);
    const int pieces = length > range ? static_cast<int>(std::ceil(length / range)) : 1;
    for (int k = 1; k <= pieces; ++k) {
      if (k < pieces)
        space.interpolate(whole_[i - 1], whole_[i], world_.steering.course(), k * range / length,
                          point_);
      else
        point_ = whole_[i];
      if (!is_leg_free(way.back(), point_)) return false;
      way.add(point_);
    }
  }
  return true;
}

bool LocalPlanner::connects(ConstVecRef a, ConstVecRef b, Way& way) {
  return advance(a, b, kInfinity, false, way) == Reached::all;
}

}  // namespace geste
