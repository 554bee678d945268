#include "geste/planning/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geste/core/index.hpp"

namespace geste {

NearestSet::NearestSet(const PlanningSpace& space)
    : entries_(space.size()), query_(at(space.size())) {
  for (const PlanningSpace::Item& item : space.items()) {
    const auto add = [&](Kind kind, int first, int count, double weight) {
      for (int k = 0; k < count; ++k)
        axes_.push_back({kind, item.x + first + k, static_cast<float>(weight)});
    };
    switch (item.joint.type) {
      case JointType::revolute:
      case JointType::universal:
        add(Kind::plain, 0, item.joint.nq, 1);
        break;
      case JointType::continuous:
        add(Kind::circular, 0, 1, 1);
        break;
      case JointType::prismatic:
        add(Kind::plain, 0, 1, item.per_metre);
        break;
      case JointType::planar:
        add(Kind::plain, 0, 2, item.per_metre);
        add(Kind::circular, 2, 1, 1);
        break;
      case JointType::spherical:
        add(Kind::rotation, 0, 1, 1);
        break;
      case JointType::free:
        add(Kind::plain, 0, 3, item.per_metre);
        add(Kind::rotation, 3, 1, 1);
        break;
      case JointType::fixed:
        break;
    }
  }
}

void NearestSet::clear() {
  size_ = 0;
  blocks_.clear();
}

void NearestSet::add(ConstVecRef x) {
  const int lane = size_ % kBlock;
  if (lane == 0) blocks_.resize(blocks_.size() + at(entries_ * kBlock));
  float* block = blocks_.data() + at(size_ / kBlock) * at(entries_ * kBlock);
  for (int k = 0; k < entries_; ++k) block[k * kBlock + lane] = static_cast<float>(x[k]);
  ++size_;
}

void NearestSet::measure(std::size_t b, float* __restrict squared) const {
  const float* block = blocks_.data() + b * at(entries_ * kBlock);
  std::fill_n(squared, kBlock, 0.0f);
  for (const Axis& axis : axes_) {
    const float* __restrict p = block + axis.x * kBlock;
    const float q = query_[at(axis.x)], w = axis.weight;
    switch (axis.kind) {
      case Kind::plain:
        for (int i = 0; i < kBlock; ++i) {
          const float d = w * (p[i] - q);
          squared[i] += d * d;
        }
        break;
      case Kind::circular:
        for (int i = 0; i < kBlock; ++i) {
          const float d = std::abs(p[i] - q), other = static_cast<float>(2 * kPi) - d;
          const float least = d < other ? d : other;
          squared[i] += least * least;
        }
        break;
      case Kind::rotation: {
        const float* __restrict y = p + kBlock, * __restrict z = y + kBlock, * __restrict r = z + kBlock;
        const float* o = &query_[at(axis.x)];
        for (int i = 0; i < kBlock; ++i) {
          // Twice the arc cosine of |dot| (Abramowitz and Stegun 4.4.45, within 7e-5).
          const float dot = std::abs(p[i] * q + y[i] * o[1] + z[i] * o[2] + r[i] * o[3]);
          const float c = dot < 1.0f ? dot : 1.0f;
          const float poly = 1.5707288f + c * (-0.2121144f + c * (0.0742610f - 0.0187293f * c));
          squared[i] += 4 * (1 - c) * poly * poly;
        }
        break;
      }
    }
  }
}

int NearestSet::find_nearest(ConstVecRef x) {
  for (int k = 0; k < entries_; ++k) query_[at(k)] = static_cast<float>(x[k]);
  std::array<float, kBlock> squared;
  float best = std::numeric_limits<float>::infinity();
  int nearest = 0;
  for (int first = 0; first < size_; first += kBlock) {
    measure(at(first / kBlock), squared.data());
    const int count = std::min(kBlock, size_ - first);
    float least = squared[0];
    for (int i = 1; i < count; ++i) least = squared[at(i)] < least ? squared[at(i)] : least;
    if (!(least < best)) continue;
    best = least;
    nearest = first +
              static_cast<int>(std::find(squared.begin(), squared.end(), least) - squared.begin());
  }
  return nearest;
}

void NearestSet::find_nearest(ConstVecRef x, int count, std::vector<int>& found) {
  for (int k = 0; k < entries_; ++k) query_[at(k)] = static_cast<float>(x[k]);
  std::array<float, kBlock> squared;
  order_.clear();
  for (int first = 0; first < size_; first += kBlock) {
    measure(at(first / kBlock), squared.data());
    for (int i = 0; i < std::min(kBlock, size_ - first); ++i)
      order_.emplace_back(squared[at(i)], first + i);
  }
  const auto kept = std::min(at(count), order_.size());
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept),
                    order_.end());
  found.clear();
  for (std::size_t i = 0; i < kept; ++i) found.push_back(order_[i].second);
}

}  // namespace geste
