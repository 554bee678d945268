#include "geste/geometry/internal/world_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace geste {
namespace {

constexpr int kCoarsest = 6;
constexpr int kFinest = 400;
constexpr double kCell = 2;  // m

bool overlaps(const AxisBox& a, const AxisBox& b) {
  return (a.min.array() < b.max.array()).all() && (b.min.array() < a.max.array()).all();
}

/// Calls `visit` with the key of every cell the box touches, until it returns false.
template <class Visit>
bool visit_cells(const AxisBox& box, const Visit& visit) {
  const auto cell = [](double x) { return static_cast<std::int64_t>(std::floor(x / kCell)); };
  for (std::int64_t i = cell(box.min.x()); i <= cell(box.max.x()); ++i) {
    for (std::int64_t j = cell(box.min.y()); j <= cell(box.max.y()); ++j) {
      if (!visit(i * 65536 + j)) return false;
    }
  }
  return true;
}

std::size_t sum(const std::vector<std::size_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::size_t{0});
}

/// Vertices about a point near the middle of the part, whose place is in whole millimetres.
Pose recentre(TriangleMesh& mesh) {
  const Vec3 centre = (compute_box(mesh).centre() * 1000).array().round() / 1000;
  for (Vec3& v : mesh.vertices) v -= centre;
  return Pose::translation(centre);
}

}  // namespace

AxisBox make_box(const Vec3& low, const Vec3& high) {
  AxisBox box;
  box.add(low);
  box.add(high);
  return box;
}

AxisBox grown(const AxisBox& box, double margin) {
  return make_box(box.min - Vec3::Constant(margin), box.max + Vec3::Constant(margin));
}

void WorldPlan::add(const std::string& name, const Colour& colour, Build build) {
  Solids count(nullptr, kUsualSegments);
  build(count);
  usual_facets_ += count.triangles();
  parts_.push_back({fmt::format("{}_{}", name, ++numbers_[name]), colour, std::move(build)});
}

bool WorldPlan::try_add(const std::string& name, const Colour& colour, const Boxes& claims,
                        Build build) {
  if (!std::all_of(claims.begin(), claims.end(), [&](const AxisBox& b) { return is_free(b); })) {
    return false;
  }
  for (const AxisBox& b : claims) claim(b);
  add(name, colour, std::move(build));
  return true;
}

void WorldPlan::claim(const AxisBox& place) {
  const auto index = static_cast<std::uint32_t>(claims_.size());
  claims_.push_back(place);
  visit_cells(place, [&](std::int64_t key) {
    cells_[key].push_back(index);
    return true;
  });
}

bool WorldPlan::is_free(const AxisBox& place) const {
  return visit_cells(place, [&](std::int64_t key) {
    const auto found = cells_.find(key);
    return found == cells_.end() ||
           std::none_of(found->second.begin(), found->second.end(),
                        [&](std::uint32_t i) { return overlaps(claims_[i], place); });
  });
}

void WorldPlan::keep_free(const std::string& name, const AxisBox& place) {
  free_.push_back({name, place});
  claim(place);
}

std::vector<std::size_t> WorldPlan::count_facets(int segments) const {
  std::vector<std::size_t> counts;
  counts.reserve(parts_.size());
  for (const Part& part : parts_) {
    Solids count(nullptr, segments);
    part.build(count);
    counts.push_back(count.triangles());
  }
  return counts;
}

std::optional<GeneratedWorld> WorldPlan::build(std::size_t& possible) const {
  // The finest roundness that stays within the facets.
  int low = kCoarsest, high = kFinest;
  std::vector<std::size_t> counts = count_facets(low);
  possible = sum(counts);
  if (possible > facets_) return std::nullopt;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    std::vector<std::size_t> finer = count_facets(middle);
    if (sum(finer) <= facets_) {
      low = middle;
      counts = std::move(finer);
    } else {
      high = middle - 1;
    }
  }
  // One segment more for the parts whose facets still fit.
  const std::vector<std::size_t> finer = count_facets(low + 1);
  std::vector<int> segments(parts_.size(), low);
  possible = sum(counts);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (possible + finer[i] - counts[i] > facets_) continue;
    possible += finer[i] - counts[i];
    segments[i] = low + 1;
  }
  if (static_cast<double>(possible) < 0.95 * static_cast<double>(facets_)) return std::nullopt;

  GeneratedWorld world{{}, free_, box_};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    auto mesh = std::make_shared<TriangleMesh>();
    Solids solids(mesh.get(), segments[i]);
    parts_[i].build(solids);
    const Pose X_WP = recentre(*mesh);
    world.parts.push_back({parts_[i].name, std::move(mesh), X_WP, parts_[i].colour});
  }
  return world;
}

}  // namespace geste
