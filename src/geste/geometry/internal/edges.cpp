#include "geste/geometry/internal/edges.hpp"

#include <algorithm>

namespace geste {
namespace {

using Key = std::uint64_t;  ///< higher vertex of the edge, then half-edge

std::uint32_t half_edge(Key key) { return static_cast<std::uint32_t>(key); }
std::uint32_t higher_vertex(Key key) { return static_cast<std::uint32_t>(key >> 32); }

/// Half-edges bucketed by the lower vertex of their edge: `begin[v]` to `begin[v + 1]`.
struct Buckets {
  std::vector<std::uint32_t> begin;
  std::vector<Key> keys;
};

Buckets fill_buckets(std::span<const Triangle> triangles, std::size_t vertex_count) {
  Buckets buckets;
  // Counts are kept two places up, so that filling leaves each bucket's begin where it belongs.
  buckets.begin.assign(vertex_count + 2, 0);
  std::uint32_t* cursor = buckets.begin.data() + 1;
  for (const Triangle& t : triangles) {
    ++cursor[std::min(t[0], t[1]) + 1];
    ++cursor[std::min(t[1], t[2]) + 1];
    ++cursor[std::min(t[2], t[0]) + 1];
  }
  for (std::size_t v = 1; v <= vertex_count; ++v) cursor[v] += cursor[v - 1];
  buckets.keys.resize(3 * triangles.size());
  std::uint32_t h = 0;
  for (const Triangle& t : triangles) {
    for (std::uint32_t k = 0; k < 3; ++k, ++h) {
      const auto [low, high] = std::minmax(t[k], t[next_corner(k)]);
      buckets.keys[cursor[low]++] = Key{high} << 32 | h;
    }
  }
  return buckets;
}

void sort_bucket(Key* begin, Key* end) {
  constexpr std::ptrdiff_t kSmall = 24;
  if (end - begin > kSmall) return std::sort(begin, end);
  for (Key* i = begin; i < end; ++i) {
    const Key key = *i;
    Key* j = i;
    for (; j > begin && key < j[-1]; --j) *j = j[-1];
    *j = key;
  }
}

/// Enters one edge whose half-edges are `group`, in ascending order.
void add_edge(EdgeMap& edges, std::span<const Triangle> triangles, std::span<const Key> group) {
  const auto first_vertex = [&](Key key) {
    const std::uint32_t h = half_edge(key);
    return triangles[h / 3][h % 3];
  };
  if (group.size() == 1) {
    edges.twin[half_edge(group[0])] = EdgeMap::kBoundary;
    ++edges.boundary_edges;
  } else if (group.size() == 2) {
    edges.twin[half_edge(group[0])] = half_edge(group[1]);
    edges.twin[half_edge(group[1])] = half_edge(group[0]);
    if (first_vertex(group[0]) == first_vertex(group[1])) {
      ++edges.misoriented_edges;
      edges.has_repeated_half_edge = true;
    }
  } else {
    for (const Key key : group) edges.twin[half_edge(key)] = EdgeMap::kNonmanifold;
    for (const Key key : group.subspan(1)) {
      edges.nonmanifold_links.emplace_back(half_edge(group[0]), half_edge(key));
    }
    ++edges.nonmanifold_edges;
    edges.has_repeated_half_edge = true;
  }
}

}  // namespace

EdgeMap match_edges(std::span<const Triangle> triangles, std::size_t vertex_count) {
  Buckets buckets = fill_buckets(triangles, vertex_count);
  EdgeMap edges;
  edges.twin.resize(3 * triangles.size());
  for (std::size_t v = 0; v < vertex_count; ++v) {
    Key* const end = buckets.keys.data() + buckets.begin[v + 1];
    Key* group = buckets.keys.data() + buckets.begin[v];
    sort_bucket(group, end);
    while (group < end) {
      Key* next = group + 1;
      while (next < end && higher_vertex(*next) == higher_vertex(*group)) ++next;
      add_edge(edges, triangles, std::span<const Key>(group, next));
      group = next;
    }
  }
  return edges;
}

}  // namespace geste
