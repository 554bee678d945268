#include "geste/planning/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geste/core/index.hpp"

namespace geste {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();
/// The angle between two rotations is at least twice the chord between their quaternions.
constexpr float kPerChord = 2;

}  // namespace

NearestSet::NearestSet(const PlanningSpace& space) : entries_(space.size()) {
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
  nodes_.clear();
  counts_.clear();
  numbers_.clear();
  points_.clear();
  boxes_.clear();
}

void NearestSet::read(ConstVecRef x, std::vector<float>& entries) const {
  entries.resize(at(entries_));
  for (int k = 0; k < entries_; ++k) entries[at(k)] = static_cast<float>(x[k]);
  for (const Axis& axis : axes_) {
    if (axis.kind != Kind::rotation || !(entries[at(axis.x + 3)] < 0)) continue;
    for (int k = axis.x; k < axis.x + 4; ++k) entries[at(k)] = -entries[at(k)];
  }
}

std::size_t NearestSet::find_values(int leaf) const { return at(leaf) * at(entries_ * kBlock); }

std::size_t NearestSet::find_box(int leaf) const {
  return at(leaf / kBlock) * at(2 * entries_ * kBlock) + at(leaf % kBlock);
}

void NearestSet::add(ConstVecRef x) {
  read(x, point_);
  if (nodes_.empty()) nodes_.push_back({.leaf = add_leaf()});
  int i = 0;
  for (;;) {
    if (nodes_[at(i)].first_child < 0) {
      if (counts_[at(nodes_[at(i)].leaf)] < kBlock) break;
      split(i);
    }
    const Node& node = nodes_[at(i)];
    i = node.first_child + (point_[at(node.entry)] < node.split ? 0 : 1);
  }
  put(nodes_[at(i)].leaf, point_.data(), size_++);
}

int NearestSet::add_leaf() {
  const int leaf = leaf_count();
  counts_.push_back(0);
  numbers_.resize(numbers_.size() + kBlock);
  points_.resize(points_.size() + at(entries_ * kBlock));
  if (leaf % kBlock == 0) boxes_.resize(boxes_.size() + at(2 * entries_ * kBlock));
  clear_leaf(leaf);
  return leaf;
}

void NearestSet::clear_leaf(int leaf) {
  counts_[at(leaf)] = 0;
  float* box = boxes_.data() + find_box(leaf);
  for (int k = 0; k < entries_; ++k) {
    box[2 * k * kBlock] = kFar;
    box[(2 * k + 1) * kBlock] = -kFar;
  }
}

void NearestSet::put(int leaf, const float* x, int number) {
  const int i = counts_[at(leaf)]++;
  numbers_[at(leaf * kBlock + i)] = number;
  float* values = points_.data() + find_values(leaf);
  float* box = boxes_.data() + find_box(leaf);
  for (int k = 0; k < entries_; ++k) {
    values[k * kBlock + i] = x[k];
    float &low = box[2 * k * kBlock], &high = box[(2 * k + 1) * kBlock];
    low = std::min(low, x[k]);
    high = std::max(high, x[k]);
  }
}

/// The entry in which the leaf's points lie farthest apart.
int NearestSet::find_widest(int leaf) const {
  const float* box = boxes_.data() + find_box(leaf);
  int widest = 0;
  float most = -1;
  for (const Axis& axis : axes_) {
    const bool is_rotation = axis.kind == Kind::rotation;
    for (int k = axis.x; k < axis.x + (is_rotation ? 4 : 1); ++k) {
      const float size = box[(2 * k + 1) * kBlock] - box[2 * k * kBlock];
      const float width = (is_rotation ? kPerChord : axis.weight) * size;
      if (width > most) most = width, widest = k;
    }
  }
  return widest;
}

/// Moves half of the points of a node's full leaf to a new one.
void NearestSet::split(int node) {
  const int leaf = nodes_[at(node)].leaf, entry = find_widest(leaf);
  const auto values_begin = points_.begin() + static_cast<std::ptrdiff_t>(find_values(leaf));
  const std::vector<float> values(values_begin, values_begin + entries_ * kBlock);
  const auto numbers_begin = numbers_.begin() + leaf * kBlock;
  const std::vector<int> numbers(numbers_begin, numbers_begin + kBlock);
  order_.clear();
  for (int i = 0; i < kBlock; ++i) order_.emplace_back(values[at(entry * kBlock + i)], i);
  std::sort(order_.begin(), order_.end());
  clear_leaf(leaf);
  const int other = add_leaf();
  std::vector<float> x(at(entries_));
  for (int r = 0; r < kBlock; ++r) {
    const int i = order_[at(r)].second;
    for (int k = 0; k < entries_; ++k) x[at(k)] = values[at(k * kBlock + i)];
    put(r < kBlock / 2 ? leaf : other, x.data(), numbers[at(i)]);
  }
  const auto first_child = static_cast<int>(nodes_.size());
  nodes_.push_back({.leaf = leaf});
  nodes_.push_back({.leaf = other});
  nodes_[at(node)] = {leaf, first_child, entry, order_[kBlock / 2].first};
}

void NearestSet::measure(int leaf, Squares& squares) const {
  const float* block = points_.data() + find_values(leaf);
  float* __restrict squared = squares.data();
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
  std::fill(squares.begin() + counts_[at(leaf)], squares.end(), kFar);
}

void NearestSet::bound(int first_leaf, float* __restrict squared) const {
  const float* boxes = boxes_.data() + find_box(first_leaf);
  const auto outside = [](float low, float high, float q) {
    const float below = low - q, above = q - high;
    const float gap = below > above ? below : above;
    return gap > 0.0f ? gap : 0.0f;
  };
  std::fill_n(squared, kBlock, 0.0f);
  for (const Axis& axis : axes_) {
    const float* __restrict low = boxes + 2 * axis.x * kBlock;
    const float* __restrict high = low + kBlock;
    const float q = query_[at(axis.x)], w = axis.weight;
    switch (axis.kind) {
      case Kind::plain:
        for (int i = 0; i < kBlock; ++i) {
          const float gap = w * outside(low[i], high[i], q);
          squared[i] += gap * gap;
        }
        break;
      case Kind::circular:
        for (int i = 0; i < kBlock; ++i) {
          constexpr auto kTurn = static_cast<float>(2 * kPi);
          const float here = outside(low[i], high[i], q);
          const float before = outside(low[i], high[i], q - kTurn);
          const float after = outside(low[i], high[i], q + kTurn);
          const float other = before < after ? before : after;
          const float gap = here < other ? here : other;
          squared[i] += gap * gap;
        }
        break;
      case Kind::rotation: {
        // No arc is shorter than its chord, to the nearer of the two that are the same rotation.
        Squares same{}, opposite{};
        for (int k = axis.x; k < axis.x + 4; ++k) {
          const float* __restrict least = boxes + 2 * k * kBlock;
          const float* __restrict most = least + kBlock;
          const float x = query_[at(k)];
          for (std::size_t i = 0; i < kBlock; ++i) {
            const float a = outside(least[i], most[i], x), b = outside(least[i], most[i], -x);
            same[i] += a * a;
            opposite[i] += b * b;
          }
        }
        for (std::size_t i = 0; i < kBlock; ++i)
          squared[i] += kPerChord * kPerChord * (same[i] < opposite[i] ? same[i] : opposite[i]);
        break;
      }
    }
  }
}

template <class Visit>
void NearestSet::search(Visit visit) {
  // Bounds and measures are rounded, measures of rotations by more.
  constexpr float kRounding = 1e-3f, kLeast = 1e-5f;
  Squares squared;
  float reach = kFar;
  const auto look = [&](int leaf) {
    measure(leaf, squared);
    reach = visit(leaf, squared);
  };
  int likeliest = 0;
  if (leaf_count() > 1) {
    bounds_.resize(boxes_.size() / at(2 * entries_));
    for (int l = 0; l < leaf_count(); l += kBlock) bound(l, bounds_.data() + l);
    likeliest = static_cast<int>(std::min_element(bounds_.begin(), bounds_.begin() + leaf_count()) -
                                 bounds_.begin());
  }
  look(likeliest);
  for (int l = 0; l < leaf_count(); ++l) {
    if (l != likeliest && bounds_[at(l)] * (1 - kRounding) - kLeast <= reach) look(l);
  }
}

int NearestSet::find_nearest(ConstVecRef x) {
  read(x, query_);
  std::pair<float, int> best(kFar, 0);
  search([&](int leaf, const Squares& squared) {
    // Eight least ones at once: comparing floats one by one cannot be reordered by compilers.
    std::array<float, 8> least;
    std::copy_n(squared.begin(), 8, least.begin());
    for (std::size_t i = 8; i < kBlock; i += 8) {
      for (std::size_t k = 0; k < 8; ++k)
        least[k] = squared[i + k] < least[k] ? squared[i + k] : least[k];
    }
    if (*std::min_element(least.begin(), least.end()) <= best.first) {
      for (int i = 0; i < counts_[at(leaf)]; ++i)
        best = std::min(best, {squared[at(i)], numbers_[at(leaf * kBlock + i)]});
    }
    return best.first;
  });
  return best.second;
}

void NearestSet::find_nearest(ConstVecRef x, int count, std::vector<int>& found) {
  found.clear();
  if (size_ == 0 || count <= 0) return;
  read(x, query_);
  order_.clear();
  search([&](int leaf, const Squares& squared) {
    for (int i = 0; i < counts_[at(leaf)]; ++i) {
      const std::pair<float, int> point(squared[at(i)], numbers_[at(leaf * kBlock + i)]);
      const bool is_full = order_.size() == at(count);
      if (is_full && !(point < order_.front())) continue;
      if (is_full) {
        std::pop_heap(order_.begin(), order_.end());
        order_.pop_back();
      }
      order_.push_back(point);
      std::push_heap(order_.begin(), order_.end());
    }
    return order_.size() == at(count) ? order_.front().first : kFar;
  });
  std::sort_heap(order_.begin(), order_.end());
  for (const auto& [squared, number] : order_) found.push_back(number);
}

}  // namespace geste
