#include <algorithm>
#include <cmath>

#include "geste/geometry/internal/contact_pairs.hpp"

// Few contacts instead of many, so that the same ones are kept from step to step: groups begin with
// the lowest id, and what is as far out as another only up to rounding loses to the lower id.

namespace geste::internal {
namespace {

constexpr double kTie = 1 + 1e-6;

/// Of `group` the farthest out from its middle, then again and again the farthest from all chosen.
void choose_spread(const std::vector<Contact>& all, const std::vector<std::uint32_t>& group,
                   std::size_t count, std::vector<double>& spread,
                   std::vector<std::uint32_t>& chosen) {
  Vec3 middle = Vec3::Zero();
  for (const std::uint32_t i : group) middle += all[i].on_a;
  middle /= static_cast<double>(group.size());
  spread.resize(group.size());
  for (std::size_t k = 0; k < group.size(); ++k)
    spread[k] = (all[group[k]].on_a - middle).squaredNorm();
  chosen.clear();
  while (chosen.size() < count) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < group.size(); ++k) {
      if (spread[k] > spread[best] * kTie) best = k;
    }
    const Vec3& p = all[group[best]].on_a;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const double squared = (all[group[k]].on_a - p).squaredNorm();
      spread[k] = chosen.empty() ? squared : std::min(spread[k], squared);
    }
    spread[best] = -1;
    chosen.push_back(group[best]);
  }
}

/// The deepest takes the place of its nearest among the chosen.
void include_deepest(const std::vector<Contact>& all, const std::vector<std::uint32_t>& group,
                     double slack, std::vector<std::uint32_t>& chosen) {
  const auto is_shallower = [&](std::uint32_t i, std::uint32_t j) {
    return all[i].depth < all[j].depth;
  };
  const std::uint32_t deepest = *std::max_element(group.begin(), group.end(), is_shallower);
  const std::uint32_t held = *std::max_element(chosen.begin(), chosen.end(), is_shallower);
  if (all[held].depth >= all[deepest].depth - slack) return;
  *std::min_element(chosen.begin(), chosen.end(), [&](std::uint32_t i, std::uint32_t j) {
    return (all[i].on_a - all[deepest].on_a).squaredNorm() <
           (all[j].on_a - all[deepest].on_a).squaredNorm();
  }) = deepest;
}

}  // namespace

void reduce_contacts(double margin, const ContactOptions& options, ContactScratch::Memory& memory,
                     ContactSet& set) {
  auto& all = set.contacts;
  const auto most = static_cast<std::size_t>(std::max(0, options.max_points));
  if (most == 0 || all.size() <= most) return;
  const double agree = std::cos(options.normal_angle);
  auto& group = memory.group;
  auto& chosen = memory.chosen;
  auto& kept = memory.kept;
  auto& waiting = memory.waiting;
  kept.clear();
  waiting.resize(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) waiting[i] = i;
  while (!waiting.empty()) {
    group.clear();
    const std::uint32_t first = waiting.front();
    const Vec3 normal = all[first].normal;
    std::erase_if(waiting, [&](std::uint32_t i) {
      const bool agrees = i == first || all[i].normal.dot(normal) >= agree;
      if (agrees) group.push_back(i);
      return agrees;
    });
    if (group.size() > most) {
      choose_spread(all, group, most, memory.spread, chosen);
      include_deepest(all, group, 1e-4 * margin, chosen);
    } else {
      chosen = group;
    }
    for (const std::uint32_t i : chosen) kept.push_back(all[i]);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Contact& x, const Contact& y) { return x.id < y.id; });
  std::swap(all, kept);
}

}  // namespace geste::internal
