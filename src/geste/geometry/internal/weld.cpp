#include "geste/geometry/internal/weld.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace geste {
namespace {

constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

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

/// Open addressing with linear probing. A slot's home is given by the top bits of its hash, so the
/// table grows without looking at the points again.
class PointTable {
 public:
  explicit PointTable(std::size_t expected) {
    while ((std::size_t{1} << bits_) < 2 * expected && bits_ < 32) ++bits_;
    slots_.resize(std::size_t{1} << bits_);
  }

  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }

  /// The index of a point equal to vertices[candidate]; the candidate itself becomes an entry with
  /// index `next` when there is none.
  std::uint32_t find_or_add(std::uint32_t hash, const std::vector<Vec3>& vertices,
                            std::size_t candidate, std::uint32_t next) {
    const Vec3& p = vertices[candidate];
    std::size_t i = home(hash);
    while (slots_[i].index != kEmpty) {
      if (slots_[i].hash == hash) {
        const Vec3& q = vertices[slots_[i].index];
        if (q.x() == p.x() && q.y() == p.y() && q.z() == p.z()) return slots_[i].index;
      }
      i = (i + 1) & (slots_.size() - 1);
    }
    slots_[i] = {hash, next};
    if (++used_ > slots_.size() / 8 * 5 && bits_ < 32) grow();
    return next;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = kEmpty;
  };

  [[nodiscard]] std::size_t home(std::uint32_t hash) const { return hash >> (32 - bits_); }

  void grow() {
    std::vector<Slot> old(std::size_t{1} << ++bits_);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index == kEmpty) continue;
      std::size_t i = home(slot.hash);
      while (slots_[i].index != kEmpty) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  int bits_ = 4;
};

}  // namespace

std::vector<std::uint32_t> weld_vertices(std::vector<Vec3>& vertices) {
  // A soup names each vertex about six times: sized for that, the table stays in the cache.
  PointTable table(vertices.size() / 6);
  std::vector<std::uint32_t> kept_index(vertices.size());
  std::uint32_t kept = 0;

  // Hashes of a whole block first, so that the table's cache misses overlap.
  constexpr std::size_t kBlock = 32;
  std::uint32_t hashes[kBlock];
  for (std::size_t begin = 0; begin < vertices.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, vertices.size() - begin);
    for (std::size_t k = 0; k < size; ++k) {
      hashes[k] = hash_point(vertices[begin + k]);
      table.prefetch(hashes[k]);
    }
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = begin + k;
      const std::uint32_t index = table.find_or_add(hashes[k], vertices, i, kept);
      if (index == kept) vertices[kept++] = vertices[i];
      kept_index[i] = index;
    }
  }
  if (kept < vertices.size()) {
    vertices.resize(kept);
    if (vertices.capacity() / 2 > vertices.size()) vertices.shrink_to_fit();
  }
  return kept_index;
}

}  // namespace geste
