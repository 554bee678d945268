#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "geste/formats/c3d.hpp"

namespace geste::c3d_internal {

inline constexpr std::size_t kBlock = 512;

/// The file's bytes as numbers of its processor. Callers keep within size().
class Bytes {
 public:
  Bytes(std::string_view data, C3dProcessor processor) : data_(data), processor_(processor) {}

  [[nodiscard]] std::size_t size() const { return data_.size(); }
  [[nodiscard]] std::string_view text(std::size_t at, std::size_t count) const {
    return data_.substr(at, count);
  }
  [[nodiscard]] std::uint8_t u8(std::size_t at) const {
    return static_cast<std::uint8_t>(data_[at]);
  }
  [[nodiscard]] std::int8_t i8(std::size_t at) const { return static_cast<std::int8_t>(data_[at]); }
  [[nodiscard]] std::uint16_t u16(std::size_t at) const {
    const bool big = processor_ == C3dProcessor::sgi;
    return static_cast<std::uint16_t>(u8(at + (big ? 0 : 1)) << 8 | u8(at + (big ? 1 : 0)));
  }
  [[nodiscard]] std::int16_t i16(std::size_t at) const {
    return static_cast<std::int16_t>(u16(at));
  }
  [[nodiscard]] double real(std::size_t at) const {
    const std::uint32_t first = u16(at);
    const std::uint32_t second = u16(at + 2);
    switch (processor_) {
      case C3dProcessor::dec:
        return vax_float(first << 16 | second);
      case C3dProcessor::sgi:
        return std::bit_cast<float>(first << 16 | second);
      default:
        return std::bit_cast<float>(second << 16 | first);
    }
  }

 private:
  /// VAX F_floating (VAX Architecture Handbook, DEC 1986): sign, 8 bits of exponent in excess 128,
  /// 23 bits of fraction below a hidden 0.1 in binary; no infinities, no denormals. Its two 16-bit
  /// words are stored high word first, each in little-endian order. A sign without an exponent is
  /// the reserved operand: no number.
  static double vax_float(std::uint32_t bits) {
    const bool negative = bits >> 31 != 0;
    const int exponent = static_cast<int>(bits >> 23 & 0xFF);
    if (exponent == 0) return negative ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    const double fraction = std::ldexp((bits & 0x7FFFFF) | 0x800000, exponent - 128 - 24);
    return negative ? -fraction : fraction;
  }

  std::string_view data_;
  C3dProcessor processor_;
};

}  // namespace geste::c3d_internal
