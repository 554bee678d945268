#include "geste/formats/step.hpp"

#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepClass_FaceClassifier.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Geom_Surface.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_PrinterOStream.hxx>
#include <Quantity_Color.hxx>
#include <STEPControl_Reader.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/step_text.hpp"
#include "geste/formats/internal/step_tree.hpp"
#include "geste/formats/part.hpp"

#include "formats/step_writing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::write_step;

/// OpenCASCADE as oracle writes reports to the terminal; the reader must be silent by itself.
const bool oracle_is_silent = [] {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  return true;
}();

fs::path step_data() { return testing::shared_data() / "cad" / "step"; }

TopoDS_Compound make_compound(std::initializer_list<TopoDS_Shape> shapes) {
  BRep_Builder builder;
  TopoDS_Compound compound;
  builder.MakeCompound(compound);
  for (const TopoDS_Shape& shape : shapes) builder.Add(compound, shape);
  return compound;
}

gp_Trsf make_shift(double x, double y, double z) {
  gp_Trsf shift;
  shift.SetTranslation(gp_Vec(x, y, z));
  return shift;
}

std::map<std::string, std::vector<std::vector<std::string>>> read_csv(const fs::path& path) {
  std::map<std::string, std::vector<std::vector<std::string>>> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::stringstream cells_of_line(line);
    for (std::string cell; std::getline(cells_of_line, cell, ',');) cells.push_back(cell);
    rows[cells.at(0)].push_back(cells);
  }
  return rows;
}

const Note* find_note(const Asset& asset, std::string_view code) {
  for (const Note& note : asset.notes) {
    if (note.code == code) return &note;
  }
  return nullptr;
}

double placed_volume(const StepFile& file) {
  double volume = 0;
  for (const AssetInstance& instance : file.asset.instances) {
    const AssetMesh& mesh = file.asset.meshes[instance.mesh];
    if (!mesh.report.closed) continue;
    volume += compute_volume(transformed(*mesh.mesh, instance.A, instance.t));
  }
  return volume;
}

/// Distance by the textbook regions of a triangle (Ericson), not by the reader's own function.
double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return ap.norm();
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return bp.norm();
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return (ap - d1 / (d1 - d3) * ab).norm();
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return cp.norm();
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return (ap - d2 / (d2 - d6) * ac).norm();
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    return (bp - (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b)).norm();
  }
  const double sum = va + vb + vc;
  return (ap - vb / sum * ab - vc / sum * ac).norm();
}

/// Distance of `p` from all placed triangles.
double distance_to_mesh(const Vec3& p, const TriangleMesh& mesh) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Triangle& t : mesh.triangles) {
    nearest = std::min(nearest, distance_to_triangle(p, mesh.vertices[t[0]], mesh.vertices[t[1]],
                                                     mesh.vertices[t[2]]));
  }
  return nearest;
}

TriangleMesh merge_instances(const Asset& asset) {
  TriangleMesh all;
  for (const AssetInstance& instance : asset.instances) {
    const TriangleMesh placed =
        transformed(*asset.meshes[instance.mesh].mesh, instance.A, instance.t);
    append(all, placed);
    all.deflection = std::max(all.deflection, placed.deflection);
  }
  return all;
}

TopoDS_Shape read_shape(const fs::path& path) {
  STEPControl_Reader reader;
  reader.ReadFile(path.c_str());
  reader.TransferRoots();
  return reader.OneShape();
}

/// Farthest of random points of the shape's exact faces from the triangles.
double measure_sag(const TopoDS_Shape& shape, const TriangleMesh& mesh, int per_face) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  double sag = 0;
  for (TopExp_Explorer it(shape, TopAbs_FACE); it.More(); it.Next()) {
    const TopoDS_Face& face = TopoDS::Face(it.Current());
    const Handle(Geom_Surface) surface = BRep_Tool::Surface(face);
    double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
    BRepTools::UVBounds(face, u0, u1, v0, v1);
    for (int i = 0; i < per_face; ++i) {
      const gp_Pnt2d x(u0 + unit(random) * (u1 - u0), v0 + unit(random) * (v1 - v0));
      const BRepClass_FaceClassifier where(face, x, 1e-9);
      if (where.State() != TopAbs_IN) continue;
      const gp_Pnt p = surface->Value(x.X(), x.Y());
      sag = std::max(sag, distance_to_mesh({p.X(), p.Y(), p.Z()}, mesh));
    }
  }
  return sag;
}

double exact_distance(const TopoDS_Shape& shape, const Vec3& p) {
  const TopoDS_Vertex vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(p.x(), p.y(), p.z()));
  double nearest = std::numeric_limits<double>::infinity();
  for (TopExp_Explorer it(shape, TopAbs_FACE); it.More() && nearest > 1e-9; it.Next()) {
    const BRepExtrema_DistShapeShape distance(vertex, it.Current());
    if (distance.IsDone()) nearest = std::min(nearest, distance.Value());
  }
  return nearest;
}

// --- MV-10: the reference files -----------------------------------------------------------------

struct ReferenceCase {
  const char* file;
  const char* schema;
  const char* unit;
  std::size_t meshes;
};

/// Each file is read once for all tests that take it as it is.
const Result<StepFile>& load_once(const fs::path& path) {
  static std::map<fs::path, Result<StepFile>> files;
  const auto known = files.find(path);
  return known != files.end() ? known->second : files.emplace(path, load_step(path)).first->second;
}

class StepReference : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(StepReference, MatchesFiguresAndPaths) {
  const fs::path path = step_data() / GetParam().file;
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& loaded = load_once(path);
  ASSERT_TRUE(loaded) << to_text(loaded.error());
  const StepFile& file = *loaded;
  const auto reference = read_csv(step_data() / "reference.csv").at(GetParam().file).at(0);
  const auto parts = read_csv(step_data() / "parts.csv").at(GetParam().file);
  const auto expected = [&](std::size_t column) { return *parse_double(reference.at(column)); };

  EXPECT_EQ(file.schema, GetParam().schema);
  EXPECT_EQ(file.length_units, std::vector<std::string>{GetParam().unit});
  EXPECT_EQ(file.asset.unit, "mm");
  EXPECT_EQ(file.asset.metres_per_unit, 0.001);
  EXPECT_EQ(file.asset.meshes.size(), GetParam().meshes);

  double volume = 0, area = 0;
  int faces = 0;
  std::set<std::string> names;
  ASSERT_EQ(file.solids.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const StepSolid& solid = file.solids[i];
    EXPECT_EQ(solid.path, parts[i].at(2));
    EXPECT_NEAR(solid.volume, *parse_double(parts[i].at(3)), 0.001 + 1e-9 * solid.volume);
    volume += solid.volume;
    area += solid.area;
    faces += solid.faces;
    names.insert(solid.part);
  }
  EXPECT_EQ(double(file.solids.size()), expected(1));
  EXPECT_EQ(double(names.size()), expected(2));
  EXPECT_EQ(faces, expected(3));
  EXPECT_NEAR(volume, expected(4), 0.001 + 1e-9 * volume);
  EXPECT_NEAR(area, expected(5), 0.001 + 1e-9 * area);

  const AxisBox box = compute_box(file.asset);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(box.min[axis], expected(6 + axis), 0.101);
    EXPECT_NEAR(box.max[axis], expected(9 + axis), 0.101);
  }
}

TEST_P(StepReference, SolidsAreClosedAndKeepTheDeflection) {
  const fs::path path = step_data() / GetParam().file;
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& loaded = load_once(path);
  ASSERT_TRUE(loaded) << to_text(loaded.error());
  std::size_t closed = 0;
  for (const AssetMesh& mesh : loaded->asset.meshes) {
    closed += mesh.report.closed ? 1 : 0;
    EXPECT_EQ(mesh.report.flipped_triangles, 0U) << mesh.name;
    EXPECT_GT(mesh.mesh->deflection, 0) << mesh.name;
    EXPECT_LE(mesh.mesh->deflection, 0.1) << mesh.name;
  }
  const std::size_t sheet_meshes = loaded->sheets.size();
  EXPECT_EQ(closed, loaded->asset.meshes.size() - sheet_meshes)
      << loaded->asset.meshes[0].report.to_text();
  // The triangles lose or add no more than a layer as thick as the deflection.
  double exact = 0, layer = 0;
  for (const StepSolid& solid : loaded->solids) {
    exact += solid.accurate_volume;
    layer += solid.area * 0.1;
  }
  EXPECT_NEAR(placed_volume(*loaded), exact, layer);
}

INSTANTIATE_TEST_SUITE_P(
    Files, StepReference,
    ::testing::Values(ReferenceCase{"as1-oc-214.stp", "AP214", "millimetre", 5},
                      ReferenceCase{"dm1-id-214.stp", "AP214", "inch", 3},
                      ReferenceCase{"nist_ctc_01_asme1_ap242-e1.stp", "AP242", "millimetre", 1},
                      ReferenceCase{"nist_ctc_02_asme1_ap242-e2.stp", "AP242", "millimetre", 3},
                      ReferenceCase{"nist_ftc_06_asme1_ap242-e2.stp", "AP242", "millimetre", 1}),
    [](const auto& test) {
      std::string name = test.param.file;
      return name.substr(0, name.find_first_of("-."));
    });

TEST(Step, KeepsInstancesAndGivesUniqueTellingNames) {  // MV-10
  const fs::path path = step_data() / "as1-oc-214.stp";
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& file = load_once(path);
  ASSERT_TRUE(file) << to_text(file.error());
  ASSERT_EQ(file->asset.instances.size(), 18U);
  std::set<std::string> names;
  for (const AssetInstance& instance : file->asset.instances) {
    names.insert(instance.name);
    EXPECT_NEAR(instance.A.determinant(), 1, 1e-9);
  }
  EXPECT_EQ(names.size(), 18U);
  EXPECT_TRUE(names.contains("plate_1"));
  ASSERT_TRUE(file->asset.meshes[0].colour.has_value());
  EXPECT_EQ(file->asset.meshes[0].name, "nut");
  EXPECT_NEAR(file->asset.meshes[0].colour->r, 1, 1e-6);
  EXPECT_NEAR(file->asset.meshes[0].colour->g, 0, 1e-6);
}

TEST(Step, NamesThePartAfterItsAssemblyWhereTheFileGivesNoName) {
  const fs::path path = step_data() / "nist_ctc_01_asme1_ap242-e1.stp";
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& file = load_once(path);
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(file->asset.instances.at(0).name, "NIST Complex Test Case 1");
  EXPECT_EQ(file->asset.meshes.at(0).name, "NIST Complex Test Case 1");
}

TEST(Step, TellsUnitsThatNoGeometryUses) {
  const fs::path path = step_data() / "nist_ftc_06_asme1_ap242-e2.stp";
  GESTE_NEEDS_DATA(path);
  StepOptions coarse;
  coarse.linear_deflection = 1e-3;
  const Result<StepFile> file = load_step(path, coarse);
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(file->unused_units, std::vector<std::string>{"inch"});
}

TEST(Step, CountsSheetsApartAndSaysWhatItSkipped) {
  const fs::path path = step_data() / "nist_ctc_02_asme1_ap242-e2.stp";
  GESTE_NEEDS_DATA(path);
  StepOptions coarse;
  coarse.linear_deflection = 1e-3;
  const Result<StepFile> file = load_step(path, coarse);
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(file->sheets.size(), 2U);
  ASSERT_NE(find_note(file->asset, "step.sheets"), nullptr);
  ASSERT_NE(find_note(file->asset, "step.curves_skipped"), nullptr);
  EXPECT_NE(find_note(file->asset, "step.curves_skipped")->message.find("115 curves and 84 points"),
            std::string::npos);
}

// --- The deflection is an error bound ------------------------------------------------------------

class StepDeflection : public ::testing::TestWithParam<const char*> {};

// The mesher alone strays up to 0.39 mm on ftc_06 when asked for 0.1 mm.
TEST_P(StepDeflection, HoldsOnExactSurfaces) {
  const fs::path path = step_data() / GetParam();
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& file = load_once(path);
  ASSERT_TRUE(file) << to_text(file.error());
  const TriangleMesh mesh = merge_instances(file->asset);
  const TopoDS_Shape exact = read_shape(path);
  const double sag = measure_sag(exact, mesh, 15);
  EXPECT_LE(sag, mesh.deflection);
  EXPECT_GT(sag, 0.2 * mesh.deflection) << "the bound should not be far too large";
  RecordProperty("sag_mm", std::to_string(sag));
  RecordProperty("bound_mm", std::to_string(mesh.deflection));
}

INSTANTIATE_TEST_SUITE_P(Files, StepDeflection,
                         ::testing::Values("as1-oc-214.stp", "dm1-id-214.stp",
                                           "nist_ctc_01_asme1_ap242-e1.stp",
                                           "nist_ftc_06_asme1_ap242-e2.stp"),
                         [](const auto& test) {
                           std::string name = test.param;
                           return name.substr(0, name.find_first_of("-."));
                         });

TEST(Step, TrianglesLieOnTheExactSurface) {
  const fs::path path = step_data() / "dm1-id-214.stp";
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& file = load_once(path);
  ASSERT_TRUE(file) << to_text(file.error());
  const TriangleMesh mesh = merge_instances(file->asset);
  const TopoDS_Shape exact = read_shape(path);
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 97) {
    EXPECT_LT(exact_distance(exact, mesh.vertices[i]), 1e-5);
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 53) {
    const Triangle& t = mesh.triangles[i];
    const Vec3 centroid = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3;
    EXPECT_LE(exact_distance(exact, centroid), mesh.deflection);
  }
}

struct SolidCase {
  const char* name;
  TopoDS_Shape shape;
  double volume;
};

std::vector<SolidCase> make_curved_solids() {
  const TopoDS_Shape torus = BRepPrimAPI_MakeTorus(20, 6);
  return {{"sphere", BRepPrimAPI_MakeSphere(10), 4.0 / 3 * M_PI * 1000},
          {"torus", torus, 2 * M_PI * M_PI * 20 * 36},
          {"cone", BRepPrimAPI_MakeCone(12, 0, 30), M_PI * 144 * 30 / 3},
          {"cut cone", BRepPrimAPI_MakeCone(12, 5, 30), M_PI * 30 / 3 * (144 + 60 + 25)},
          {"cylinder", BRepPrimAPI_MakeCylinder(8, 40), M_PI * 64 * 40},
          {"spline torus", BRepBuilderAPI_NurbsConvert(torus).Shape(), 2 * M_PI * M_PI * 20 * 36}};
}

TEST(Step, VolumeComesCloserWithHalfTheDeflection) {
  for (const SolidCase& solid : make_curved_solids()) {
    const std::string bytes = write_step(solid.shape);
    double last_error = std::numeric_limits<double>::infinity();
    for (const double deflection : {0.4e-3, 0.2e-3, 0.1e-3}) {
      StepOptions options;
      options.linear_deflection = deflection;
      options.angular_deflection = 1.5;
      const Result<StepFile> file = parse_step(bytes, "solid.stp", options);
      ASSERT_TRUE(file) << solid.name << to_text(file.error());
      ASSERT_EQ(file->solids.size(), 1U);
      EXPECT_NEAR(file->solids[0].accurate_volume, solid.volume, 1e-5 * solid.volume) << solid.name;
      ASSERT_EQ(file->asset.meshes.size(), 1U);
      const AssetMesh& mesh = file->asset.meshes[0];
      EXPECT_TRUE(mesh.report.closed) << solid.name << ": " << mesh.report.to_text();
      EXPECT_LE(mesh.mesh->deflection, deflection * 1000) << solid.name;
      const double sag = measure_sag(solid.shape, *mesh.mesh, 100);
      EXPECT_LE(sag, mesh.mesh->deflection * (1 + 1e-9)) << solid.name << " at " << deflection;
      EXPECT_GT(sag, 0.3 * mesh.mesh->deflection) << solid.name << " at " << deflection;
      const double error = std::abs(compute_volume(*mesh.mesh) - solid.volume);
      EXPECT_LT(error, last_error) << solid.name << " at " << deflection;
      last_error = error;
    }
  }
}

TEST(Step, FlatPartsHaveNoDeflection) {
  const Result<StepFile> file = parse_step(write_step(BRepPrimAPI_MakeBox(10, 20, 30)), "box.stp");
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_LT(file->asset.meshes[0].mesh->deflection, 1e-9);
  EXPECT_NEAR(compute_volume(*file->asset.meshes[0].mesh), 6000, 1e-9);
  EXPECT_EQ(file->asset.meshes[0].mesh->triangles.size(), 12U);
}

TEST(Step, FixedOrderIntegrationIsOffOnSplines) {
  const fs::path path = step_data() / "dm1-id-214.stp";
  GESTE_NEEDS_DATA(path);
  const Result<StepFile>& file = load_once(path);
  ASSERT_TRUE(file) << to_text(file.error());
  const auto bolt = std::find_if(file->solids.begin(), file->solids.end(),
                                 [](const StepSolid& solid) { return solid.part == "bolt"; });
  ASSERT_NE(bolt, file->solids.end());
  // The triangles of a finer mesh tell which of the two is right.
  StepOptions fine;
  fine.linear_deflection = 0.02e-3;
  const Result<StepFile> finer = load_step(path, fine);
  ASSERT_TRUE(finer) << to_text(finer.error());
  for (const AssetMesh& mesh : finer->asset.meshes) {
    if (mesh.name != "bolt") continue;
    const double volume = compute_volume(*mesh.mesh);
    EXPECT_LT(std::abs(volume - bolt->accurate_volume), 0.5 * std::abs(volume - bolt->volume));
  }
}

// The edges of this file lie up to 0.018 mm off its faces: no mesh can do better.
TEST(Step, SaysWhereTheDeflectionCannotBeMet) {
  const fs::path path = step_data() / "dm1-id-214.stp";
  GESTE_NEEDS_DATA(path);
  StepOptions fine;
  fine.linear_deflection = 0.015e-3;
  const Result<StepFile> file = load_step(path, fine);
  ASSERT_TRUE(file) << to_text(file.error());
  const Note* note = find_note(file->asset, "step.deflection");
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(note->element, "part 'bolt'");
  const TriangleMesh mesh = merge_instances(file->asset);
  EXPECT_GT(mesh.deflection, 0.015);
  EXPECT_LE(measure_sag(read_shape(path), mesh, 15), mesh.deflection);
}

// --- Shapes that real files hold -----------------------------------------------------------------

// The writer of OpenCASCADE 7.6 declares the unit and leaves the numbers as they are.
TEST(Step, ComesOutInMillimetresFromAnyUnit) {
  const std::pair<const char*, double> cases[] = {{"MM", 1}, {"M", 1000}, {"INCH", 25.4}};
  for (const auto& [unit, factor] : cases) {
    const Result<StepFile> file =
        parse_step(write_step(BRepPrimAPI_MakeBox(10, 20, 30), unit), "box.stp");
    ASSERT_TRUE(file) << to_text(file.error());
    EXPECT_TRUE(compute_box(file->asset).size().isApprox(factor * Vec3(10, 20, 30), 1e-9)) << unit;
    EXPECT_NEAR(file->solids.at(0).volume / std::pow(factor, 3), 6000, 1e-6) << unit;
  }
}

TEST(Step, KeepsACavityEmpty) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 10, 10);
  const TopoDS_Shape hole = BRepPrimAPI_MakeBox(gp_Pnt(3, 3, 3), 2, 2, 2);
  BRep_Builder builder;
  TopoDS_Solid hollow;
  builder.MakeSolid(hollow);
  builder.Add(hollow, TopExp_Explorer(box, TopAbs_SHELL).Current());
  builder.Add(hollow, TopExp_Explorer(hole, TopAbs_SHELL).Current().Reversed());
  const Result<StepFile> file = parse_step(write_step(hollow), "hollow.stp");
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_NEAR(file->solids.at(0).volume, 1000 - 8, 1e-6);
  EXPECT_NEAR(compute_volume(*file->asset.meshes.at(0).mesh), 1000 - 8, 1e-6);
  EXPECT_TRUE(file->asset.meshes[0].report.closed);
}

TEST(Step, MirroredSolidStaysOutsideOut) {
  gp_Trsf mirror;
  mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)));
  const TopoDS_Shape cone = BRepPrimAPI_MakeCone(gp_Ax2(gp_Pnt(5, 0, 0), gp_Dir(1, 2, 3)), 4, 1, 9);
  const TopoDS_Shape mirrored = BRepBuilderAPI_Transform(cone, mirror, true).Shape();
  StepOptions fine;
  fine.linear_deflection = 0.01e-3;
  const Result<StepFile> file = parse_step(write_step(mirrored), "mirror.stp", fine);
  ASSERT_TRUE(file) << to_text(file.error());
  const double exact = M_PI * 9 / 3 * (16 + 4 + 1);
  EXPECT_NEAR(file->solids.at(0).volume, exact, 1e-6 * exact);
  EXPECT_NEAR(compute_volume(*file->asset.meshes.at(0).mesh), exact, 0.02 * exact);
  EXPECT_EQ(file->asset.meshes[0].report.flipped_triangles, 0U);
}

/// Two solids, a sheet and a curve in one part.
TEST(Step, SeparatesSolidsSheetsAndCurvesOfOnePart) {
  const Handle(TDocStd_Document) document = new TDocStd_Document("test");
  const TopoDS_Shape far = BRepPrimAPI_MakeBox(gp_Pnt(50, 0, 0), 1, 2, 3);
  const TopoDS_Shape sheet =
      TopExp_Explorer(BRepPrimAPI_MakeBox(gp_Pnt(90, 0, 0), 5, 5, 5).Shape(), TopAbs_FACE)
          .Current();
  const TopoDS_Shape curve = BRepBuilderAPI_MakeEdge(gp_Pnt(0, 90, 0), gp_Pnt(0, 95, 0));
  const auto shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const TDF_Label part = shapes->AddShape(
      make_compound({BRepPrimAPI_MakeBox(10, 10, 10), far, sheet, curve}), Standard_False);
  TDataStd_Name::Set(part, "mixed");
  const Result<StepFile> file = parse_step(write_step(document), "mixed.stp");
  ASSERT_TRUE(file) << to_text(file.error());
  ASSERT_EQ(file->solids.size(), 2U);
  EXPECT_NEAR(file->solids[0].volume + file->solids[1].volume, 1006, 1e-6);
  ASSERT_EQ(file->sheets.size(), 1U);
  EXPECT_NEAR(file->sheets[0].area, 25, 1e-6);
  EXPECT_NE(find_note(file->asset, "step.sheets"), nullptr);
  EXPECT_NE(find_note(file->asset, "step.curves_skipped"), nullptr);
  std::size_t open = 0;
  for (const AssetMesh& mesh : file->asset.meshes) open += mesh.report.closed ? 0 : 1;
  EXPECT_EQ(open, 1U);
}

TEST(Step, ReadsNestedAssembliesWithNamesAndColours) {
  const Handle(TDocStd_Document) document = new TDocStd_Document("test");
  const auto shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const TDF_Label pin = shapes->AddShape(BRepPrimAPI_MakeBox(1, 2, 3), Standard_False);
  TDataStd_Name::Set(pin, "pin");
  XCAFDoc_DocumentTool::ColorTool(document->Main())
      ->SetColor(pin, Quantity_Color(0.25, 0.5, 0.75, Quantity_TOC_RGB), XCAFDoc_ColorSurf);
  const TDF_Label pair = shapes->NewShape();
  TDataStd_Name::Set(pair, "pair");
  TDataStd_Name::Set(shapes->AddComponent(pair, pin, make_shift(0, 0, 0)), "left");
  TDataStd_Name::Set(shapes->AddComponent(pair, pin, make_shift(0, 10, 0)), "right");
  const TDF_Label all = shapes->NewShape();
  TDataStd_Name::Set(all, "all");
  gp_Trsf quarter_turn;
  quarter_turn.SetRotation(gp::OZ(), M_PI_2);
  TDataStd_Name::Set(shapes->AddComponent(all, pair, quarter_turn), "front");
  TDataStd_Name::Set(shapes->AddComponent(all, pair, make_shift(100, 0, 0)), "rear");
  shapes->UpdateAssemblies();

  const Result<StepFile> file = parse_step(write_step(document), "nested.stp");
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(file->asset.meshes.size(), 1U);
  ASSERT_EQ(file->asset.instances.size(), 4U);
  EXPECT_EQ(file->asset.instances[1].path, "all/front/pair/right/pin");
  EXPECT_EQ(file->asset.instances[1].name, "right");
  EXPECT_EQ(file->asset.instances[3].path, "all/rear/pair/right/pin");
  EXPECT_EQ(file->asset.instances[3].name, "right_2");
  // The tree is kept.
  std::vector<std::pair<std::string, int>> tree;
  for (const AssetAssembly& a : file->asset.assemblies) tree.emplace_back(a.name, a.parent);
  EXPECT_EQ(tree,
            (std::vector<std::pair<std::string, int>>{{"all", -1}, {"front", 0}, {"rear", 0}}));
  EXPECT_EQ(file->asset.instances[1].assembly, 1);
  EXPECT_EQ(file->asset.instances[3].assembly, 2);
  BodyAssemblies assemblies;
  add_assemblies(file->asset, "box", assemblies);
  EXPECT_EQ(assemblies["box/right_2"], std::vector<std::string>{"rear"});
  // A quarter turn about z takes the shift along y to minus x.
  EXPECT_TRUE(file->asset.instances[1].t.isApprox(Vec3(-10, 0, 0), 1e-9));
  EXPECT_TRUE(file->asset.instances[3].t.isApprox(Vec3(100, 10, 0), 1e-9));
  ASSERT_TRUE(file->asset.meshes[0].colour.has_value());
  EXPECT_NEAR(file->asset.meshes[0].colour->g, 0.5, 0.01);
}

TEST(Step, DecodesNamesInAnyAlphabet) {
  std::string bytes = write_step(BRepPrimAPI_MakeBox(1, 1, 1));
  const std::size_t at = bytes.find("PRODUCT('");
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = bytes.find("(#", at);
  bytes.replace(at, end - at, R"(PRODUCT('x','Geh\X2\00E4\X0\use \X\D8 4 l''arbre','',)");
  const Result<StepFile> file = parse_step(bytes, "umlaut.stp");
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(file->asset.instances.at(0).name, "Geh\xC3\xA4use \xC3\x98 4 l'arbre");
}

TEST(StepText, DecodesEscapes) {
  EXPECT_EQ(decode_step_string(R"(a\X2\0041D83DDE00\X0\b)"),
            "aA\xF0\x9F\x98\x80"
            "b");
  EXPECT_EQ(decode_step_string(R"(\X4\0001F600\X0\)"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(decode_step_string(R"(\S\d)"), "\xC3\xA4");
  EXPECT_EQ(decode_step_string(R"(c:\\x)"), "c:\\x");
  for (const char* odd :
       {R"(\X2\00)", R"(\X2\zzzz\X0\)", R"(\X\g0)", R"(\S\)", R"(\)", R"(\X2\D800\X0\)"}) {
    EXPECT_EQ(decode_step_string(odd), odd);
  }
}

TEST(StepText, KnowsNamesThatProgramsMadeUp) {
  for (const char* name : {"", "=>[0:1:1:2]", "SOLID", "NAUO12", "instance id 3", "42"}) {
    EXPECT_FALSE(is_telling_name(name)) << name;
  }
  for (const char* name : {"nut_1", "Solid bracket", "M8x40", "2024-T3 plate"}) {
    EXPECT_TRUE(is_telling_name(name)) << name;
  }
}

// --- Again, please; and others at the same time --------------------------------------------------

std::string fingerprint(const StepFile& file) {
  std::ostringstream text;
  text.precision(17);
  for (const AssetMesh& mesh : file.asset.meshes) {
    text << mesh.name << mesh.mesh->deflection;
    for (const Vec3& p : mesh.mesh->vertices) text << p.transpose() << ' ';
    for (const Triangle& t : mesh.mesh->triangles)
      text << t[0] << ' ' << t[1] << ' ' << t[2] << ' ';
  }
  for (const AssetInstance& i : file.asset.instances) text << i.path << i.name << i.A << i.t;
  return text.str();
}

TEST(Step, GivesTheSameTrianglesOnAnyNumberOfThreads) {
  const fs::path path = step_data() / "as1-oc-214.stp";
  GESTE_NEEDS_DATA(path);
  const std::string expected = fingerprint(*load_once(path));
  std::vector<std::string> prints(4);
  std::vector<std::thread> threads;
  for (std::string& print : prints) {
    threads.emplace_back([&print, &path] { print = fingerprint(*load_step(path)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& print : prints) EXPECT_EQ(print, expected);
}

TEST(Step, LeavesTheLibrarysSettingsAsTheyWere) {
  const std::string bytes = write_step(BRepPrimAPI_MakeBox(10, 20, 30));
  Interface_Static::SetCVal("xstep.cascade.unit", "M");
  const Result<StepFile> file = parse_step(bytes, "box.stp");
  const std::string unit = Interface_Static::CVal("xstep.cascade.unit");
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(unit, "M");
  EXPECT_TRUE(compute_box(file->asset).size().isApprox(Vec3(10, 20, 30), 1e-9));
}

TEST(Step, CanBeCancelledAtAnyTime) {
  const fs::path path = step_data() / "dm1-id-214.stp";
  GESTE_NEEDS_DATA(path);
  int calls = 0;
  StepOptions options;
  options.cancelled = [&calls] {
    ++calls;
    return false;
  };
  ASSERT_TRUE(load_step(path, options));
  const int all = calls;
  EXPECT_GT(all, 10);
  for (const int stop : {1, all / 2, all}) {
    calls = 0;
    options.cancelled = [&calls, stop] { return ++calls >= stop; };
    const Result<StepFile> file = load_step(path, options);
    ASSERT_FALSE(file) << "stopped at call " << stop;
    EXPECT_EQ(file.error().code, "step.cancelled");
  }
}

// --- Bad input -----------------------------------------------------------------------------------

std::string code_of(const Result<StepFile>& result) {
  return result ? "none" : result.error().code;
}

TEST(StepErrors, NamesWhatTheFileIs) {
  const std::string iges =
      std::string(72, ' ') + "S      1\n" + std::string(72, ' ') + "G      1\n";
  const std::string binary("\x7f\x45\x4c\x46\x02\x00\x01", 7);
  struct Case {
    std::string bytes;
    const char* code;
    const char* words;
  };
  for (const Case& bad :
       {Case{"", "step.empty_file", "empty"}, Case{" \n\t ", "step.empty_file", "empty"},
        Case{binary, "step.not_step", "binary"}, Case{iges, "step.not_step", "IGES"},
        Case{"<!DOCTYPE html><html></html>", "step.not_step", "web page"},
        Case{"<?xml version='1.0'?><x/>", "step.not_step", "XML"},
        Case{"PK\x03\x04 zip", "step.compressed", "compressed"},
        Case{"solid cube\nfacet", "step.not_step", "STL"},
        Case{"hello", "step.not_step", "text"}}) {
    const Result<StepFile> file = parse_step(bad.bytes, "bad.stp");
    ASSERT_FALSE(file) << bad.words;
    EXPECT_EQ(file.error().code, bad.code);
    EXPECT_EQ(file.error().file, "bad.stp");
    EXPECT_NE(file.error().message.find(bad.words), std::string::npos) << file.error().message;
    EXPECT_FALSE(file.error().remedy.empty());
  }
}

TEST(StepErrors, MissingFile) { EXPECT_FALSE(load_step("no/such/file.stp")); }

TEST(StepErrors, TruncationIsFoundWithItsLine) {
  const std::string whole = write_step(BRepPrimAPI_MakeBox(1, 1, 1));
  for (const double part : {0.05, 0.3, 0.6, 0.9, 0.999}) {
    const std::size_t length = static_cast<std::size_t>(part * double(whole.size()));
    const Result<StepFile> file = parse_step(std::string_view(whole).substr(0, length), "cut.stp");
    ASSERT_EQ(code_of(file), "step.truncated") << part;
    EXPECT_GT(file.error().line, 0);
  }
}

TEST(StepErrors, SyntaxAndEmptyModels) {
  const std::string head =
      "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n";
  const std::string tail = "ENDSEC;\nEND-ISO-10303-21;\n";
  EXPECT_EQ(code_of(parse_step(head + tail, "x.stp")), "step.no_shape");
  const Result<StepFile> unbalanced = parse_step(head + "#1=POINT((1,2);\n" + tail, "x.stp");
  ASSERT_EQ(code_of(unbalanced), "step.syntax");
  EXPECT_EQ(unbalanced.error().line, 6);
  EXPECT_EQ(code_of(parse_step(head + "#99999999999=POINT();\n" + tail, "x.stp")), "step.syntax");
  EXPECT_EQ(code_of(parse_step(head + "#1=POINT();\n#1=POINT();\n" + tail, "x.stp")),
            "step.duplicate_entity");
  EXPECT_EQ(code_of(parse_step(head + "#1=POINT('a\n" + tail, "x.stp")), "step.truncated");
  EXPECT_EQ(code_of(parse_step(head + "/* open\n" + tail, "x.stp")), "step.truncated");
  EXPECT_EQ(code_of(parse_step(head + "#1=CARTESIAN_POINT('',(0.,0.,0.));\n" + tail, "x.stp")),
            "step.no_shape");
}

// OpenCASCADE by itself dereferences a null pointer here.
TEST(StepErrors, BrokenGeometryIsNamed) {
  std::string bytes = write_step(BRepPrimAPI_MakeBox(1, 1, 1));
  const std::size_t vertex = bytes.find("VERTEX_POINT('',#");
  ASSERT_NE(vertex, std::string::npos);
  bytes.insert(vertex + 17, "99999");
  const Result<StepFile> file = parse_step(bytes, "x.stp");
  ASSERT_EQ(code_of(file), "step.entity");
  EXPECT_NE(file.error().element.find("VertexPoint"), std::string::npos) << file.error().element;
}

TEST(StepErrors, PrintsNothing) {
  const std::string head = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('NO_SUCH'));\nENDSEC;\nDATA;\n";
  const std::string tail = "ENDSEC;\nEND-ISO-10303-21;\n";
  Message::DefaultMessenger()->AddPrinter(new Message_PrinterOStream());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const Result<StepFile> file =
      parse_step(head + "#1=NONSENSE(,,=,#77);\n#2=PRODUCT(#1,#2);;;#3=;\n" + tail, "x.stp");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(Message::DefaultMessenger()->Printers().Length(), 1);
  Message::DefaultMessenger()->ChangePrinters().Clear();
  EXPECT_FALSE(file);
}

TEST(StepErrors, OptionsAreCheckedTogether) {
  StepOptions options;
  options.linear_deflection = 0;
  options.angular_deflection = std::nan("");
  const Result<StepFile> file = parse_step("", "x.stp", options);
  ASSERT_EQ(code_of(file), "step.options");
  EXPECT_EQ(file.error().also.size(), 1U);
}

}  // namespace
}  // namespace geste
