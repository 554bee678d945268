#include "geste/formats/load_asset.hpp"

#include <gtest/gtest.h>

#include "geste/core/files.hpp"

#include "formats/gltf_builder.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTextStl =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
    "endfacet\nendsolid s\n";
constexpr const char* kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string make_glb() {
  testing::GltfBuilder b = testing::make_tetrahedron();
  b.add_node({{"mesh", 0}});
  return b.glb();
}

fs::path write(const char* name, const std::string& bytes) {
  const fs::path folder = fs::path(::testing::TempDir()) / "load_asset";
  fs::create_directories(folder);
  EXPECT_TRUE(write_file_atomically(folder / name, bytes));
  return folder / name;
}

TEST(LoadAsset, PicksTheReaderByExtension) {
  EXPECT_EQ(load_asset(write("a.stl", kTextStl)).value().format, "STL");
  EXPECT_EQ(load_asset(write("a.OBJ", kObj)).value().format, "OBJ");
  EXPECT_EQ(load_asset(write("a.glb", make_glb())).value().format, "glTF");
  EXPECT_EQ(load_asset(write("a.gltf", make_glb())).value().format, "glTF");
}

TEST(LoadAsset, UnknownExtensionListsTheKnownOnes) {
  const Error error = load_asset(write("a.blend", "BLENDER")).error();
  EXPECT_EQ(error.code, "asset.unknown_format");
  EXPECT_NE(error.message.find(".blend"), std::string::npos);
  for (const char* known : {".stl", ".obj", ".dae", ".gltf", ".glb"}) {
    EXPECT_NE(error.remedy.find(known), std::string::npos) << known;
  }
  EXPECT_EQ(load_asset(write("noextension", "x")).error().code, "asset.unknown_format");
}

TEST(LoadAsset, AnExtensionThatLiesIsNamed) {
  const Error error = load_asset(write("lie.stl", make_glb())).error();
  EXPECT_EQ(error.code, "asset.other_content");
  EXPECT_NE(error.message.find("named .stl but holds glTF"), std::string::npos) << error.message;
  const auto code = [](const char* name, const std::string& bytes) {
    return load_asset(write(name, bytes)).error().code;
  };
  EXPECT_EQ(code("lie.glb", kTextStl), "asset.other_content");
  EXPECT_EQ(code("lie.obj", "<?xml version=\"1.0\"?>\n<COLLADA/>"), "asset.other_content");
  EXPECT_EQ(code("lie.dae", "ISO-10303-21;\nHEADER;"), "asset.other_content");
  EXPECT_EQ(code("lie2.dae", "{ \"asset\": {} }"), "asset.other_content");
  EXPECT_EQ(code("lie3.dae", "\xEF\xBB\xBFISO-10303-21;\nHEADER;"), "asset.other_content");
}

TEST(LoadAsset, ADamagedGlbIsCalledOneWhateverTheCaseOfItsName) {
  const auto code = [](const char* name) {
    return load_asset(write(name, "damaged beyond its magic number")).error().code;
  };
  EXPECT_EQ(code("a.GLB"), code("b.glb"));
  EXPECT_NE(code("a.GLB"), code("c.gltf"));
}

TEST(LoadAsset, AMissingFileIsSaidToBeMissing) {
  EXPECT_EQ(load_asset("nowhere/part.stl").error().code, "file.missing");
}

}  // namespace
}  // namespace geste
