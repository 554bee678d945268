#pragma once

#include <string>
#include <string_view>

namespace geste {

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal: names a file by its content.
std::string compute_sha256(std::string_view bytes);

}  // namespace geste
