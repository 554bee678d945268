#include "geste/formats/dae.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "geste/core/files.hpp"

// MV-10: COLLADA files as robot packages ship them.

namespace geste {
namespace {

/// A wedge (a box of 2 x 3 x 4 cut in half): two triangles and three quads, normals pointing out.
constexpr double kWedgeVolume = 12;
constexpr const char* kWedgeSources = R"(
        <source id="Wedge-positions">
          <float_array id="Wedge-positions-array" count="18">0 0 0 2 0 0 0 3 0 0 0 4 2 0 4 0 3 4</float_array>
          <technique_common>
            <accessor source="#Wedge-positions-array" count="6" stride="3">
              <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
            </accessor>
          </technique_common>
        </source>
        <source id="Wedge-normals">
          <float_array id="Wedge-normals-array" count="3">0 0 1</float_array>
          <technique_common>
            <accessor source="#Wedge-normals-array" count="1" stride="3">
              <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
            </accessor>
          </technique_common>
        </source>
        <vertices id="Wedge-vertices"><input semantic="POSITION" source="#Wedge-positions"/></vertices>)";

/// As Blender writes it: polygons of three and four corners, normals beside the vertices.
constexpr const char* kPolylist = R"(
        <polylist material="Steel-material" count="5">
          <input semantic="VERTEX" source="#Wedge-vertices" offset="0"/>
          <input semantic="NORMAL" source="#Wedge-normals" offset="1"/>
          <vcount>3 3 4 4 4</vcount>
          <p>0 0 2 0 1 0 3 0 4 0 5 0 0 0 1 0 4 0 3 0 1 0 2 0 5 0 4 0 2 0 0 0 3 0 5 0</p>
        </polylist>)";

/// The same in triangles, of two materials.
constexpr const char* kTriangles = R"(
        <triangles material="Steel-material" count="4">
          <input semantic="VERTEX" source="#Wedge-vertices" offset="0"/>
          <p>0 2 1 3 4 5 0 1 4 0 4 3</p>
        </triangles>
        <triangles material="Paint-material" count="4">
          <input semantic="VERTEX" source="#Wedge-vertices" offset="0"/>
          <p>1 2 5 1 5 4 2 0 3 2 3 5</p>
        </triangles>)";

constexpr const char* kBoundWedge =
    R"(<instance_geometry url="#Wedge-mesh" name="Wedge"><bind_material>
            <technique_common>
              <instance_material symbol="Steel-material" target="#Steel-material"/>
              <instance_material symbol="Paint-material" target="#Paint-material"/>
            </technique_common></bind_material></instance_geometry>)";

struct Dae {
  std::string header = R"(<unit name="meter" meter="1"/><up_axis>Z_UP</up_axis>)";
  std::string primitives = kPolylist;
  std::string library_nodes;
  std::string scene =
      fmt::format(R"(<node id="base" name="base" type="NODE">{}</node>)", kBoundWedge);

  [[nodiscard]] std::string text() const {
    return fmt::format(R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>
    <contributor><author>Blender User</author></contributor>
    <created>2014-05-12T10:00:00</created>
    {}
  </asset>
  <library_images/>
  <library_effects>
    <effect id="Steel-effect"><profile_COMMON><technique sid="common"><phong>
      <diffuse><color sid="diffuse">0.8 0.1 0.05 1</color></diffuse>
    </phong></technique></profile_COMMON></effect>
    <effect id="Paint-effect"><profile_COMMON><technique sid="common"><lambert>
      <diffuse><color sid="diffuse">0 0 1 1</color></diffuse>
    </lambert></technique></profile_COMMON></effect>
  </library_effects>
  <library_materials>
    <material id="Steel-material" name="Steel"><instance_effect url="#Steel-effect"/></material>
    <material id="Paint-material" name="Paint"><instance_effect url="#Paint-effect"/></material>
  </library_materials>
  <library_geometries>
    <geometry id="Wedge-mesh" name="Wedge"><mesh>{}{}
    </mesh></geometry>
  </library_geometries>
  {}
  <library_visual_scenes><visual_scene id="Scene" name="Scene">{}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#Scene"/></scene>
</COLLADA>
)",
                       header, kWedgeSources, primitives, library_nodes, scene);
  }
};

Asset parse_ok(const Dae& dae) {
  Result<Asset> asset = parse_dae(dae.text(), "hand.dae");
  EXPECT_TRUE(asset) << to_text(asset.error());
  return asset ? std::move(*asset) : Asset{};
}

Error fault_of(const std::string& text) {
  const Result<Asset> asset = parse_dae(text, "bad.dae");
  EXPECT_FALSE(asset);
  return asset ? Error{} : asset.error();
}

Vec3 place(const AssetInstance& instance, const Vec3& p) { return instance.A * p + instance.t; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Dae, PolygonsOfABlenderExport) {
  const Asset asset = parse_ok({});
  ASSERT_EQ(asset.meshes.size(), 1u);
  ASSERT_EQ(asset.instances.size(), 1u);
  EXPECT_EQ(asset.format, "DAE");
  EXPECT_EQ(asset.meshes[0].name, "Wedge");
  EXPECT_EQ(asset.instances[0].name, "base");
  EXPECT_EQ(asset.instances[0].path, "base");
  EXPECT_EQ(asset.meshes[0].mesh->vertices.size(), 6u);
  EXPECT_EQ(asset.meshes[0].mesh->triangles.size(), 8u);
  EXPECT_TRUE(asset.meshes[0].report.closed);
  EXPECT_EQ(asset.meshes[0].report.flipped_triangles, 0u);
  EXPECT_DOUBLE_EQ(compute_volume(*asset.meshes[0].mesh), kWedgeVolume);
  ASSERT_TRUE(asset.meshes[0].colour);
  EXPECT_NEAR(asset.meshes[0].colour->r, 0.603827, 1e-6);  // 0.8 as a screen is told it
  EXPECT_TRUE(asset.notes.empty());
}

TEST(Dae, MaterialsOfOneGeometryStayOnePart) {
  Dae dae;
  dae.primitives = kTriangles;
  const Asset asset = parse_ok(dae);
  ASSERT_EQ(asset.meshes.size(), 1u);
  EXPECT_EQ(asset.meshes[0].mesh->triangles.size(), 8u);
  EXPECT_TRUE(asset.meshes[0].report.closed);
  EXPECT_DOUBLE_EQ(compute_volume(*asset.meshes[0].mesh), kWedgeVolume);
  EXPECT_NEAR(asset.meshes[0].colour.value().r, 0.603827, 1e-6);
}

TEST(Dae, UnitAndUpAxisAreStatedAndNotApplied) {
  const std::tuple<const char*, const char*, double, UpAxis> kHeaders[] = {
      {R"(<unit name="inch" meter="0.0254"/><up_axis>X_UP</up_axis>)", "in", 0.0254, UpAxis::x},
      {R"(<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>)", "cm", 0.01, UpAxis::y},
      {R"(<unit meter="1.0e-3" name="millimeter"/><up_axis> Z_UP </up_axis>)", "mm", 1e-3,
       UpAxis::z},
      {R"(<unit meter="0.5" name="cubit"/>)", "cubit", 0.5, UpAxis::y},
      {"", "m", 1, UpAxis::y},
  };
  for (const auto& [header, unit, metres, up] : kHeaders) {
    Dae dae;
    dae.header = header;
    const Asset asset = parse_ok(dae);
    EXPECT_EQ(asset.unit, unit);
    EXPECT_DOUBLE_EQ(asset.metres_per_unit, metres);
    EXPECT_EQ(asset.up, up);
    const AxisBox box = compute_box(asset);
    EXPECT_EQ(box.min, Vec3(0, 0, 0)) << header;
    EXPECT_EQ(box.max, Vec3(2, 3, 4)) << header;
  }
}

TEST(Dae, TransformsAccumulateInTheOrderWritten) {
  Dae dae;
  dae.header = R"(<unit name="inch" meter="0.0254"/><up_axis>Z_UP</up_axis>)";
  dae.scene = fmt::format(
      R"(<node id="arm" name="arm"><matrix sid="transform">0 -1 0 10 1 0 0 20 0 0 1 30 0 0 0 1</matrix>
         <node id="hand"><translate>1 2 3</translate><rotate>1 0 0 90</rotate><scale>2 3 4</scale>{0}</node>
         {0}</node>)",
      kBoundWedge);
  const Asset asset = parse_ok(dae);
  ASSERT_EQ(asset.meshes.size(), 1u);
  ASSERT_EQ(asset.instances.size(), 2u);
  EXPECT_EQ(asset.instances[0].name, "arm");
  EXPECT_EQ(asset.instances[1].name, "hand");
  EXPECT_EQ(asset.instances[1].path, "arm/hand");
  // The matrix turns x into y; the hand scales, turns y into z, then moves.
  EXPECT_TRUE(place(asset.instances[0], Vec3(1, 0, 0)).isApprox(Vec3(10, 21, 30), 1e-6));
  EXPECT_TRUE(place(asset.instances[1], Vec3(0, 0, 0)).isApprox(Vec3(8, 21, 33), 1e-6));
  EXPECT_TRUE(place(asset.instances[1], Vec3(1, 0, 0)).isApprox(Vec3(8, 23, 33), 1e-6));
  EXPECT_TRUE(place(asset.instances[1], Vec3(0, 1, 0)).isApprox(Vec3(8, 21, 36), 1e-6));
  EXPECT_TRUE(place(asset.instances[1], Vec3(0, 0, 1)).isApprox(Vec3(12, 21, 33), 1e-6));
}

TEST(Dae, LibraryNodesAreUnfoldedAndTheirMeshShared) {
  Dae dae;
  dae.library_nodes = fmt::format(
      R"(<library_nodes><node id="pair" name="pair">
           <node id="left" name="wheel left"><translate>0 5 0</translate>{0}</node>
           <node id="right" name="wheel right"><translate>0 -5 0</translate><scale>1 -1 1</scale>{0}</node>
         </node></library_nodes>)",
      kBoundWedge);
  dae.scene =
      R"(<node id="front" name="front"><translate>1 0 0</translate><instance_node url="#pair"/></node>
                 <node id="rear" name="rear"><translate>-1 0 0</translate><instance_node url="#pair"/></node>)";
  const Asset asset = parse_ok(dae);
  EXPECT_EQ(asset.meshes.size(), 1u);
  ASSERT_EQ(asset.instances.size(), 4u);
  EXPECT_EQ(asset.instances[0].path, "front/pair/wheel left");
  EXPECT_EQ(asset.instances[3].path, "rear/pair/wheel right");
  EXPECT_EQ(asset.instances[3].name, "wheel right_2");
  EXPECT_TRUE(place(asset.instances[3], Vec3(2, 3, 4)).isApprox(Vec3(1, -8, 4), 1e-6));
  EXPECT_LT(asset.instances[3].A.determinant(), 0);
}

TEST(Dae, ReadsFromDisk) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "wedge.dae";
  ASSERT_TRUE(write_file_atomically(path, Dae{}.text()));
  ASSERT_TRUE(load_dae(path));
  EXPECT_EQ(load_dae(path)->file, path.string());
  EXPECT_EQ(load_dae(path.string() + ".absent").error().code, "file.missing");
}

TEST(Dae, LinesAreLeftOutWithANote) {
  Dae dae;
  dae.primitives +=
      R"(<lines count="1"><input semantic="VERTEX" source="#Wedge-vertices" offset="0"/><p>0 4</p></lines>)";
  const Asset asset = parse_ok(dae);
  ASSERT_EQ(asset.notes.size(), 1u);
  EXPECT_EQ(asset.notes[0].code, "dae.no_surface");
  EXPECT_EQ(asset.meshes[0].mesh->triangles.size(), 8u);
}

// ---- faults ----

TEST(DaeFaults, XmlAndHeader) {
  const std::string sound = Dae{}.text();
  const Error cut = fault_of(sound.substr(0, sound.size() / 2));
  EXPECT_EQ(cut.code, "dae.xml");
  EXPECT_GT(cut.line, 1);
  EXPECT_EQ(fault_of("").code, "dae.xml");
  EXPECT_EQ(fault_of("<svg/>").code, "dae.not_collada");
  EXPECT_EQ(fault_of(replaced(sound, "meter=\"1\"", "meter=\"-1\"")).code, "dae.unit");
  const Error axis = fault_of(replaced(sound, "Z_UP", "UPWARDS"));
  EXPECT_EQ(axis.code, "dae.up_axis");
  EXPECT_EQ(axis.line, 6);
}

TEST(DaeFaults, CountsThatDoNotFitTheData) {
  const std::string sound = Dae{}.text();
  Error error = fault_of(replaced(sound, "count=\"18\"", "count=\"4000000000\""));
  EXPECT_EQ(error.code, "dae.number");
  error = fault_of(replaced(sound, "count=\"18\"", "count=\"2000000000\""));
  EXPECT_EQ(error.code, "dae.count");
  EXPECT_EQ(error.element, "<float_array id=\"Wedge-positions-array\">");
  EXPECT_EQ(fault_of(replaced(sound, "count=\"18\"", "count=\"19\"")).code, "dae.import");
  EXPECT_EQ(fault_of(replaced(sound, "count=\"18\"", "count=\"9\"")).code, "dae.count");
  EXPECT_EQ(fault_of(replaced(sound, "count=\"6\" stride", "count=\"7\" stride")).code,
            "dae.count");
  EXPECT_EQ(fault_of(replaced(sound, "stride=\"3\"", "stride=\"2\"")).code, "dae.count");
  EXPECT_EQ(fault_of(replaced(sound, "count=\"5\"", "count=\"500000000\"")).code, "dae.count");
  EXPECT_EQ(fault_of(replaced(sound, "offset=\"1\"", "offset=\"2147483647\"")).code, "dae.count");
  EXPECT_EQ(fault_of(replaced(sound, "3 3 4 4 4", "3 3 4 4 99999999")).code, "dae.count");
  EXPECT_EQ(fault_of(replaced(sound, "<p>0 0 2", "<p>0 0 6")).code, "dae.import");
  EXPECT_EQ(fault_of(replaced(sound, "0 0 0 2 0 0", "0 0 0 1e39 0 0")).code, "dae.not_finite");
  EXPECT_EQ(fault_of(replaced(sound, "0 0 0 2 0 0", "0 0 0 nan 0 0")).code, "dae.number");
  EXPECT_EQ(fault_of(replaced(sound, "<p>0 0 2", "<p>0 x 2")).code, "dae.number");
}

TEST(DaeFaults, References) {
  const std::string sound = Dae{}.text();
  const Error error = fault_of(replaced(sound, "url=\"#Wedge-mesh\"", "url=\"#Wegde-mesh\""));
  EXPECT_EQ(error.code, "dae.reference");
  EXPECT_NE(error.message.find("Wegde"), std::string::npos);
  EXPECT_GT(error.line, 0);
  // An instance without a url must not find the geometry without an id.
  const std::string nameless = replaced(sound, "geometry id=", "geometry notid=");
  EXPECT_EQ(fault_of(nameless).code, "dae.reference");
  EXPECT_EQ(fault_of(replaced(nameless, "url=\"#Wedge-mesh\"", "")).code, "dae.reference");
  EXPECT_EQ(fault_of(replaced(replaced(sound, "float_array id=", "float_array notid="),
                              "accessor source=", "accessor notsource="))
                .code,
            "dae.reference");
  Dae dae;
  dae.scene += R"(<node><instance_node/></node>)";
  EXPECT_EQ(fault_of(dae.text()).code, "dae.reference");
  dae = {};
  dae.scene += R"(<node id="x"><instance_node url="#nowhere"/></node>)";
  EXPECT_EQ(fault_of(dae.text()).code, "dae.reference");
}

TEST(DaeFaults, CirclesAndAvalanchesOfNodes) {
  Dae circle;
  circle.scene +=
      R"(<node id="a"><instance_node url="#b"/></node><node id="b"><instance_node url="#a"/></node>)";
  EXPECT_EQ(fault_of(circle.text()).code, "dae.cycle");

  Dae avalanche;  // 2^40 nodes
  avalanche.library_nodes = "<library_nodes>";
  for (int i = 0; i < 40; ++i) {
    avalanche.library_nodes += fmt::format(
        R"(<node id="n{0}"><instance_node url="#n{1}"/><instance_node url="#n{1}"/></node>)", i,
        i + 1);
  }
  avalanche.library_nodes += R"(<node id="n40"/></library_nodes>)";
  avalanche.scene += R"(<node id="top"><instance_node url="#n0"/></node>)";
  EXPECT_EQ(fault_of(avalanche.text()).code, "dae.too_large");

  Dae chain;
  chain.library_nodes = "<library_nodes>";
  for (int i = 0; i < 3000; ++i) {
    chain.library_nodes +=
        fmt::format(R"(<node id="n{}"><instance_node url="#n{}"/></node>)", i, i + 1);
  }
  chain.library_nodes += R"(<node id="n3000"/></library_nodes>)";
  chain.scene += R"(<node id="top"><instance_node url="#n0"/></node>)";
  EXPECT_EQ(fault_of(chain.text()).code, "dae.too_deep");
}

TEST(DaeFaults, NothingToShow) {
  Dae dae;
  dae.scene = R"(<node id="empty"/>)";
  EXPECT_EQ(fault_of(dae.text()).code, "asset.empty");
}

TEST(DaeFaults, AnyCutIsSurvived) {
  const std::string sound = Dae{}.text();
  for (std::size_t n = 0; n < sound.size(); n += 37) {
    EXPECT_FALSE(parse_dae(sound.substr(0, n), "cut.dae")) << n;
  }
}

}  // namespace
}  // namespace geste
