#include "geste/formats/internal/gltf_placements.hpp"

#include <fmt/format.h>

#include <limits>

#include "geste/formats/internal/asset_builder.hpp"

namespace geste {
namespace {

using Vec4 = Eigen::Matrix<double, 4, 1>;

struct Placement {
  Mat3 A = Mat3::Identity();
  Vec3 t = Vec3::Zero();

  friend Placement operator*(const Placement& a, const Placement& b) {
    return {a.A * b.A, a.A * b.t + a.t};
  }
};

/// Walks the node tree with a stack of its own, so that depth costs memory of the input's size
/// only.
class Placer {
 public:
  Placer(const GltfDocument& document, GltfElementReader& elements, std::size_t text_bytes,
         GltfLog& log, Asset& asset)
      : document_(document),
        elements_(elements),
        log_(log),
        asset_(asset),
        text_left_((std::size_t{1} << 20) + 64 * text_bytes) {}

  void run() {
    std::vector<Open> stack;
    const auto open_all = [&](const std::vector<std::size_t>& nodes, const Placement& X_WP) {
      for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        stack.push_back({*it, path_.size(), X_WP, assembly_});
      }
    };
    open_all(document_.roots, {});
    while (!stack.empty() && log_.ok()) {
      const Open open = stack.back();
      stack.pop_back();
      const GltfNode& node = document_.nodes[open.node];
      path_.resize(open.path_length);
      const std::string name = name_of(open.node);
      if (!charge_text(name.size())) break;
      if (!path_.empty()) path_ += '/';
      path_ += name;
      assembly_ = open.assembly;
      if (!node.children.empty() && !open_assembly(name)) break;
      const Placement X_WN = open.X_WP * Placement{node.A, node.t};
      if (node.mesh) place(node, name, X_WN);
      open_all(node.children, X_WN);
    }
  }

 private:
  struct Open {
    std::size_t node;
    std::size_t path_length;  ///< of the parent's path
    Placement X_WP;
    int assembly;  ///< that it stands in
  };

  bool open_assembly(const std::string& name) {
    if (!charge_text(name.size())) return false;
    asset_.assemblies.push_back({name, assembly_});
    assembly_ = static_cast<int>(asset_.assemblies.size()) - 1;
    return true;
  }

  std::string name_of(std::size_t index) const {
    const GltfNode& node = document_.nodes[index];
    std::string name = clean_name(node.place.name, "");
    if (name.empty() && node.mesh) name = clean_name(document_.meshes[*node.mesh].place.name, "");
    return name.empty() ? fmt::format("node_{}", index) : name;
  }

  void place(const GltfNode& node, const std::string& name, const Placement& X_WN) {
    if (!node.instancing) {
      add(*node.mesh, name, X_WN);
      return;
    }
    std::vector<Placement> placements;
    if (!read_instancing(node, placements)) return;
    for (const Placement& X_NM : placements) {
      if (!add(*node.mesh, name, X_WN * X_NM)) return;
    }
  }

  /// Paths repeat the names above them: long names, deep down, could unfold to gigabytes.
  bool charge_text(std::size_t bytes) {
    if (bytes <= text_left_) {
      text_left_ -= bytes;
      return true;
    }
    log_.fault("gltf.too_large", "",
               "the names along the node tree unfold to more text than the file's size can justify",
               "shorten the names of the upper nodes and of the meshes");
    return false;
  }

  bool add(std::size_t mesh, const std::string& name, const Placement& X_WM) {
    if (!charge_text(name.size() + path_.size())) return false;
    AssetInstance& instance = asset_.instances.emplace_back();
    instance.name = name;
    instance.path = path_;
    instance.mesh = static_cast<int>(mesh);
    instance.assembly = assembly_;
    instance.A = X_WM.A;
    instance.t = X_WM.t;
    return true;
  }

  bool read_instancing(const GltfNode& node, std::vector<Placement>& placements) {
    const GltfInstancing& in = *node.instancing;
    std::optional<std::size_t> count;
    for (const auto& accessor : {in.translations, in.rotations, in.scales}) {
      if (!accessor) continue;
      const std::size_t has = document_.accessors[*accessor].count;
      if (count && *count != has) {
        log_.fault("gltf.instancing", node.place.to_text(),
                   "its instancing accessors have different counts", kGltfExportAgain);
        return false;
      }
      count = has;
    }
    const std::size_t n = count.value_or(0);
    std::vector<Vec3> translations, scales;
    std::vector<Vec4> rotations;
    const bool read =
        elements_.charge(n) &&
        (!in.translations ||
         elements_.read_vectors<3>(*in.translations, "TRANSLATION", 0, n, translations)) &&
        (!in.rotations || elements_.read_vectors<4>(*in.rotations, "ROTATION", 0, n, rotations)) &&
        (!in.scales || elements_.read_vectors<3>(*in.scales, "SCALE", 0, n, scales));
    if (!read) return false;
    for (std::size_t i = 0; i < n; ++i) {
      Placement& placement = placements.emplace_back();
      if (in.translations) placement.t = translations[i];
      std::array<double, 4> q{0, 0, 0, 1};
      std::array<double, 3> s{1, 1, 1};
      if (in.rotations) q = {rotations[i][0], rotations[i][1], rotations[i][2], rotations[i][3]};
      if (in.scales) s = {scales[i][0], scales[i][1], scales[i][2]};
      const auto A = make_gltf_linear(q, s);
      if (!A) {
        log_.fault("gltf.rotation", node.place.to_text(),
                   fmt::format("the quaternion of instance {} has no length", i), kGltfExportAgain);
        return false;
      }
      placement.A = *A;
    }
    return true;
  }

  const GltfDocument& document_;
  GltfElementReader& elements_;
  GltfLog& log_;
  Asset& asset_;
  std::size_t text_left_;
  std::string path_;
  int assembly_ = -1;
};

}  // namespace

void place_gltf_meshes(const GltfDocument& document, GltfElementReader& elements,
                       std::size_t text_bytes, GltfLog& log, Asset& asset) {
  Placer(document, elements, text_bytes, log, asset).run();
}

}  // namespace geste
