#pragma once

#include <filesystem>
#include <string>

#include "geste/core/result.hpp"

namespace geste::internal {

/// Chromium without a window, as a program that turns a page into a picture.
class Browser {
 public:
  /// The one that GESTE_CHROMIUM names, or one in PATH.
  static Result<Browser> find();

  /// The page, opened with `fragment` behind its address, as the bytes of a PNG file.
  [[nodiscard]] Result<std::string> photograph(const std::string& page, const std::string& fragment,
                                               int width, int height, double patience) const;

 private:
  explicit Browser(std::filesystem::path program) : program_(std::move(program)) {}

  std::filesystem::path program_;
};

}  // namespace geste::internal
