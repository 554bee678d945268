#pragma once

#include <cstdint>

namespace geste {

// Words of a .glb container (glTF 4.4), as little-endian numbers.
inline constexpr std::uint32_t kGlbMagic = 0x46546C67;      // "glTF"
inline constexpr std::uint32_t kGlbJsonChunk = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kGlbBinChunk = 0x004E4942;   // "BIN"

}  // namespace geste
