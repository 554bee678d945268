#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace geste {

/// Objects keep the order in which their keys were written: people read these files too.
using Json = nlohmann::ordered_json;

/// The binary chunk of a .glb file under construction, with the accessors that describe it.
/// Each accessor has a view of its own, aligned to 4 bytes (glTF 3.6.2.4).
class GlbBuffer {
 public:
  /// Each returns the index of the new accessor. Numbers are float32, `width` of them per element.
  int add_vertices(std::span<const float> numbers, bool with_bounds);
  int add_key_times(std::span<const float> times);
  int add_key_values(std::span<const float> numbers, int width);
  /// 16-bit indices where `vertex_count` allows it (65535 itself is reserved, glTF 3.7.2.1).
  int add_indices(std::span<const std::uint32_t> indices, std::size_t vertex_count);

  /// Adds "buffers", "bufferViews" and "accessors" to `document` (nothing when all are empty) and
  /// returns the whole file: header, JSON chunk, binary chunk (glTF 4.4).
  [[nodiscard]] std::string finish(Json document) const;

 private:
  int add_floats(std::span<const float> numbers, int width, int target, bool with_bounds);
  int add_accessor(int target, std::size_t bytes_before, Json accessor);
  void append(const void* data, std::size_t size);

  std::string bytes_;
  Json views_ = Json::array();
  Json accessors_ = Json::array();
};

}  // namespace geste
