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
  EXPECT_NE(robot.text.find("  line 2: link 'a': "), std::string::npos) << robot.text;
  EXPECT_NE(robot.text.find("and 2 more like it [urdf.inertia_triangle]"), std::string::npos);
  EXPECT_EQ(robot.text.find("link 'e': "), std::string::npos);
  EXPECT_EQ(json::parse(robot.json)["notes"].size(), 5u);
  const FileInfo task = load_info(folder / "t.yaml").value();
  EXPECT_NE(task.text.find((folder / "r.urdf").string() + ":2: "), std::string::npos) << task.text;
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
