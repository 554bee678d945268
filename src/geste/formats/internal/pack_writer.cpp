#include "geste/formats/internal/pack_writer.hpp"

#include <meshoptimizer.h>

#include <bit>
#include <vector>

namespace geste {

static_assert(std::endian::native == std::endian::little, "packs are little-endian");

PackWriter::Json PackWriter::add_raw(const void* data, std::size_t bytes) {
  // Typed arrays of browsers want whole words.
  buffers_.resize((buffers_.size() + 7) / 8 * 8);
  const std::size_t offset = buffers_.size();
  buffers_.append(static_cast<const char*>(data), bytes);
  return {{"offset", offset}, {"bytes", bytes}};
}

PackWriter::Json PackWriter::add_items(const void* items, std::size_t count, std::size_t stride) {
  std::vector<unsigned char> code(meshopt_encodeVertexBufferBound(count, stride));
  code.resize(meshopt_encodeVertexBuffer(code.data(), code.size(), items, count, stride));
  return add_raw(code.data(), code.size());
}

PackWriter::Json PackWriter::add_triangles(const std::uint32_t* indices, std::size_t count,
                                           std::size_t vertices) {
  std::vector<unsigned char> code(meshopt_encodeIndexBufferBound(count, vertices));
  code.resize(meshopt_encodeIndexBuffer(code.data(), code.size(), indices, count));
  return add_raw(code.data(), code.size());
}

std::string PackWriter::finish(std::string_view magic, const Json& head) const {
  std::string text = head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string pack(magic);
  pack.append(reinterpret_cast<const char*>(&length), sizeof length);
  pack += text;
  pack += buffers_;
  return pack;
}

}  // namespace geste
