#include "geste/formats/gltf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geste/core/files.hpp"

#include "formats/gltf_builder.hpp"

// MV-10: part names, instancing and shape of glTF files arrive as the file states them.

namespace geste {
namespace {

using testing::GltfBuilder;
using testing::make_tetrahedron;

Asset parse_ok(const GltfBuilder& b) {
  Result<Asset> asset = parse_glb(b.glb(), "hand.glb");
  EXPECT_TRUE(asset) << to_text(asset.error());
  return asset ? std::move(*asset) : Asset{};
}

bool has_note(const Asset& asset, const std::string& code) {
  return std::any_of(asset.notes.begin(), asset.notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

TriangleMesh world_mesh(const Asset& asset, std::size_t instance) {
  const AssetInstance& i = asset.instances.at(instance);
  return transformed(*asset.meshes.at(i.mesh).mesh, i.A, i.t);
}

// ---- primitives ----

TEST(Gltf, IndexedTriangles) {
  GltfBuilder b = make_tetrahedron();
  b.add_node({{"mesh", 0}, {"name", "one"}});
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.meshes.size(), 1u);
  ASSERT_EQ(asset.instances.size(), 1u);
  EXPECT_EQ(asset.format, "glTF");
  EXPECT_EQ(asset.unit, "m");
  EXPECT_EQ(asset.up, UpAxis::y);
  EXPECT_EQ(asset.meshes[0].name, "tetra");
  EXPECT_EQ(asset.instances[0].name, "one");
  EXPECT_EQ(asset.instances[0].path, "one");
  EXPECT_TRUE(asset.meshes[0].report.closed);
  EXPECT_DOUBLE_EQ(compute_volume(*asset.meshes[0].mesh), 2 * 3 * 4 / 6.0);
  EXPECT_TRUE(asset.notes.empty());
}

TEST(Gltf, EveryIndexWidthAndNoIndices) {
  const auto with = [](auto type) {
    GltfBuilder b;
    const std::size_t p = b.add_accessor(testing::tetrahedron_corners(2, 3, 4), "VEC3");
    const std::vector<decltype(type)> indices(testing::kTetrahedron.begin(),
                                              testing::kTetrahedron.end());
    b.add_mesh({GltfBuilder::indexed(p, b.add_accessor(indices, "SCALAR"))});
    b.add_node({{"mesh", 0}});
    return compute_volume(*parse_ok(b).meshes.at(0).mesh);
  };
  EXPECT_DOUBLE_EQ(with(std::uint8_t{}), 4);
  EXPECT_DOUBLE_EQ(with(std::uint16_t{}), 4);
  EXPECT_DOUBLE_EQ(with(std::uint32_t{}), 4);

  GltfBuilder b;
  const std::vector<float> corners = testing::tetrahedron_corners(2, 3, 4);
  std::vector<float> soup;
  for (const std::uint16_t i : testing::kTetrahedron) {
    soup.insert(soup.end(), corners.begin() + 3 * i, corners.begin() + 3 * i + 3);
  }
  b.add_mesh({GltfBuilder::primitive(b.add_accessor(soup, "VEC3"))});
  b.add_node({{"mesh", 0}});
  const Asset asset = parse_ok(b);
  EXPECT_EQ(asset.meshes.at(0).mesh->vertices.size(), 4u);
  EXPECT_DOUBLE_EQ(compute_volume(*asset.meshes[0].mesh), 4);
}

/// Signed area of an open mesh in the plane z = 0: positive where it faces up.
double area_facing_up(const TriangleMesh& mesh) {
  double twice = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    twice += (b - a).cross(c - a).z();
  }
  return twice / 2;
}

TEST(Gltf, StripsAndFansKeepTheirSense) {
  GltfBuilder strip;
  // A ladder of 5 corners: 3 triangles, each of area 1/2.
  strip.add_mesh({GltfBuilder::primitive(
      strip.add_accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0}, "VEC3"), 5)});
  strip.add_node({{"mesh", 0}});
  const Asset ladder = parse_ok(strip);
  EXPECT_EQ(ladder.meshes.at(0).mesh->triangles.size(), 3u);
  EXPECT_DOUBLE_EQ(area_facing_up(*ladder.meshes[0].mesh), 1.5);

  GltfBuilder fan;
  fan.add_mesh({GltfBuilder::primitive(
      fan.add_accessor<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 0}, "VEC3"), 6)});
  fan.add_node({{"mesh", 0}});
  const Asset wheel = parse_ok(fan);
  EXPECT_EQ(wheel.meshes.at(0).mesh->triangles.size(), 3u);
  EXPECT_DOUBLE_EQ(area_facing_up(*wheel.meshes[0].mesh), 1.5);
}

TEST(Gltf, LinesAndPointsAreLeftOutWithOneNote) {
  GltfBuilder b = make_tetrahedron();
  auto& primitives = b.doc["meshes"][0]["primitives"];
  primitives.push_back(GltfBuilder::primitive(0, 0));
  primitives.push_back(GltfBuilder::primitive(0, 1));
  primitives.push_back(GltfBuilder::primitive(0, 3));
  b.add_node({{"mesh", 0}});
  const Asset asset = parse_ok(b);
  EXPECT_EQ(asset.meshes.at(0).mesh->triangles.size(), 4u);
  ASSERT_EQ(asset.notes.size(), 1u);
  EXPECT_EQ(asset.notes[0].code, "gltf.no_surface");
  EXPECT_NE(asset.notes[0].message.find("2 more"), std::string::npos);
  EXPECT_EQ(asset.notes[0].element, "mesh 0 'tetra', primitive 1");
}

TEST(Gltf, PrimitivesOfAMeshAreJoinedAndTheFirstColourIsKept) {
  GltfBuilder b = make_tetrahedron();
  b.doc["materials"] = nlohmann::json::parse(
      R"([{"pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4]}},
          {"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}}])");
  auto& primitives = b.doc["meshes"][0]["primitives"];
  primitives[0]["material"] = 0;
  const auto far = b.add_accessor<float>({9, 0, 0, 10, 0, 0, 9, 1, 0}, "VEC3");
  primitives.push_back(GltfBuilder::primitive(far));
  primitives[1]["material"] = 1;
  b.add_node({{"mesh", 0}});
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.meshes.size(), 1u);
  EXPECT_EQ(asset.meshes[0].mesh->triangles.size(), 5u);
  EXPECT_EQ(asset.meshes[0].mesh->vertices.size(), 7u);
  ASSERT_TRUE(asset.meshes[0].colour);
  EXPECT_DOUBLE_EQ(asset.meshes[0].colour->b, 0.3);
  EXPECT_DOUBLE_EQ(asset.meshes[0].colour->a, 0.4);
  EXPECT_TRUE(has_note(asset, "gltf.several_colours"));
}

TEST(Gltf, InterleavedVerticesWithStrideAndOffset) {
  GltfBuilder b = make_tetrahedron();
  // Position, then a normal to step over, twelve bytes in.
  std::vector<float> data = {7, 7, 7};
  const std::vector<float> corners = testing::tetrahedron_corners(2, 3, 4);
  for (int i = 0; i < 4; ++i) {
    data.insert(data.end(), corners.begin() + 3 * i, corners.begin() + 3 * i + 3);
    data.insert(data.end(), {5, 5, 5});
  }
  const std::size_t view = b.add_view(data);
  b.doc["bufferViews"][view]["byteStride"] = 24;
  b.doc["accessors"][0]["bufferView"] = view;
  b.doc["accessors"][0]["byteOffset"] = 12;
  b.add_node({{"mesh", 0}});
  EXPECT_DOUBLE_EQ(compute_volume(*parse_ok(b).meshes.at(0).mesh), 4);
}

TEST(Gltf, SparseElementsReplaceOthersAlsoOverZeros) {
  for (const bool zeros : {false, true}) {
    GltfBuilder b = make_tetrahedron();
    b.add_node({{"mesh", 0}});
    auto& accessor = b.doc["accessors"][0];
    const std::vector<std::uint8_t> which =
        zeros ? std::vector<std::uint8_t>{1, 2, 3} : std::vector<std::uint8_t>{3};
    const std::vector<float> values =
        zeros ? std::vector<float>{2, 0, 0, 0, 3, 0, 0, 0, 8} : std::vector<float>{0, 0, 8};
    const std::size_t index_view = b.add_view(which), value_view = b.add_view(values);
    if (zeros) accessor.erase("bufferView");
    accessor["sparse"] = {{"count", which.size()},
                          {"indices", {{"bufferView", index_view}, {"componentType", 5121}}},
                          {"values", {{"bufferView", value_view}}}};
    EXPECT_DOUBLE_EQ(compute_volume(*parse_ok(b).meshes.at(0).mesh), 8) << zeros;
  }
}

TEST(Gltf, QuantisedPositions) {
  GltfBuilder b;
  b.doc["extensionsRequired"] = {"KHR_mesh_quantization"};
  // -32768 stands for -1, as -32767 does.
  const auto p =
      b.add_accessor<std::int16_t>({-32768, 0, 0, 32767, 0, 0, 0, 32767, 0, 0, 0, 16384}, "VEC3");
  b.doc["accessors"][p]["normalized"] = true;
  const auto q = b.add_accessor<std::uint8_t>({0, 0, 0, 200, 0, 0, 0, 255, 0, 0, 0, 10}, "VEC3");
  const auto i = b.add_accessor(testing::kTetrahedron, "SCALAR");
  b.add_mesh({GltfBuilder::indexed(p, i)});
  b.add_mesh({GltfBuilder::indexed(q, i)});
  b.add_node({{"mesh", 0}});
  b.add_node({{"mesh", 1}, {"scale", {0.01, 0.01, 0.01}}});
  const Asset asset = parse_ok(b);
  const AxisBox box = compute_box(*asset.meshes.at(0).mesh);
  EXPECT_EQ(box.min, Vec3(-1, 0, 0));
  EXPECT_EQ(box.max, Vec3(1, 1, 16384.0 / 32767));
  EXPECT_TRUE(compute_box(world_mesh(asset, 1)).max.isApprox(Vec3(2, 2.55, 0.1), 1e-12));
}

TEST(Gltf, MeshesThatShareOneVertexBufferTakeOnlyTheirPart) {
  GltfBuilder b;
  std::vector<float> many(3 * 5000, 0.5f);
  const std::vector<float> corners = testing::tetrahedron_corners(2, 3, 4);
  std::copy(corners.begin(), corners.end(), many.begin() + 3 * 4000);
  std::copy(corners.begin() + 9, corners.end(), many.begin() + 3 * 10);  // the top, far from there
  std::vector<std::uint16_t> near, far;
  for (const std::uint16_t i : testing::kTetrahedron) {
    near.push_back(static_cast<std::uint16_t>(4000 + i));
    far.push_back(static_cast<std::uint16_t>(i == 3 ? 10 : 4000 + i));
  }
  const auto p = b.add_accessor(many, "VEC3");
  b.add_mesh({GltfBuilder::indexed(p, b.add_accessor(near, "SCALAR"))}, "near");
  b.add_mesh({GltfBuilder::indexed(p, b.add_accessor(far, "SCALAR"))}, "far");
  b.add_node({{"mesh", 0}});
  b.add_node({{"mesh", 1}});
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.meshes.size(), 2u);
  for (const AssetMesh& mesh : asset.meshes) {
    EXPECT_EQ(mesh.mesh->vertices.size(), 4u);
    EXPECT_EQ(mesh.report.unused_vertices, 0u);
    EXPECT_DOUBLE_EQ(compute_volume(*mesh.mesh), 4);
  }
}

TEST(Gltf, MeshesWithEqualAccessorsShareTheSurface) {
  GltfBuilder b = make_tetrahedron();
  b.doc["meshes"].push_back(b.doc["meshes"][0]);
  b.doc["meshes"][1]["name"] = "painted";
  b.add_node({{"mesh", 0}});
  b.add_node({{"mesh", 1}});
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.meshes.size(), 2u);
  EXPECT_EQ(asset.meshes[0].mesh, asset.meshes[1].mesh);
  EXPECT_EQ(asset.meshes[1].name, "painted");
}

// ---- nodes ----

TEST(Gltf, TheTreeOfNodesIsKept) {
  GltfBuilder b = make_tetrahedron();
  b.add_node({{"name", "machine"}, {"children", {1, 2, 4}}});
  b.add_node({{"name", "plate"}, {"mesh", 0}});
  b.add_node({{"name", "door"}, {"mesh", 0}, {"children", {3}}});  // a part that holds another
  b.add_node({{"name", "handle"}, {"mesh", 0}});
  b.add_node({{"name", "light"}, {"children", {5}}});  // holds nothing to see
  b.add_node({{"name", "lamp"}});
  const Asset asset = parse_ok(b);
  std::vector<std::pair<std::string, int>> tree;
  for (const AssetAssembly& a : asset.assemblies) tree.emplace_back(a.name, a.parent);
  EXPECT_EQ(tree, (std::vector<std::pair<std::string, int>>{{"machine", -1}, {"door", 0}}));
  std::vector<std::pair<std::string, int>> parts;
  for (const AssetInstance& i : asset.instances) parts.emplace_back(i.name, i.assembly);
  EXPECT_EQ(parts,
            (std::vector<std::pair<std::string, int>>{{"plate", 0}, {"door", 1}, {"handle", 1}}));
}

TEST(Gltf, PlacementsAccumulateAlongTheTree) {
  GltfBuilder b = make_tetrahedron();
  // Rotation by +90 degrees about z: x goes to y.
  const double h = std::sqrt(0.5);
  b.add_node({{"name", "arm"},
              {"translation", {10, 0, 0}},
              {"rotation", {0, 0, h, h}},
              {"children", {1, 2}}});
  b.add_node({{"mesh", 0}, {"name", "hand"}, {"translation", {1, 2, 3}}, {"scale", {2, 1, 1}}});
  b.add_node({{"mesh", 0},
              {"name", "hand"},
              {"matrix", {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 5, 6, 7, 1}}});
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.meshes.size(), 1u);
  ASSERT_EQ(asset.instances.size(), 2u);
  EXPECT_EQ(asset.instances[0].name, "hand");
  EXPECT_EQ(asset.instances[1].name, "hand_2");
  EXPECT_EQ(asset.instances[1].path, "arm/hand");
  ASSERT_EQ(asset.assemblies.size(), 1u);
  EXPECT_EQ(asset.assemblies[0].name, "arm");
  EXPECT_EQ(asset.instances[1].assembly, 0);
  const auto at = [&](std::size_t i, const Vec3& p) {
    return Vec3(asset.instances[i].A * p + asset.instances[i].t);
  };
  EXPECT_TRUE(at(0, Vec3(0, 0, 0)).isApprox(Vec3(8, 1, 3), 1e-12));
  EXPECT_TRUE(at(0, Vec3(1, 0, 0)).isApprox(Vec3(8, 3, 3), 1e-12));
  EXPECT_TRUE(at(1, Vec3(0, 0, 0)).isApprox(Vec3(4, 5, 7), 1e-12));
  EXPECT_TRUE(at(1, Vec3(0, 1, 0)).isApprox(Vec3(4, 5, 8), 1e-12));  // y to z
  EXPECT_TRUE(at(1, Vec3(0, 0, 1)).isApprox(Vec3(5, 5, 7), 1e-12));  // z to -y, then to x
}

TEST(Gltf, AMirroredNodeKeepsOutsideOutside) {
  GltfBuilder b = make_tetrahedron();
  b.add_node({{"mesh", 0}, {"scale", {-1, 1, 1}}});
  const Asset asset = parse_ok(b);
  EXPECT_LT(asset.instances.at(0).A.determinant(), 0);
  const TriangleMesh world = world_mesh(asset, 0);
  EXPECT_DOUBLE_EQ(compute_volume(world), 4);
  EXPECT_DOUBLE_EQ(compute_box(world).min.x(), -2);
}

TEST(Gltf, OnlyTheDefaultSceneIsRead) {
  GltfBuilder b = make_tetrahedron();
  b.doc["meshes"].push_back(b.doc["meshes"][0]);
  b.add_node({{"mesh", 0}, {"name", "a"}});
  b.add_node({{"mesh", 0}, {"name", "b"}});
  b.add_node({{"mesh", 1}, {"name", "c"}});
  EXPECT_EQ(parse_ok(b).instances.size(), 3u);  // no scene: every root
  b.doc["scenes"] = nlohmann::json::parse(R"([{"nodes": [0]}, {"nodes": [1, 0]}])");
  EXPECT_EQ(parse_ok(b).instances.size(), 1u);  // no default: the first
  b.doc["scene"] = 1;
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.instances.size(), 2u);
  EXPECT_EQ(asset.instances[0].name, "b");
  EXPECT_TRUE(has_note(asset, "gltf.scenes"));
  EXPECT_TRUE(has_note(asset, "gltf.unused_mesh"));
}

TEST(Gltf, GpuInstancingGivesOneInstancePerPlacement) {
  GltfBuilder b = make_tetrahedron();
  b.doc["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
  const float h = std::sqrt(0.5f);
  const auto t = b.add_accessor<float>({1, 0, 0, 2, 0, 0}, "VEC3");
  const auto r = b.add_accessor<float>({0, 0, 0, 1, 0, 0, h, h}, "VEC4");
  const auto s = b.add_accessor<float>({1, 1, 1, 2, 2, 2}, "VEC3");
  b.add_node({{"mesh", 0},
              {"name", "bolt"},
              {"translation", {0, 0, 100}},
              {"extensions",
               {{"EXT_mesh_gpu_instancing",
                 {{"attributes", {{"TRANSLATION", t}, {"ROTATION", r}, {"SCALE", s}}}}}}}});
  const Asset asset = parse_ok(b);
  ASSERT_EQ(asset.instances.size(), 2u);
  EXPECT_EQ(asset.instances[1].name, "bolt_2");
  EXPECT_TRUE(asset.instances[0].t.isApprox(Vec3(1, 0, 100)));
  const Vec3 p = asset.instances[1].A * Vec3(1, 0, 0) + asset.instances[1].t;
  EXPECT_TRUE(p.isApprox(Vec3(2, 2, 100), 1e-7));
}

TEST(Gltf, AChainOfManyNodesIsNoStackOverflow) {
  GltfBuilder b = make_tetrahedron();
  constexpr int kDepth = 20000;
  for (int i = 0; i < kDepth; ++i) {
    b.add_node({{"children", {i + 1}}, {"translation", {1, 0, 0}}});
  }
  b.add_node({{"mesh", 0}});
  EXPECT_EQ(parse_ok(b).instances.at(0).t, Vec3(kDepth, 0, 0));
}

TEST(Gltf, UnnamedNodesTakeTheirMeshesNames) {
  GltfBuilder b = make_tetrahedron();
  b.add_node({{"children", {1, 2}}});
  b.add_node({{"mesh", 0}});
  b.add_node({{"mesh", 0}});
  const Asset asset = parse_ok(b);
  EXPECT_EQ(asset.instances.at(0).name, "tetra");
  EXPECT_EQ(asset.instances.at(0).path, "node_0/tetra");
  EXPECT_EQ(asset.instances.at(1).name, "tetra_2");
}

// ---- buffers ----

TEST(Gltf, DataUriAndFileBesideTheModel) {
  GltfBuilder b = make_tetrahedron();
  b.add_node({{"mesh", 0}});
  Result<Asset> embedded = parse_gltf(b.gltf(), "hand.gltf");
  ASSERT_TRUE(embedded) << to_text(embedded.error());
  EXPECT_DOUBLE_EQ(compute_volume(*embedded->meshes.at(0).mesh), 4);

  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "gltf_beside";
  std::filesystem::create_directories(folder / "sub");
  ASSERT_TRUE(write_file_atomically(folder / "my part.bin", b.bin));
  ASSERT_TRUE(write_file_atomically(folder / "a.gltf", b.gltf("my%20part.bin")));
  ASSERT_TRUE(write_file_atomically(folder / "sub/b.gltf", b.gltf("../my%20part.bin")));
  ASSERT_TRUE(write_file_atomically(folder / "c.gltf", b.glb()));  // content decides
  for (const char* name : {"a.gltf", "sub/b.gltf", "c.gltf"}) {
    Result<Asset> loaded = load_gltf(folder / name);
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    EXPECT_DOUBLE_EQ(compute_volume(*loaded->meshes.at(0).mesh), 4);
  }
  ASSERT_TRUE(write_file_atomically(folder / "d.gltf", b.gltf("absent.bin")));
  EXPECT_EQ(load_gltf(folder / "d.gltf").error().code, "gltf.buffer_missing");
}

}  // namespace
}  // namespace geste
