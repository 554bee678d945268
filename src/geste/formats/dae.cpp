#include "geste/formats/dae.hpp"

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <exception>
#include <map>

#include "geste/core/files.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/dae_check.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/srgb.hpp"

namespace geste {
namespace {

std::string_view view_of(const aiString& text) { return {text.data, text.length}; }

std::string find_text(const aiNode& node, const char* key) {
  aiString text;
  if (node.mMetaData && node.mMetaData->Get(key, text)) return std::string(view_of(text));
  return {};
}

/// The node's name, else its id or sid. The importer invents names where there are none.
std::string name_of(const aiNode& node) {
  std::string name = clean_name(view_of(node.mName), "");
  if (!name.empty() && !name.starts_with("$ColladaAutoName$")) return name;
  for (const char* key : {"Collada_id", "Collada_sid"}) {
    name = clean_name(find_text(node, key), "");
    if (!name.empty()) return name;
  }
  return {};
}

std::optional<Colour> find_colour(const aiScene& scene, const aiMesh& mesh) {
  if (mesh.mMaterialIndex >= scene.mNumMaterials) return std::nullopt;
  const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
  aiString name;
  aiColor4D colour;
  const bool made_up =
      material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS && view_of(name) == AI_DEFAULT_MATERIAL_NAME;
  if (made_up || material.Get(AI_MATKEY_COLOR_DIFFUSE, colour) != AI_SUCCESS) return std::nullopt;
  return colour_from_srgb(colour.r, colour.g, colour.b, colour.a);
}

/// Turns the importer's scene into an asset. The root's own transformation is left out: it holds
/// nothing but the unit (assimp 5.2, ColladaLoader::InternReadFile).
class SceneReader {
 public:
  SceneReader(const aiScene& scene, const DaeFacts& facts, const std::string& file,
              std::size_t file_bytes)
      : scene_(scene), text_left_((std::size_t{1} << 20) + 64 * file_bytes) {
    asset_.file = file;
    asset_.format = "DAE";
    asset_.unit = facts.unit;
    asset_.metres_per_unit = facts.metres_per_unit;
    asset_.up = facts.up;
    asset_.notes = facts.notes;
  }

  Result<Asset> read() {
    walk(*scene_.mRootNode, Mat3::Identity(), Vec3::Zero(), "");
    if (!faults_.empty()) return make_error(std::move(faults_));
    if (skipped_faces_ > 0) {
      asset_.notes.push_back(make_diagnostic(
          asset_.file, "dae.no_surface",
          fmt::format("{} points and lines have no surface and are left out", skipped_faces_), ""));
    }
    return finish_asset(std::move(asset_));
  }

 private:
  /// check_dae bounds the depth, hence this recursion.
  void walk(const aiNode& node, const Mat3& A_WN, const Vec3& t_WN, const std::string& path) {
    if (!faults_.empty() || !charge_text(path.size())) return;
    if (node.mNumMeshes > 0) place(node, A_WN, t_WN, path);
    for (unsigned i = 0; i < node.mNumChildren; ++i) {
      const aiNode& child = *node.mChildren[i];
      const aiMatrix4x4& m = child.mTransformation;
      Mat3 A;
      A << m.a1, m.a2, m.a3, m.b1, m.b2, m.b3, m.c1, m.c2, m.c3;
      const Vec3 t(m.a4, m.b4, m.c4);
      std::string name = name_of(child);
      if (name.empty() && child.mNumMeshes > 0) name = mesh_name(child);
      if (name.empty()) name = "node";
      walk(child, A_WN * A, A_WN * t + t_WN,
           path.empty() ? name : fmt::format("{}/{}", path, name));
    }
  }

  /// Paths repeat the names above them: long names, deep down, could unfold to gigabytes.
  bool charge_text(std::size_t bytes) {
    if (bytes <= text_left_) {
      text_left_ -= bytes;
      return true;
    }
    faults_.push_back(make_diagnostic(
        asset_.file, "dae.too_large",
        "the names along the node tree unfold to more text than the file's size can justify",
        "shorten the names of the upper nodes"));
    return false;
  }

  std::string mesh_name(const aiNode& node) const {
    return clean_name(view_of(scene_.mMeshes[node.mMeshes[0]]->mName), "mesh");
  }

  void place(const aiNode& node, const Mat3& A, const Vec3& t, const std::string& path) {
    const std::vector<unsigned> key(node.mMeshes, node.mMeshes + node.mNumMeshes);
    const auto [known, is_new] = known_.try_emplace(key, static_cast<int>(asset_.meshes.size()));
    if (is_new) add_mesh(node, key);
    AssetInstance& instance = asset_.instances.emplace_back();
    const std::string own = name_of(node);
    instance.name = own.empty() ? mesh_name(node) : own;
    instance.path = path.empty() ? instance.name : path;
    instance.mesh = known->second;
    instance.A = A;
    instance.t = t;
  }

  /// A geometry with several materials comes as several meshes of one node.
  void add_mesh(const aiNode& node, const std::vector<unsigned>& parts) {
    TriangleMesh mesh;
    std::optional<Colour> colour;
    for (const unsigned part : parts) {
      append_part(*scene_.mMeshes[part], mesh);
      if (!colour) colour = find_colour(scene_, *scene_.mMeshes[part]);
    }
    if (!faults_.empty()) mesh = {};
    asset_.meshes.push_back(make_asset_mesh(mesh_name(node), std::move(mesh), colour));
  }

  void append_part(const aiMesh& in, TriangleMesh& mesh) {
    const auto begin = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.reserve(begin + in.mNumVertices);
    for (unsigned i = 0; i < in.mNumVertices; ++i) {
      const Vec3 p(in.mVertices[i].x, in.mVertices[i].y, in.mVertices[i].z);
      if (!p.allFinite()) {
        Diagnostic fault =
            make_diagnostic(asset_.file, "dae.not_finite", "a coordinate is no finite number",
                            "export the geometry again");
        fault.element = fmt::format("geometry '{}'", clean_name(view_of(in.mName), "?"));
        faults_.push_back(std::move(fault));
        return;
      }
      mesh.vertices.push_back(p);
    }
    mesh.triangles.reserve(mesh.triangles.size() + in.mNumFaces);
    for (unsigned i = 0; i < in.mNumFaces; ++i) {
      const aiFace& face = in.mFaces[i];
      const bool in_range = std::all_of(face.mIndices, face.mIndices + face.mNumIndices,
                                        [&](unsigned v) { return v < in.mNumVertices; });
      if (face.mNumIndices != 3 || !in_range) {
        ++skipped_faces_;
        continue;
      }
      mesh.triangles.push_back(
          {begin + face.mIndices[0], begin + face.mIndices[1], begin + face.mIndices[2]});
    }
  }

  const aiScene& scene_;
  Asset asset_;
  std::size_t text_left_;
  std::map<std::vector<unsigned>, int> known_;
  std::vector<Diagnostic> faults_;
  std::size_t skipped_faces_ = 0;
};

Result<Asset> import(std::string_view bytes, const DaeFacts& facts, const std::string& file_name) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  const aiScene* scene =
      importer.ReadFileFromMemory(bytes.data(), bytes.size(), aiProcess_Triangulate, "dae");
  if (!scene || !scene->mRootNode) {
    return make_diagnostic(file_name, "dae.import",
                           fmt::format("the importer refuses it: {}", importer.GetErrorString()),
                           "export the file again as COLLADA 1.4, or as glTF");
  }
  return SceneReader(*scene, facts, file_name, bytes.size()).read();
}

}  // namespace

Result<Asset> parse_dae(std::string_view bytes, const std::string& file_name) {
  const Result<DaeFacts> facts = check_dae(bytes, file_name);
  if (!facts) return facts.error();
  try {
    return import(bytes, *facts, file_name);
  } catch (const std::exception& fault) {
    return make_diagnostic(file_name, "dae.import",
                           fmt::format("the importer refuses it: {}", fault.what()),
                           "export the file again as COLLADA 1.4, or as glTF");
  }
}

Result<Asset> load_dae(const std::filesystem::path& path) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return parse_dae(*bytes, path.string());
}

}  // namespace geste
