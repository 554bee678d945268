#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace geste {

/// Collects the buffers of a pack (docs/design/scene-pack.md) and puts magic, head and buffers
/// together.
class PackWriter {
 public:
  using Json = nlohmann::ordered_json;

  /// As it is. Returns {"offset", "bytes"}.
  Json add_raw(const void* data, std::size_t bytes);
  /// Through meshoptimizer's codecs: `count` items of `stride` bytes (a multiple of 4, at most
  /// 256); triangles of `vertices` vertices.
  Json add_items(const void* items, std::size_t count, std::size_t stride);
  Json add_triangles(const std::uint32_t* indices, std::size_t count, std::size_t vertices);

  [[nodiscard]] std::string finish(std::string_view magic, const Json& head) const;

 private:
  std::string buffers_;
};

}  // namespace geste
