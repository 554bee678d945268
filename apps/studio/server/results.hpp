#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/formats/task_scene.hpp"
#include "geste/model/motion.hpp"

#include "studio/server/json.hpp"

namespace geste::studio {

/// Folders with results: those in the studio's own folder, which it may add to and remove from, and
/// the one that `geste run` wrote, where there is one. Looked up on the disk each time, so that
/// several may call it at once; what has not changed since is not read again.
class Results {
 public:
  /// `other`: a result of somebody else's, shown by its folder's name.
  Results(std::filesystem::path own, std::filesystem::path other);

  [[nodiscard]] const std::filesystem::path& own_folder() const { return own_; }

  /// What the protocol says of each, in alphabetical order.
  [[nodiscard]] Json list() const;
  /// The folder of a result in the list.
  [[nodiscard]] std::optional<std::filesystem::path> find(std::string_view name) const;
  /// The bytes of one of its files; `file` is one of the names that results have. Null: none.
  [[nodiscard]] std::shared_ptr<const std::string> load_file(std::string_view name,
                                                             std::string_view file) const;
  [[nodiscard]] Result<JointMotion> load_motion(std::string_view name,
                                                const TaskScene& world) const;

  /// A name that no result has: "replay-3".
  [[nodiscard]] std::string make_name(const std::string& kind) const;
  /// Only of the studio's own folder.
  [[nodiscard]] Result<void> forget(std::string_view name) const;

 private:
  struct Folder {
    std::string name;
    std::filesystem::path path;
  };
  [[nodiscard]] std::vector<Folder> scan() const;

  std::filesystem::path own_;
  std::filesystem::path other_;
  // Of what was read before; both take care of several threads themselves.
  class Summaries;
  class Files;
  std::shared_ptr<Summaries> summaries_;
  std::shared_ptr<Files> files_;
};

}  // namespace geste::studio
