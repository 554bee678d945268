#include "geste/formats/stl.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "geste/geometry/shape.hpp"

#include "formats/mesh_oracle.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::shared_data;

std::string write_binary(const TriangleMesh& mesh, std::string header = "made by a test") {
  std::string bytes = std::move(header);
  bytes.resize(80, ' ');
  const auto put = [&bytes](auto value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put(0.0f);
    for (const std::uint32_t v : t) {
      for (int k = 0; k < 3; ++k) put(static_cast<float>(mesh.vertices[v][k]));
    }
    put(std::uint16_t{0});
  }
  return bytes;
}

std::string write_text(const TriangleMesh& mesh, const std::string& name) {
  std::string text = "solid " + name + "\n";
  for (const Triangle& t : mesh.triangles) {
    text += "  facet normal 0 0 nan\n    outer loop\n";
    for (const std::uint32_t v : t) {
      const Vec3& p = mesh.vertices[v];
      text += fmt::format("      vertex {} {:e} {}\n", p.x(), p.y(), p.z());
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

TriangleMesh make_random_mesh(int triangles) {
  std::mt19937 random(42);
  std::normal_distribution<float> normal(0, 10);
  TriangleMesh mesh;
  for (int i = 0; i < triangles; ++i) {
    for (int k = 0; k < 3; ++k) {
      mesh.vertices.emplace_back(normal(random), normal(random), normal(random));
    }
    const auto n = static_cast<std::uint32_t>(3 * i);
    mesh.triangles.push_back({n, n + 1, n + 2});
  }
  return mesh;
}

Error stl_error(std::string_view bytes) {
  const Result<Asset> asset = parse_stl(bytes, "part.stl");
  if (asset) {
    ADD_FAILURE() << "was read without an error";
    return {};
  }
  EXPECT_EQ(asset.error().file, "part.stl");
  EXPECT_FALSE(asset.error().remedy.empty());
  return asset.error();
}

TEST(Stl, ReadsTheSameTrianglesAsAssimp) {
  const auto folder = shared_data();
  GESTE_NEEDS_DATA(folder);
  std::size_t files = 0;
  for (const char* part : {"robots", "rigid"}) {
    for (const auto& path : testing::find_by_extension(folder / part, ".stl")) {
      const Result<Asset> asset = load_stl(path);
      ASSERT_TRUE(asset) << to_text(asset.error());
      testing::expect_same_triangles(*asset, testing::read_with_assimp(path), path.string());
      ++files;
    }
  }
  EXPECT_GT(files, 50u);
}

TEST(Stl, RoundTripsBinaryBitByBit) {
  const TriangleMesh mesh = make_random_mesh(500);
  const Result<Asset> asset = parse_stl(write_binary(mesh), "dir/bracket.stl");
  ASSERT_TRUE(asset);
  EXPECT_EQ(asset->format, "STL");
  EXPECT_EQ(asset->unit, "unstated");
  EXPECT_EQ(asset->up, UpAxis::unstated);
  ASSERT_EQ(asset->instances.size(), 1u);
  EXPECT_EQ(asset->instances[0].name, "bracket");
  EXPECT_EQ(asset->meshes[0].mesh->vertices, mesh.vertices);
  EXPECT_EQ(asset->meshes[0].mesh->triangles, mesh.triangles);
  EXPECT_TRUE(asset->notes.empty());
}

TEST(Stl, RoundTripsTextBitByBit) {
  const TriangleMesh mesh = make_random_mesh(300);
  const Result<Asset> asset = parse_stl(write_text(mesh, " base  plate "), "x.stl");
  ASSERT_TRUE(asset) << to_text(asset.error());
  EXPECT_EQ(asset->instances[0].name, "base  plate");
  ASSERT_EQ(asset->meshes[0].mesh->triangles, mesh.triangles);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    EXPECT_EQ(asset->meshes[0].mesh->vertices[i].x(), mesh.vertices[i].x());
    EXPECT_NEAR(asset->meshes[0].mesh->vertices[i].y(), mesh.vertices[i].y(), 1e-4);
    EXPECT_EQ(asset->meshes[0].mesh->vertices[i].z(), mesh.vertices[i].z());
  }
}

TEST(Stl, WeldsInBothForms) {
  const TriangleMesh box = make_mesh(Box{{1, 2, 3}});
  for (const std::string& bytes : {write_binary(box), write_text(box, "box")}) {
    const Result<Asset> asset = parse_stl(bytes, "box.stl");
    ASSERT_TRUE(asset);
    EXPECT_EQ(asset->meshes[0].report.welded_vertices, 28u);
    EXPECT_TRUE(asset->meshes[0].report.closed);
    EXPECT_NEAR(compute_volume(*asset->meshes[0].mesh), 6, 1e-12);
  }
}

TEST(Stl, SeveralSolidsAreSeveralParts) {
  const TriangleMesh box = make_mesh(Box{{1, 1, 1}});
  const std::string text = write_text(box, "lid") + write_text(make_mesh(Sphere{1}, 8), "knob") +
                           write_text(box, "lid") + write_text(box, "") +
                           "solid nothing\nendsolid nothing\n";
  const Result<Asset> asset = parse_stl(text, "pot.stl");
  ASSERT_TRUE(asset);
  ASSERT_EQ(asset->instances.size(), 4u);
  EXPECT_EQ(asset->instances[0].name, "lid");
  EXPECT_EQ(asset->instances[1].name, "knob");
  EXPECT_EQ(asset->instances[2].name, "lid_2");
  EXPECT_EQ(asset->instances[3].name, "pot");
  EXPECT_EQ(asset->meshes[1].mesh->triangles.size(), make_mesh(Sphere{1}, 8).triangles.size());
  ASSERT_EQ(asset->notes.size(), 1u);
  EXPECT_EQ(asset->notes[0].code, "asset.mesh_without_triangles");
  EXPECT_NE(asset->notes[0].message.find("'nothing'"), std::string::npos);
}

TEST(Stl, BinaryMayStartWithSolid) {
  const TriangleMesh box = make_mesh(Box{{1, 1, 1}});
  std::string bytes = write_binary(box, "solid facet COLOR=abcd");
  EXPECT_TRUE(parse_stl(bytes, "x.stl"));
  // Also when its size does not fit: the content decides.
  bytes += "tail";
  const Result<Asset> asset = parse_stl(bytes, "x.stl");
  ASSERT_TRUE(asset);
  ASSERT_EQ(asset->notes.size(), 1u);
  EXPECT_EQ(asset->notes[0].code, "stl.extra_bytes");
  EXPECT_NE(asset->notes[0].message.find("4 bytes after the last of 12 triangles, from byte 684"),
            std::string::npos);
  EXPECT_EQ(stl_error(std::string_view(bytes).substr(0, 300)).code, "stl.truncated");
}

TEST(Stl, TextMayBeUntidy) {
  const std::string text =
      "\xEF\xBB\xBF  SOLID \xff gear\r\nFACET NORMAL 0 0 1 OUTER LOOP\r\n"
      "vertex +1.0E+0 0 0 VERTEX 0 1e-400 0\r\nvertex 0 1 0\r\n ENDLOOP\r\nendfacet\r\n"
      "facet outer loop vertex 0 0 0 vertex 1 0 5 vertex 0 1 0 endloop endfacet\r\n";
  const Result<Asset> asset = parse_stl(text, "x.stl");
  ASSERT_TRUE(asset) << to_text(asset.error());
  EXPECT_EQ(asset->instances[0].name, "\xEF\xBF\xBD gear");
  EXPECT_EQ(asset->meshes[0].mesh->triangles.size(), 2u);
  EXPECT_EQ(asset->meshes[0].mesh->vertices[1], Vec3::Zero());
  ASSERT_EQ(asset->notes.size(), 1u);
  EXPECT_EQ(asset->notes[0].code, "stl.no_endsolid");
}

TEST(Stl, TruncatedBinarySaysHowMuchIsThere) {
  const std::string bytes = write_binary(make_mesh(Box{{1, 1, 1}}));
  const Error error = stl_error(std::string_view(bytes).substr(0, 84 + 5 * 50 + 17));
  EXPECT_EQ(error.code, "stl.truncated");
  EXPECT_EQ(error.message,
            "holds 5 of the 12 triangles it announces: it ends at byte 351 instead of 684");
  EXPECT_EQ(stl_error(std::string_view(bytes).substr(0, 83)).code, "stl.truncated");
}

TEST(Stl, CountsThatCannotBe) {
  std::string bytes = write_binary(make_mesh(Box{{1, 1, 1}}));
  std::reverse(bytes.begin() + 80, bytes.begin() + 84);
  const Error swapped = stl_error(bytes);
  EXPECT_EQ(swapped.code, "stl.big_endian");
  EXPECT_NE(swapped.message.find("(12)"), std::string::npos);

  std::memset(bytes.data() + 80, 0xFF, 4);
  const Error absurd = stl_error(bytes);
  EXPECT_EQ(absurd.code, "stl.absurd_count");
  EXPECT_EQ(absurd.message, "announces 4294967295 triangles at byte 80, but has room for 12");

  std::memset(bytes.data() + 80, 0, 4);
  EXPECT_EQ(stl_error(std::string_view(bytes).substr(0, 84)).code, "stl.empty");
  EXPECT_EQ(stl_error(bytes + "tail").code, "stl.empty");
  EXPECT_EQ(stl_error("").code, "stl.empty");
  EXPECT_EQ(stl_error(" \n\n").code, "stl.empty");
  EXPECT_EQ(stl_error("solid x\nendsolid x\n").code, "stl.empty");
  EXPECT_EQ(stl_error("<html>not found</html>").code, "stl.not_stl");
  EXPECT_EQ(stl_error(std::string(5000, 'a')).code, "stl.absurd_count");
}

TEST(Stl, RecordsBehindACountOfNoneAreRead) {
  std::string bytes = write_binary(make_mesh(Box{{1, 1, 1}}));
  std::memset(bytes.data() + 80, 0, 4);
  const Result<Asset> asset = parse_stl(bytes, "x.stl");
  ASSERT_TRUE(asset) << to_text(asset.error());
  EXPECT_EQ(asset->meshes[0].mesh->triangles.size(), 12u);
  ASSERT_EQ(asset->notes.size(), 1u);
  EXPECT_EQ(asset->notes[0].code, "stl.no_count");
}

TEST(Stl, ABinaryHeaderMayBeginLikeAByteOrderMark) {
  std::string bytes = write_binary(make_mesh(Box{{1, 1, 1}}));
  bytes.replace(0, 3, "\xEF\xBB\xBF");
  const Result<Asset> asset = parse_stl(bytes, "x.stl");
  ASSERT_TRUE(asset) << to_text(asset.error());
  EXPECT_EQ(asset->meshes[0].mesh->triangles.size(), 12u);
}

TEST(Stl, NotFiniteCoordinatesAreNamed) {
  TriangleMesh mesh = make_mesh(Box{{1, 1, 1}});
  std::string bytes = write_binary(mesh);
  for (const int triangle : {3, 7}) {
    const float bad = triangle == 3 ? std::numeric_limits<float>::quiet_NaN()
                                    : -std::numeric_limits<float>::infinity();
    std::memcpy(bytes.data() + 84 + 50 * triangle + 12 + 8, &bad, sizeof bad);
  }
  const Error error = stl_error(bytes);
  EXPECT_EQ(error.code, "stl.not_finite");
  EXPECT_EQ(error.element, "triangle 4");
  EXPECT_NE(error.message.find("byte 234"), std::string::npos);
  ASSERT_EQ(error.also.size(), 1u);
  EXPECT_EQ(error.also[0].element, "triangle 8");

  const std::string text =
      "solid\nfacet outer loop\nvertex 0 0 0\nvertex inf 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  const Error in_text = stl_error(text);
  EXPECT_EQ(in_text.code, "stl.not_finite");
  EXPECT_EQ(in_text.line, 4);
}

TEST(Stl, TextFaultsCarryTheirLinesAndAllAreReported) {
  const std::string text =
      "solid part\n"
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 zero 0\nvertex 0 1 0\nendloop\n"
      "endfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n"
      "endloop\nendfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\n";
  const Error error = stl_error(text);
  EXPECT_EQ(error.code, "stl.syntax");
  EXPECT_EQ(error.line, 5);
  EXPECT_EQ(error.message, "expected a number, found 'zero'");
  ASSERT_EQ(error.also.size(), 2u);
  EXPECT_EQ(error.also[0].line, 14);
  EXPECT_NE(error.also[0].message.find("more than three"), std::string::npos);
  EXPECT_EQ(error.also[1].code, "stl.truncated");
  EXPECT_EQ(error.also[1].line, 20);
}

TEST(Stl, ManyFaultsMakeOneScreen) {
  std::string text = "solid\n";
  for (int i = 0; i < 10'000; ++i) text += "facet normal oops\n";
  const Error error = stl_error(text);
  EXPECT_LE(error.also.size(), 20u);
}

TEST(Stl, EveryTruncationAndBitFlipIsSurvived) {
  const TriangleMesh mesh = make_mesh(Box{{1, 1, 1}});
  std::mt19937 random(1);
  for (const std::string& whole : {write_binary(mesh), write_text(mesh, "box")}) {
    for (std::size_t n = 0; n < whole.size(); n += 3) {
      (void)parse_stl(std::string_view(whole).substr(0, n), "x.stl");
      std::string broken = whole;
      broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
      (void)parse_stl(broken, "x.stl");
    }
  }
}

TEST(Stl, MissingFile) {
  const Result<Asset> asset = load_stl("no/such/part.stl");
  ASSERT_FALSE(asset);
  EXPECT_EQ(asset.error().code, "file.missing");
}

}  // namespace
}  // namespace geste
