#include "geste/geometry/internal/inside_parts.hpp"

#include <algorithm>

#include "geste/geometry/internal/tree_pair.hpp"
#include "geste/geometry/internal/triangle_crossing.hpp"

namespace geste::internal {
namespace {

double cross(const Eigen::Vector2d& o, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return (a - o).x() * (b - o).y() - (a - o).y() * (b - o).x();
}

}  // namespace

InsideParts::InsideParts(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                         QueryScratch& scratch) {
  TreePair trees(a, b, X_AB, scratch);
  CandidateVisitor visitor([&](const TrianglePair& pair) {
    const auto [i, j] = pair;
    const Triangle3 ta = trees.triangle_a(i), tb = trees.triangle_b(j);
    if (const auto crossing = find_crossing(ta, tb)) {
      for (const CrossingEnd& end : crossing->ends) {
        a_.entries.push_back({i, false, end.p});
        b_.entries.push_back({j, false, end.p});
      }
    } else if (compute_distance(ta, tb).squared == 0) {
      a_.entries.push_back({i, true, Vec3::Zero()});
      b_.entries.push_back({j, true, Vec3::Zero()});
    }
  });
  trees.walk(visitor);
  a_.sort();
  b_.sort();
}

void InsideParts::Side::sort() {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& x, const Entry& y) { return x.triangle < y.triangle; });
  for (const Entry& e : entries) {
    if (triangles.empty() || triangles.back() != e.triangle) {
      triangles.push_back(e.triangle);
      first.push_back(static_cast<std::uint32_t>(points.size()));
      unclear.push_back(0);
    }
    if (e.unclear) {
      unclear.back() = 1;
    } else {
      points.push_back(e.point);
    }
  }
  first.push_back(static_cast<std::uint32_t>(points.size()));
  entries.clear();
}

InsideParts::Part InsideParts::find(const Side& side, std::uint32_t triangle) {
  const auto at = std::lower_bound(side.triangles.begin(), side.triangles.end(), triangle);
  if (at == side.triangles.end() || *at != triangle) return {};
  const auto k = static_cast<std::size_t>(at - side.triangles.begin());
  if (side.unclear[k]) return {Kind::unclear, {}};
  return {Kind::crossed,
          {side.points.data() + side.first[k], side.points.data() + side.first[k + 1]}};
}

// Andrew's monotone chain.
void compute_planar_hull(const Triangle3& t, std::vector<Vec3>& points) {
  const Vec3 u = (t.p[1] - t.p[0]).normalized();
  const Vec3 v = (t.p[1] - t.p[0]).cross(t.p[2] - t.p[0]).cross(u).normalized();
  if (!v.allFinite()) {  // too small for products: all of it
    points.assign(std::begin(t.p), std::end(t.p));
    return;
  }
  struct Flat {
    Eigen::Vector2d at;
    Vec3 p;
  };
  std::vector<Flat> flat;
  for (const Vec3& p : points) flat.push_back({{u.dot(p - t.p[0]), v.dot(p - t.p[0])}, p});
  std::sort(flat.begin(), flat.end(), [](const Flat& x, const Flat& y) {
    return x.at.x() < y.at.x() || (x.at.x() == y.at.x() && x.at.y() < y.at.y());
  });
  std::vector<Flat> hull;
  const auto add = [&](const Flat& p, std::size_t base) {
    while (hull.size() >= base + 2 && cross(hull[hull.size() - 2].at, hull.back().at, p.at) <= 0)
      hull.pop_back();
    hull.push_back(p);
  };
  for (const Flat& p : flat) add(p, 0);
  const std::size_t lower = hull.size();
  for (std::size_t i = flat.size() - 1; i-- > 0;) add(flat[i], lower - 1);
  if (hull.size() > 1) hull.pop_back();  // the first again
  points.clear();
  for (const Flat& p : hull) points.push_back(p.p);
}

}  // namespace geste::internal
