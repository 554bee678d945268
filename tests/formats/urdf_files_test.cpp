// Mesh files of a URDF: where they are looked for, what is shared, and how they come in. Witnesses:
// the bytes of the STL files read again here, and hand-made files.
#include <gtest/gtest.h>
#include <unistd.h>
#include <urdf_parser/urdf_parser.h>

#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "geste/core/files.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/formats/urdf.hpp"

#include "formats/urdf_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::shared_data;
using testing::two_links;
using testing::with_fake_meshes;

TEST(UrdfMeshFiles, TalosMirrorsThirteenAndSharesEqualOnes) {
  const fs::path path = shared_data() / "robots/talos/talos.urdf";
  GESTE_NEEDS_DATA(path);
  std::map<fs::path, int> asked;
  const auto robot = load_urdf(path, with_fake_meshes(asked));
  ASSERT_TRUE(robot) << to_text(robot.error());
  int meshes = 0, mirrored = 0;
  std::set<const TriangleMesh*> surfaces;
  for (const BodySpec& body : robot->bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      const auto* mesh = std::get_if<MeshShape>(&geometry.shape);
      if (mesh == nullptr) continue;
      ++meshes;
      surfaces.insert(mesh->get());
      mirrored += (*mesh)->vertices[2].y() < 0;
      EXPECT_GT(compute_volume(**mesh), 0) << body.name;  // outside stays outside
    }
  }
  EXPECT_EQ(meshes, 47);
  EXPECT_EQ(mirrored, 13);
  EXPECT_EQ(asked.size(), 24u);  // distinct files of the URDF
  EXPECT_LT(surfaces.size(), 47u);
}

/// The corners of a binary STL: 80 bytes, a count, then 50 bytes per triangle.
AxisBox box_of_stl(const fs::path& path, const Vec3& scale) {
  const std::string bytes = load_file(path).value();
  AxisBox box;
  for (std::size_t at = 84; at + 50 <= bytes.size(); at += 50) {
    float corners[9];
    std::memcpy(corners, bytes.data() + at + 12, sizeof corners);
    for (int i = 0; i < 3; ++i) {
      box.add(
          Vec3(scale.cwiseProduct(Vec3(corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]))));
    }
  }
  return box;
}

TEST(UrdfMeshFiles, TalosComesInWithItsOwnMeshes) {
  const fs::path path = shared_data() / "robots/talos/talos.urdf";
  GESTE_NEEDS_DATA(path);
  const auto robot = load_urdf(path);
  ASSERT_TRUE(robot) << to_text(robot.error());
  const auto theirs = urdf::parseURDFFile(path.string());
  int compared = 0;
  for (const BodySpec& body : robot->bodies) {
    const auto& shapes = theirs->getLink(body.name)->collision_array;
    for (std::size_t i = 0; i < body.geometry.size(); ++i) {
      const auto* mesh = std::get_if<MeshShape>(&body.geometry[i].shape);
      if (mesh == nullptr) continue;
      const auto& file = dynamic_cast<const urdf::Mesh&>(*shapes[i]->geometry);
      const AxisBox box = compute_box(**mesh);
      const AxisBox expected = box_of_stl(path.parent_path() / file.filename,
                                          Vec3(file.scale.x, file.scale.y, file.scale.z));
      EXPECT_EQ(box.min, expected.min) << file.filename;
      EXPECT_EQ(box.max, expected.max) << file.filename;
      EXPECT_GT(compute_volume(**mesh), 0) << file.filename;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 47);
}

TEST(UrdfMeshFiles, EveryRobotComesIn) {
  for (const char* name : {"anymal_c", "fetch", "human66", "panda", "tiago"}) {
    const fs::path path = shared_data() / "robots" / name / (std::string(name) + ".urdf");
    GESTE_NEEDS_DATA(path);
    const auto robot = load_urdf(path);
    EXPECT_TRUE(robot) << to_text(robot.error());
  }
}

class UrdfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("geste_urdf_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    for (const char* name : {"GESTE_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"}) unsetenv(name);
  }
  fs::path touch(const fs::path& name) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "x";
    return folder_ / name;
  }
  fs::path folder_;
};

TEST_F(UrdfFiles, AreFoundByPackageRelativeAndAbsoluteNames) {
  const fs::path a = touch("ws/arm/meshes/a b.stl");
  const fs::path urdf_folder = folder_ / "ws/arm/urdf";
  // A folder above named like the package, and one above that contains it.
  EXPECT_EQ(find_file("package://arm/meshes/a b.stl", urdf_folder).found, a);
  EXPECT_EQ(find_file("model://arm/meshes/a b.stl", folder_ / "ws/other/urdf").found, a);
  EXPECT_EQ(find_file("../meshes/a b.stl", urdf_folder).found, a);
  EXPECT_EQ(find_file(a.string(), "/").found, a);
  EXPECT_EQ(find_file("file://" + folder_.string() + "/ws/arm/meshes/a%20b.stl", "/").found, a);
  EXPECT_EQ(find_file("meshes/a b.stl", "/", {{folder_ / "ws/arm"}, false}).found, a);
  EXPECT_EQ(find_file("package://arm/meshes/a b.stl", "/", {{folder_ / "ws"}, false}).found, a);
  EXPECT_EQ(find_file("package://arm/meshes/a b.stl", "/", {{folder_ / "ws/arm/"}, false}).found,
            a);
  EXPECT_FALSE(find_file("http://host/a.stl", "/").found);
  EXPECT_FALSE(find_file("package://arm", urdf_folder).found);
  EXPECT_FALSE(find_file("", urdf_folder).found);
}

TEST_F(UrdfFiles, AreFoundThroughTheEnvironment) {
  const fs::path a = touch("one/arm/a.stl");
  const fs::path b = touch("two/share/arm/a.stl");
  setenv("AMENT_PREFIX_PATH", (folder_ / "none:" += (folder_ / "two").string()).c_str(), 1);
  EXPECT_EQ(find_file("package://arm/a.stl", "/").found, b);
  setenv("ROS_PACKAGE_PATH", (folder_ / "one").c_str(), 1);
  EXPECT_EQ(find_file("package://arm/a.stl", "/").found, a);
  EXPECT_FALSE(find_file("package://arm/a.stl", "/", {{}, false}).found);
  setenv("GESTE_PATH", (folder_ / "one/arm").c_str(), 1);
  EXPECT_EQ(find_file("a.stl", "/").found, a);
}

TEST_F(UrdfFiles, ThatAreMissingAreToldWithEveryPlaceTried) {
  setenv("GESTE_PATH", "/p", 1);  // absent, as all folders here
  setenv("AMENT_PREFIX_PATH", "/q", 1);
  touch("robot/urdf/r.urdf");
  const FileSearch search = find_file("package://arm/a.stl", "/x/arm", {{"/s", "/t/arm"}, true});
  const std::vector<fs::path> expected = {
      "/s/arm/a.stl",       "/t/arm/a.stl", "/t/arm/arm/a.stl", "/p/arm/a.stl",
      "/q/share/arm/a.stl", "/x/arm/a.stl", "/x/arm/arm/a.stl", "/arm/a.stl"};
  EXPECT_EQ(search.tried, expected);

  touch("robot/meshes/link_1.STL");
  std::map<fs::path, int> asked;
  const std::string mesh =
      "<collision><geometry>\n<mesh filename='../meshes/link_1.stl'/>"
      "</geometry></collision>";
  const auto result =
      parse_urdf(two_links(mesh + mesh), folder_ / "robot/urdf/r.urdf", with_fake_meshes(asked));
  ASSERT_FALSE(result);
  const Error& error = result.error();
  EXPECT_TRUE(error.also.empty()) << "a missing file is told once\n" << to_text(error);
  EXPECT_EQ(error.code, "urdf.mesh_missing");
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.element, "link 'a'");
  EXPECT_EQ(error.message, "mesh '../meshes/link_1.stl' was not found; tried\n    " +
                               (folder_ / "robot/meshes/link_1.stl").string() +
                               "\n    /meshes/link_1.stl");
  EXPECT_EQ(error.remedy, "did you mean '" + (folder_ / "robot/meshes/link_1.STL").string() + "'?");
}

TEST_F(UrdfFiles, OfPackagesLieBelowTheRosPath) {
  touch("ws/src/robots/arm/package.xml");
  touch("ws/src/robots/arm/meshes/a.stl");
  touch("ws/src/other/arm/meshes/b.stl");  // a folder of that name, but no package
  setenv("ROS_PACKAGE_PATH", (folder_ / "ws").c_str(), 1);
  const auto found = [](const char* name) { return find_file(name, "/x").found; };
  EXPECT_EQ(found("package://arm/meshes/a.stl"), folder_ / "ws/src/robots/arm/meshes/a.stl");
  EXPECT_EQ(found("package://arm/meshes/b.stl"), std::nullopt);
  unsetenv("ROS_PACKAGE_PATH");
  EXPECT_EQ(found("package://arm/meshes/a.stl"), std::nullopt);
}

// The places of a missing package are listed with its first mesh only.
TEST_F(UrdfFiles, OfOneMissingPackageAreToldBriefly) {
  std::string shapes;
  for (const char* name : {"a", "b", "c"}) {
    shapes += std::string("<collision><geometry><mesh filename='package://gone/") + name +
              ".stl'/></geometry></collision>\n";
  }
  const auto result = parse_urdf(two_links(shapes), folder_ / "r.urdf");
  ASSERT_FALSE(result);
  const Error& error = result.error();
  EXPECT_NE(error.message.find("tried\n"), std::string::npos);
  EXPECT_NE(error.remedy.find("package 'gone'"), std::string::npos);
  ASSERT_EQ(error.also.size(), 2u);
  EXPECT_EQ(error.also[0].message,
            "mesh 'package://gone/b.stl' was not found in those places either");
  EXPECT_EQ(error.also[0].remedy, "");
}

TEST_F(UrdfFiles, OfMeshesOfUnlikelySizeAreNoted) {
  touch("a.stl");
  std::map<fs::path, int> asked;
  const auto notes_of = [&](const std::string& scale) {
    const auto r = parse_urdf(two_links("<collision><geometry><mesh filename='a.stl' scale='" +
                                        scale + "'/></geometry></collision>"),
                              folder_ / "r.urdf", with_fake_meshes(asked));
    return r.value().notes;
  };
  const auto has_size = [](const Notes& notes) {
    return std::any_of(notes.begin(), notes.end(),
                       [](const Note& n) { return n.code == "urdf.mesh_size"; });
  };
  EXPECT_FALSE(has_size(notes_of("1 1 1")));
  EXPECT_TRUE(has_size(notes_of("1000 1000 1000")));
  EXPECT_TRUE(has_size(notes_of("1e-6 1e-6 1e-6")));
}

TEST_F(UrdfFiles, OfMeshesAreReadOnceAndShared) {
  touch("a.stl");
  std::map<fs::path, int> asked;
  std::string shapes;
  for (const char* scale : {"1 1 1", "1 1 1", "2 2 2", "2 2 2", "1 -1 1"}) {
    shapes += "<collision><geometry><mesh filename='a.stl' scale='" + std::string(scale) +
              "'/></geometry></collision>";
  }
  UrdfOptions options = with_fake_meshes(asked);
  const auto r = parse_urdf(two_links(shapes), folder_ / "r.urdf", options);
  ASSERT_TRUE(r) << to_text(r.error());
  const auto& geometry = r->bodies.at(0).geometry;
  const auto mesh = [&](int i) { return std::get<MeshShape>(geometry.at(i).shape); };
  EXPECT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked.begin()->second, 1);
  EXPECT_EQ(mesh(0), mesh(1));
  EXPECT_EQ(mesh(2), mesh(3));
  EXPECT_NE(mesh(0), mesh(2));
  EXPECT_NEAR(compute_volume(*mesh(2)), 8.0 / 6, 1e-15);
  EXPECT_EQ(mesh(4)->vertices[2], Vec3(0, -1, 0));
  EXPECT_NEAR(compute_volume(*mesh(4)), 1.0 / 6, 1e-15);

  options.load_mesh = [](const fs::path& path, Notes&) -> Result<UrdfMesh> {
    return Diagnostic{"stl.truncated", "the file ends early", path.string(), 0, 0, "", "ask again"};
  };
  const auto broken = parse_urdf(two_links(shapes), folder_ / "r.urdf", options);
  ASSERT_FALSE(broken);
  EXPECT_TRUE(broken.error().also.empty());
  EXPECT_EQ(broken.error().code, "urdf.mesh_unreadable");
  EXPECT_NE(broken.error().message.find("the file ends early [stl.truncated]"), std::string::npos);
  EXPECT_EQ(broken.error().remedy, "ask again");
}

/// One triangle with corners (100, 0, 0), (0, 200, 0), (0, 0, 300), written in centimetres, Y up.
constexpr const char* kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p">
<float_array id="a" count="9">100 0 0 0 200 0 0 0 300</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>10 0 0</translate>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

TEST_F(UrdfFiles, InColladaKeepTheirUnitAndIgnoreTheUpAxis) {
  std::ofstream(folder_ / "m.dae") << kDae;
  const auto robot = parse_urdf(
      two_links("<visual><geometry><mesh filename='m.dae' scale='1 1 -1'/></geometry></visual>"),
      folder_ / "r.urdf");
  ASSERT_TRUE(robot) << to_text(robot.error());
  const AxisBox box = compute_box(*std::get<MeshShape>(robot->bodies.at(0).geometry.at(0).shape));
  EXPECT_LE((box.min - Vec3(0.1, 0, -3)).norm(), 1e-6);
  EXPECT_LE((box.max - Vec3(1.1, 2, 0)).norm(), 1e-6);
}

TEST_F(UrdfFiles, InMillimetresDrawANote) {
  std::ofstream(folder_ / "m.obj") << "v 0 0 0\nv 200 0 0\nv 0 1 0\nf 1 2 3\n";
  const auto robot = parse_urdf(
      two_links("<collision><geometry>\n<mesh filename='m.obj'/></geometry></collision>"),
      folder_ / "r.urdf");
  ASSERT_TRUE(robot) << to_text(robot.error());
  const auto told = std::find_if(robot->notes.begin(), robot->notes.end(), [](const Note& note) {
    return note.code == "urdf.mesh_size" && note.line == 4;
  });
  EXPECT_NE(told, robot->notes.end());
}

TEST_F(UrdfFiles, ThatAreNoMeshesAreToldWithTheLineOfTheUrdf) {
  touch("m.txt");
  const auto robot = parse_urdf(
      two_links("<collision><geometry>\n<mesh filename='m.txt'/></geometry></collision>"),
      folder_ / "r.urdf");
  ASSERT_FALSE(robot);
  EXPECT_EQ(robot.error().code, "urdf.mesh_unreadable");
  EXPECT_EQ(robot.error().line, 4);
  EXPECT_NE(robot.error().message.find("asset.unknown_format"), std::string::npos);
}

}  // namespace
}  // namespace geste
