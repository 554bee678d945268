#include "geste/geometry/internal/core_depth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/geometry/mesh_point.hpp"

namespace geste::internal {
namespace {

struct Piece {
  double upper;  ///< nowhere deeper
  double begin;
  double end;
};

bool is_less_promising(const Piece& x, const Piece& y) { return x.upper < y.upper; }

}  // namespace

Vec3 RoundCore::at(double s) const {
  if (kind == Kind::point) return X_MP.p;
  if (kind == Kind::segment) return X_MP * Vec3(0, 0, size * (2 * s - 1));
  const double angle = 2 * std::numbers::pi * s;
  return X_MP * Vec3(size * std::cos(angle), size * std::sin(angle), 0);
}

double RoundCore::length() const {
  if (kind == Kind::point) return 0;
  return kind == Kind::segment ? 2 * size : 2 * std::numbers::pi * size;
}

Separation compute_core_depth(const MeshTree& mesh, const RoundCore& core, QueryScratch& scratch,
                              const DepthOptions& options) {
  double best = -std::numeric_limits<double>::infinity();
  Vec3 deepest = core.at(0), nearest = deepest;
  std::uint32_t hint = TrianglePair::kNone;
  std::vector<Piece> pieces;
  int points = 0;
  const auto enough = [&] {
    const double depth = best + core.radius;
    return best + std::max(options.absolute, options.relative * std::abs(depth));
  };
  const auto look = [&](double begin, double end) {
    ++points;
    const Vec3 p = core.at((begin + end) / 2);
    const NearestPoint near = find_nearest(mesh, p, scratch, hint);
    hint = near.triangle;
    const bool in = mesh.is_closed() && is_inside(mesh, p, scratch);
    const double depth = in ? near.distance : -near.distance;
    if (depth > best) best = depth, deepest = p, nearest = near.point;
    pieces.push_back({depth + core.length() * (end - begin) / 2, begin, end});
    std::push_heap(pieces.begin(), pieces.end(), is_less_promising);
  };
  constexpr int kFirst = 8;
  const int count = core.length() > 0 ? kFirst : 1;
  for (int k = 0; k < count; ++k)
    look(static_cast<double>(k) / count, static_cast<double>(k + 1) / count);
  while (pieces.front().upper > enough() && points < options.max_points) {
    std::pop_heap(pieces.begin(), pieces.end(), is_less_promising);
    const Piece p = pieces.back();
    pieces.pop_back();
    look(p.begin, (p.begin + p.end) / 2);
    look((p.begin + p.end) / 2, p.end);
  }
  Separation s;
  s.distance = -best - core.radius;
  s.error = std::max(0.0, pieces.front().upper - best);
  s.on_a = nearest;
  const Vec3 out = best > 0 ? Vec3(nearest - deepest) : Vec3(deepest - nearest);
  if (out.norm() > 0) s.normal = out.normalized();
  s.on_b = deepest - core.radius * s.normal;
  return s;
}

}  // namespace geste::internal
