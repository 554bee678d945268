#include "geste/formats/internal/urdf_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "geste/core/quantity.hpp"
#include "geste/formats/load_asset.hpp"

namespace geste {
namespace fs = std::filesystem;
namespace {

/// Of one file, all instances counted; a few gigabytes.
constexpr std::size_t kMostTriangles = 50'000'000;
/// Longer links are millimetres read as metres, shorter ones were scaled twice.
constexpr double kLongestLink = 100;
constexpr double kShortestLink = 0.001;

bool is_finite(const TriangleMesh& mesh) {
  return std::all_of(mesh.vertices.begin(), mesh.vertices.end(),
                     [](const Vec3& p) { return p.allFinite(); });
}

/// "package://NAME" of package://NAME/...; empty for names of another kind.
std::string package_of(const std::string& name) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (name.starts_with(scheme)) return name.substr(0, name.find('/', scheme.size()));
  }
  return {};
}

/// The colour that all instances share.
std::optional<Colour> find_colour(const Asset& asset) {
  std::optional<Colour> shared;
  for (const AssetInstance& instance : asset.instances) {
    const std::optional<Colour>& own = asset.meshes[instance.mesh].colour;
    if (!own) return std::nullopt;
    if (!shared) shared = own;
    if (std::tie(own->r, own->g, own->b, own->a) !=
        std::tie(shared->r, shared->g, shared->b, shared->a)) {
      return std::nullopt;
    }
  }
  return shared;
}

}  // namespace

Result<UrdfMesh> load_urdf_mesh(const fs::path& path, Notes& notes) {
  Result<Asset> asset = load_asset(path);
  if (!asset) return asset.error();
  const std::size_t triangles = count_instanced_triangles(*asset);
  if (triangles == 0 || triangles > kMostTriangles) {
    Diagnostic fault;
    fault.code = triangles == 0 ? "asset.empty" : "asset.too_large";
    fault.file = path.string();
    fault.message = fmt::format("the file holds {} triangles", triangles);
    fault.remedy = triangles == 0 ? "give a file with a surface" : "give a coarser mesh";
    return fault;
  }
  TriangleMesh joined;
  for (const AssetInstance& instance : asset->instances) {
    const double unit = asset->metres_per_unit;
    append(joined,
           transformed(*asset->meshes[instance.mesh].mesh, unit * instance.A, unit * instance.t));
  }
  notes.insert(notes.end(), asset->notes.begin(), asset->notes.end());
  return UrdfMesh{std::make_shared<const TriangleMesh>(std::move(joined)), find_colour(*asset)};
}

UrdfMeshStore::UrdfMeshStore(const std::string& urdf_file, const UrdfOptions& options,
                             XmlReader& xml)
    : folder_(fs::path(urdf_file).parent_path()), options_(options), xml_(xml) {}

std::optional<UrdfMesh> UrdfMeshStore::find(const XmlElement& element, bool visual,
                                            const std::string& who) {
  const std::optional<std::string> name = xml_.read_text(element, "filename", who);
  const std::optional<Vec3> scale = xml_.read_vec3(element, "scale", who, Vec3::Ones());
  if (scale && (scale->array() == 0).any()) {
    xml_.note(element.GetLineNum(), "size", who, "the scale of <mesh> has a zero: it was left out",
              "give a factor other than zero per axis; a negative one mirrors");
    return std::nullopt;
  }
  if (!name || !scale) return std::nullopt;
  const bool wanted =
      options_.meshes == UrdfMeshes::all || (options_.meshes == UrdfMeshes::collision && !visual);
  if (!wanted) {
    ++left_out_;
    return std::nullopt;
  }
  const UrdfMesh* file = load(*name, element.GetLineNum(), who);
  if (file == nullptr) return std::nullopt;
  const auto [entry, is_new] =
      scaled_.try_emplace({file, Scale{scale->x(), scale->y(), scale->z()}});
  if (is_new) entry->second = make_scaled(*file, *scale, element, who);
  return entry->second;
}

std::optional<UrdfMesh> UrdfMeshStore::make_scaled(UrdfMesh mesh, const Vec3& scale,
                                                   const XmlElement& element,
                                                   const std::string& who) {
  if (scale != Vec3::Ones()) {
    mesh.mesh = std::make_shared<const TriangleMesh>(
        transformed(*mesh.mesh, scale.asDiagonal(), Vec3::Zero()));
  }
  if (!is_finite(*mesh.mesh)) {
    xml_.fault(element.GetLineNum(), "size", who, "the scale of <mesh> makes it infinitely large",
               "give a smaller scale");
    return std::nullopt;
  }
  const double extent = compute_box(*mesh.mesh).extent();
  if (extent > kLongestLink || extent < kShortestLink) {
    xml_.note(element.GetLineNum(), "mesh_size", who,
              fmt::format("the mesh is {} m long", format_number(extent)),
              extent > kLongestLink
                  ? "if the file is in millimetres, write scale=\"0.001 0.001 0.001\""
                  : "if the file is in metres or states its unit, remove the scale");
  }
  return mesh;
}

const UrdfMesh* UrdfMeshStore::load(const std::string& name, int line, const std::string& who) {
  const auto [entry, is_new] = paths_.try_emplace(name);
  if (is_new) {
    const FileSearch search = find_file(name, folder_, options_.search_path);
    entry->second = search.found;
    if (!search.found) fault_missing(name, search, line, who);
  }
  return entry->second ? load_resolved(*entry->second, name, line, who) : nullptr;
}

void UrdfMeshStore::fault_missing(const std::string& name, const FileSearch& search, int line,
                                  const std::string& who) {
  Diagnostic missing = make_not_found("mesh_missing", "mesh", clipped(name), search);
  if (name.find("$(") != std::string::npos || name.find("${") != std::string::npos) {
    missing.remedy = "run xacro on the file first and give its output";
  }
  // A missing package is missing with all of its meshes: the places are listed once.
  const auto [first, is_new] = missing_packages_.try_emplace(package_of(name), missing.remedy);
  if (!is_new && !first->first.empty()) {
    missing.message = fmt::format("mesh '{}' was not found in those places either", clipped(name));
    if (missing.remedy == first->second) missing.remedy.clear();
  }
  xml_.fault(line, missing.code, who, missing.message, missing.remedy);
}

const UrdfMesh* UrdfMeshStore::load_resolved(const fs::path& path, const std::string& name,
                                             int line, const std::string& who) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    Result<UrdfMesh> mesh =
        options_.load_mesh ? options_.load_mesh(path, notes_) : load_urdf_mesh(path, notes_);
    if (mesh) {
      entry->second = std::move(*mesh);
    } else {
      Diagnostic inner = mesh.error();
      const std::string remedy = std::exchange(inner.remedy, {});
      xml_.fault(line, "mesh_unreadable", who,
                 fmt::format("mesh '{}' cannot be read: {}", clipped(name), to_text(inner)),
                 remedy);
    }
  }
  return entry->second ? &*entry->second : nullptr;
}

}  // namespace geste
