#include "geste/formats/internal/urdf_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace geste {
namespace fs = std::filesystem;
namespace {

bool is_finite(const TriangleMesh& mesh) {
  return std::all_of(mesh.vertices.begin(), mesh.vertices.end(),
                     [](const Vec3& p) { return p.allFinite(); });
}

}  // namespace

Result<UrdfMesh> load_urdf_mesh(const fs::path& path, Notes&) {
  Diagnostic d;
  d.file = path.string();
  d.message = "no reader";
  return d;
}

UrdfMeshStore::UrdfMeshStore(const std::string& urdf_file, const UrdfOptions& options,
                             XmlReader& xml)
    : folder_(fs::path(urdf_file).parent_path()), options_(options), xml_(xml) {}

std::optional<UrdfMesh> UrdfMeshStore::find(const XmlElement& element, bool visual,
                                            const std::string& who) {
  const std::optional<std::string> name = xml_.read_text(element, "filename", who);
  const std::optional<Vec3> scale = xml_.read_vec3(element, "scale", who, Vec3::Ones());
  if (scale && (scale->array() == 0).any()) {
    xml_.fault(element.GetLineNum(), "size", who, "the scale of <mesh> has a zero",
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
  if (*scale == Vec3::Ones()) return *file;

  const auto [entry, is_new] =
      scaled_.try_emplace({file, Scale{scale->x(), scale->y(), scale->z()}});
  if (is_new) {
    TriangleMesh mesh = transformed(*file->mesh, scale->asDiagonal(), Vec3::Zero());
    if (is_finite(mesh)) {
      entry->second = {std::make_shared<const TriangleMesh>(std::move(mesh)), file->colour};
    } else {
      xml_.fault(element.GetLineNum(), "size", who, "the scale of <mesh> makes it infinitely large",
                 "give a smaller scale");
    }
  }
  return entry->second;
}

const UrdfMesh* UrdfMeshStore::load(const std::string& name, int line, const std::string& who) {
  const auto [entry, is_new] = paths_.try_emplace(name);
  if (is_new) {
    const FileSearch search = find_file(name, folder_, options_.search_path);
    entry->second = search.found;
    if (!search.found) {
      Diagnostic missing = make_not_found("mesh_missing", "mesh", clipped(name), search);
      if (name.find("$(") != std::string::npos || name.find("${") != std::string::npos) {
        missing.remedy = "run xacro on the file first and give its output";
      }
      xml_.fault(line, missing.code, who, missing.message, missing.remedy);
    }
  }
  return entry->second ? load_resolved(*entry->second, name, line, who) : nullptr;
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
