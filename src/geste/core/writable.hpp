#pragma once

#include <filesystem>

#include "geste/core/result.hpp"

namespace geste {

/// Whether files can be written into a folder, which may have to be made first; asked before long
/// work. Leaves nothing behind. The error says what is in the way.
Result<void> check_writable(const std::filesystem::path& folder);

}  // namespace geste
