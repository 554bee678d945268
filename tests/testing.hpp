#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace geste::testing {

/// A file of the shared data collection (robots, CAD, captures), which lies beside the checkout or
/// where GESTE_DATA says. Tests that need it skip with one line where it is absent, and fail where
/// nothing may be skipped.
inline std::filesystem::path shared_data() {
  if (const char* folder = std::getenv("GESTE_DATA")) return folder;
  return GESTE_SHARED_DATA;
}

/// Set by .ci/run: what a test needs is there, or the test fails.
inline bool may_skip() {
  const char* asked = std::getenv("GESTE_NO_SKIP");
  return asked == nullptr || *asked == '\0';
}

inline std::filesystem::path source_dir() { return GESTE_SOURCE_DIR; }

}  // namespace geste::testing

/// Skips the test for a reason, or fails it where nothing may be skipped.
#define GESTE_SKIP(reason)                                                             \
  do {                                                                                 \
    if (!geste::testing::may_skip()) GTEST_FAIL() << "may not be skipped: " << reason; \
    GTEST_SKIP() << reason;                                                            \
  } while (false)

#define GESTE_NEEDS_DATA(path)                                                  \
  do {                                                                          \
    if (!std::filesystem::exists(path))                                         \
      GESTE_SKIP("needs " << (path) << " (set GESTE_DATA to the data folder)"); \
  } while (false)
