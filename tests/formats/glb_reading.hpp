#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "geste/math/pose.hpp"

namespace geste::testing {

using nlohmann::json;

/// A .glb file taken apart by hand, by the text of the standard alone.
struct Glb {
  json document;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(bytes, 4), 2u);
    EXPECT_EQ(word(bytes, 8), bytes.size());
    const std::uint32_t json_size = word(bytes, 12);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    EXPECT_EQ(json_size % 4, 0u);
    document = json::parse(bytes.substr(20, json_size));
    if (20 + json_size == bytes.size()) return;
    const std::uint32_t binary_size = word(bytes, 20 + json_size);
    EXPECT_EQ(bytes.substr(24 + json_size, 4), std::string("BIN\0", 4));
    EXPECT_EQ(binary_size % 4, 0u);
    EXPECT_EQ(28 + json_size + binary_size, bytes.size());
    binary = bytes.substr(28 + json_size);
    EXPECT_EQ(document["buffers"][0]["byteLength"], binary.size());
  }

  static std::uint32_t word(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }

  template <class T>
  std::vector<T> read(const json& accessor) const {
    const json& view = document["bufferViews"][accessor["bufferView"].get<int>()];
    const std::size_t size = view["byteLength"], offset = view["byteOffset"];
    EXPECT_EQ(offset % 4, 0u);
    EXPECT_LE(offset + size, binary.size());
    std::vector<T> out(size / sizeof(T));
    std::memcpy(out.data(), binary.data() + offset, out.size() * sizeof(T));
    const std::string type = accessor["type"];
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    EXPECT_EQ(out.size(), accessor["count"].get<std::size_t>() * width);
    return out;
  }
  std::vector<float> floats(int accessor) const {
    EXPECT_EQ(document["accessors"][accessor]["componentType"], 5126);
    return read<float>(document["accessors"][accessor]);
  }

  int find_node(const std::string& name) const {
    for (std::size_t k = 0; k < document["nodes"].size(); ++k) {
      if (document["nodes"][k]["name"] == name) return static_cast<int>(k);
    }
    ADD_FAILURE() << "no node " << name;
    return -1;
  }
  const json& node(const std::string& name) const { return document["nodes"][find_node(name)]; }

  /// The sampler that moves a node, or null.
  json sampler(const std::string& name, const std::string& path) const {
    if (!document.contains("animations")) return nullptr;
    const int wanted = find_node(name);
    const json& animation = document["animations"][0];
    for (const json& channel : animation["channels"]) {
      if (channel["target"]["node"] == wanted && channel["target"]["path"] == path) {
        return animation["samplers"][channel["sampler"].get<int>()];
      }
    }
    return nullptr;
  }

  /// Played at time t: X_WB of a body's node, by linear and spherical interpolation.
  Pose play(const std::string& name, double t) const {
    const json rotation = sampler(name, "rotation");
    if (rotation.is_null()) return rest_pose(node(name));
    const std::vector<float> q = interpolate(rotation, 4, t);
    const std::vector<float> p = interpolate(sampler(name, "translation"), 3, t);
    return {Quat(q[3], q[0], q[1], q[2]).normalized(), Vec3(p[0], p[1], p[2])};
  }

  static Pose rest_pose(const json& node) {
    Pose X;
    if (node.contains("translation")) {
      for (int i = 0; i < 3; ++i) X.p[i] = node["translation"][i];
    }
    if (node.contains("rotation")) {
      const std::array<double, 4> q = node["rotation"];
      X.R = Quat(q[3], q[0], q[1], q[2]).toRotationMatrix();
    }
    return X;
  }

 private:
  std::vector<float> interpolate(const json& sampler, std::size_t width, double t) const {
    EXPECT_EQ(sampler["interpolation"], "LINEAR");
    const std::vector<float> times = floats(sampler["input"]);
    const std::vector<float> values = floats(sampler["output"]);
    EXPECT_EQ(values.size(), width * times.size());
    std::size_t s = 0;
    while (s + 2 < times.size() && times[s + 1] <= t) ++s;
    const double u = std::clamp((t - times[s]) / (times[s + 1] - times[s]), 0.0, 1.0);
    double dot = 0;
    for (std::size_t i = 0; i < width; ++i) {
      dot += double{values[width * s + i]} * values[width * (s + 1) + i];
    }
    double a = 1 - u, b = u;
    if (width == 4) {
      EXPECT_GE(dot, 0) << "the quaternion jumps to its negative";
      const double angle = std::acos(std::min(1.0, dot));
      if (angle > 1e-4) {
        a = std::sin((1 - u) * angle) / std::sin(angle);
        b = std::sin(u * angle) / std::sin(angle);
      }
    }
    std::vector<float> out(width);
    for (std::size_t i = 0; i < width; ++i) {
      out[i] = static_cast<float>(a * values[width * s + i] + b * values[width * (s + 1) + i]);
    }
    return out;
  }
};

}  // namespace geste::testing
