#include "geste/planning/internal/nearest_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geste/core/index.hpp"

namespace geste {

NearestSet::NearestSet(const PlanningSpace& space)
    : features_(at(space.features())), is_turn_(features_, false) {
  for (const PlanningSpace::Turn& turn : space.turns()) is_turn_[at(turn.feature)] = true;
}

void NearestSet::add(std::span<const float> features) {
  const std::size_t lane = at(size_ % kLanes);
  // Lanes that are not filled yet are infinitely far.
  if (lane == 0)
    blocks_.resize(blocks_.size() + features_ * kLanes, std::numeric_limits<float>::infinity());
  float* block = blocks_.data() + blocks_.size() - features_ * kLanes;
  for (std::size_t f = 0; f < features_; ++f) block[f * kLanes + lane] = features[f];
  ++size_;
}

void NearestSet::compute_squares(std::span<const float> features, std::size_t block,
                                 Squares& squares) const {
  const float* points = blocks_.data() + block * features_ * kLanes;
  squares.fill(0);
  for (std::size_t f = 0; f < features_;) {
    const std::size_t width = is_turn_[f] ? 4 : 1;
    if (width == 4) {
      // A quaternion or its negative, whichever is nearer.
      Squares plus{}, minus{};
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < kLanes; ++i) {
          const float p = points[(f + k) * kLanes + i];
          plus[i] += (features[f + k] + p) * (features[f + k] + p);
          minus[i] += (features[f + k] - p) * (features[f + k] - p);
        }
      for (std::size_t i = 0; i < kLanes; ++i) squares[i] += std::min(plus[i], minus[i]);
    } else {
      for (std::size_t i = 0; i < kLanes; ++i) {
        const float d = features[f] - points[f * kLanes + i];
        squares[i] += d * d;
      }
    }
    f += width;
  }
}

NearestSet::Found NearestSet::find_nearest(std::span<const float> features) const {
  Squares best, squares;
  std::array<int, kLanes> where{};
  best.fill(std::numeric_limits<float>::infinity());
  const int blocks = (size_ + kLanes - 1) / kLanes;
  for (int b = 0; b < blocks; ++b) {
    compute_squares(features, at(b), squares);
    for (std::size_t i = 0; i < kLanes; ++i) {
      where[i] = squares[i] < best[i] ? b : where[i];
      best[i] = std::min(squares[i], best[i]);
    }
  }
  Found found{-1, std::numeric_limits<float>::infinity()};
  for (int i = 0; i < kLanes; ++i) {
    const int index = where[at(i)] * kLanes + i;
    const bool is_nearer =
        best[at(i)] < found.distance || (best[at(i)] == found.distance && index < found.index);
    if (index < size_ && is_nearer) found = {index, best[at(i)]};
  }
  return {found.index, std::sqrt(found.distance)};
}

void NearestSet::find_nearest(std::span<const float> features, int k,
                              std::vector<Found>& found) const {
  found.clear();
  Squares squares;
  for (int b = 0; b * kLanes < size_; ++b) {
    compute_squares(features, at(b), squares);
    for (int i = 0; i < std::min(kLanes, size_ - b * kLanes); ++i)
      found.push_back({b * kLanes + i, std::sqrt(squares[at(i)])});
  }
  const auto nearer = [](const Found& x, const Found& y) {
    return x.distance < y.distance || (x.distance == y.distance && x.index < y.index);
  };
  const auto middle = found.begin() + std::min<std::ptrdiff_t>(k, std::ssize(found));
  std::partial_sort(found.begin(), middle, found.end(), nearer);
  found.erase(middle, found.end());
}

}  // namespace geste
