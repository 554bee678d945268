#include <fmt/format.h>

#include <cmath>

#include "geste/formats/internal/gltf_document.hpp"

namespace geste {
namespace {

using nlohmann::json;

/// Column by column, the last row 0 0 0 1 (3.5.3).
void read_matrix(const GltfObject& in, const std::array<double, 16>& m, GltfNode& node) {
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) node.A(row, column) = m[4 * column + row];
  }
  node.t = Vec3(m[12], m[13], m[14]);
  constexpr double kSlack = 1e-6;
  const bool affine = std::abs(m[3]) < kSlack && std::abs(m[7]) < kSlack &&
                      std::abs(m[11]) < kSlack && std::abs(m[15] - 1) < kSlack;
  if (!affine) {
    in.fault("gltf.matrix",
             fmt::format("the last row of 'matrix' is {} {} {} {}, not 0 0 0 1", m[3], m[7], m[11],
                         m[15]),
             "write the matrix column by column, without perspective");
  }
}

void read_placement(const GltfObject& in, GltfNode& node) {
  const bool has_parts = in.find("translation") || in.find("rotation") || in.find("scale");
  if (in.find("matrix")) {
    if (const auto matrix = in.find_numbers<16>("matrix")) read_matrix(in, *matrix, node);
    if (has_parts) {
      in.note("gltf.matrix_and_parts",
              "has a matrix and also a translation, rotation or scale: the matrix is used");
    }
    return;
  }
  if (!has_parts) return;
  const auto t = in.find_numbers<3>("translation").value_or(std::array<double, 3>{});
  const auto q = in.find_numbers<4>("rotation").value_or(std::array<double, 4>{0, 0, 0, 1});
  const auto s = in.find_numbers<3>("scale").value_or(std::array<double, 3>{1, 1, 1});
  node.t = Vec3(t[0], t[1], t[2]);
  if (const auto A = make_gltf_linear(q, s)) {
    node.A = *A;
  } else {
    in.fault("gltf.rotation", "the quaternion in 'rotation' has no length", kGltfExportAgain);
  }
}

std::optional<GltfInstancing> read_instancing(const GltfObject& node, std::size_t accessors) {
  const json* extension = node.find_extension("EXT_mesh_gpu_instancing");
  if (!extension) return std::nullopt;
  const json* attributes =
      GltfObject(*extension, node.place(), node.log()).find_object("attributes");
  if (!attributes) {
    node.fault("gltf.missing_key", "'attributes' of EXT_mesh_gpu_instancing is missing",
               kGltfExportAgain);
    return std::nullopt;
  }
  const GltfObject in(*attributes, node.place(), node.log());
  GltfInstancing instancing;
  instancing.translations = in.find_reference("TRANSLATION", "accessor", accessors);
  instancing.rotations = in.find_reference("ROTATION", "accessor", accessors);
  instancing.scales = in.find_reference("SCALE", "accessor", accessors);
  return instancing;
}

/// Indices of an array member, each below `count`.
std::vector<std::size_t> read_node_list(const GltfObject& in, const char* key, std::size_t count) {
  std::vector<std::size_t> list;
  const json* array = in.find_array(key);
  if (!array) return list;
  for (const json& item : *array) {
    const auto index = find_whole_number(item);
    if (index && *index < count) {
      list.push_back(*index);
    } else {
      in.fault("gltf.no_such_item",
               fmt::format("'{}' names a node that is not among the file's {}", key, count),
               kGltfExportAgain);
    }
  }
  return list;
}

void read_node(const GltfObject& in, const GltfDocument& document, std::size_t count,
               GltfNode& node) {
  node.mesh = in.find_reference("mesh", "mesh", document.meshes.size());
  node.children = read_node_list(in, "children", count);
  read_placement(in, node);
  node.instancing = read_instancing(in, document.accessors.size());
  if (node.mesh && in.find("skin")) {
    in.note("gltf.skin", "the skin is left out: the mesh stands in its rest shape at its node");
  }
}

/// Every node has at most one parent (3.5.2), else parts would stand in two places at once.
void link_parents(std::vector<GltfNode>& nodes, GltfLog& log) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::size_t child : nodes[i].children) {
      if (nodes[child].parent) {
        log.fault("gltf.two_parents", nodes[child].place.to_text(),
                  fmt::format("is a child of node {} and of node {}", *nodes[child].parent, i),
                  "give every node one parent; share the mesh, not the node");
      } else {
        nodes[child].parent = i;
      }
    }
  }
}

/// With one parent each, the nodes that no root reaches are those on a cycle and below it.
void check_cycles(const std::vector<GltfNode>& nodes, GltfLog& log) {
  std::vector<char> reached(nodes.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].parent) open.push_back(i);
  }
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    reached[i] = 1;
    open.insert(open.end(), nodes[i].children.begin(), nodes[i].children.end());
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (reached[i]) continue;
    log.fault(
        "gltf.cycle", nodes[i].place.to_text(),
        fmt::format("the tree of nodes runs in a circle: going up from node {} never ends", i),
        kGltfExportAgain);
    return;
  }
}

/// The scene that `scene` names, else the first, else every node without a parent.
void read_scene(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  const json* scenes = root.find_array("scenes");
  const std::size_t count = scenes ? scenes->size() : 0;
  const std::size_t shown = root.find_reference("scene", "scene", count).value_or(0);
  if (count == 0) {
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
      if (!document.nodes[i].parent) document.roots.push_back(i);
    }
    return;
  }
  const GltfObject in((*scenes)[shown], {"scene", shown}, log);
  document.roots = read_node_list(in, "nodes", document.nodes.size());
  std::vector<char> listed(document.nodes.size(), 0);
  for (const std::size_t i : document.roots) {
    if (document.nodes[i].parent || listed[i]) {
      in.fault("gltf.scene_root",
               fmt::format("lists node {}, which is {}", i,
                           listed[i] ? "listed twice" : "already a child of another node"),
               "list only nodes without a parent, once each");
    }
    listed[i] = 1;
  }
  if (count > 1) {
    in.note("gltf.scenes", fmt::format("the file has {} scenes: scene {} is read", count, shown),
            "export the other scenes to files of their own");
  }
}

}  // namespace

std::optional<Mat3> make_gltf_linear(const std::array<double, 4>& rotation,
                                     const std::array<double, 3>& scale) {
  Quat q(rotation[3], rotation[0], rotation[1], rotation[2]);
  const double length = q.coeffs().stableNorm();
  if (!(length > 1e-6)) return std::nullopt;
  q.coeffs() /= length;
  return Mat3(q.toRotationMatrix() * Vec3(scale[0], scale[1], scale[2]).asDiagonal());
}

void read_gltf_nodes(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  if (const json* array = root.find_array("nodes")) {
    document.nodes.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
      GltfNode& node = document.nodes.emplace_back();
      node.place = {"node", i, find_gltf_name((*array)[i])};
      read_node({(*array)[i], node.place, log}, document, array->size(), node);
    }
  }
  const bool sound = log.ok();
  link_parents(document.nodes, log);
  if (sound && log.ok()) check_cycles(document.nodes, log);
  read_scene(root, document, log);
}

}  // namespace geste
