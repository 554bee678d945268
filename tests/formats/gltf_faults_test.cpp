#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "geste/formats/gltf.hpp"

#include "formats/gltf_builder.hpp"

// MV-10: a broken glTF file names its fault and never crashes, hangs or fills the memory.

namespace geste {
namespace {

using nlohmann::json;
using testing::GltfBuilder;
using testing::make_tetrahedron;

GltfBuilder make_sound() {
  GltfBuilder b = make_tetrahedron();
  b.add_node({{"mesh", 0}, {"name", "part"}});
  return b;
}

Error fault_of(const GltfBuilder& b) {
  const Result<Asset> asset = parse_glb(b.glb(), "bad.glb");
  EXPECT_FALSE(asset);
  return asset ? Error{} : asset.error();
}

/// What one change of a sound file draws.
Error fault_after(const std::function<void(json& doc)>& change) {
  GltfBuilder b = make_sound();
  change(b.doc);
  return fault_of(b);
}

TEST(GltfFaults, EveryTruncationIsNoticed) {
  const std::string bytes = make_sound().glb();
  ASSERT_TRUE(parse_glb(bytes, "whole.glb"));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_FALSE(parse_glb(std::string_view(bytes).substr(0, n), "cut.glb")) << n;
  }
  const Error error =
      parse_glb(std::string_view(bytes).substr(0, bytes.size() - 5), "cut.glb").error();
  EXPECT_EQ(error.code, "gltf.truncated");
  EXPECT_EQ(error.file, "cut.glb");
  EXPECT_NE(error.message.find("5 bytes are missing"), std::string::npos) << error.message;
}

TEST(GltfFaults, ContainerHeader) {
  std::string bytes = make_sound().glb();
  EXPECT_EQ(parse_glb("solid stl", "x.glb").error().code, "gltf.not_glb");
  bytes[4] = 1;
  EXPECT_EQ(parse_glb(bytes, "x.glb").error().code, "gltf.version");
  bytes[4] = 2;
  bytes[16] = 'X';
  EXPECT_EQ(parse_glb(bytes, "x.glb").error().code, "gltf.glb_chunk");
  bytes[16] = 'J';
  bytes[15] = 0x7F;  // a first chunk of 2 GB
  EXPECT_EQ(parse_glb(bytes, "x.glb").error().code, "gltf.truncated");
  bytes = make_sound().glb() + "tail";
  const Result<Asset> asset = parse_glb(bytes, "x.glb");
  ASSERT_TRUE(asset);
  EXPECT_EQ(asset->notes.at(0).code, "gltf.trailing_bytes");
}

TEST(GltfFaults, JsonNamesLineAndColumn) {
  const Error error =
      parse_gltf("{\"asset\": {\"version\": \"2.0\"},\n  \"nodes\": [1, ,]}", "x.gltf").error();
  EXPECT_EQ(error.code, "gltf.json");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.column, 16);
  const Error binary = parse_glb(GltfBuilder::pack("{\"asset\"; ", ""), "x.glb").error();
  EXPECT_NE(binary.message.find("byte 28"), std::string::npos) << binary.message;
  EXPECT_EQ(parse_gltf("{\"asset\": 1e999}", "x.gltf").error().code, "gltf.json");
  EXPECT_EQ(parse_gltf(std::string(100000, '['), "x.gltf").error().code, "gltf.json");
  EXPECT_EQ(parse_gltf("[]", "x.gltf").error().code, "gltf.wrong_type");
  EXPECT_EQ(parse_gltf("{}", "x.gltf").error().code, "gltf.missing_key");
  EXPECT_EQ(parse_gltf(R"({"asset": {"version": "1.0"}})", "x.gltf").error().code, "gltf.version");
}

TEST(GltfFaults, WrongTypesAndReferences) {
  const auto expect = [](const char* code, const char* element,
                         const std::function<void(json&)>& change) {
    const Error error = fault_after(change);
    EXPECT_EQ(error.code, code) << to_text(error);
    EXPECT_EQ(error.element, element) << to_text(error);
    EXPECT_FALSE(error.remedy.empty());
  };
  expect("gltf.wrong_type", "node 0", [](json& d) { d["nodes"][0] = 3; });
  expect("gltf.wrong_type", "node 0 'part'", [](json& d) { d["nodes"][0]["mesh"] = "zero"; });
  expect("gltf.wrong_type", "node 0 'part'", [](json& d) { d["nodes"][0]["mesh"] = -1; });
  expect("gltf.wrong_type", "node 0 'part'", [](json& d) { d["nodes"][0]["scale"] = {1, 2}; });
  expect("gltf.wrong_type", "", [](json& d) { d["accessors"] = 7; });
  expect("gltf.no_such_item", "node 0 'part'", [](json& d) { d["nodes"][0]["mesh"] = 9; });
  expect("gltf.no_such_item", "node 0 'part'", [](json& d) { d["nodes"][0]["children"] = {4}; });
  expect("gltf.no_such_item", "accessor 0", [](json& d) { d["accessors"][0]["bufferView"] = 9; });
  expect("gltf.no_such_item", "mesh 0 'tetra', primitive 0",
         [](json& d) { d["meshes"][0]["primitives"][0]["indices"] = 9; });
  expect("gltf.missing_key", "accessor 1", [](json& d) { d["accessors"][1].erase("count"); });
  expect("gltf.missing_key", "mesh 0 'tetra'", [](json& d) { d["meshes"][0].erase("primitives"); });
  expect("gltf.component_type", "accessor 1",
         [](json& d) { d["accessors"][1]["componentType"] = 5124; });
  expect("gltf.accessor_type", "accessor 1",
         [](json& d) { d["accessors"][1]["componentType"] = 5122; });
  expect("gltf.accessor_type", "accessor 0", [](json& d) { d["accessors"][0]["type"] = "VEC2"; });
  expect("gltf.accessor_type", "accessor 0", [](json& d) { d["accessors"][0]["type"] = "VEC7"; });
  expect("gltf.mode", "mesh 0 'tetra', primitive 0",
         [](json& d) { d["meshes"][0]["primitives"][0]["mode"] = 7; });
  expect("gltf.rotation", "node 0 'part'", [](json& d) {
    d["nodes"][0]["rotation"] = {0, 0, 0, 0};
  });
  expect("gltf.matrix", "node 0 'part'", [](json& d) {
    d["nodes"][0]["matrix"] = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
  });
  expect("asset.placement_not_finite", "part 'part'", [](json& d) {
    d["nodes"][0]["scale"] = {1e300, 1e300, 1e308};
  });
}

TEST(GltfFaults, RangesOfAccessorsAndViews) {
  Error error = fault_after([](json& d) { d["accessors"][0]["count"] = 5; });
  EXPECT_EQ(error.code, "gltf.accessor_range");
  EXPECT_EQ(error.element, "accessor 0");
  error = fault_after([](json& d) { d["accessors"][0]["byteOffset"] = 1; });
  EXPECT_EQ(error.code, "gltf.accessor_range");
  error = fault_after([](json& d) { d["bufferViews"][0]["byteStride"] = 8; });
  EXPECT_EQ(error.code, "gltf.stride");
  error = fault_after([](json& d) { d["bufferViews"][0]["byteStride"] = 1 << 30; });
  EXPECT_EQ(error.code, "gltf.stride");
  error = fault_after([](json& d) { d["bufferViews"][1]["byteLength"] = 1000; });
  EXPECT_EQ(error.code, "gltf.view_range");
  error = fault_after([](json& d) { d["bufferViews"][1]["byteOffset"] = 9007199254740991; });
  EXPECT_EQ(error.code, "gltf.view_range");
  error = fault_after([](json& d) { d["buffers"] = json::parse(R"([{"byteLength": 5000}])"); });
  EXPECT_EQ(error.code, "gltf.buffer_short");
  error = fault_after([](json& d) { d["accessors"][0]["count"] = 3; });
  EXPECT_EQ(error.code, "gltf.index_range");
  EXPECT_NE(error.message.find("index 5 names vertex 3, but there are 3"), std::string::npos);
}

TEST(GltfFaults, SeveralFaultsAreReportedTogether) {
  const Error error = fault_after([](json& d) {
    d["nodes"][0]["mesh"] = 9;
    d["accessors"][1].erase("count");
    for (int i = 0; i < 100; ++i) d["materials"].push_back(i);
  });
  EXPECT_EQ(error.code, "gltf.missing_key");
  ASSERT_EQ(error.also.size(), 20u);
  EXPECT_EQ(error.also.back().message, "82 more faults");
}

TEST(GltfFaults, NotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    GltfBuilder b = make_sound();
    std::memcpy(b.bin.data() + 16, &bad, sizeof bad);
    EXPECT_EQ(fault_of(b).code, "gltf.not_finite");
  }
}

TEST(GltfFaults, NodeTree) {
  Error error = fault_after([](json& d) { d["nodes"][0]["children"] = {0}; });
  EXPECT_EQ(error.code, "gltf.cycle");
  error = fault_after([](json& d) {
    d["nodes"].push_back({{"children", {2}}});
    d["nodes"].push_back({{"children", {1}}});
  });
  EXPECT_EQ(error.code, "gltf.cycle");
  EXPECT_EQ(error.element, "node 1");
  error = fault_after([](json& d) {
    d["nodes"].push_back({{"children", {0}}});
    d["nodes"].push_back({{"children", {0}}});
  });
  EXPECT_EQ(error.code, "gltf.two_parents");
  EXPECT_EQ(error.element, "node 0 'part'");
  error = fault_after([](json& d) { d["scenes"] = json::parse(R"([{"nodes": [0, 0]}])"); });
  EXPECT_EQ(error.code, "gltf.scene_root");
  error = fault_after([](json& d) { d["scene"] = 3; });
  EXPECT_EQ(error.code, "gltf.no_such_item");
}

TEST(GltfFaults, CompressionNamesARemedy) {
  for (const char* name : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}) {
    const Error error = fault_after([&](json& d) { d["extensionsRequired"] = {name}; });
    EXPECT_EQ(error.code, "gltf.compressed");
    EXPECT_NE(error.message.find(name), std::string::npos);
    EXPECT_NE(error.remedy.find("without mesh compression"), std::string::npos);
  }
  GltfBuilder b = make_sound();
  b.doc["extensionsRequired"] = {"ACME_wobble", "KHR_materials_unlit"};
  const Result<Asset> asset = parse_glb(b.glb(), "x.glb");
  ASSERT_TRUE(asset);
  ASSERT_EQ(asset->notes.size(), 1u);
  EXPECT_EQ(asset->notes[0].code, "gltf.unknown_extension");
}

TEST(GltfFaults, BufferUris) {
  const GltfBuilder b = make_sound();
  const auto code = [&](const std::string& uri) {
    return parse_gltf(b.gltf(uri), "x.gltf").error().code;
  };
  EXPECT_EQ(code("/etc/passwd"), "gltf.buffer_uri");
  EXPECT_EQ(code("%2Fetc/passwd"), "gltf.buffer_uri");
  EXPECT_EQ(code("https://example.org/a.bin"), "gltf.buffer_uri");
  EXPECT_EQ(code("file:///a.bin"), "gltf.buffer_uri");
  EXPECT_EQ(code("C:\\a.bin"), "gltf.buffer_uri");
  EXPECT_EQ(code("a%00.bin"), "gltf.buffer_uri");
  EXPECT_EQ(code(""), "gltf.buffer_uri");
  EXPECT_EQ(code("a.bin"), "gltf.buffer_elsewhere");
  EXPECT_EQ(code("data:application/octet-stream;base64,AA*A"), "gltf.data_uri");
  EXPECT_EQ(code("data:,hello"), "gltf.data_uri");
  EXPECT_EQ(code("data:;base64,AAAA"), "gltf.buffer_short");
}

// A small file must not unfold to a large one.

TEST(GltfFaults, BillionsOfZerosAreRefused) {
  const Error error = fault_after([](json& d) {
    d["accessors"][0].erase("bufferView");
    d["accessors"][0]["count"] = 4'000'000'000u;
  });
  EXPECT_EQ(error.code, "gltf.too_large");
  const Error more = fault_after([](json& d) {
    d["accessors"][0].erase("bufferView");
    d["accessors"][0]["count"] = 5'000'000'000u;
  });
  EXPECT_EQ(more.code, "gltf.accessor_count");
}

TEST(GltfFaults, RepeatedAccessorsAreRefused) {
  GltfBuilder b = make_sound();
  const auto big = b.add_accessor(std::vector<std::uint16_t>(30000, 1), "SCALAR");
  for (int i = 0; i < 1000; ++i) {
    b.doc["meshes"][0]["primitives"].push_back(GltfBuilder::indexed(0, big));
  }
  EXPECT_EQ(fault_of(b).code, "gltf.too_large");
}

TEST(GltfFaults, LongNamesOverManyNodesAreRefused) {
  GltfBuilder b = make_tetrahedron();
  json children = json::array();
  for (int i = 1; i <= 2000; ++i) children.push_back(i);
  b.add_node({{"name", std::string(100000, 'n')}, {"children", children}});
  for (int i = 1; i <= 2000; ++i) b.add_node({{"mesh", 0}});
  EXPECT_EQ(fault_of(b).code, "gltf.too_large");
}

TEST(GltfFaults, NothingToShow) {
  EXPECT_EQ(fault_after([](json& d) { d.erase("nodes"); }).code, "asset.empty");
}

TEST(GltfFaults, AnyFlippedByteIsSurvived) {
  const std::string bytes = make_sound().glb();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned bit : {0u, 3u, 5u, 7u}) {
      std::string copy = bytes;
      copy[i] = static_cast<char>(copy[i] ^ (1u << bit));
      const Result<Asset> asset = parse_glb(copy, "flip.glb");
      if (!asset) {
        EXPECT_FALSE(asset.error().code.empty());
      }
    }
  }
}

}  // namespace
}  // namespace geste
