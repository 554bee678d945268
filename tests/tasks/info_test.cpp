// What `geste info` says of each format, on small files that need no data folder.
#include "geste/tasks/info.hpp"

#include <BRepPrimAPI_MakeBox.hxx>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/step_writing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 100 0 0 0 100 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node name="plate"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

json info_of(const fs::path& path) {
  const Result<FileInfo> info = load_info(path);
  if (!info) {
    ADD_FAILURE() << path << ": " << to_text(info.error());
    return {};
  }
  EXPECT_NE(info->text.find("format:"), std::string::npos) << path;
  return json::parse(info->json);
}

TEST(Info, KnowsEveryFormat) {
  const fs::path corpus = testing::source_dir() / "tests/fuzz/corpus";
  const fs::path arm = testing::source_dir() / "models/arm6";
  EXPECT_EQ(info_of(arm / "arm6.urdf")["degrees_of_freedom"], 7);
  EXPECT_FALSE(info_of(arm / "arm6.srdf")["groups"].empty());
  EXPECT_EQ(info_of(corpus / "bvh/walker.bvh")["format"], "BVH");
  EXPECT_EQ(info_of(corpus / "c3d/intel_float.c3d")["format"], "C3D");
  EXPECT_EQ(info_of(corpus / "glb/tetrahedron.glb")["triangles"]["distinct_in_file"], 4);

  const testing::Scratch folder;
  const auto write = [&](const char* name, const std::string& bytes) {
    EXPECT_TRUE(write_file_atomically(folder / name, bytes));
    return folder / name;
  };
  const json plate = info_of(write("plate.dae", kDae));
  EXPECT_EQ(plate["unit"], "cm");
  EXPECT_NEAR(plate["surface_area_m2"], 0.5, 1e-6);
  EXPECT_EQ(plate["all_closed"], false);
  const json obj = info_of(
      write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"));
  EXPECT_NEAR(obj["enclosed_volume_m3"], 1.0 / 6, 1e-12);
  EXPECT_EQ(info_of(write("t.stl",
                          "solid\nfacet outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 "
                          "1 0\nendloop\nendfacet\nendsolid\n"))["format"],
            "STL");
  const json box = info_of(write("box.step", testing::write_step(BRepPrimAPI_MakeBox(10, 20, 30))));
  EXPECT_NEAR(box["exact_volume_mm3"], 6000, 1e-6);
  EXPECT_NEAR(box["enclosed_volume_m3"], 6e-6, 1e-12);
}

TEST(Info, NotesSayWhereTheyBelongAndAreFolded) {
  const testing::Scratch folder;
  std::string links;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    links += std::string("<link name='") + name +
             "'><inertial><mass value='1'/><inertia ixx='9' ixy='0' ixz='0' iyy='1' iyz='0' "
             "izz='1'/></inertial></link>\n";
  }
  for (const char* child : {"b", "c", "d", "e"}) {
    links += std::string("<joint name='j") + child +
             "' type='fixed'><parent link='a'/><child link='" + child + "'/></joint>\n";
  }
  ASSERT_TRUE(write_file_atomically(folder / "r.urdf", "<robot name='r'>\n" + links + "</robot>"));
  ASSERT_TRUE(write_file_atomically(folder / "t.yaml",
                                    "geste: 1\nactors:\n  - {name: arm, urdf: r.urdf}\n"));

  const FileInfo robot = load_info(folder / "r.urdf").value();
  EXPECT_NE(robot.text.find("  5 links ('a', 'b', 'c' and 2 more): "), std::string::npos)
      << robot.text;
  EXPECT_EQ(robot.text.find("[urdf.inertia_triangle]"),
            robot.text.rfind("[urdf.inertia_triangle]"));
  EXPECT_EQ(json::parse(robot.json)["notes"].size(), 5u);
  const FileInfo task = load_info(folder / "t.yaml").value();
  EXPECT_NE(task.text.find((folder / "r.urdf").string() + ": 5 links"), std::string::npos)
      << task.text;
}

json poses_of(const fs::path& path, const std::vector<std::string>& bodies,
              const std::vector<std::string>& joints) {
  InfoOptions options;
  options.poses = bodies;
  options.joints = joints;
  const Result<FileInfo> info = load_info(path, options);
  if (!info) return {{"error", to_text(info.error())}};
  return json::parse(info->json)["poses"];
}

// A pole of 1 m on a hinge about z at the origin, with a slide along x at its end.
TEST(Info, TellsPosesOfLinks) {
  const testing::Scratch folder;
  ASSERT_TRUE(write_file_atomically(
      folder / "r.urdf",
      "<robot name='r'><link name='base'/><link name='pole'/><link name='tip'/>"
      "<joint name='turn' type='revolute'><parent link='base'/><child link='pole'/>"
      "<axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='1' effort='1'/></joint>"
      "<joint name='slide' type='prismatic'><origin xyz='1 0 0'/><parent link='pole'/>"
      "<child link='tip'/><axis xyz='1 0 0'/>"
      "<limit lower='0' upper='1' velocity='1' effort='1'/></joint></robot>"));
  const fs::path robot = folder / "r.urdf";
  const json tip = poses_of(robot, {"tip"}, {"turn=90deg", "slide=500 mm"});
  ASSERT_EQ(tip.size(), 1u) << tip;
  EXPECT_NEAR(tip[0]["xyz_m"][0], 0, 1e-12);
  EXPECT_NEAR(tip[0]["xyz_m"][1], 1.5, 1e-12);
  EXPECT_NEAR(tip[0]["rpy_deg"][2], 90, 1e-9);
  EXPECT_NEAR(tip[0]["quaternion_xyzw"][2], std::sqrt(0.5), 1e-12);
  EXPECT_EQ(tip[0]["yaml"], "{xyz: [0, 1.5, 0], quaternion: [0, 0, 0.707106781, 0.707106781]}");
  EXPECT_EQ(poses_of(robot, {"all"}, {}).size(), 3u);
  EXPECT_EQ(poses_of(robot, {}, {"turn=0.5"}).size(), 3u);
  const auto error_of = [&](const std::vector<std::string>& bodies,
                            const std::vector<std::string>& joints) {
    return poses_of(robot, bodies, joints)["error"].get<std::string>();
  };
  EXPECT_NE(error_of({"tipp"}, {}).find("did you mean 'tip'?"), std::string::npos);
  EXPECT_NE(error_of({"tip"}, {"trn=1"}).find("did you mean 'turn'?"), std::string::npos);
  EXPECT_NE(error_of({"tip"}, {"slide=5deg"}).find("give a length"), std::string::npos);
  EXPECT_NE(error_of({"tip"}, {"turn"}).find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(error_of({"tip"}, {"turn=1,2"}).find("takes 1 value"), std::string::npos);
  EXPECT_NE(
      poses_of(testing::source_dir() / "tests/fuzz/corpus/bvh/walker.bvh", {"all"}, {})["error"]
          .get<std::string>()
          .find("info.no_bodies"),
      std::string::npos);
}

// Two assemblies of which one holds the other: a glTF file without any geometry but one triangle.
TEST(Info, ShowsTheTreeOfAnAssembly) {
  const fs::path path = testing::shared_data() / "cad/step/as1-oc-214.stp";
  GESTE_NEEDS_DATA(path);
  const FileInfo info = load_info(path).value();
  const json facts = json::parse(info.json);
  ASSERT_EQ(facts["instances"].size(), 18u);
  EXPECT_EQ(facts["assemblies"][0]["parent"], nullptr);
  EXPECT_EQ(facts["assemblies"][0]["parts"], 18);
  std::size_t inside = 0;
  for (const json& part : facts["instances"]) inside += part["assembly"].is_number() ? 1 : 0;
  EXPECT_EQ(inside, 18u);
  EXPECT_NE(info.text.find("tree (18 parts, "), std::string::npos) << info.text;
  EXPECT_NE(info.text.find("\n    rod-assembly_1 (3 parts)\n"), std::string::npos) << info.text;
  EXPECT_NE(info.text.find("\n      nut_1"), std::string::npos) << info.text;
  EXPECT_EQ(info.text.find("e+0"), std::string::npos) << info.text;
  EXPECT_EQ(info.text.find("e-0"), std::string::npos) << info.text;
}

TEST(Info, SaysWhatCannotBeLookedInto) {
  const testing::Scratch folder;
  ASSERT_TRUE(write_file_atomically(folder / "r.xacro", "<robot/>"));
  ASSERT_TRUE(write_file_atomically(folder / "r.doc", "x"));
  const auto remedy_of = [](const fs::path& path) { return load_info(path).error().remedy; };
  EXPECT_EQ(remedy_of(folder / "gone.csv"), "check the path");
  EXPECT_EQ(remedy_of(folder / "."), "name a file in it");
  EXPECT_NE(remedy_of(folder / "r.xacro").find("run 'xacro "), std::string::npos);
  EXPECT_NE(remedy_of(folder / "r.doc").find(".urdf"), std::string::npos);
}

}  // namespace
}  // namespace geste
