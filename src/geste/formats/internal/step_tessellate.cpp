#include "geste/formats/internal/step_tessellate.hpp"

#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <IMeshTools_Parameters.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>

#include <algorithm>
#include <cmath>
#include <optional>

#include "geste/formats/internal/step_sag.hpp"

namespace geste {
namespace {

constexpr int kMeshingRounds = 6;
constexpr double kAccuracy = 1e-6;
/// Refining goes on while it lowers the sag at least this much. It does not where the file's own
/// edges lie off its faces.
constexpr double kWorthwhile = 0.95;
/// Refining stops when a part has this many times the triangles of the first try.
constexpr std::size_t kLargestGrowth = 8;

int count(const TopoDS_Shape& shape, TopAbs_ShapeEnum kind, TopAbs_ShapeEnum outside) {
  int n = 0;
  for (TopExp_Explorer it(shape, kind, outside); it.More(); it.Next()) ++n;
  return n;
}

/// With an accuracy the integration is adaptive; without, its order is fixed by the surface.
double compute_exact_area(const TopoDS_Shape& shape, std::optional<double> accuracy) {
  GProp_GProps properties;
  if (accuracy) {
    BRepGProp::SurfaceProperties(shape, properties, *accuracy);
  } else {
    BRepGProp::SurfaceProperties(shape, properties);
  }
  return properties.Mass();
}

double compute_exact_volume(const TopoDS_Shape& shape, std::optional<double> accuracy) {
  GProp_GProps properties;
  if (accuracy) {
    BRepGProp::VolumeProperties(shape, properties, *accuracy);
  } else {
    BRepGProp::VolumeProperties(shape, properties);
  }
  return properties.Mass();
}

/// Appends a face's triangles; false when it has none. Faces meet in equal coordinates because
/// the mesher cuts each edge once and hands the same points to both its faces.
bool append_face(TriangleMesh& mesh, const TopoDS_Face& face, bool turned) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation) source = BRep_Tool::Triangulation(face, location);
  if (source.IsNull() || source->NbTriangles() == 0) return false;
  const gp_Trsf& placement = location.Transformation();
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size()) - 1;  // nodes count from 1
  for (Standard_Integer i = 1; i <= source->NbNodes(); ++i) {
    const gp_Pnt p = source->Node(i).Transformed(placement);
    mesh.vertices.emplace_back(p.X(), p.Y(), p.Z());
  }
  const bool flip = ((face.Orientation() == TopAbs_REVERSED) != placement.IsNegative()) != turned;
  for (Standard_Integer i = 1; i <= source->NbTriangles(); ++i) {
    Standard_Integer a = 0, b = 0, c = 0;
    source->Triangle(i).Get(a, b, c);
    if (flip) std::swap(b, c);
    mesh.triangles.push_back({base + static_cast<std::uint32_t>(a),
                              base + static_cast<std::uint32_t>(b),
                              base + static_cast<std::uint32_t>(c)});
  }
  return true;
}

void append_body(TriangleMesh& mesh, const TopoDS_Shape& body, bool turned, StepPart& part) {
  for (TopExp_Explorer it(body, TopAbs_FACE); it.More(); it.Next()) {
    const TopoDS_Face& face = TopoDS::Face(it.Current());
    if (face.Orientation() == TopAbs_INTERNAL || face.Orientation() == TopAbs_EXTERNAL) continue;
    if (!append_face(mesh, face, turned)) ++part.faces_without_triangles;
    mesh.deflection = std::max(mesh.deflection, compute_sag_bound(face));
  }
}

/// Meshes the whole shape anew. Single-threaded: the same triangles every time.
bool mesh_shape(const TopoDS_Shape& shape, double linear, double angular,
                const std::function<bool()>& cancelled) {
  BRepTools::Clean(shape);
  if (cancelled && cancelled()) return false;
  IMeshTools_Parameters parameters;
  parameters.Deflection = linear;
  parameters.Angle = angular;
  parameters.InParallel = Standard_False;
  BRepMesh_IncrementalMesh(shape, parameters);
  return !(cancelled && cancelled());
}

/// Every solid, and every shell or face outside of solids.
template <class Visit>
void visit_bodies(const TopoDS_Shape& shape, const Visit& visit) {
  for (TopExp_Explorer it(shape, TopAbs_SOLID); it.More(); it.Next()) visit(it.Current(), true);
  for (TopExp_Explorer it(shape, TopAbs_SHELL, TopAbs_SOLID); it.More(); it.Next()) {
    visit(it.Current(), false);
  }
  for (TopExp_Explorer it(shape, TopAbs_FACE, TopAbs_SHELL); it.More(); it.Next()) {
    visit(it.Current(), false);
  }
}

/// The exact side of a part: needs no triangles.
StepPart measure_part(const TopoDS_Shape& shape) {
  StepPart part;
  part.edge_tolerance = BRep_Tool::MaxTolerance(shape, TopAbs_EDGE);
  part.loose_curves = count(shape, TopAbs_EDGE, TopAbs_FACE);
  part.loose_points = count(shape, TopAbs_VERTEX, TopAbs_EDGE);
  visit_bodies(shape, [&part](const TopoDS_Shape& body, bool solid) {
    StepBody figures;
    figures.faces = count(body, TopAbs_FACE, TopAbs_SHAPE);
    figures.area = compute_exact_area(body, std::nullopt);
    figures.accurate_area = compute_exact_area(body, kAccuracy);
    if (solid) {
      figures.volume = compute_exact_volume(body, std::nullopt);
      figures.accurate_volume = std::abs(compute_exact_volume(body, kAccuracy));
    }
    if (figures.volume < 0) ++part.inverted_solids;
    (solid ? part.solid_bodies : part.sheet_bodies).push_back(figures);
  });
  return part;
}

void collect_triangles(const TopoDS_Shape& shape, StepPart& part) {
  part.solids = TriangleMesh();
  part.sheets = TriangleMesh();
  part.faces_without_triangles = 0;
  std::size_t solids_seen = 0;
  visit_bodies(shape, [&](const TopoDS_Shape& body, bool solid) {
    const bool turned = solid && part.solid_bodies[solids_seen++].volume < 0;
    append_body(solid ? part.solids : part.sheets, body, turned, part);
  });
  part.sag = std::max(part.solids.deflection, part.sheets.deflection);
}

}  // namespace

StepPart tessellate_part(const TopoDS_Shape& shape, double linear, double angular,
                         const std::function<bool()>& cancelled) {
  const StepPart exact = measure_part(shape);
  StepPart best = exact;
  if (exact.solid_bodies.empty() && exact.sheet_bodies.empty()) return best;
  double hint = linear;
  std::size_t first_size = 0;
  int rounds_in_vain = 0;
  for (int round = 0; round < kMeshingRounds; ++round) {
    StepPart part = exact;
    if (!mesh_shape(shape, hint, angular, cancelled)) {
      part.cancelled = true;
      return part;
    }
    collect_triangles(shape, part);
    const double sag = part.sag;
    const std::size_t size = part.solids.triangles.size() + part.sheets.triangles.size();
    if (round == 0) first_size = size;
    const bool better = round == 0 || sag <= linear || sag < kWorthwhile * best.sag;
    rounds_in_vain = better ? 0 : rounds_in_vain + 1;
    if (better) best = std::move(part);
    if (sag <= linear || rounds_in_vain == 2 || size > kLargestGrowth * first_size) break;
    hint *= std::clamp(0.75 * linear / sag, 0.3, 0.75);
  }
  BRepTools::Clean(shape);  // the next part may share faces with this one
  for (StepBody& body : best.solid_bodies) body.volume = std::abs(body.volume);
  return best;
}

}  // namespace geste
