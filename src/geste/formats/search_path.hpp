#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/error.hpp"

namespace geste {

/// Where files named inside other files are looked for, beside the folder of the naming file.
struct SearchPath {
  std::vector<std::filesystem::path> folders;  ///< asked first, in this order
  /// Also ask the folders of GESTE_PATH, and for packages those of ROS_PACKAGE_PATH and
  /// AMENT_PREFIX_PATH (each a list separated by ':').
  bool environment = true;
};

/// The outcome of a search: the first place that holds the file, and every place asked before it.
struct FileSearch {
  std::optional<std::filesystem::path> found;
  std::vector<std::filesystem::path> tried;  ///< in the order asked; `found` is not among them
  std::string remedy;                        ///< when not found: what would help
};

/// Finds the file that `name` means when it stands in a file of folder `base`.
///
///   /a/b.stl, file:///a/b.stl   that file and no other (%20 and the like are decoded)
///   a/b.stl, file://a/b.stl     base, then `folders`, then GESTE_PATH
///   package://pkg/a/b.stl,      for each F of `folders`, GESTE_PATH and ROS_PACKAGE_PATH:
///   model://pkg/a/b.stl         F/pkg/a/b.stl, and F/a/b.stl when F itself is named pkg; below
///                               ROS_PACKAGE_PATH also folders named pkg with a package.xml, up to
///                               four levels down; for each F of AMENT_PREFIX_PATH:
///                               F/share/pkg/a/b.stl; then `base` and every folder above it, asked
///                               like `folders`
///
/// Other schemes (http://) are never found; `remedy` says so.
FileSearch find_file(std::string_view name, const std::filesystem::path& base,
                     const SearchPath& search_path = {});

/// "mesh 'x.stl' was not found; tried\n    /a/x.stl\n    ..." with the search's remedy. The caller
/// adds file, line and element.
Diagnostic make_not_found(std::string code, std::string_view what, std::string_view name,
                          const FileSearch& search);

}  // namespace geste
