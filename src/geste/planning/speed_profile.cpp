#include "geste/planning/internal/speed_profile.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"

namespace geste::internal {
namespace {

/// What is passed no faster than this share of full speed is a stop.
constexpr double kHardly = 0.1;

/// The largest value within [0, most] at which `holds`, where all below it do.
template <class Holds>
double find_largest(double most, Holds holds) {
  if (holds(most)) return most;
  double low = 0, high = most;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

SpeedProfile::SpeedProfile(std::span<const LegRates> legs, const RateLimits& limits, double frame)
    : limits_(limits),
      frame_(frame),
      along_(limits.velocity.size(), std::ssize(legs)),
      bend_(along_.rows(), along_.cols()),
      jumps_(MatX::Zero(along_.rows(), along_.cols())) {
  for (std::size_t k = 0; k < legs.size(); ++k) {
    const auto col = static_cast<Eigen::Index>(k);
    lengths_.push_back(legs[k].along.cwiseQuotient(limits.velocity).maxCoeff());
    along_.col(col) = legs[k].along / lengths_[k];
    bend_.col(col) = legs[k].across / (lengths_[k] * lengths_[k]);
  }
  measure_jumps(legs);
}

void SpeedProfile::measure_jumps(std::span<const LegRates> legs) {
  rests_.assign(legs.size(), 1);
  for (std::size_t k = 1; k < legs.size(); ++k) {
    const auto col = static_cast<Eigen::Index>(k);
    const Mat3X jump = legs[k].begin / lengths_[k] - legs[k - 1].end / lengths_[k - 1];
    jumps_.col(col) = jump.colwise().norm().transpose();
    const std::vector<Node> nodes = make_nodes(static_cast<int>(k) - 1, static_cast<int>(k) + 1);
    const auto corner = std::find_if(nodes.begin(), nodes.end(),
                                     [&](const Node& n) { return n.jump == static_cast<int>(k); });
    rests_[k] = corner->most < kHardly * kHardly ? 1 : 0;
  }
}

std::vector<SpeedProfile::Node> SpeedProfile::make_nodes(int first, int last) const {
  std::vector<Node> nodes;
  for (int leg = first; leg < last; ++leg) {
    const int count = std::max(1, static_cast<int>(std::ceil(lengths_[at(leg)] / frame_)));
    for (int i = 0; i < count; ++i) {
      Node node{.leg = leg, .cell = lengths_[at(leg)] / count};
      node.share = static_cast<double>(i) / count;
      if (i == 0 && leg > first) {
        node.jump = leg;
        node.spacing = (nodes.back().cell + node.cell) / 2;
      }
      node.most = find_most(node, i == 0 ? std::max(leg - 1, first) : leg, leg);
      nodes.push_back(node);
    }
  }
  return nodes;
}

double SpeedProfile::find_room(const Node& node, int leg, double z) const {
  double room = kInfinity;
  const double pace = node.jump < 0 ? 0 : std::max(z / node.spacing, 2 * std::sqrt(z) / frame_);
  for (Eigen::Index j = 0; j < along_.rows(); ++j) {
    const double jump = node.jump < 0 ? 0 : jumps_(j, node.jump);
    const double left = limits_.acceleration[j] - bend_(j, leg) * z - jump * pace;
    if (along_(j, leg) > 0)
      room = std::min(room, left / along_(j, leg));
    else if (left < 0)
      return -1;
  }
  return room;
}

double SpeedProfile::find_most(const Node& node, int leg_before, int leg_after) const {
  return find_largest(1, [&](double z) {
    return find_room(node, leg_before, z) >= 0 && find_room(node, leg_after, z) >= 0;
  });
}

double SpeedProfile::reach(const Node& node, int leg, double cell, double other,
                           double room) const {
  return find_largest(node.most, [&](double z) {
    return z - other <= 2 * cell * std::min(room, find_room(node, leg, z));
  });
}

void SpeedProfile::add_moments(int first, int last, double begin,
                               std::vector<Moment>& moments) const {
  std::vector<Node> nodes = make_nodes(first, last);
  nodes.push_back({.leg = last - 1, .share = 1});
  nodes.front().most = 0;
  nodes.back().most = 0;
  for (std::size_t i = nodes.size() - 1; i-- > 0;) {
    const int leg = nodes[i].leg;
    const double room = find_room(nodes[i + 1], leg, nodes[i + 1].z);
    nodes[i].z = reach(nodes[i], leg, nodes[i].cell, nodes[i + 1].z, room);
  }
  double t = begin;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Node& node = nodes[i];
    Node& next = nodes[i + 1];
    const double room = find_room(node, node.leg, node.z);
    next.z = std::min(next.z, reach(next, node.leg, node.cell, node.z, room));
    const double rate = std::sqrt(node.z);
    const double duration = 2 * node.cell / (rate + std::sqrt(next.z));
    const double acceleration = (next.z - node.z) / (2 * node.cell);
    const int count = std::max(1, static_cast<int>(std::ceil(duration / frame_ - 1e-9)));
    for (int k = 1; k <= count; ++k) {
      const double s = duration * k / count;
      const double gone = (rate + acceleration * s / 2) * s / lengths_[at(node.leg)];
      const double end = next.leg == node.leg ? next.share : 1;
      moments.push_back({t + s, node.leg, k == count ? end : std::min(node.share + gone, end)});
    }
    t += duration;
  }
}

}  // namespace geste::internal
