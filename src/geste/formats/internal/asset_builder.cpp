#include "geste/formats/internal/asset_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "geste/core/text.hpp"

namespace geste {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the valid UTF-8 character at the start of `text`; 0 when there is none.
std::size_t valid_character_length(std::string_view text) {
  for (std::size_t n = 1; n <= std::min<std::size_t>(4, text.size()); ++n) {
    if (is_valid_utf8(text.substr(0, n))) return n;
  }
  return 0;
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

/// Removes meshes without triangles and the instances of them, and says so.
void drop_empty_meshes(Asset& asset) {
  std::vector<int> new_index(asset.meshes.size(), -1);
  std::vector<std::string> dropped;
  std::vector<AssetMesh> kept;
  kept.reserve(asset.meshes.size());
  for (std::size_t i = 0; i < asset.meshes.size(); ++i) {
    AssetMesh& mesh = asset.meshes[i];
    if (mesh.mesh == nullptr || mesh.mesh->triangles.empty()) {
      dropped.push_back(mesh.name);
    } else {
      new_index[i] = static_cast<int>(kept.size());
      kept.push_back(std::move(mesh));
    }
  }
  asset.meshes = std::move(kept);
  if (dropped.empty()) return;

  std::erase_if(asset.instances, [&](const AssetInstance& i) { return new_index[i.mesh] < 0; });
  for (AssetInstance& instance : asset.instances) instance.mesh = new_index[instance.mesh];
  Note note;
  note.code = "asset.mesh_without_triangles";
  note.file = asset.file;
  note.message = fmt::format("left out {} {} that {} no triangle with an area: {}", dropped.size(),
                             dropped.size() == 1 ? "mesh" : "meshes",
                             dropped.size() == 1 ? "has" : "have", list_names(dropped));
  asset.notes.push_back(std::move(note));
}

/// One note for the whole file; the details are in each mesh's report.
void note_repairs(Asset& asset) {
  std::size_t degenerate = 0, duplicate = 0, flipped = 0, meshes = 0;
  for (const AssetMesh& mesh : asset.meshes) {
    const MeshReport& r = mesh.report;
    degenerate += r.degenerate_triangles;
    duplicate += r.duplicate_triangles;
    flipped += r.flipped_triangles;
    meshes += r.degenerate_triangles + r.duplicate_triangles + r.flipped_triangles > 0 ? 1 : 0;
  }
  if (meshes == 0) return;
  std::string what;
  const auto add = [&what](std::size_t count, const char* text) {
    if (count == 0) return;
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", count,
                        fmt::format(fmt::runtime(text), count == 1 ? "triangle" : "triangles"));
  };
  add(degenerate, "degenerate {} dropped");
  add(duplicate, "duplicate {} dropped");
  add(flipped, "{} turned over");
  Note note;
  note.code = "asset.repaired";
  note.file = asset.file;
  note.message = fmt::format("{} in {} of {} {}", what, meshes, asset.meshes.size(),
                             asset.meshes.size() == 1 ? "mesh" : "meshes");
  asset.notes.push_back(std::move(note));
}

/// Keeps only those that an instance stands in, somewhere below.
void drop_empty_assemblies(Asset& asset) {
  std::vector<AssetAssembly>& all = asset.assemblies;
  std::vector<int> new_index(all.size(), -1);
  for (const AssetInstance& instance : asset.instances) {
    for (int a = instance.assembly; a >= 0 && new_index[static_cast<std::size_t>(a)] < 0;
         a = all[static_cast<std::size_t>(a)].parent) {
      new_index[static_cast<std::size_t>(a)] = 0;
    }
  }
  std::vector<AssetAssembly> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (new_index[i] < 0) continue;
    new_index[i] = static_cast<int>(kept.size());
    AssetAssembly& assembly = kept.emplace_back(std::move(all[i]));
    if (assembly.parent >= 0)
      assembly.parent = new_index[static_cast<std::size_t>(assembly.parent)];
  }
  for (AssetInstance& instance : asset.instances) {
    if (instance.assembly >= 0)
      instance.assembly = new_index[static_cast<std::size_t>(instance.assembly)];
  }
  all = std::move(kept);
}

/// Unique among those of one parent.
void name_assemblies(std::vector<AssetAssembly>& assemblies) {
  std::vector<NameRegistry> names(assemblies.size() + 1);  // by parent; the first: of none
  for (const AssetAssembly& a : assemblies)
    names[static_cast<std::size_t>(a.parent + 1)].reserve(a.name);
  for (AssetAssembly& a : assemblies)
    a.name = names[static_cast<std::size_t>(a.parent + 1)].make_unique(a.name);
}

std::vector<Diagnostic> find_placement_faults(const Asset& asset) {
  constexpr std::size_t kReported = 20;
  std::vector<AxisBox> boxes;
  for (const AssetMesh& mesh : asset.meshes) boxes.push_back(compute_box(*mesh.mesh));
  std::vector<Diagnostic> faults;
  for (const AssetInstance& instance : asset.instances) {
    const AxisBox& box = boxes[instance.mesh];
    const Vec3 reach = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs());
    const Vec3 bound = instance.A.cwiseAbs() * reach + instance.t.cwiseAbs();
    if (instance.A.allFinite() && bound.allFinite()) continue;
    Diagnostic fault;
    fault.code = "asset.placement_not_finite";
    fault.file = asset.file;
    fault.element = fmt::format("part '{}'", instance.name);
    fault.message = "its placement takes points to infinity";
    fault.remedy = "export the file again, or correct the scales and matrices above this part";
    faults.push_back(std::move(fault));
    if (faults.size() == kReported) break;
  }
  return faults;
}

}  // namespace

std::string clean_name(std::string_view raw, std::string_view fallback) {
  std::string name;
  name.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t length = valid_character_length(raw.substr(i, 4));
    const auto byte = static_cast<unsigned char>(raw[i]);
    if (length == 0) {
      name += kReplacement;
    } else if (length == 1 && (byte < 0x20 || byte == 0x7F)) {
      name += ' ';
    } else {
      name += raw.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  const std::string_view trimmed = trim(name);
  return std::string(trimmed.empty() ? fallback : trimmed);
}

void NameRegistry::reserve(std::string_view name) { entries_.try_emplace(std::string(name)); }

std::string NameRegistry::make_unique(std::string_view wanted) {
  Entry& entry = entries_[std::string(wanted)];
  if (!std::exchange(entry.taken, true)) return std::string(wanted);
  // Each number tried and found taken belongs to this one name ("a_2" ends in "_2" in one way
  // only), so all calls together try no more numbers than there are names.
  std::size_t number = entry.next_number;
  std::string name = fmt::format("{}_{}", wanted, number);
  while (entries_.contains(name)) name = fmt::format("{}_{}", wanted, ++number);
  entry.next_number = number + 1;
  entries_[name].taken = true;  // may move `entry`
  return name;
}

AssetMesh make_asset_mesh(std::string name, TriangleMesh mesh, std::optional<Colour> colour) {
  AssetMesh made;
  made.name = std::move(name);
  made.colour = colour;
  made.report = clean_mesh(mesh);
  made.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  return made;
}

Result<Asset> finish_asset(Asset asset) {
  for (const AssetInstance& instance : asset.instances) {
    if (instance.mesh < 0 || static_cast<std::size_t>(instance.mesh) >= asset.meshes.size()) {
      throw std::logic_error("finish_asset: instance '" + instance.name + "' names no mesh");
    }
  }
  note_repairs(asset);
  drop_empty_meshes(asset);
  if (asset.meshes.empty() || asset.instances.empty()) {
    Diagnostic fault;
    fault.code = "asset.empty";
    fault.file = asset.file;
    fault.message = fmt::format("this {} file holds no triangle with an area", asset.format);
    fault.remedy = "export the part again with its surfaces, not only curves or points";
    return fault;
  }
  if (std::vector<Diagnostic> faults = find_placement_faults(asset); !faults.empty()) {
    return make_error(std::move(faults));
  }
  NameRegistry names;
  for (const AssetInstance& instance : asset.instances) names.reserve(instance.name);
  for (AssetInstance& instance : asset.instances) instance.name = names.make_unique(instance.name);
  drop_empty_assemblies(asset);
  name_assemblies(asset.assemblies);
  return asset;
}

}  // namespace geste
