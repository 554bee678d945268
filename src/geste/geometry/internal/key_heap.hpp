#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace geste::internal {

// A heap of four children per entry, the smallest key on top. Half as deep as the standard one, and
// the smallest child is found without a branch: these queues hold hundreds of entries whose order
// nobody can predict.

template <class Entry>
void push_by_key(std::vector<Entry>& heap, const std::type_identity_t<Entry>& e) {
  std::size_t at = heap.size();
  heap.push_back(e);
  while (at > 0) {
    const std::size_t parent = (at - 1) / 4;
    if (!(e.key < heap[parent].key)) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = e;
}

template <class Entry>
Entry pop_by_key(std::vector<Entry>& heap) {
  const Entry top = heap.front(), last = heap.back();
  heap.pop_back();
  const std::size_t count = heap.size();
  std::size_t hole = 0, child = 1;
  for (; child + 3 < count; child = 4 * hole + 1) {
    const Entry* c = heap.data() + child;
    const std::size_t low = c[1].key < c[0].key ? 1 : 0, high = c[3].key < c[2].key ? 3 : 2;
    const std::size_t least = c[high].key < c[low].key ? high : low;
    if (!(c[least].key < last.key)) break;
    heap[hole] = c[least];
    hole = child + least;
  }
  for (std::size_t least = child; child + 3 >= count && least < count;
       child = least = 4 * hole + 1) {
    for (std::size_t k = child + 1; k < count; ++k)
      least = heap[k].key < heap[least].key ? k : least;
    if (!(heap[least].key < last.key)) break;
    heap[hole] = heap[least];
    hole = least;
  }
  if (count > 0) heap[hole] = last;
  return top;
}

}  // namespace geste::internal
