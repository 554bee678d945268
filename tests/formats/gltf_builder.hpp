#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace geste::testing {

inline std::string encode_base64(const std::string& bytes) {
  constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kAlphabet[bits >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

inline void append_u32(std::string& bytes, std::uint32_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Writes small glTF files by hand, right or deliberately wrong: change `doc` before writing it.
struct GltfBuilder {
  nlohmann::json doc = nlohmann::json::parse(R"({"asset": {"version": "2.0"}})");
  std::string bin;

  template <class T>
  std::size_t add_view(const std::vector<T>& data) {
    bin.resize((bin.size() + 3) / 4 * 4);
    const std::size_t offset = bin.size();
    bin.append(reinterpret_cast<const char*>(data.data()), data.size() * sizeof(T));
    doc["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", data.size() * sizeof(T)}});
    return doc["bufferViews"].size() - 1;
  }

  template <class T>
  static int component_type() {
    if constexpr (std::is_same_v<T, float>) return 5126;
    constexpr int kIntegers[] = {5120, 5121, 5122, 5123, 5124, 5125};
    return kIntegers[(sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : 4) + std::is_unsigned_v<T>];
  }

  template <class T>
  std::size_t add_accessor(const std::vector<T>& data, const char* type) {
    const std::size_t width = std::strcmp(type, "SCALAR") == 0 ? 1
                              : std::strcmp(type, "VEC4") == 0 ? 4
                                                               : 3;
    const std::size_t view = add_view(data);
    doc["accessors"].push_back({{"bufferView", view},
                                {"componentType", component_type<T>()},
                                {"count", data.size() / width},
                                {"type", type}});
    return doc["accessors"].size() - 1;
  }

  std::size_t add_mesh(nlohmann::json primitives, const char* name = nullptr) {
    nlohmann::json mesh = {{"primitives", std::move(primitives)}};
    if (name) mesh["name"] = name;
    doc["meshes"].push_back(mesh);
    return doc["meshes"].size() - 1;
  }

  static nlohmann::json primitive(std::size_t positions, int mode = 4) {
    return {{"attributes", {{"POSITION", positions}}}, {"mode", mode}};
  }
  static nlohmann::json indexed(std::size_t positions, std::size_t indices, int mode = 4) {
    nlohmann::json p = primitive(positions, mode);
    p["indices"] = indices;
    return p;
  }

  std::size_t add_node(nlohmann::json node) {
    doc["nodes"].push_back(std::move(node));
    return doc["nodes"].size() - 1;
  }

  [[nodiscard]] std::string glb() const {
    nlohmann::json out = doc;
    if (!out.contains("buffers")) out["buffers"] = {{{"byteLength", bin.size()}}};
    return pack(out.dump(), bin);
  }

  [[nodiscard]] std::string gltf(const std::string& uri) const {
    nlohmann::json out = doc;
    out["buffers"] = {{{"byteLength", bin.size()}, {"uri", uri}}};
    return out.dump(1);
  }
  [[nodiscard]] std::string gltf() const {
    return gltf("data:application/octet-stream;base64," + encode_base64(bin));
  }

  static std::string pack(std::string text, std::string binary) {
    text.resize((text.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    std::string bytes = "glTF";
    append_u32(bytes, 2);
    append_u32(bytes, static_cast<std::uint32_t>(28 + text.size() + binary.size()));
    append_u32(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += "JSON" + text;
    append_u32(bytes, static_cast<std::uint32_t>(binary.size()));
    bytes.append("BIN\0", 4);
    return bytes + binary;
  }
};

/// A tetrahedron with its outside outside: corners 0, a x, b y, c z; volume a b c / 6.
inline std::vector<float> tetrahedron_corners(float a, float b, float c) {
  return {0, 0, 0, a, 0, 0, 0, b, 0, 0, 0, c};
}
inline const std::vector<std::uint16_t> kTetrahedron = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

/// One tetrahedron of edges 2, 3, 4 in mesh 0, no nodes yet.
inline GltfBuilder make_tetrahedron() {
  GltfBuilder b;
  const std::size_t positions = b.add_accessor(tetrahedron_corners(2, 3, 4), "VEC3");
  b.add_mesh({GltfBuilder::indexed(positions, b.add_accessor(kTetrahedron, "SCALAR"))}, "tetra");
  return b;
}

}  // namespace geste::testing
