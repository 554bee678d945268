#include "geste/formats/gltf.hpp"

#include <fmt/format.h>

#include <map>

#include "geste/core/files.hpp"
#include "geste/core/parallel.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/gltf_buffers.hpp"
#include "geste/formats/internal/gltf_document.hpp"
#include "geste/formats/internal/gltf_elements.hpp"
#include "geste/formats/internal/gltf_mesh.hpp"
#include "geste/formats/internal/gltf_placements.hpp"

namespace geste {
namespace {

std::optional<Colour> find_colour(const GltfMesh& mesh, const GltfDocument& document,
                                  GltfLog& log) {
  std::optional<Colour> first;
  std::optional<std::size_t> first_material;
  for (const GltfPrimitive& primitive : mesh.primitives) {
    if (!primitive.has_surface() || !primitive.material) continue;
    const std::optional<Colour>& colour = document.materials[*primitive.material];
    if (!colour) continue;
    if (!first_material) {
      first = colour;
      first_material = primitive.material;
    } else if (*primitive.material != *first_material) {
      log.note("gltf.several_colours", mesh.place.to_text(),
               "has several materials: the first colour is used for the whole mesh", "");
      break;
    }
  }
  return first;
}

/// Turns the meshes that instances name into Asset::meshes, in the order of the file, and makes
/// the instances name those.
class MeshCollector {
 public:
  MeshCollector(const GltfDocument& document, GltfElementReader& elements, GltfLog& log)
      : document_(document), reader_(document, elements, log), log_(log) {}

  void collect(Asset& asset) {
    std::vector<int> new_index(document_.meshes.size(), -1);
    for (const AssetInstance& instance : asset.instances) new_index[instance.mesh] = 0;
    std::size_t unused = 0;
    for (std::size_t i = 0; i < new_index.size(); ++i) {
      if (new_index[i] < 0) {
        ++unused;
        continue;
      }
      new_index[i] = static_cast<int>(entries_.size());
      add(i);
    }
    for (AssetInstance& instance : asset.instances) instance.mesh = new_index[instance.mesh];
    if (unused > 0) {
      log_.note("gltf.unused_mesh", "",
                fmt::format("{} of {} meshes stand nowhere in the scene and are left out", unused,
                            new_index.size()),
                "");
    }
    if (log_.ok()) clean(asset);
  }

 private:
  /// A mesh of the asset, and which of the surfaces it shows.
  struct Entry {
    std::size_t mesh;
    std::size_t surface;
  };

  void add(std::size_t index) {
    const GltfMesh& mesh = document_.meshes[index];
    // Meshes that differ in name or colour only share one surface.
    std::vector<std::size_t> key;
    for (const GltfPrimitive& p : mesh.primitives) {
      if (!p.has_surface()) continue;
      key.insert(key.end(), {static_cast<std::size_t>(p.mode), *p.positions,
                             p.indices.value_or(document_.accessors.size())});
    }
    const auto [known, is_new] = known_.try_emplace(std::move(key), surfaces_.size());
    entries_.push_back({index, known->second});
    if (!is_new) return;
    // Without a surface the fault is on record: go on and look for others.
    surfaces_.push_back(reader_.read(mesh).value_or(TriangleMesh{}));
  }

  /// Hygiene, mesh by mesh and so the same on any number of threads.
  void clean(Asset& asset) {
    std::vector<AssetMesh> cleaned(surfaces_.size());
    parallel_for(surfaces_.size(), 0,
                 [&](std::size_t i) { cleaned[i] = make_asset_mesh("", std::move(surfaces_[i])); });
    for (const Entry& entry : entries_) {
      const GltfMesh& mesh = document_.meshes[entry.mesh];
      AssetMesh& made = asset.meshes.emplace_back(cleaned[entry.surface]);
      made.name = clean_name(mesh.place.name, fmt::format("mesh_{}", entry.mesh));
      made.colour = find_colour(mesh, document_, log_);
    }
  }

  const GltfDocument& document_;
  GltfMeshReader reader_;
  GltfLog& log_;
  std::map<std::vector<std::size_t>, std::size_t> known_;
  std::vector<TriangleMesh> surfaces_;
  std::vector<Entry> entries_;
};

Result<Asset> read_document(std::string_view text, GltfTextOrigin origin,
                            std::optional<std::string_view> binary, std::size_t file_bytes,
                            const std::string& file_name, const GltfFileSource& source,
                            GltfLog& log) {
  const std::optional<GltfDocument> document = parse_gltf_document(text, origin, log);
  if (!document) return log.take_error();
  GltfBuffers buffers(*document, binary, source, file_bytes, log);
  GltfElementReader elements(*document, buffers, log);

  Asset asset;
  asset.file = file_name;
  asset.format = "glTF";
  asset.unit = "m";
  asset.up = UpAxis::y;
  place_gltf_meshes(*document, elements, text.size(), log, asset);
  MeshCollector(*document, elements, log).collect(asset);
  if (!log.ok()) return log.take_error();
  asset.notes = log.take_notes();
  return finish_asset(std::move(asset));
}

/// By the magic number; without it the file's name decides, so that a damaged .glb is called one.
bool looks_binary(std::string_view bytes, const std::filesystem::path& path) {
  if (bytes.substr(0, 4) == "glTF") return true;
  return to_lower(path.extension().string()) == ".glb" && !trim(bytes).starts_with('{');
}

}  // namespace

Result<Asset> parse_glb(std::string_view bytes, const std::string& file_name,
                        const GltfFileSource& source) {
  GltfLog log(file_name);
  const std::optional<GlbChunks> chunks = split_glb(bytes, log);
  if (!chunks) return log.take_error();
  return read_document(chunks->json, {true, chunks->json_offset}, chunks->binary, bytes.size(),
                       file_name, source, log);
}

Result<Asset> parse_gltf(std::string_view bytes, const std::string& file_name,
                         const GltfFileSource& source) {
  GltfLog log(file_name);
  return read_document(bytes, {}, std::nullopt, bytes.size(), file_name, source, log);
}

Result<Asset> load_gltf(const std::filesystem::path& path) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  const GltfFileSource beside = [&path](const std::string& relative) {
    return load_file(path.parent_path() / relative);
  };
  return looks_binary(*bytes, path) ? parse_glb(*bytes, path.string(), beside)
                                    : parse_gltf(*bytes, path.string(), beside);
}

}  // namespace geste
