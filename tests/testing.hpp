#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace geste::testing {

/// A file of the shared data collection (robots, CAD, captures), which lies beside the checkout or
/// where GESTE_DATA says. Tests that need it skip with one line where it is absent.
inline std::filesystem::path shared_data() {
  if (const char* folder = std::getenv("GESTE_DATA")) return folder;
  return GESTE_SHARED_DATA;
}

inline std::filesystem::path source_dir() { return GESTE_SOURCE_DIR; }

}  // namespace geste::testing

#define GESTE_NEEDS_DATA(path)                                                      \
  do {                                                                              \
    if (!std::filesystem::exists(path))                                             \
      GTEST_SKIP() << "needs " << (path) << " (set GESTE_DATA to the data folder)"; \
  } while (false)
