#include "geste/formats/internal/gltf_buffers.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "geste/core/text.hpp"
#include "geste/formats/internal/glb_words.hpp"
#include "geste/formats/internal/percent.hpp"

namespace geste {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are read in place");

constexpr std::size_t kHeader = 12, kChunkHeader = 8;

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void fault_truncated(GltfLog& log, std::string what, std::size_t need, std::size_t have) {
  log.fault("gltf.truncated", "",
            fmt::format("{} needs {} bytes but the file has {}: {} bytes are missing", what, need,
                        have, need - have),
            "copy or download the file again");
}

/// Checks the header; returns the bytes that belong to the container.
std::optional<std::string_view> check_header(std::string_view bytes, GltfLog& log) {
  if (bytes.size() < 4 || read_u32(bytes, 0) != kGlbMagic) {
    log.fault("gltf.not_glb", "", "does not start with 'glTF', so it is no GLB file",
              "check that the file is a binary glTF 2.0 model");
    return std::nullopt;
  }
  if (bytes.size() < kHeader + kChunkHeader) {
    fault_truncated(log, "a GLB file's start", kHeader + kChunkHeader, bytes.size());
    return std::nullopt;
  }
  const std::uint32_t version = read_u32(bytes, 4), length = read_u32(bytes, 8);
  if (version != 2) {
    log.fault("gltf.version", "", fmt::format("this is GLB version {}; version 2 is read", version),
              "export the file as glTF 2.0");
    return std::nullopt;
  }
  if (length > bytes.size()) {
    fault_truncated(log, "the container", length, bytes.size());
    return std::nullopt;
  }
  if (length < kHeader + kChunkHeader) {
    log.fault("gltf.glb_length", "",
              fmt::format("the header at byte 8 states a length of {} bytes, too short for a "
                          "GLB file",
                          length),
              "export the file again");
    return std::nullopt;
  }
  if (length < bytes.size()) {
    log.note("gltf.trailing_bytes", "",
             fmt::format("{} bytes after the stated end are ignored", bytes.size() - length), "");
  }
  return bytes.substr(0, length);
}

constexpr std::array<std::int8_t, 256> make_base64_values() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}

/// A name of the form "scheme:", which is a URL or a Windows drive, or a path from the root.
bool is_absolute(std::string_view path) {
  if (path.empty() || path[0] == '/' || path[0] == '\\') return true;
  const std::size_t colon = path.find(':');
  return colon != std::string_view::npos &&
         path.substr(0, colon).find('/') == std::string_view::npos;
}

}  // namespace

std::optional<GlbChunks> split_glb(std::string_view file, GltfLog& log) {
  const auto bytes = check_header(file, log);
  if (!bytes) return std::nullopt;
  GlbChunks chunks;
  std::size_t at = kHeader;
  for (int number = 0; at + kChunkHeader <= bytes->size(); ++number) {
    const std::size_t length = read_u32(*bytes, at);
    const std::uint32_t type = read_u32(*bytes, at + 4);
    at += kChunkHeader;
    if (length > bytes->size() - at) {
      fault_truncated(log, fmt::format("chunk {} at byte {}", number, at - kChunkHeader),
                      at + length, bytes->size());
      return std::nullopt;
    }
    if (number == 0 && type != kGlbJsonChunk) {
      log.fault("gltf.glb_chunk", "", "the first chunk, at byte 12, is not JSON",
                "export the file again");
      return std::nullopt;
    }
    if (number == 0) {
      chunks.json = bytes->substr(at, length);
      chunks.json_offset = at;
    } else if (number == 1 && type == kGlbBinChunk) {
      chunks.binary = bytes->substr(at, length);
    }
    at += length;
  }
  return chunks;
}

std::optional<std::string> decode_base64(std::string_view text) {
  static constexpr std::array<std::int8_t, 256> kValues = make_base64_values();
  for (int padding = 0; padding < 2 && !text.empty() && text.back() == '='; ++padding) {
    text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes += static_cast<char>(bits >> have & 0xFF);
  }
  return bytes;
}

GltfBuffers::GltfBuffers(const GltfDocument& document, std::optional<std::string_view> glb_binary,
                         const GltfFileSource& source, std::size_t file_bytes, GltfLog& log)
    : document_(document),
      glb_binary_(glb_binary),
      source_(source),
      input_bytes_(file_bytes),
      log_(log),
      slots_(document.buffers.size()) {}

std::optional<std::string_view> GltfBuffers::find(std::size_t buffer) {
  Slot& slot = slots_[buffer];
  if (slot.tried) return slot.bytes;
  slot.tried = true;
  const auto bytes = fetch(buffer, slot);
  if (!bytes) return std::nullopt;
  const std::size_t need = document_.buffers[buffer].length;
  if (bytes->size() < need) {
    log_.fault("gltf.buffer_short", GltfPlace{"buffer", buffer}.to_text(),
               fmt::format("states {} bytes but has {}: {} bytes are missing", need, bytes->size(),
                           need - bytes->size()),
               "copy the model and its buffers again");
    return std::nullopt;
  }
  slot.bytes = bytes->substr(0, need);
  return slot.bytes;
}

std::optional<std::string_view> GltfBuffers::fetch(std::size_t buffer, Slot& slot) {
  const GltfBuffer& stated = document_.buffers[buffer];
  if (stated.uri) {
    return stated.uri->starts_with("data:") ? fetch_data_uri(buffer, slot) : fetch_file(buffer);
  }
  if (buffer == 0 && glb_binary_) return glb_binary_;
  const std::string place = GltfPlace{"buffer", buffer}.to_text();
  if (stated.meshopt_fallback) {
    log_.fault("gltf.compressed", place, "its bytes exist only in meshopt-compressed form",
               "export without mesh compression, or decompress with `gltf-transform copy in.glb "
               "out.glb`");
  } else {
    log_.fault("gltf.buffer_without_data", place,
               "has no uri, and the file has no binary chunk for it",
               "export the file again as GLB, or with embedded buffers");
  }
  return std::nullopt;
}

std::optional<std::string_view> GltfBuffers::fetch_data_uri(std::size_t buffer, Slot& slot) {
  const std::string_view uri = *document_.buffers[buffer].uri;
  const std::size_t comma = uri.find(',');
  const bool base64 = comma != std::string_view::npos && uri.substr(0, comma).ends_with(";base64");
  std::optional<std::string> decoded;
  if (base64) decoded = decode_base64(uri.substr(comma + 1));
  if (!decoded) {
    log_.fault(
        "gltf.data_uri", GltfPlace{"buffer", buffer}.to_text(),
        base64 ? "the base64 text of its data URI is broken" : "its data URI is not in base64",
        "export the file again, or as GLB");
    return std::nullopt;
  }
  slot.decoded = std::move(*decoded);
  return slot.decoded;
}

std::optional<std::string_view> GltfBuffers::fetch_file(std::size_t buffer) {
  const std::string place = GltfPlace{"buffer", buffer}.to_text();
  const std::string_view uri = *document_.buffers[buffer].uri;
  const std::string shown(uri.substr(0, 200));
  const std::optional<std::string> path = decode_percent(uri);
  if (!path || is_absolute(uri) || is_absolute(*path)) {
    log_.fault("gltf.buffer_uri", place,
               fmt::format("'{}' is not a path relative to the model", shown),
               "put the buffer beside the model and name it by its file name");
    return std::nullopt;
  }
  if (const auto known = files_.find(*path); known != files_.end()) return known->second;
  if (!source_) {
    log_.fault("gltf.buffer_elsewhere", place,
               fmt::format("lies in another file, '{}', which is not at hand", shown),
               "open the model from its folder, or export it as GLB");
    return std::nullopt;
  }
  Result<std::string> bytes = source_(*path);
  if (!bytes) {
    log_.fault("gltf.buffer_missing", place,
               fmt::format("'{}' cannot be read: {}", shown, bytes.error().message),
               "put the buffer beside the model, or export the model as GLB");
    return std::nullopt;
  }
  input_bytes_ += bytes->size();
  return files_.emplace(*path, std::move(*bytes)).first->second;
}

}  // namespace geste
