#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "geste/core/progress.hpp"
#include "geste/core/result.hpp"

namespace geste {

struct PictureOptions {
  std::string view = "iso";         ///< iso, front, back, left, right, top, bottom
  double share = 0;                 ///< of the motion's time, 0 to 1
  std::optional<double> seconds{};  ///< instead of `share`
  int width = 1280;                 ///< pixels
  int height = 720;                 ///< pixels
  std::string theme = "light";      ///< light, dark
  std::string isolate{};            ///< only this part or actor; empty: everything
  double patience = 120;            ///< s; then the browser is given up

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// Draws a result folder (its motion at a moment) or a task file (its scene at the start) as the
/// report shows it, and writes a PNG file. The work is done by Chromium without a window: the one
/// that GESTE_CHROMIUM names, or `chromium`, `chromium-browser`, `google-chrome` in PATH. The error
/// says what is missing, or what the browser said.
Result<void> make_picture(const std::filesystem::path& result_or_task,
                          const std::filesystem::path& out, const PictureOptions& options = {},
                          ProgressSink& progress = no_progress());

}  // namespace geste
