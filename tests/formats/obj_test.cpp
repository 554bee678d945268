#include "geste/formats/obj.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "geste/geometry/shape.hpp"

#include "formats/mesh_oracle.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::shared_data;

Asset read(std::string_view text) {
  Result<Asset> asset = parse_obj(text, "thing.obj");
  if (!asset) {
    ADD_FAILURE() << to_text(asset.error());
    return {};
  }
  return *asset;
}

Error error_of(std::string_view text) {
  const Result<Asset> asset = parse_obj(text, "thing.obj");
  if (asset) {
    ADD_FAILURE() << "was read without an error";
    return {};
  }
  EXPECT_EQ(asset.error().file, "thing.obj");
  EXPECT_FALSE(asset.error().remedy.empty());
  return asset.error();
}

bool has_note(const Asset& asset, const std::string& code) {
  return std::any_of(asset.notes.begin(), asset.notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

const char* const kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

/// One polygon in the xy plane, tilted so that no axis is special; returns it read back.
TriangleMesh read_polygon(const std::vector<Vec2>& outline) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  std::string text;
  std::string face = "f";
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec3 p = R * Vec3(outline[i].x(), outline[i].y(), 0);
    text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    face += fmt::format(" {}", i + 1);
  }
  const Asset asset = read(text + face + "\n");
  if (asset.meshes.empty()) return {};
  return transformed(*asset.meshes[0].mesh, R.transpose(), Vec3::Zero());
}

double area_of(const std::vector<Vec2>& outline) {
  double twice = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2& a = outline[i];
    const Vec2& b = outline[(i + 1) % outline.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return twice / 2;
}

/// All triangles face up and fill the outline exactly once: sums of signed and plain areas agree.
void expect_good_cut(const std::vector<Vec2>& outline) {
  const TriangleMesh mesh = read_polygon(outline);
  EXPECT_EQ(mesh.triangles.size(), outline.size() - 2);
  EXPECT_NEAR(compute_area(mesh), area_of(outline), 1e-9 * area_of(outline));
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    EXPECT_GT((mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).z(), 0);
  }
}

TEST(Obj, ReadsTheSameTrianglesAsAssimp) {
  const auto folder = shared_data() / "robots";
  GESTE_NEEDS_DATA(folder);
  std::size_t files = 0;
  for (const auto& path : testing::find_by_extension(folder, ".obj")) {
    const Result<Asset> asset = load_obj(path);
    ASSERT_TRUE(asset) << to_text(asset.error());
    testing::expect_same_triangles(*asset, testing::read_with_assimp(path), path.string());
    ++files;
  }
  EXPECT_GE(files, 10u);
}

TEST(Obj, RoundTripsWithEveryCornerForm) {
  const TriangleMesh torus = make_mesh(Torus{1, 0.4}, 15);
  for (const char* form : {"{0}", "{0}/7", "{0}//3", "{0}/7/3"}) {
    std::string text = "# a torus\n";
    for (const Vec3& v : torus.vertices) {
      text += fmt::format("v {} {} {} 0.5 0.5 1\n", v.x(), v.y(), v.z());
    }
    text += "vt 0 0\nvn 0 0 1\ns off\n";
    for (const Triangle& t : torus.triangles) {
      text += "f";
      for (const std::uint32_t v : t) text += " " + fmt::format(fmt::runtime(form), v + 1);
      text += "\n";
    }
    const Asset asset = read(text);
    ASSERT_EQ(asset.meshes.size(), 1u);
    EXPECT_EQ(asset.format, "OBJ");
    EXPECT_EQ(asset.unit, "unstated");
    EXPECT_EQ(asset.instances[0].name, "thing");
    EXPECT_TRUE(asset.meshes[0].report.closed);
    EXPECT_TRUE(asset.notes.empty());
    const TriangleMesh& mesh = *asset.meshes[0].mesh;
    ASSERT_EQ(mesh.triangles.size(), torus.triangles.size());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(mesh.vertices[mesh.triangles[i][k]], torus.vertices[torus.triangles[i][k]]);
      }
    }
  }
}

TEST(Obj, IndicesCountBackAndLookAhead) {
  const Asset back = read(std::string(kSquare) + "f -4 -3 -2\nv 5 5 5\nf -5 -3 -2\n");
  ASSERT_EQ(back.meshes.size(), 1u);
  const TriangleMesh& mesh = *back.meshes[0].mesh;
  EXPECT_EQ(mesh.vertices[mesh.triangles[0][2]], Vec3(1, 1, 0));
  EXPECT_EQ(mesh.vertices[mesh.triangles[1][0]], Vec3(0, 0, 0));
  EXPECT_EQ(mesh.vertices[mesh.triangles[1][2]], Vec3(0, 1, 0));
  EXPECT_EQ(read("f 1 2 3\n" + std::string(kSquare)).meshes.size(), 1u);
}

TEST(Obj, LinesContinue) {
  const Asset asset =
      read("v 0 0 \\\n 0\nv 1 0\\\r\n 0\r\nv 1 1 0\nv 0 1 0\nf 1 2\\\n 3 4 # all\n");
  EXPECT_EQ(count_distinct_triangles(asset), 2u);
  // A comment does not.
  EXPECT_EQ(count_distinct_triangles(read("# C:\\parts\\\n" + std::string(kSquare) + "f 1 2 3 4")),
            2u);
}

TEST(Obj, ObjectsAreParts) {
  const std::string text = std::string(kSquare) +
                           "f 1 2 3\no lid\ng upper\nf 1 2 3\ng lower\nf 2 3 4\no\nf 1 3 4\n"
                           "o lid\nf 1 2 4\no empty\n";
  const Asset asset = read(text);
  ASSERT_EQ(asset.instances.size(), 4u);
  EXPECT_EQ(asset.instances[0].name, "thing");
  EXPECT_EQ(asset.instances[1].name, "lid");
  EXPECT_EQ(asset.instances[2].name, "thing_2");
  EXPECT_EQ(asset.instances[3].name, "lid_2");
  EXPECT_EQ(asset.meshes[1].mesh->triangles.size(), 2u);
  EXPECT_EQ(asset.meshes[3].mesh->vertices.size(), 3u);
}

TEST(Obj, GroupsArePartsWhereThereAreNoObjects) {
  const Asset asset = read(std::string(kSquare) +
                           "g a\nf 1 2 3\ng b\nf 2 3 4\ng a\nf 1 3 4\ng default x\nf 1 2 4\n");
  ASSERT_EQ(asset.instances.size(), 3u);
  EXPECT_EQ(asset.instances[0].name, "a");
  EXPECT_EQ(asset.meshes[0].mesh->triangles.size(), 2u);
  EXPECT_EQ(asset.instances[1].name, "b");
  EXPECT_EQ(asset.instances[2].name, "default x");
}

TEST(Obj, QuadsAreCutAlongADiagonalInside) {
  expect_good_cut({{0, 0}, {2, 0}, {2, 1}, {0, 1}});
  // An arrow head, with its dent at each of the four corners in turn.
  std::vector<Vec2> arrow = {{0, 0}, {2, 1}, {0, 2}, {0.5, 1}};
  for (int turn = 0; turn < 4; ++turn) {
    expect_good_cut(arrow);
    std::rotate(arrow.begin(), arrow.begin() + 1, arrow.end());
  }
}

TEST(Obj, ConcavePolygonsAreCutByEars) {
  expect_good_cut({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}});
  // A comb, a star and a spiral.
  std::vector<Vec2> comb = {{0, -1}, {20, -1}};
  for (int i = 19; i >= 0; --i) comb.emplace_back(i + 0.5, i % 2 == 0 ? 5 : 0);
  expect_good_cut(comb);
  std::vector<Vec2> star;
  for (int i = 0; i < 40; ++i) {
    const double angle = 2 * std::numbers::pi * i / 40;
    star.push_back((i % 2 == 0 ? 3.0 : 1.0) * Vec2(std::cos(angle), std::sin(angle)));
  }
  expect_good_cut(star);
  std::vector<Vec2> spiral;
  for (int i = 0; i <= 60; ++i) {
    const double angle = 0.2 * i;
    spiral.push_back((1 + angle) * Vec2(std::cos(angle), std::sin(angle)));
  }
  for (int i = 60; i >= 0; --i) {
    const double angle = 0.2 * i;
    spiral.push_back((0.5 + angle) * Vec2(std::cos(angle), std::sin(angle)));
  }
  expect_good_cut(spiral);
}

TEST(Obj, CornersOnStraightEdgesStayConnected) {
  expect_good_cut({{0, 0}, {0.5, 0}, {1, 0}, {1, 1}, {0, 1}});
  expect_good_cut(
      {{0, 0}, {0.25, 0}, {0.5, 0}, {1, 0}, {1, 0.5}, {1, 1}, {0.5, 1}, {0, 1}, {0, 0.5}});
}

TEST(Obj, HolesJoinedByABridgeStayOpen) {
  // A square ring, walked out and back along (0,0)-(1,1).
  const std::vector<Vec2> ring = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0},
                                  {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}};
  const TriangleMesh mesh = read_polygon(ring);
  EXPECT_EQ(mesh.triangles.size(), 8u);
  EXPECT_NEAR(compute_area(mesh), 8, 1e-12);
  for (const Triangle& t : mesh.triangles) {
    const Vec3 c = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3;
    EXPECT_TRUE(c.x() < 1 || c.x() > 2 || c.y() < 1 || c.y() > 2);
  }
}

TEST(Obj, HugePolygonsEnd) {
  // 30,000 corners, half of them dents: too much for ears, cut anyway and noted.
  std::string text, face = "f";
  constexpr int n = 30'000;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n, r = i % 2 == 0 ? 3 : 2;
    text += fmt::format("v {} {} 0\n", r * std::cos(angle), r * std::sin(angle));
    face += fmt::format(" {}", i + 1);
  }
  const Asset asset = read(text + face + "\n");
  EXPECT_EQ(testing::count_raw_triangles(asset), n - 2u);
  EXPECT_TRUE(has_note(asset, "obj.complex_polygon"));
}

TEST(Obj, IgnoredElementsAreCounted) {
  const Asset asset = read(std::string(kSquare) +
                           "f 1 2 3\nf 1 2\nl 2 3 4\nl 1 2\np 1\ncstype bezier\ncurv 0 1 1 2\n"
                           "parm u 0 1\nend\nbogus 3\nbogus 4\n");
  ASSERT_EQ(asset.notes.size(), 2u);
  EXPECT_EQ(asset.notes[0].message,
            "ignored lines: 2, points: 1, curves and free-form surfaces: 1, faces of fewer than "
            "three corners: 1");
  EXPECT_EQ(asset.notes[1].code, "obj.unknown_statement");
  EXPECT_EQ(asset.notes[1].line, 14);
  EXPECT_NE(asset.notes[1].message.find("'bogus'"), std::string::npos);
}

TEST(Obj, FaultsCarryTheirLinesAndAllAreReported) {
  const Error error = error_of(
      "v 0 0 0\nv 1 x 0\nv 0 1\nv 0 0 nan\nf 1 2 9\n\nf 0 1 2\nf 1 2 b\n"
      "f -5 1 2\nv 0 0 1e39\n");
  std::vector<Diagnostic> all = {error};
  all.insert(all.end(), error.also.begin(), error.also.end());
  // The far index is known to be wrong only at the end of the file.
  const std::vector<std::pair<std::string, int>> expected = {
      {"obj.bad_number", 2}, {"obj.bad_number", 3}, {"obj.not_finite", 4},  {"obj.bad_index", 7},
      {"obj.bad_index", 8},  {"obj.bad_index", 9},  {"obj.not_finite", 10}, {"obj.bad_index", 5}};
  ASSERT_EQ(all.size(), expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].code, expected[i].first) << i;
    EXPECT_EQ(all[i].line, expected[i].second) << i;
  }
  EXPECT_EQ(all[0].element, "vertex 2");
  EXPECT_EQ(all[0].message, "expected three coordinates, found 'x'");
  EXPECT_EQ(all[7].message, "the face names vertex 9, but there are 5");
}

TEST(Obj, AByteOrderMarkHidesNothing) {
  const Asset asset = read("\xEF\xBB\xBFv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(asset.meshes[0].mesh->vertices[0], Vec3::Zero());
  EXPECT_TRUE(asset.notes.empty());
}

TEST(Obj, NothingToRead) {
  EXPECT_EQ(error_of("").code, "obj.empty");
  EXPECT_EQ(error_of("# nothing\n").code, "obj.empty");
  EXPECT_NE(error_of(std::string(kSquare) + "l 1 2\n").message.find("lines: 1"), std::string::npos);
  EXPECT_EQ(error_of(std::string("\x00\x01\x02 glTF", 8)).code, "obj.empty");
  EXPECT_EQ(error_of("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n").code, "asset.empty");
  EXPECT_EQ(error_of("f 1 2 99999999999999999999\n").code, "obj.bad_index");
  EXPECT_EQ(error_of("f -9223372036854775808 1 2\n").code, "obj.bad_index");
}

TEST(Obj, EveryTruncationAndBitFlipIsSurvived) {
  const std::string whole = std::string("mtllib a.mtl\no box\n") + kSquare +
                            "usemtl red\nf 1/1/1 2//3 \\\n-2 4\nf 1 2 3 4 1 2\nl 1 2\ng x\nf 4 3 2";
  std::mt19937 random(1);
  for (std::size_t n = 0; n < 2000; ++n) {
    (void)parse_obj(std::string_view(whole).substr(0, n % whole.size()), "x.obj");
    std::string broken = whole;
    for (int k = 0; k < 3; ++k) {
      broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
    }
    (void)parse_obj(broken, "x.obj");
  }
}

class ObjFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("geste_obj_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::filesystem::path folder_;
};

TEST_F(ObjFolder, ColoursComeFromTheMaterialFile) {
  write("my parts.mtl",
        "newmtl red\nKa 1 1 1\nKd 0.8 0.1 0.05\nd 0.5\nnewmtl glass\nKd 0 0 2\nTr 0.75\n"
        "newmtl none\nNs 10\n");
  write("part.obj", std::string("mtllib my parts.mtl\n") + kSquare +
                        "o a\nusemtl red\nf 1 2 3\no b\nf 2 3 4\nusemtl glass\nf 1 2 4\nf 1 3 4\n"
                        "o c\nusemtl none\nf 1 2 3\n");
  const Result<Asset> asset = load_obj(folder_ / "part.obj");
  ASSERT_TRUE(asset) << to_text(asset.error());
  ASSERT_EQ(asset->meshes.size(), 3u);
  ASSERT_TRUE(asset->meshes[0].colour);
  // Kd is what a screen is told, Colour the light it gives.
  EXPECT_NEAR(asset->meshes[0].colour->r, 0.603827, 1e-6);
  EXPECT_NEAR(asset->meshes[0].colour->g, 0.010023, 1e-6);
  EXPECT_NEAR(asset->meshes[0].colour->b, 0.003936, 1e-6);
  EXPECT_EQ(asset->meshes[0].colour->a, 0.5);
  ASSERT_TRUE(asset->meshes[1].colour);
  EXPECT_EQ(asset->meshes[1].colour->b, 1);
  EXPECT_EQ(asset->meshes[1].colour->a, 0.25);
  EXPECT_FALSE(asset->meshes[2].colour);
  EXPECT_TRUE(has_note(*asset, "obj.many_materials"));
}

TEST_F(ObjFolder, AMissingMaterialFileIsANote) {
  const std::string text =
      "mtllib gone.mtl /dev/zero\n" + std::string(kSquare) + "usemtl red\nf 1 2 3 4\n";
  write("part.obj", text);
  const Result<Asset> asset = load_obj(folder_ / "part.obj");
  ASSERT_TRUE(asset);
  EXPECT_FALSE(asset->meshes[0].colour);
  ASSERT_EQ(asset->notes.size(), 2u);
  EXPECT_EQ(asset->notes[0].code, "obj.material_file");
  EXPECT_NE(asset->notes[0].message.find("'gone.mtl'"), std::string::npos);
  // From bytes alone there are no files to miss.
  EXPECT_TRUE(read(text).notes.empty());
}

}  // namespace
}  // namespace geste
