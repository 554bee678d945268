#pragma once

#include <array>
#include <map>
#include <memory>

#include "geste/geometry/shape.hpp"

namespace geste {

/// Numbers shapes as they first appear, so that files store each one once: meshes and hulls are
/// told apart by where they are, primitives by kind and size. Throws std::logic_error on a null
/// mesh and on a size that is negative or not finite.
class DistinctShapes {
 public:
  struct Entry {
    int number = 0;
    bool is_new = false;
  };
  Entry find(const Shape& shape);
  [[nodiscard]] int size() const { return size_; }

 private:
  using PrimitiveKey = std::array<double, 4>;
  struct KeyOf;

  // Looked up only, never walked: the order of addresses must not reach a file.
  std::map<const void*, int> of_shared_;
  std::map<PrimitiveKey, int> of_primitive_;
  int size_ = 0;
};

}  // namespace geste
