#include "geste/formats/internal/glb_buffer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <vector>

#include "geste/formats/internal/glb_words.hpp"

namespace geste {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

// Codes of the standard (glTF 5.1.3, 5.11.5).
constexpr int kUnsignedShort = 5123;
constexpr int kUnsignedInt = 5125;
constexpr int kFloat = 5126;
constexpr int kNoTarget = 0;
constexpr int kArrayBuffer = 34962;
constexpr int kElementArrayBuffer = 34963;

constexpr std::uint64_t kMaxFileSize = std::numeric_limits<std::uint32_t>::max();

void check_size(std::uint64_t size) {
  if (size > kMaxFileSize) {
    throw std::length_error("make_glb: the scene does not fit in the 4 GiB of a .glb file");
  }
}

const char* type_name(int width) {
  switch (width) {
    case 1:
      return "SCALAR";
    case 3:
      return "VEC3";
    default:
      return "VEC4";
  }
}

void pad(std::string& bytes, char with) { bytes.resize((bytes.size() + 3) / 4 * 4, with); }

void append_word(std::string& bytes, std::uint64_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(word >> shift));
}

void append_chunk(std::string& file, std::uint32_t type, const std::string& content) {
  append_word(file, content.size());
  append_word(file, type);
  file += content;
}

}  // namespace

int GlbBuffer::add_vertices(std::span<const float> numbers, bool with_bounds) {
  return add_floats(numbers, 3, kArrayBuffer, with_bounds);
}

int GlbBuffer::add_key_times(std::span<const float> times) {
  return add_floats(times, 1, kNoTarget, true);
}

int GlbBuffer::add_key_values(std::span<const float> numbers, int width) {
  return add_floats(numbers, width, kNoTarget, false);
}

int GlbBuffer::add_indices(std::span<const std::uint32_t> indices, std::size_t vertex_count) {
  const bool is_short = vertex_count <= std::numeric_limits<std::uint16_t>::max();
  const std::size_t before = bytes_.size();
  if (is_short) {
    const std::vector<std::uint16_t> shorts(indices.begin(), indices.end());
    append(shorts.data(), shorts.size() * sizeof(std::uint16_t));
  } else {
    append(indices.data(), indices.size_bytes());
  }
  return add_accessor(kElementArrayBuffer, before,
                      {{"componentType", is_short ? kUnsignedShort : kUnsignedInt},
                       {"count", indices.size()},
                       {"type", "SCALAR"}});
}

int GlbBuffer::add_floats(std::span<const float> numbers, int width, int target, bool with_bounds) {
  const std::size_t before = bytes_.size();
  append(numbers.data(), numbers.size_bytes());
  Json accessor = {{"componentType", kFloat},
                   {"count", numbers.size() / static_cast<std::size_t>(width)},
                   {"type", type_name(width)}};
  if (with_bounds) {
    std::vector<float> low(numbers.begin(), numbers.begin() + width);
    std::vector<float> high = low;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::size_t k = i % static_cast<std::size_t>(width);
      low[k] = std::min(low[k], numbers[i]);
      high[k] = std::max(high[k], numbers[i]);
    }
    accessor["min"] = low;
    accessor["max"] = high;
  }
  return add_accessor(target, before, std::move(accessor));
}

int GlbBuffer::add_accessor(int target, std::size_t bytes_before, Json accessor) {
  Json view = {
      {"buffer", 0}, {"byteOffset", bytes_before}, {"byteLength", bytes_.size() - bytes_before}};
  if (target != kNoTarget) view["target"] = target;
  pad(bytes_, '\0');
  Json with_view = {{"bufferView", views_.size()}};
  with_view.update(accessor);
  views_.push_back(std::move(view));
  accessors_.push_back(std::move(with_view));
  return static_cast<int>(accessors_.size()) - 1;
}

void GlbBuffer::append(const void* data, std::size_t size) {
  check_size(std::uint64_t{bytes_.size()} + size);
  bytes_.append(static_cast<const char*>(data), size);
}

std::string GlbBuffer::finish(Json document) const {
  if (!bytes_.empty()) {
    document["buffers"] = Json::array({{{"byteLength", bytes_.size()}}});
    document["bufferViews"] = views_;
    document["accessors"] = accessors_;
  }
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  pad(text, ' ');

  const std::uint64_t size =
      12 + 8 + std::uint64_t{text.size()} + (bytes_.empty() ? 0 : 8 + bytes_.size());
  check_size(size);
  std::string file;
  file.reserve(size);
  append_word(file, kGlbMagic);
  append_word(file, 2);
  append_word(file, size);
  append_chunk(file, kGlbJsonChunk, text);
  if (!bytes_.empty()) append_chunk(file, kGlbBinChunk, bytes_);
  return file;
}

}  // namespace geste
