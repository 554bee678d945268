#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geste/formats/gltf.hpp"
#include "geste/formats/internal/gltf_document.hpp"

namespace geste {

/// The two chunks of a GLB file (4.4).
struct GlbChunks {
  std::string_view json;
  std::size_t json_offset = 0;
  std::optional<std::string_view> binary;
};
std::optional<GlbChunks> split_glb(std::string_view bytes, GltfLog& log);

/// The bytes of RFC 4648 base64 text; nothing when a character or the length is wrong.
std::optional<std::string> decode_base64(std::string_view text);

/// The bytes of each buffer, fetched when first asked for: a texture's buffer costs nothing.
class GltfBuffers {
 public:
  /// All arguments must outlive the object. `file_bytes`: the size of the model file.
  GltfBuffers(const GltfDocument& document, std::optional<std::string_view> glb_binary,
              const GltfFileSource& source, std::size_t file_bytes, GltfLog& log);

  /// Exactly the stated length; nothing, and one fault, when it cannot be had.
  std::optional<std::string_view> find(std::size_t buffer);

  /// All input read so far.
  [[nodiscard]] std::size_t input_bytes() const { return input_bytes_; }

 private:
  struct Slot {
    bool tried = false;
    std::optional<std::string_view> bytes;
    std::string decoded;
  };

  std::optional<std::string_view> fetch(std::size_t buffer, Slot& slot);
  std::optional<std::string_view> fetch_data_uri(std::size_t buffer, Slot& slot);
  std::optional<std::string_view> fetch_file(std::size_t buffer);

  const GltfDocument& document_;
  std::optional<std::string_view> glb_binary_;
  const GltfFileSource& source_;
  std::size_t input_bytes_;
  GltfLog& log_;
  std::vector<Slot> slots_;
  std::unordered_map<std::string, std::string> files_;  ///< each read once, also when shared
};

}  // namespace geste
