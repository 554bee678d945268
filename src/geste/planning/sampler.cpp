#include "geste/planning/sampler.hpp"

#include <algorithm>
#include <array>

namespace geste {

FreeSampler::FreeSampler(const PlanningSpace& space, const SamplerOptions& options)
    : space_(space),
      kind_(options.kind),
      deviation_(options.deviation > 0 ? options.deviation : 0.02 * space.extent()),
      first_(space.size(), kBlock),
      second_(space.size(), kBlock),
      middle_(space.size(), kBlock) {}

bool FreeSampler::draw(LocalPlanner& local, Rng& rng, VecRef x) {
  if (ready_.empty()) fill(local, rng);
  if (ready_.empty()) return false;
  x = ready_.back();
  ready_.pop_back();
  return true;
}

void FreeSampler::fill(LocalPlanner& local, Rng& rng) {
  std::array<char, kBlock> a{}, b{}, c{};
  for (int k = 0; k < kBlock; ++k) {
    space_.sample(rng, first_.col(k));
    if (kind_ == SamplerKind::uniform) continue;
    space_.sample_near(first_.col(k), deviation_, rng, second_.col(k));
    space_.interpolate(first_.col(k), second_.col(k), Course::straight, 0.5, middle_.col(k));
  }
  local.check(first_, a);
  if (kind_ != SamplerKind::uniform) local.check(second_, b);
  if (kind_ == SamplerKind::bridge) local.check(middle_, c);
  for (int k = kBlock - 1; k >= 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    if (kind_ == SamplerKind::uniform && a[i]) ready_.emplace_back(first_.col(k));
    if (kind_ == SamplerKind::gaussian && a[i] != b[i])
      ready_.emplace_back(a[i] ? first_.col(k) : second_.col(k));
    if (kind_ == SamplerKind::bridge && !a[i] && !b[i] && c[i]) ready_.emplace_back(middle_.col(k));
  }
}

}  // namespace geste
