#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"

namespace geste {

/// The whole file as bytes. The error says whether it is missing, a folder or not readable.
Result<std::string> load_file(const std::filesystem::path& path);

/// Writes beside the target and renames, so that a reader sees the old bytes or the new ones,
/// never a part. The target's folder must exist. Links are followed; a device or a pipe
/// (/dev/stdout) is written directly.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Several files that appear together or not at all: `add` collects, `commit` writes them beside
/// their places first and renames them only when every one is on disk. When that fails, what was
/// there before is there again, and folders made for it are gone. (A loss of power between two
/// renames can still leave some new and some old, each of them whole.)
class FileBatch {
 public:
  explicit FileBatch(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Throws std::logic_error when `name` is empty or was added before.
  void add(std::string name, std::string bytes);
  /// A file of an earlier batch that this one makes untrue: gone when the others are there.
  void remove(std::string name) { removed_.push_back(std::move(name)); }
  /// Makes the folder where it is missing.
  [[nodiscard]] Result<void> commit() const;

 private:
  struct Item {
    std::string name;
    std::string bytes;
  };
  std::filesystem::path folder_;
  std::vector<Item> items_;
  std::vector<std::string> removed_;
};

}  // namespace geste
