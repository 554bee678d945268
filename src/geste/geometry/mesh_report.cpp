#include "geste/geometry/mesh_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "geste/geometry/internal/edges.hpp"
#include "geste/geometry/internal/needles.hpp"
#include "geste/geometry/internal/orientation.hpp"
#include "geste/geometry/point_welder.hpp"

namespace geste {
namespace {

/// Keeps the first of equal vertices. Returns for each old one its index among those kept.
std::vector<std::uint32_t> weld_vertices(std::vector<Vec3>& vertices) {
  // A soup names each vertex about six times: sized for that, the table stays in the cache.
  PointWelder welder(vertices.size() / 5);
  std::vector<std::uint32_t> kept_index(vertices.size());
  welder.add(vertices, kept_index);
  vertices = welder.take_points();
  return kept_index;
}

/// Renumbers corners and drops triangles with two equal ones.
void renumber_triangles(TriangleMesh& mesh, const std::vector<std::uint32_t>& new_index) {
  std::size_t kept = 0;
  for (const Triangle& old : mesh.triangles) {
    const Triangle t = {new_index[old[0]], new_index[old[1]], new_index[old[2]]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles[kept++] = t;
  }
  mesh.triangles.resize(kept);
}

std::size_t drop_unused_vertices(TriangleMesh& mesh) {
  constexpr std::uint32_t kUnused = 0xFFFFFFFF;
  std::vector<std::uint32_t> new_index(mesh.vertices.size(), kUnused);
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) new_index[v] = 0;
  }
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (new_index[v] == kUnused) continue;
    mesh.vertices[kept] = mesh.vertices[v];
    new_index[v] = kept++;
  }
  const std::size_t dropped = mesh.vertices.size() - kept;
  if (dropped == 0) return 0;
  mesh.vertices.resize(kept);
  for (Triangle& t : mesh.triangles) t = {new_index[t[0]], new_index[t[1]], new_index[t[2]]};
  return dropped;
}

/// The same triangle whichever corner comes first.
Triangle with_lowest_first(const Triangle& t) {
  if (t[0] < t[1] && t[0] < t[2]) return t;
  return t[1] < t[2] ? Triangle{t[1], t[2], t[0]} : Triangle{t[2], t[0], t[1]};
}

std::size_t hash_triangle(const Triangle& t) {
  std::uint64_t h = (std::uint64_t{t[0]} << 32 | t[1]) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32) ^ t[2]) * 0xD6E8FEB86659FD93u;
  return h ^ (h >> 32);
}

/// Keeps the first of triangles with the same corners in the same sense. Returns how many went.
std::size_t drop_duplicates(std::vector<Triangle>& triangles) {
  constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  std::size_t slots = 16;
  while (slots < 2 * triangles.size()) slots *= 2;
  std::vector<std::uint32_t> table(slots, kEmpty);
  std::uint32_t kept = 0;
  for (const Triangle& triangle : triangles) {
    const Triangle t = with_lowest_first(triangle);
    std::size_t i = hash_triangle(t) & (slots - 1);
    while (table[i] != kEmpty && with_lowest_first(triangles[table[i]]) != t) {
      i = (i + 1) & (slots - 1);
    }
    if (table[i] != kEmpty) continue;
    table[i] = kept;
    triangles[kept++] = triangle;
  }
  const std::size_t dropped = triangles.size() - kept;
  triangles.resize(kept);
  return dropped;
}

/// "1,204": a count as people read it.
std::string with_commas(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

/// "1 vertex", "1,204 vertices".
std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

}  // namespace

MeshReport clean_mesh(TriangleMesh& mesh) {
  if (mesh.vertices.size() > std::numeric_limits<std::uint32_t>::max() ||
      mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max() / 3 - 1) {
    throw std::length_error("clean_mesh: more triangles than 32-bit half-edges can name");
  }
  MeshReport report;
  const std::size_t vertices = mesh.vertices.size(), triangles = mesh.triangles.size();
  renumber_triangles(mesh, weld_vertices(mesh.vertices));
  report.welded_vertices = vertices - mesh.vertices.size();
  report.flipped_needles = flip_needles(mesh);
  std::erase_if(mesh.triangles,
                [&](const Triangle& t) { return is_flat(mesh.vertices, t, kFlatHeight); });
  report.degenerate_triangles = triangles - mesh.triangles.size();

  EdgeMap edges = match_edges(mesh.triangles, mesh.vertices.size());
  if (edges.has_repeated_half_edge) {
    report.duplicate_triangles = drop_duplicates(mesh.triangles);
    if (report.duplicate_triangles > 0) edges = match_edges(mesh.triangles, mesh.vertices.size());
  }
  report.unused_vertices = drop_unused_vertices(mesh);

  report.boundary_edges = edges.boundary_edges;
  report.nonmanifold_edges = edges.nonmanifold_edges;
  report.misoriented_edges = edges.misoriented_edges;
  const OrientationOutcome outcome = orient_triangles(mesh, edges);
  report.flipped_triangles = outcome.flipped_triangles;
  report.components = outcome.components;
  report.inward_components = outcome.inward_components;
  report.closed = !mesh.triangles.empty() && edges.boundary_edges == 0 &&
                  edges.nonmanifold_edges == 0 && outcome.consistent;
  return report;
}

std::string MeshReport::to_text() const {
  if (components == 0) return "empty";
  std::string text =
      fmt::format("{}, {}", closed ? "closed" : "open", counted(components, "piece", "pieces"));
  const auto add = [&text](const char* before, std::size_t count, const char* one, const char* many,
                           const char* after = "") {
    if (count > 0) text += fmt::format("; {}{}{}", before, counted(count, one, many), after);
  };
  add("", inward_components, "cavity", "cavities");
  add("welded ", welded_vertices, "vertex", "vertices");
  add("dropped ", degenerate_triangles, "degenerate triangle", "degenerate triangles");
  add("flipped ", flipped_needles, "needle", "needles");
  add("dropped ", duplicate_triangles, "duplicate triangle", "duplicate triangles");
  add("dropped ", unused_vertices, "unused vertex", "unused vertices");
  add("", boundary_edges, "boundary edge", "boundary edges");
  add("", nonmanifold_edges, "edge", "edges", " with more than two triangles");
  add("", misoriented_edges, "edge", "edges", " whose triangles disagreed");
  add("turned over ", flipped_triangles, "triangle", "triangles");
  return text;
}

}  // namespace geste
