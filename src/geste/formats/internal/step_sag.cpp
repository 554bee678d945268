#include "geste/formats/internal/step_sag.hpp"

#include <BRep_Tool.hxx>
#include <Geom2d_Curve.hxx>
#include <GeomAdaptor_Surface.hxx>
#include <Geom_Surface.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "geste/math/types.hpp"

namespace geste {
namespace {

/// A triangle is cut into 4^6 pieces at most.
constexpr int kDeepestCut = 6;
constexpr double kRestThatMatters = 0.01;
/// Sampled second derivatives may miss their peak.
constexpr double kSampledPeakFactor = 1.5;
constexpr int kBorderSamples = 8;

Vec3 to_vec(const gp_XYZ& p) { return {p.X(), p.Y(), p.Z()}; }
Vec3 to_vec(const gp_Pnt& p) { return to_vec(p.XYZ()); }

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm();
  const double s = length2 > 0 ? std::clamp(ab.dot(p - a) / length2, 0.0, 1.0) : 0.0;
  return (p - a - s * ab).norm();
}

double distance_to_triangle(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double area2 = normal.norm();
  if (area2 > 0) {
    // Inside the prism over the triangle the plane is nearest.
    bool inside = true;
    for (int i = 0; i < 3 && inside; ++i) {
      const Vec3& a = t[static_cast<std::size_t>(i)];
      const Vec3& b = t[static_cast<std::size_t>((i + 1) % 3)];
      inside = (b - a).cross(p - a).dot(normal) >= 0;
    }
    if (inside) return std::abs((p - t[0]).dot(normal)) / area2;
  }
  return std::min({distance_to_segment(p, t[0], t[1]), distance_to_segment(p, t[1], t[2]),
                   distance_to_segment(p, t[2], t[0])});
}

/// Largest |S_uu|, |S_uv|, |S_vv| on a piece of the surface.
struct SecondDerivatives {
  double uu = 0, uv = 0, vv = 0;

  /// Of the rest of linear interpolation over a parameter step (h_u, h_v).
  [[nodiscard]] double rest(double h_u, double h_v) const {
    return (uu * h_u * h_u + 2 * uv * h_u * h_v + vv * h_v * h_v) / 8;
  }
};

struct ParameterTriangle {
  std::array<gp_XY, 3> x;

  [[nodiscard]] gp_XY at(double a, double b) const {
    return x[0] * (1 - a - b) + x[1] * a + x[2] * b;
  }
  [[nodiscard]] double min_v() const { return std::min({x[0].Y(), x[1].Y(), x[2].Y()}); }
  [[nodiscard]] double max_v() const { return std::max({x[0].Y(), x[1].Y(), x[2].Y()}); }
  [[nodiscard]] double h_u() const {
    return std::max({x[0].X(), x[1].X(), x[2].X()}) - std::min({x[0].X(), x[1].X(), x[2].X()});
  }
  [[nodiscard]] double h_v() const { return max_v() - min_v(); }
};

SecondDerivatives sample_second_derivatives(const GeomAdaptor_Surface& surface,
                                            const ParameterTriangle& triangle) {
  constexpr int n = 4;
  SecondDerivatives m;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; i + j <= n; ++j) {
      const gp_XY x = triangle.at(double(i) / n, double(j) / n);
      gp_Pnt p;
      gp_Vec u, v, uu, vv, uv;
      surface.D2(x.X(), x.Y(), p, u, v, uu, vv, uv);
      m.uu = std::max(m.uu, uu.Magnitude());
      m.uv = std::max(m.uv, uv.Magnitude());
      m.vv = std::max(m.vv, vv.Magnitude());
    }
  }
  return {kSampledPeakFactor * m.uu, kSampledPeakFactor * m.uv, kSampledPeakFactor * m.vv};
}

SecondDerivatives bound_second_derivatives(const GeomAdaptor_Surface& surface,
                                           const ParameterTriangle& triangle) {
  const double low = triangle.min_v(), high = triangle.max_v();
  switch (surface.GetType()) {
    case GeomAbs_Plane:
      return {};
    case GeomAbs_Cylinder:
      return {surface.Cylinder().Radius(), 0, 0};
    case GeomAbs_Cone: {
      const gp_Cone cone = surface.Cone();
      const double slope = std::sin(cone.SemiAngle());
      const double radius = std::max(std::abs(cone.RefRadius() + low * slope),
                                     std::abs(cone.RefRadius() + high * slope));
      return {radius, std::abs(slope), 0};
    }
    case GeomAbs_Sphere: {  // v is the latitude
      const double r = surface.Sphere().Radius();
      const double nearest = low <= 0 && high >= 0 ? 0 : std::min(std::abs(low), std::abs(high));
      const double farthest = std::max(std::abs(low), std::abs(high));
      return {r * std::cos(nearest), r * std::sin(std::min(farthest, M_PI_2)), r};
    }
    case GeomAbs_Torus: {
      const gp_Torus torus = surface.Torus();
      const double r = torus.MinorRadius();
      return {torus.MajorRadius() + r, r, r};
    }
    default:
      return sample_second_derivatives(surface, triangle);
  }
}

using FlatTriangle = std::array<Vec3, 3>;

/// The triangles of one face in space and in parameters, and who touches whom.
class FaceMesh {
 public:
  explicit FaceMesh(const Poly_Triangulation& mesh) {
    const auto place = weld_nodes(mesh);
    touching_.resize(place.size());
    for (Standard_Integer i = 1; i <= mesh.NbTriangles(); ++i) {
      FlatTriangle flat;
      ParameterTriangle parameters;
      std::array<std::uint32_t, 3> corners{};
      for (Standard_Integer corner = 0; corner < 3; ++corner) {
        const Standard_Integer node = mesh.Triangle(i).Value(corner + 1);
        const auto c = static_cast<std::size_t>(corner);
        flat[c] = to_vec(mesh.Node(node));
        parameters.x[c] = mesh.UVNode(node).XY();
        corners[c] = place[static_cast<std::size_t>(node - 1)];
        touching_[corners[c]].push_back(static_cast<std::uint32_t>(i - 1));
      }
      flat_.push_back(flat);
      parameters_.push_back(parameters);
      corners_.push_back(corners);
    }
  }

  [[nodiscard]] std::size_t size() const { return flat_.size(); }
  [[nodiscard]] const FlatTriangle& flat(std::size_t i) const { return flat_[i]; }
  [[nodiscard]] const ParameterTriangle& parameters(std::size_t i) const { return parameters_[i]; }

  /// The triangle itself and all that share a corner with it in space.
  [[nodiscard]] std::vector<FlatTriangle> make_neighbourhood(std::size_t i) const {
    std::vector<std::uint32_t> near;
    for (const std::uint32_t corner : corners_[i]) {
      near.insert(near.end(), touching_[corner].begin(), touching_[corner].end());
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<FlatTriangle> triangles{flat_[i]};
    for (const std::uint32_t other : near) {
      if (other != i) triangles.push_back(flat_[other]);
    }
    return triangles;
  }

 private:
  /// For each node the first node at the same place: seams and poles have several.
  static std::vector<std::uint32_t> weld_nodes(const Poly_Triangulation& mesh) {
    std::map<std::array<double, 3>, std::uint32_t> first;
    std::vector<std::uint32_t> place;
    for (Standard_Integer i = 1; i <= mesh.NbNodes(); ++i) {
      const gp_Pnt p = mesh.Node(i);
      const auto id = static_cast<std::uint32_t>(i - 1);
      place.push_back(first.try_emplace({p.X(), p.Y(), p.Z()}, id).first->second);
    }
    return place;
  }

  std::vector<FlatTriangle> flat_;
  std::vector<ParameterTriangle> parameters_;
  std::vector<std::array<std::uint32_t, 3>> corners_;
  std::vector<std::vector<std::uint32_t>> touching_;
};

/// Bounds one parameter triangle by cutting it until its pieces are flat enough.
class TriangleBound {
 public:
  /// Pieces below `enough` are not looked at closer.
  TriangleBound(const GeomAdaptor_Surface& surface, const FaceMesh& mesh, std::size_t index,
                double enough)
      : surface_(surface), mesh_(mesh), index_(index), enough_(enough) {}

  [[nodiscard]] double compute() {
    const ParameterTriangle& x = mesh_.parameters(index_);
    const double rest = bound_second_derivatives(surface_, x).rest(x.h_u(), x.h_v());
    return bound_piece(make_corner(x.x[0]), make_corner(x.x[1]), make_corner(x.x[2]), rest, 0);
  }

 private:
  struct Corner {
    gp_XY x;
    Vec3 p;
  };
  [[nodiscard]] Corner make_corner(const gp_XY& x) const {
    return {x, to_vec(surface_.Value(x.X(), x.Y()))};
  }
  [[nodiscard]] Corner make_middle(const Corner& a, const Corner& b) const {
    return make_corner((a.x + b.x) * 0.5);
  }

  double bound_piece(const Corner& a, const Corner& b, const Corner& c, double rest, int depth) {
    const auto farthest = [&](const FlatTriangle& t) {
      return std::max({distance_to_triangle(a.p, t), distance_to_triangle(b.p, t),
                       distance_to_triangle(c.p, t)});
    };
    double distance = farthest(mesh_.flat(index_));
    if (distance + rest <= enough_) return distance + rest;
    if (neighbourhood_.empty()) neighbourhood_ = mesh_.make_neighbourhood(index_);
    for (const FlatTriangle& other : neighbourhood_) {
      distance = std::min(distance, farthest(other));
    }
    const double bound = distance + rest;
    if (bound <= enough_ || rest <= kRestThatMatters * distance || depth == kDeepestCut) {
      enough_ = std::max(enough_, bound);
      return bound;
    }
    const Corner ab = make_middle(a, b), bc = make_middle(b, c), ca = make_middle(c, a);
    return std::max({bound_piece(a, ab, ca, rest / 4, depth + 1),
                     bound_piece(ab, b, bc, rest / 4, depth + 1),
                     bound_piece(ca, bc, c, rest / 4, depth + 1),
                     bound_piece(ab, bc, ca, rest / 4, depth + 1)});
  }

  const GeomAdaptor_Surface& surface_;
  const FaceMesh& mesh_;
  std::size_t index_;
  double enough_;
  std::vector<FlatTriangle> neighbourhood_;
};

/// The piece of the face between a border curve and the chord of one mesh edge.
struct Border {
  const GeomAdaptor_Surface& surface;
  const Geom2d_Curve& curve;

  /// Between sample points the curve in space strays from the polyline through them by 1/8 of the
  /// second difference; a point between the curve and its chord in parameters is no farther from
  /// the triangle than those two, plus the rest of interpolating between them.
  [[nodiscard]] double measure(double t0, double t1, const Vec3& a, const Vec3& b) const {
    const gp_XY x0 = curve.Value(t0).XY(), x1 = curve.Value(t1).XY();
    std::array<Vec3, kBorderSamples + 1> p;
    double farthest = 0, rest = 0;
    for (int i = 0; i <= kBorderSamples; ++i) {
      const double s = double(i) / kBorderSamples;
      const gp_XY x = curve.Value(t0 + s * (t1 - t0)).XY();
      gp_Pnt point;
      gp_Vec u, v, uu, vv, uv;
      surface.D2(x.X(), x.Y(), point, u, v, uu, vv, uv);
      p[static_cast<std::size_t>(i)] = to_vec(point);
      farthest = std::max(farthest, distance_to_segment(to_vec(point), a, b));
      const gp_XY bulge = x - (x0 * (1 - s) + x1 * s);
      const SecondDerivatives m{uu.Magnitude(), uv.Magnitude(), vv.Magnitude()};
      rest = std::max(rest, m.rest(std::abs(bulge.X()), std::abs(bulge.Y())));
    }
    double bend = 0;
    for (std::size_t i = 1; i + 1 < p.size(); ++i) {
      bend = std::max(bend, (p[i - 1] - 2 * p[i] + p[i + 1]).norm());
    }
    return farthest + bend / 8 + rest;
  }
};

double measure_borders(const TopoDS_Face& face, const GeomAdaptor_Surface& surface,
                       const Handle(Poly_Triangulation) & mesh, const TopLoc_Location& location) {
  double sag = 0;
  for (TopExp_Explorer it(face, TopAbs_EDGE); it.More(); it.Next()) {
    const TopoDS_Edge& edge = TopoDS::Edge(it.Current());
    if (BRep_Tool::Degenerated(edge)) continue;
    const auto polygon = BRep_Tool::PolygonOnTriangulation(edge, mesh, location);
    double first = 0, last = 0;
    const auto curve = BRep_Tool::CurveOnSurface(edge, face, first, last);
    if (polygon.IsNull() || curve.IsNull() || !polygon->HasParameters()) continue;
    const Border border{surface, *curve};
    for (Standard_Integer i = 1; i < polygon->NbNodes(); ++i) {
      const Vec3 a = to_vec(mesh->Node(polygon->Node(i)));
      const Vec3 b = to_vec(mesh->Node(polygon->Node(i + 1)));
      sag = std::max(sag, border.measure(polygon->Parameter(i), polygon->Parameter(i + 1), a, b));
    }
  }
  return sag;
}

}  // namespace

double compute_sag_bound(const TopoDS_Face& face) {
  TopLoc_Location mesh_location, surface_location;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, mesh_location);
  const Handle(Geom_Surface) geometry = BRep_Tool::Surface(face, surface_location);
  if (mesh.IsNull() || geometry.IsNull() || !mesh->HasUVNodes()) return 0;
  const GeomAdaptor_Surface surface(geometry);

  double bound = measure_borders(face, surface, mesh, mesh_location);
  const FaceMesh triangles(*mesh);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    bound = std::max(bound, TriangleBound(surface, triangles, i, bound).compute());
  }
  return bound;
}

}  // namespace geste
