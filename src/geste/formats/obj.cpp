#include "geste/formats/obj.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/obj_material.hpp"
#include "geste/formats/internal/obj_text.hpp"
#include "geste/formats/internal/polygon.hpp"

namespace geste {
namespace {

using Colours = std::map<std::string, Colour, std::less<>>;

/// Polygons `first` to `end` belong together.
struct PolygonRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

struct Part {
  std::string name;
  std::vector<PolygonRange> ranges;
};

/// Which polygons are which part, in the order of the file.
std::vector<Part> find_parts(const ObjText& obj, const std::string& stem) {
  const bool by_object = !obj.objects.empty();
  const std::vector<ObjSpan>& spans = by_object ? obj.objects : obj.groups;
  std::vector<Part> parts;
  std::unordered_map<std::string, std::size_t> part_of_group;
  const auto add = [&](std::string name, std::size_t first, std::size_t end) {
    if (first == end) return;
    if (!by_object) {
      const auto [entry, is_new] = part_of_group.emplace(name, parts.size());
      if (!is_new) return parts[entry->second].ranges.push_back({first, end});
    }
    parts.push_back({std::move(name), {{first, end}}});
  };
  add(stem, 0, spans.empty() ? obj.polygons.size() : spans.front().first_polygon);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool last = i + 1 == spans.size();
    add(clean_name(spans[i].name, stem), spans[i].first_polygon,
        last ? obj.polygons.size() : spans[i + 1].first_polygon);
  }
  return parts;
}

/// Builds the meshes of an OBJ file, part by part.
class ObjPartBuilder {
 public:
  ObjPartBuilder(const ObjText& obj, const Colours& colours)
      : obj_(obj), colours_(colours), first_corner_(obj.polygons.size() + 1, 0) {
    for (std::size_t i = 0; i < obj.polygons.size(); ++i) {
      first_corner_[i + 1] = first_corner_[i] + obj.polygons[i].corners;
    }
    local_index_.assign(obj.vertices.size(), kNotYet);
  }

  AssetMesh make(const Part& part) {
    TriangleMesh mesh;
    std::map<std::string_view, std::size_t> triangles_of;
    for (const PolygonRange& range : part.ranges) add_range(range, mesh.triangles, triangles_of);
    localise(mesh);
    return make_asset_mesh(part.name, std::move(mesh), choose_colour(triangles_of));
  }

  [[nodiscard]] std::size_t parts_of_many_materials() const { return many_materials_; }
  [[nodiscard]] std::size_t fans() const { return cutter_.fans(); }

 private:
  static constexpr std::uint32_t kNotYet = 0xFFFFFFFF;

  void add_range(const PolygonRange& range, std::vector<Triangle>& triangles,
                 std::map<std::string_view, std::size_t>& triangles_of) {
    triangles.reserve(triangles.size() + range.end - range.first);
    // The material in force is the last one named at or before a polygon.
    auto next = std::upper_bound(
        obj_.materials.begin(), obj_.materials.end(), range.first,
        [](std::size_t polygon, const ObjSpan& span) { return polygon < span.first_polygon; });
    for (std::size_t i = range.first; i < range.end;) {
      const std::size_t before = triangles.size();
      const std::size_t stop =
          next == obj_.materials.end() ? range.end : std::min(range.end, next->first_polygon);
      for (; i < stop; ++i) {
        cutter_.cut(obj_.vertices,
                    std::span(obj_.corners)
                        .subspan(first_corner_[i], first_corner_[i + 1] - first_corner_[i]),
                    triangles);
      }
      if (next != obj_.materials.begin() && triangles.size() > before) {
        triangles_of[std::prev(next)->name] += triangles.size() - before;
      }
      if (next != obj_.materials.end()) ++next;
    }
  }

  /// Gives the mesh its own vertices, in the order of first use, and numbers its corners by them.
  void localise(TriangleMesh& mesh) {
    used_.clear();
    for (Triangle& t : mesh.triangles) {
      for (std::uint32_t& corner : t) {
        std::uint32_t& local = local_index_[corner];
        if (local == kNotYet) {
          local = static_cast<std::uint32_t>(mesh.vertices.size());
          mesh.vertices.push_back(obj_.vertices[corner]);
          used_.push_back(corner);
        }
        corner = local;
      }
    }
    for (const std::uint32_t vertex : used_) local_index_[vertex] = kNotYet;
  }

  std::optional<Colour> choose_colour(const std::map<std::string_view, std::size_t>& triangles_of) {
    std::optional<Colour> colour;
    std::size_t most = 0, coloured = 0;
    for (const auto& [name, triangles] : triangles_of) {
      const auto found = colours_.find(name);
      if (found == colours_.end()) continue;
      ++coloured;
      if (triangles <= most) continue;
      most = triangles;
      colour = found->second;
    }
    many_materials_ += coloured > 1 ? 1 : 0;
    return colour;
  }

  const ObjText& obj_;
  const Colours& colours_;
  std::vector<std::size_t> first_corner_;
  std::vector<std::uint32_t> local_index_, used_;
  PolygonCutter cutter_;
  std::size_t many_materials_ = 0;
};

Result<Asset> make_asset(const ObjText& obj, const Colours& colours, const std::string& file_name) {
  Asset asset;
  asset.file = file_name;
  asset.format = "OBJ";
  asset.unit = "unstated";
  asset.notes = obj.notes;
  const std::string stem = clean_name(std::filesystem::path(file_name).stem().string(), "part");
  ObjPartBuilder builder(obj, colours);
  for (const Part& part : find_parts(obj, stem)) {
    AssetInstance instance;
    instance.name = instance.path = part.name;
    instance.mesh = static_cast<int>(asset.meshes.size());
    asset.instances.push_back(std::move(instance));
    asset.meshes.push_back(builder.make(part));
  }
  if (const std::size_t parts = builder.parts_of_many_materials(); parts > 0) {
    asset.notes.push_back(make_diagnostic(
        file_name, "obj.many_materials",
        fmt::format("{} of {} parts have several colours; each takes that of most triangles", parts,
                    asset.meshes.size()),
        "give each colour its own object where it matters"));
  }
  if (builder.fans() > 0) {
    asset.notes.push_back(make_diagnostic(
        file_name, "obj.complex_polygon",
        fmt::format("{} polygons have too many corners and were cut as fans", builder.fans()),
        "export the part as triangles"));
  }
  return finish_asset(std::move(asset));
}

/// Reads the material files named in the OBJ file, in `folder`.
Colours load_colours(const std::filesystem::path& folder, const std::string& file, ObjText& obj) {
  Colours colours;
  const auto load = [&](std::string name) {
    std::replace(name.begin(), name.end(), '\\', '/');
    std::error_code ignored;
    // Only plain files beside the part: a name in a file must not open devices.
    const std::filesystem::path path = folder / std::filesystem::path(name).relative_path();
    if (name.empty() || !std::filesystem::is_regular_file(path, ignored)) return false;
    const Result<std::string> bytes = load_file(path);
    if (bytes) read_mtl(*bytes, colours);
    return bytes.has_value();
  };
  for (const std::string& line : obj.material_files) {
    if (load(line)) continue;
    for (const std::string_view name : split_words(line)) {
      if (load(std::string(name))) continue;
      obj.notes.push_back(make_diagnostic(
          file, "obj.material_file",
          fmt::format("material file '{}' cannot be read; parts keep the default colour",
                      clean_name(name, "?")),
          "put it beside the OBJ file"));
    }
  }
  return colours;
}

using ColourSource = std::function<Colours(ObjText&)>;

Result<Asset> read_obj(std::string_view bytes, const std::string& file_name,
                       const ColourSource& find_colours) {
  FaultList faults(file_name);
  ObjText obj = read_obj_text(bytes, file_name, faults);
  if (faults.empty() && obj.polygons.empty()) {
    std::string message = "holds no faces";
    if (!obj.notes.empty()) message += "; " + obj.notes.front().message;
    faults.add("obj.empty", 0, "", message, "export the part with its surfaces as polygons");
  }
  if (!faults.empty()) return std::move(faults).make();
  const Colours colours = find_colours ? find_colours(obj) : Colours{};
  return make_asset(obj, colours, file_name);
}

}  // namespace

Result<Asset> parse_obj(std::string_view bytes, const std::string& file_name) {
  return read_obj(bytes, file_name, nullptr);
}

Result<Asset> load_obj(const std::filesystem::path& path) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return read_obj(*bytes, path.string(), [&](ObjText& obj) {
    return load_colours(path.parent_path(), path.string(), obj);
  });
}

}  // namespace geste
