#include "geste/geometry/surface_spans.hpp"

#include <algorithm>
#include <cmath>

namespace geste {
namespace {

/// How straight a span must meet surfaces: cosine. Across a right corner it is 0.71; spans that may
/// be that would slip into corners when they are shortened.
constexpr double kFacing = 0.8;
/// Rays begin so far off their surface, as a share of the longest: what its neighbours do nearer
/// is no other side.
constexpr double kOff = 1e-3;

/// How well normals of a closed mesh cancel out.
constexpr double kClosed = 1e-6;

/// Shapes as meshes: rays from a triangle of a round shape would meet the shape itself.
std::vector<PlacedShape> make_meshes(std::span<const PlacedShape> shapes) {
  std::vector<PlacedShape> meshes(shapes.begin(), shapes.end());
  for (PlacedShape& s : meshes)
    if (!std::holds_alternative<MeshShape>(s.shape))
      s.shape = std::make_shared<const TriangleMesh>(make_mesh(s.shape));
  return meshes;
}

struct SurfacePoint {
  Vec3 p = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  ///< zero: of a triangle without area
};

/// Random points of all triangles.
class SurfaceSampler {
 public:
  explicit SurfaceSampler(std::span<const PlacedShape> meshes) : meshes_(meshes) {
    double area = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const TriangleMesh& mesh = *std::get<MeshShape>(meshes[i].shape);
      double volume = 0, mesh_area = 0;
      Vec3 sum = Vec3::Zero();
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec3 u = mesh.vertices[b] - mesh.vertices[a], v = mesh.vertices[c] - mesh.vertices[a];
        const Vec3 normal = u.cross(v);
        areas_.push_back(area += normal.norm());
        mesh_area += normal.norm();
        sum += normal;
        volume += normal.dot(mesh.vertices[a]);
        where_.push_back({i, t});
      }
      // Of a closed surface all normals cancel out; others have no inside.
      sides_.push_back(volume < 0 && sum.norm() < kClosed * mesh_area ? -1 : 1);
    }
  }

  [[nodiscard]] bool is_empty() const { return areas_.empty() || !(areas_.back() > 0); }

  [[nodiscard]] double side(std::size_t shape) const { return sides_[shape]; }

  [[nodiscard]] SurfacePoint draw(bool by_area, Rng& rng) const {
    return place(by_area ? pick_by_area(rng) : pick(rng), rng);
  }

 private:
  std::size_t pick(Rng& rng) const {
    return static_cast<std::size_t>(rng.integer(0, std::ssize(areas_) - 1));
  }
  std::size_t pick_by_area(Rng& rng) const {
    const double area = rng.uniform() * areas_.back();
    return static_cast<std::size_t>(std::upper_bound(areas_.begin(), areas_.end(), area) -
                                    areas_.begin());
  }
  SurfacePoint place(std::size_t i, Rng& rng) const {
    const auto [shape, triangle] = where_[i];
    const TriangleMesh& mesh = *std::get<MeshShape>(meshes_[shape].shape);
    const auto& [a, b, c] = mesh.triangles[triangle];
    const Vec3 u = mesh.vertices[b] - mesh.vertices[a], v = mesh.vertices[c] - mesh.vertices[a];
    const double root = std::sqrt(rng.uniform()), s = rng.uniform();
    const Vec3 normal = u.cross(v);
    if (!(normal.norm() > 0)) return {};
    const Pose& X_WS = meshes_[shape].X_WS;
    return {X_WS * (mesh.vertices[a] + root * ((1 - s) * u + s * v)),
            X_WS.R * (sides_[shape] * normal.normalized())};
  }

  std::span<const PlacedShape> meshes_;
  std::vector<double> areas_;                               ///< twice, summed up
  std::vector<double> sides_;                               ///< -1: turned inside out
  std::vector<std::pair<std::size_t, std::size_t>> where_;  ///< shape and triangle
};

/// Looks for spans with rays.
class SpanFinder {
 public:
  SpanFinder(std::span<const PlacedShape> meshes, double longest)
      : sampler_(meshes), scene_(meshes), longest_(longest) {}

  [[nodiscard]] bool is_empty() const { return sampler_.is_empty(); }

  /// From a random point, outwards and inwards.
  void look(bool by_area, Rng& rng, SurfaceSpans& found) const {
    const SurfacePoint point = sampler_.draw(by_area, rng);
    if (point.normal.isZero()) return;
    const auto out = cast(point.p + kOff * longest_ * point.normal, point.normal);
    if (out && out->facing > kFacing && out->distance > kOff * longest_) {
      const SurfaceSpan gap{point.p, out->point};
      if (is_free(gap)) found.gaps.push_back(gap);
    }
    const auto in = cast(point.p - kOff * longest_ * point.normal, -point.normal);
    if (in && -in->facing > kFacing) found.necks.push_back({point.p, in->point});
  }

  /// Moves and turns a gap to where none near it is shorter.
  [[nodiscard]] SurfaceSpan shorten(SurfaceSpan gap) const {
    constexpr double kFirst = 0.25, kLast = 0.01, kEnough = 1e-4;
    constexpr int kMostTurns = 60;
    double step = kFirst;
    for (int turn = 0; turn < kMostTurns && step > kLast; ++turn) {
      const Vec3 axis = gap.axis(), u = axis.unitOrthogonal(), v = axis.cross(u);
      SurfaceSpan best = gap;
      for (const Vec3& side : {u, v, Vec3(-u), Vec3(-v)}) {
        try_gap(gap.middle() + step * gap.length() * side, axis, best);
        try_gap(gap.middle(), (axis + step * side).normalized(), best);
      }
      if (best.length() < (1 - kEnough) * gap.length())
        gap = best;
      else
        step /= 2;
    }
    return gap;
  }

 private:
  struct Hit {
    Vec3 point;
    double distance;
    double facing;  ///< 1: straight at the front of a surface; -1: at its back
  };

  [[nodiscard]] std::optional<Hit> cast(const Vec3& from, const Vec3& direction) const {
    const auto hit = find_first_hit(scene_, from, from + longest_ * direction);
    if (!hit) return std::nullopt;
    return Hit{hit->point, hit->distance, -sampler_.side(hit->shape) * hit->normal.dot(direction)};
  }

  /// Whether its middle is in nothing: rays across it meet no surface from behind. Where solids
  /// touch, as boxes that make a wall, a face of one lies in the other.
  [[nodiscard]] bool is_free(const SurfaceSpan& gap) const {
    const Vec3 u = gap.axis().unitOrthogonal(), v = gap.axis().cross(u);
    for (const Vec3& side : {u, v, Vec3(-u), Vec3(-v)}) {
      const auto hit = cast(gap.middle(), side);
      if (hit && hit->facing < 0) return false;
    }
    return true;
  }

  /// The gap through a point, both ways.
  void try_gap(const Vec3& middle, const Vec3& axis, SurfaceSpan& best) const {
    const auto a = cast(middle, -axis);
    const auto b = a && a->facing > kFacing ? cast(middle, axis) : std::nullopt;
    if (!b || !(b->facing > kFacing) || a->distance + b->distance < kOff * longest_) return;
    const SurfaceSpan gap{a->point, b->point};
    if (gap.length() < best.length() && is_free(gap)) best = gap;
  }

  SurfaceSampler sampler_;
  RayScene scene_;
  double longest_;
};

/// Some of many, of which small ones are likelier.
std::vector<SurfaceSpan> pick_some(const std::vector<SurfaceSpan>& spans, Rng& rng) {
  constexpr int kKept = 64, kRivals = 4;
  std::vector<SurfaceSpan> kept;
  const auto pick = [&] {
    return spans[static_cast<std::size_t>(rng.integer(0, std::ssize(spans) - 1))];
  };
  for (int k = 0; k < kKept && !spans.empty(); ++k) {
    SurfaceSpan small = pick();
    for (int i = 1; i < kRivals; ++i)
      if (const SurfaceSpan other = pick(); other.length() < small.length()) small = other;
    kept.push_back(small);
  }
  return kept;
}

}  // namespace

SurfaceSpans find_spans(std::span<const PlacedShape> shapes, double longest, int rays, Rng& rng) {
  SurfaceSpans spans;
  const std::vector<PlacedShape> meshes = make_meshes(shapes);
  const SpanFinder finder(meshes, longest);
  if (finder.is_empty()) return spans;
  for (int i = 0; i < rays; ++i) finder.look(i % 2 == 0, rng, spans);
  spans.gaps = pick_some(spans.gaps, rng);
  for (SurfaceSpan& gap : spans.gaps) gap = finder.shorten(gap);
  return spans;
}

}  // namespace geste
