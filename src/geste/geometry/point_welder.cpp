#include "geste/geometry/point_welder.hpp"

#include <algorithm>
#include <bit>

namespace geste {
namespace {

constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
constexpr int kMostBits = 32;

std::uint32_t hash_point(const Vec3& p) {
  // Adding 0 turns -0 into 0. Coordinates that were single precision have zeros in their low
  // bits; the products carry what differs upwards, so the upper half of the last one is taken.
  const auto x = std::bit_cast<std::uint64_t>(p.x() + 0.0);
  const auto y = std::bit_cast<std::uint64_t>(p.y() + 0.0);
  const auto z = std::bit_cast<std::uint64_t>(p.z() + 0.0);
  std::uint64_t h = x * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32) ^ y) * 0xD6E8FEB86659FD93u;
  h = (h ^ (h >> 32) ^ z) * 0xA0761D6478BD642Fu;
  h = (h ^ (h >> 32)) * 0xE7037ED1A0B428DBu;
  return static_cast<std::uint32_t>(h >> 32);
}

}  // namespace

// Open addressing with linear probing. A slot's home is given by the top bits of its hash, so the
// table grows without looking at the points again.

PointWelder::PointWelder(std::size_t expected) {
  while ((std::size_t{1} << bits_) < 2 * expected && bits_ < kMostBits) ++bits_;
  slots_.resize(std::size_t{1} << bits_);
  points_.reserve(expected);
}

void PointWelder::add(std::span<const Vec3> points, std::span<std::uint32_t> numbers) {
  // Hashes of a whole block first, so that the table's cache misses overlap.
  constexpr std::size_t kBlock = 32;
  std::uint32_t hashes[kBlock];
  for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, points.size() - begin);
    for (std::size_t k = 0; k < size; ++k) {
      hashes[k] = hash_point(points[begin + k]);
      __builtin_prefetch(&slots_[home(hashes[k])]);
    }
    for (std::size_t k = 0; k < size; ++k) {
      numbers[begin + k] = add_one(points[begin + k], hashes[k]);
    }
  }
}

std::uint32_t PointWelder::add_one(const Vec3& p, std::uint32_t hash) {
  std::size_t i = home(hash);
  for (; slots_[i].number != kEmpty; i = (i + 1) & (slots_.size() - 1)) {
    if (slots_[i].hash != hash) continue;
    const Vec3& q = points_[slots_[i].number];
    if (q.x() == p.x() && q.y() == p.y() && q.z() == p.z()) return slots_[i].number;
  }
  const auto number = static_cast<std::uint32_t>(points_.size());
  slots_[i] = {hash, number};
  points_.push_back(p);
  if (points_.size() > slots_.size() / 8 * 5 && bits_ < kMostBits) grow();
  return number;
}

void PointWelder::grow() {
  std::vector<Slot> old(std::size_t{1} << ++bits_);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number == kEmpty) continue;
    std::size_t i = home(slot.hash);
    while (slots_[i].number != kEmpty) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
}

std::vector<Vec3> PointWelder::take_points() {
  std::vector<Vec3> points;
  points.swap(points_);
  std::fill(slots_.begin(), slots_.end(), Slot{});
  return points;
}

}  // namespace geste
