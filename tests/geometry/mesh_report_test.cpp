#include "geste/geometry/mesh_report.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "geste/geometry/point_welder.hpp"
#include "geste/geometry/shape.hpp"

#include "testing.hpp"

namespace geste {
namespace {

TriangleMesh make_soup(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto n = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : t) soup.vertices.push_back(mesh.vertices[v]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  return soup;
}

void turn_over(TriangleMesh& mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

TriangleMesh moved(const TriangleMesh& mesh, double scale, const Vec3& t) {
  return transformed(mesh, scale * Mat3::Identity(), t);
}

/// The unit square in the xy plane, n x n cells, facing up.
TriangleMesh make_sheet(std::uint32_t n) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= n; ++j) {
    for (std::uint32_t i = 0; i <= n; ++i) mesh.vertices.emplace_back(1.0 * i / n, 1.0 * j / n, 0);
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

/// Edge counts by the plain way: a map from vertex pair to the triangles there.
std::map<std::pair<std::uint32_t, std::uint32_t>, int> count_edges(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      ++edges[std::minmax({t[k], t[(k + 1) % 3]})];
    }
  }
  return edges;
}

TEST(CleanMesh, WeldsASoupBackToItsMesh) {
  const TriangleMesh sphere = make_mesh(Sphere{1}, 24);
  TriangleMesh soup = make_soup(sphere);
  const MeshReport report = clean_mesh(soup);
  EXPECT_EQ(soup.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(report.welded_vertices, 3 * sphere.triangles.size() - sphere.vertices.size());
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.flipped_triangles, 0u);
  ASSERT_EQ(soup.triangles.size(), sphere.triangles.size());
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(soup.vertices[soup.triangles[i][k]], sphere.vertices[sphere.triangles[i][k]]);
    }
  }
}

TEST(CleanMesh, WeldsNegativeZeroButNothingNear) {
  TriangleMesh mesh;
  mesh.vertices = {{0.0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, -0.0, 0}, {std::nextafter(1, 2), 0, 0},
                   {0, 0, 1}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  const MeshReport report = clean_mesh(mesh);
  EXPECT_EQ(report.welded_vertices, 1u);
  EXPECT_EQ(mesh.vertices.size(), 5u);
  EXPECT_EQ(mesh.triangles[1][0], 0u);
  EXPECT_EQ(report.components, 2u);
}

TEST(CleanMesh, DropsDegenerateTrianglesButKeepsThinOnes) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}, {0.5, 1e-8, 0}, {0.25, 0, 0}, {9, 9, 9}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 0, 1}};
  const MeshReport report = clean_mesh(mesh);
  EXPECT_EQ(report.degenerate_triangles, 3u);
  EXPECT_EQ(report.unused_vertices, 3u);
  ASSERT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.vertices[mesh.triangles[0][2]], Vec3(0.5, 1e-6, 0));

  // The rule is relative: the same at the scale of microns, and far from the origin.
  for (const double scale : {1e-6, 1e6}) {
    TriangleMesh other;
    other.vertices = {{0, 0, 0}, {scale, 0, 0}, {0.5 * scale, 1e-6 * scale, 0}};
    for (Vec3& v : other.vertices) v += Vec3(10 * scale, -7 * scale, 3 * scale);
    other.triangles = {{0, 1, 2}};
    EXPECT_EQ(clean_mesh(other).degenerate_triangles, 0u);
  }
}

/// Cuts one triangle at an edge's middle and leaves a needle towards its neighbour, as meshers do.
void add_needle(TriangleMesh& mesh, std::size_t triangle, std::size_t corner) {
  const Triangle t = mesh.triangles[triangle];
  const std::uint32_t a = t[corner], b = t[(corner + 1) % 3], c = t[(corner + 2) % 3];
  const auto m = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) / 2);
  mesh.triangles[triangle] = {a, m, c};
  mesh.triangles.push_back({m, b, c});
  mesh.triangles.push_back({a, b, m});
}

TEST(CleanMesh, NeedlesGoWithoutOpeningTheSurface) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    TriangleMesh mesh = make_mesh(Torus{0.5, 0.2}, 24);
    const double volume = compute_volume(mesh), area = compute_area(mesh);
    const std::size_t before = mesh.triangles.size();
    for (std::size_t t = random() % 20; t < before; t += 20) {
      const std::size_t corner = random() % 3;
      add_needle(mesh, t, corner);
      // Several points on one edge: needles that lean on needles.
      for (int more = round % 4; more > 0; --more) add_needle(mesh, t, 0);
    }
    const std::size_t triangles = mesh.triangles.size();
    const MeshReport report = clean_mesh(mesh);
    EXPECT_TRUE(report.closed) << round << " " << report.to_text();
    EXPECT_GE(report.flipped_needles, 1u);
    EXPECT_EQ(mesh.triangles.size() + report.degenerate_triangles, triangles);
    EXPECT_NEAR(compute_volume(mesh), volume, 1e-9);
    EXPECT_NEAR(compute_area(mesh), area, 1e-9);
    EXPECT_EQ(clean_mesh(mesh).flipped_needles, 0u);
  }
}

TEST(CleanMesh, DropsDuplicatesInTheSameSenseOnly) {
  TriangleMesh mesh = make_sheet(4);
  const Triangle t = mesh.triangles[5];
  mesh.triangles.push_back({t[1], t[2], t[0]});
  mesh.triangles.push_back({t[2], t[0], t[1]});
  TriangleMesh two_sided = mesh;
  const MeshReport report = clean_mesh(mesh);
  EXPECT_EQ(report.duplicate_triangles, 2u);
  EXPECT_EQ(report.nonmanifold_edges, 0u);
  EXPECT_EQ(mesh.triangles, make_sheet(4).triangles);

  two_sided.triangles.resize(32);
  two_sided.triangles.push_back({t[1], t[0], t[2]});
  EXPECT_EQ(clean_mesh(two_sided).duplicate_triangles, 0u);
  EXPECT_EQ(two_sided.triangles.size(), 33u);
}

TEST(CleanMesh, CountsEdgesLikeAPlainMap) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    TriangleMesh mesh;
    for (int i = 0; i < 12; ++i) mesh.vertices.push_back(Vec3::Random());
    std::uniform_int_distribution<std::uint32_t> pick(0, 11);
    for (int i = 0; i < 20; ++i) {
      mesh.triangles.push_back({pick(random), pick(random), pick(random)});
    }
    const MeshReport report = clean_mesh(mesh);
    std::size_t boundary = 0, nonmanifold = 0;
    for (const auto& [edge, count] : count_edges(mesh)) {
      boundary += count == 1 ? 1 : 0;
      nonmanifold += count > 2 ? 1 : 0;
    }
    EXPECT_EQ(report.boundary_edges, boundary);
    EXPECT_EQ(report.nonmanifold_edges, nonmanifold);
    // A second time there is nothing left to do.
    const std::vector<Triangle> triangles = mesh.triangles;
    const MeshReport again = clean_mesh(mesh);
    EXPECT_EQ(mesh.triangles, triangles);
    EXPECT_EQ(again.flipped_triangles + again.degenerate_triangles + again.duplicate_triangles, 0u);
    EXPECT_EQ(again.components, report.components);
  }
}

TEST(CleanMesh, TurnsAnInsideOutSolid) {
  TriangleMesh mesh = make_mesh(Torus{1, 0.3}, 16);
  const double volume = compute_volume(mesh);
  turn_over(mesh);
  const MeshReport report = clean_mesh(mesh);
  EXPECT_EQ(report.flipped_triangles, mesh.triangles.size());
  EXPECT_EQ(report.misoriented_edges, 0u);
  EXPECT_TRUE(report.closed);
  EXPECT_NEAR(compute_volume(mesh), volume, 1e-12);
}

TEST(CleanMesh, RepairsRandomTurnsOfAClosedMesh) {
  std::mt19937 random(11);
  for (const double share : {0.1, 0.5, 0.9}) {
    TriangleMesh mesh = make_mesh(Sphere{1}, 20);
    const std::vector<Triangle> original = mesh.triangles;
    std::bernoulli_distribution turn(share);
    std::size_t turned = 0;
    for (Triangle& t : mesh.triangles) {
      if (!turn(random)) continue;
      std::swap(t[1], t[2]);
      ++turned;
    }
    const MeshReport report = clean_mesh(mesh);
    EXPECT_GT(report.misoriented_edges, 0u);
    EXPECT_EQ(report.flipped_triangles, turned);
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(mesh.triangles, original);
  }
}

TEST(CleanMesh, OpenPiecesFollowTheMajority) {
  // Facing down is as good as facing up, as long as all agree.
  TriangleMesh down = make_sheet(5);
  turn_over(down);
  const std::vector<Triangle> before = down.triangles;
  EXPECT_EQ(clean_mesh(down).flipped_triangles, 0u);
  EXPECT_EQ(down.triangles, before);

  // The first triangle is in the minority.
  TriangleMesh mixed = make_sheet(5);
  for (const std::size_t i : {0, 7, 8, 30}) std::swap(mixed.triangles[i][1], mixed.triangles[i][2]);
  const MeshReport report = clean_mesh(mixed);
  EXPECT_EQ(report.flipped_triangles, 4u);
  EXPECT_EQ(mixed.triangles, make_sheet(5).triangles);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.boundary_edges, 20u);
}

TEST(CleanMesh, LeavesAMoebiusStripAlone) {
  TriangleMesh strip;
  constexpr std::uint32_t n = 12;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 2 * 3.14159265358979 * i / n, twist = angle / 2;
    for (const double w : {-0.2, 0.2}) {
      const double rho = 1 + w * std::cos(twist);
      strip.vertices.emplace_back(rho * std::cos(angle), rho * std::sin(angle),
                                  w * std::sin(twist));
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    const std::uint32_t a = 2 * i, b = 2 * i + 1;
    const std::uint32_t c = last ? 1 : a + 2, d = last ? 0 : b + 2;
    strip.triangles.push_back({a, c, b});
    strip.triangles.push_back({b, c, d});
  }
  const std::vector<Triangle> before = strip.triangles;
  const MeshReport report = clean_mesh(strip);
  EXPECT_GT(report.misoriented_edges, 0u);
  EXPECT_EQ(report.flipped_triangles, 0u);
  EXPECT_EQ(strip.triangles, before);
}

/// A ball of radius 2 with others inside it: `inner` of radius 1 and `core` of radius 0.5 within
/// that; each true where it points inwards. Returns the same after hygiene.
std::vector<bool> nested(bool outer, bool inner, bool core) {
  const TriangleMesh ball = make_mesh(Sphere{1}, 12);
  TriangleMesh mesh;
  const std::vector<std::pair<double, bool>> shells = {{0.5, core}, {2, outer}, {1, inner}};
  for (const auto& [radius, inward] : shells) {
    TriangleMesh shell = moved(ball, radius, Vec3(0.01, 0.02, 0.03));
    if (inward) turn_over(shell);
    append(mesh, shell);
  }
  clean_mesh(mesh);
  const auto inward = [&](std::size_t shell) {
    const std::size_t n = ball.triangles.size();
    TriangleMesh part = mesh;
    part.triangles.assign(mesh.triangles.begin() + static_cast<long>(shell * n),
                          mesh.triangles.begin() + static_cast<long>((shell + 1) * n));
    return compute_volume(part) < 0;
  };
  return {inward(1), inward(2), inward(0)};
}

TEST(CleanMesh, CavitiesStayCavities) {
  using Shells = std::vector<bool>;
  // A hollow ball with a loose core, as a correct file has it.
  EXPECT_EQ(nested(false, true, false), (Shells{false, true, false}));
  // The same file inside out: all turn together.
  EXPECT_EQ(nested(true, false, true), (Shells{false, true, false}));
  // Solids inside each other stay solids.
  EXPECT_EQ(nested(false, false, false), (Shells{false, false, false}));
  EXPECT_EQ(nested(true, true, true), (Shells{false, false, false}));
  // The core of a hollow ball cannot be missing matter: there is none around it.
  EXPECT_EQ(nested(false, true, true), (Shells{false, true, false}));
}

TEST(CleanMesh, SolidsBesideEachOtherAreNotInsideEachOther) {
  // The small ball lies in the box of the torus, in its hole, so it is nobody's cavity.
  TriangleMesh mesh = make_mesh(Torus{2, 0.3}, 32);
  TriangleMesh ball = make_mesh(Sphere{0.2}, 12);
  const std::size_t n = mesh.triangles.size();
  turn_over(ball);
  append(mesh, ball);
  const MeshReport report = clean_mesh(mesh);
  EXPECT_EQ(report.flipped_triangles, mesh.triangles.size() - n);
  EXPECT_EQ(report.inward_components, 0u);
  EXPECT_EQ(report.components, 2u);

  // In the tube it is one.
  TriangleMesh hollow = make_mesh(Torus{2, 0.3}, 32);
  append(hollow, moved(ball, 1, {2.01, 0.02, 0.01}));
  EXPECT_EQ(clean_mesh(hollow).inward_components, 1u);
}

TEST(CleanMesh, PiecesAreJoinedThroughEdgesNotVertices) {
  // Two boxes that share a corner, then two that share an edge (four triangles there).
  const TriangleMesh box = make_mesh(Box{{1, 1, 1}});
  TriangleMesh corner = box;
  append(corner, moved(box, 1, {1, 1, 1}));
  MeshReport report = clean_mesh(corner);
  EXPECT_EQ(report.welded_vertices, 1u);
  EXPECT_EQ(report.components, 2u);
  EXPECT_TRUE(report.closed);

  TriangleMesh edge = box;
  append(edge, moved(box, 1, {1, 1, 0}));
  report = clean_mesh(edge);
  EXPECT_EQ(report.components, 1u);
  EXPECT_EQ(report.nonmanifold_edges, 1u);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.flipped_triangles, 0u);
}

TEST(CleanMesh, EmptyAndToText) {
  TriangleMesh empty;
  const MeshReport nothing = clean_mesh(empty);
  EXPECT_FALSE(nothing.closed);
  EXPECT_EQ(nothing.to_text(), "empty");

  MeshReport report;
  report.closed = true;
  report.components = 3;
  report.welded_vertices = 1204;
  report.degenerate_triangles = 12;
  EXPECT_EQ(report.to_text(),
            "closed, 3 pieces; welded 1,204 vertices; dropped 12 degenerate triangles");
}

TEST(CleanMesh, HighValenceVerticesAndManyPiecesAreNoTrap) {
  // A fan of 200,000 triangles about one vertex, and 50,000 tetrahedra inside out.
  TriangleMesh fan;
  constexpr std::uint32_t n = 200'000;
  fan.vertices.emplace_back(0, 0, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    fan.vertices.emplace_back(std::cos(6.283185 * i / n), std::sin(6.283185 * i / n), 0);
  }
  for (std::uint32_t i = 0; i < n; ++i) fan.triangles.push_back({0, i + 1, (i + 1) % n + 1});
  EXPECT_EQ(clean_mesh(fan).boundary_edges, n);

  TriangleMesh many;
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const Vec3 o(i % 100, i / 100 % 100, i / 10'000);
    const std::uint32_t a = 4 * i;
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0, 0.5, 0), Vec3(0, 0, 0.5)}) {
      many.vertices.push_back(o + p);
    }
    for (const Triangle& t : {Triangle{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}) {
      many.triangles.push_back({t[0] + a, t[1] + a, t[2] + a});
    }
  }
  const MeshReport report = clean_mesh(many);
  EXPECT_EQ(report.flipped_triangles, many.triangles.size());
  EXPECT_EQ(report.components, 50'000u);
}

TEST(PointWelder, NumbersLikeASet) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> pick(-3, 3);
  std::vector<Vec3> points;
  for (int i = 0; i < 5000; ++i) points.emplace_back(pick(random), pick(random), pick(random));
  PointWelder welder(1);
  std::vector<std::uint32_t> numbers(points.size());
  welder.add(std::span(points).first(777), std::span(numbers).first(777));
  welder.add(std::span(points).subspan(777), std::span(numbers).subspan(777));
  const std::vector<Vec3> kept = welder.take_points();
  EXPECT_EQ(kept.size(), 343u);
  std::uint32_t highest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(kept[numbers[i]], points[i]);
    EXPECT_LE(numbers[i], highest);
    highest = std::max(highest, numbers[i] + 1);
  }
}

}  // namespace
}  // namespace geste
