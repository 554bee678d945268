#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

// What every mesh and CAD reader does after it has understood its file: names, hygiene, notes.

/// A name as people should see it: trimmed, invalid UTF-8 replaced by U+FFFD, control characters
/// by blanks; `fallback` when nothing is left.
std::string clean_name(std::string_view raw, std::string_view fallback);

/// Hands out names that never repeat: "bolt", "bolt_2", "bolt_3", ... in the order of asking. Names
/// that were reserved are never made up: with "bolt_2" reserved the second "bolt" is "bolt_3", and
/// the first who asks for "bolt_2" gets it. Linear in the number of names, also when all are equal.
class NameRegistry {
 public:
  void reserve(std::string_view name);
  std::string make_unique(std::string_view wanted);

 private:
  struct Entry {
    std::size_t next_number = 2;  ///< to try for one more of this name
    bool taken = false;
  };
  std::unordered_map<std::string, Entry> entries_;
};

/// Runs hygiene on `mesh` and wraps it up. The reader guarantees that indices are in range and
/// coordinates are finite.
AssetMesh make_asset_mesh(std::string name, TriangleMesh mesh,
                          std::optional<Colour> colour = std::nullopt);

/// The last step of every reader. Drops meshes without triangles, and their instances, with a
/// note; makes names of instances and of assemblies
/// unique in their order, where those that the file gives come first; drops assemblies that hold
/// nothing; sums up in one note what hygiene changed.
/// Errors "asset.empty" when no triangle stands anywhere and "asset.placement_not_finite" when a
/// placement takes points to infinity. The doubt about the unit is not noted here: only whoever
/// asked for the file knows whether its unit was given otherwise (find_unit_doubt).
/// An instance that names no mesh is a bug of the reader and throws std::logic_error.
Result<Asset> finish_asset(Asset asset);

}  // namespace geste
