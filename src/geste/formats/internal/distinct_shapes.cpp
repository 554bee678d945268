#include "geste/formats/internal/distinct_shapes.hpp"

#include <cmath>
#include <stdexcept>

namespace geste {

struct DistinctShapes::KeyOf {
  PrimitiveKey operator()(const Sphere& s) const { return {0, s.radius, 0, 0}; }
  PrimitiveKey operator()(const Capsule& s) const { return {1, s.radius, s.length, 0}; }
  PrimitiveKey operator()(const Box& s) const { return {2, s.size.x(), s.size.y(), s.size.z()}; }
  PrimitiveKey operator()(const Cylinder& s) const { return {3, s.radius, s.length, 0}; }
  PrimitiveKey operator()(const Cone& s) const { return {4, s.radius, s.length, 0}; }
  PrimitiveKey operator()(const Torus& s) const { return {5, s.radius, s.tube_radius, 0}; }
  template <class Shared>
  PrimitiveKey operator()(const std::shared_ptr<Shared>&) const {
    return {};
  }
};

DistinctShapes::Entry DistinctShapes::find(const Shape& shape) {
  const auto enter = [this](auto& map, const auto& key) {
    const auto [entry, is_new] = map.try_emplace(key, size_);
    size_ += is_new;
    return Entry{entry->second, is_new};
  };
  if (const MeshShape* mesh = std::get_if<MeshShape>(&shape)) {
    if (!*mesh) throw std::logic_error("a geometry has a null mesh");
    return enter(of_shared_, static_cast<const void*>(mesh->get()));
  }
  if (const HullShape* hull = std::get_if<HullShape>(&shape)) {
    if (!*hull) throw std::logic_error("a geometry has a null hull");
    return enter(of_shared_, static_cast<const void*>(hull->get()));
  }
  const PrimitiveKey key = std::visit(KeyOf{}, shape);
  for (const double number : key) {
    if (!(number >= 0 && std::isfinite(number)))
      throw std::logic_error("a primitive has a bad size");
  }
  return enter(of_primitive_, key);
}

}  // namespace geste
