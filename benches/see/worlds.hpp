#pragma once

#include <filesystem>
#include <string>

namespace geste::bench {

/// A folder with task files, gone with its end.
class Worlds {
 public:
  Worlds();
  ~Worlds();
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  /// A plant of about so many triangles with the arm of the first example in it, which replays
  /// `seconds` of motion at 60 frames per second.
  [[nodiscard]] std::filesystem::path write(long triangles, double seconds) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace geste::bench
