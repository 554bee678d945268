// Generated worlds: laws over kinds, seeds, sizes and facets. Witnesses: clean_mesh, which knows
// nothing of how a mesh was made; the divergence theorem; boxes of the vertices.
#include "geste/geometry/generate.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "geste/geometry/internal/solids.hpp"
#include "geste/geometry/mesh_report.hpp"

namespace geste {
namespace {

/// FNV-1a over everything that a world is made of.
std::uint64_t hash(const GeneratedWorld& world) {
  std::uint64_t h = 0xCBF29CE484222325;
  const auto add = [&h](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 0x100000001B3;
  };
  for (const GeneratedPart& part : world.parts) {
    add(part.name.data(), part.name.size());
    add(part.X_WP.p.data(), sizeof(double) * 3);
    add(part.X_WP.R.data(), sizeof(double) * 9);
    add(&part.colour, sizeof(part.colour));
    add(part.mesh->vertices.data(), part.mesh->vertices.size() * sizeof(Vec3));
    add(part.mesh->triangles.data(), part.mesh->triangles.size() * sizeof(Triangle));
  }
  return h;
}

GeneratedWorld make_world(const char* kind, std::uint64_t seed, std::size_t facets = 0,
                          const Vec3& size = Vec3::Zero()) {
  Result<GeneratedWorld> world =
      generate_world(kind, {.seed = seed, .facets = facets, .size = size});
  if (!world) ADD_FAILURE() << to_text(world.error());
  return world ? *std::move(world) : GeneratedWorld{};
}

void expect_laws(const GeneratedWorld& world, std::size_t facets) {
  EXPECT_NEAR(static_cast<double>(count_facets(world)), static_cast<double>(facets),
              0.05 * static_cast<double>(facets));
  std::set<std::string> names;
  for (const GeneratedPart& part : world.parts) {
    SCOPED_TRACE(part.name);
    EXPECT_TRUE(names.insert(part.name).second);
    EXPECT_GT(compute_volume(*part.mesh), 0);
    AxisBox box;
    for (const Vec3& v : part.mesh->vertices) box.add(part.X_WP * v);
    EXPECT_TRUE((box.min.array() >= world.box.min.array() - 1e-9).all()) << box.min.transpose();
    EXPECT_TRUE((box.max.array() <= world.box.max.array() + 1e-9).all()) << box.max.transpose();

    TriangleMesh mesh = *part.mesh;
    const MeshReport report = clean_mesh(mesh);
    EXPECT_TRUE(report.closed) << report.to_text();
    EXPECT_EQ(report.welded_vertices, 0u);
    EXPECT_EQ(report.degenerate_triangles, 0u);
    EXPECT_EQ(report.duplicate_triangles, 0u);
    EXPECT_EQ(report.unused_vertices, 0u);
    EXPECT_EQ(report.flipped_triangles, 0u);
    EXPECT_EQ(report.inward_components, 0u);
  }
}

/// Whether a triangle meets a box, by clipping it with the six faces in turn (Sutherland and
/// Hodgman, 1974).
bool meets(std::vector<Vec3> polygon, const AxisBox& box) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const double bound = sign < 0 ? -box.min[axis] : box.max[axis];
      std::vector<Vec3> rest;
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const double a = bound - sign * p[axis], b = bound - sign * q[axis];
        if (a >= 0) rest.push_back(p);
        if ((a < 0) != (b < 0)) rest.push_back(p + a / (a - b) * (q - p));
      }
      polygon = std::move(rest);
    }
  }
  return polygon.size() >= 3;
}

void expect_free_spaces(const GeneratedWorld& world) {
  ASSERT_FALSE(world.free.empty());
  for (const FreeSpace& space : world.free) {
    AxisBox inside = space.box;  // parts may touch it
    inside.min += Vec3::Constant(1e-6);
    inside.max -= Vec3::Constant(1e-6);
    ASSERT_FALSE(inside.empty()) << space.name;
    for (const GeneratedPart& part : world.parts) {
      bool is_in = false;
      for (const Triangle& t : part.mesh->triangles) {
        const auto at = [&](int i) -> Vec3 { return part.X_WP * part.mesh->vertices[t[i]]; };
        is_in = is_in || meets({at(0), at(1), at(2)}, inside);
      }
      EXPECT_FALSE(is_in) << part.name << " reaches into " << space.name;
    }
  }
}

TEST(Generate, KindsAreListed) {
  std::set<std::string> names;
  for (const WorldKind& kind : world_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second);
    EXPECT_EQ(find_world_kind(kind.name), &kind);
    EXPECT_GT(std::strlen(kind.help), 20u);
  }
  EXPECT_TRUE(names.contains("plant"));
  EXPECT_EQ(find_world_kind("no such"), nullptr);
}

TEST(Generate, LawsHoldByDefault) {
  for (const WorldKind& kind : world_kinds()) {
    SCOPED_TRACE(kind.name);
    const GeneratedWorld world = make_world(kind.name, 1);
    expect_laws(world, kind.facets);
    expect_free_spaces(world);
  }
}

TEST(Generate, LawsHoldOverSeeds) {
  for (const WorldKind& kind : world_kinds()) {
    for (std::uint64_t seed = 2; seed < 12; ++seed) {
      SCOPED_TRACE(std::string(kind.name) + " " + std::to_string(seed));
      const GeneratedWorld world = make_world(kind.name, seed, 40'000);
      expect_laws(world, 40'000);
      expect_free_spaces(world);
    }
  }
}

TEST(Generate, LawsHoldOverSizesAndFacets) {
  for (const WorldKind& kind : world_kinds()) {
    for (const std::size_t facets :
         {std::size_t{30'000}, std::size_t{90'000}, std::size_t{500'000}}) {
      SCOPED_TRACE(std::string(kind.name) + " " + std::to_string(facets));
      expect_laws(make_world(kind.name, 7, facets), facets);
    }
    SCOPED_TRACE(kind.name);
    expect_laws(make_world(kind.name, 5, 60'000, kind.smallest_size), 60'000);
    expect_laws(make_world(kind.name, 5, 200'000, 1.4 * kind.size), 200'000);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 long_one = kind.smallest_size;
      long_one[axis] *= 4;
      expect_laws(make_world(kind.name, 6, 60'000, long_one), 60'000);
    }
  }
}

TEST(Generate, SameSeedSameBytes) {
  for (const WorldKind& kind : world_kinds()) {
    std::set<std::uint64_t> hashes;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::uint64_t first = hash(make_world(kind.name, seed, 30'000));
      EXPECT_EQ(first, hash(make_world(kind.name, seed, 30'000)));
      EXPECT_TRUE(hashes.insert(first).second) << kind.name << ": seed " << seed << " repeats";
    }
  }
}

TEST(Generate, TellsWhatIsWrong) {
  const auto unknown = generate_world("plants");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, "generate.kind");
  EXPECT_EQ(unknown.error().remedy, "choose one of: plant, engine_room, office, station");

  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec3& size :
       {Vec3(40, 30, 1), Vec3(40, 1e9, 18), Vec3(-40, 30, 18), Vec3(40, nan, 18)}) {
    const auto odd = generate_world("plant", {.seed = 1, .facets = 0, .size = size});
    ASSERT_FALSE(odd);
    EXPECT_EQ(odd.error().code, "generate.size");
  }
  const auto both = generate_world("plant", {.seed = 1, .facets = SIZE_MAX, .size = Vec3(1, 1, 1)});
  ASSERT_FALSE(both);
  ASSERT_EQ(both.error().also.size(), 1u);
  EXPECT_EQ(both.error().also[0].code, "generate.facets");

  // Too few for the steel alone: the remedy names a number that works.
  const auto few = generate_world("plant", {.seed = 1, .facets = 100, .size = Vec3::Zero()});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, "generate.facets");
  const std::string remedy = few.error().remedy;
  ASSERT_EQ(remedy.rfind("ask for about ", 0), 0u) << remedy;
  const auto possible = static_cast<std::size_t>(std::stoul(remedy.substr(14)));
  EXPECT_TRUE(generate_world(
      "plant", {.seed = 1, .facets = possible + possible / 50, .size = Vec3::Zero()}));
}

TEST(Solids, CountsWhatItBuilds) {
  const std::vector<Vec3> path{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {2, 2, 3}};
  const std::vector<Vec2> profile{{0, 0}, {1, 0.5}, {0.5, 2}};
  for (const int segments : {3, 6, 17, 64}) {
    TriangleMesh mesh;
    Solids built(&mesh, segments), counted(nullptr, segments);
    for (Solids* s : {&built, &counted}) {
      s->box(Vec3(0, 0, 0), Vec3(1, 1, 1));
      s->rod(Vec3(0, 0, 5), Vec3(1, 2, 7), 0.2);
      s->tube(path, 0.1, 0.3);
      s->turned(Pose(), profile);
      s->geodesic(Vec3(9, 9, 9), segments, [](const Vec3&) { return 1.0; });
    }
    EXPECT_EQ(counted.triangles(), mesh.triangles.size());
    EXPECT_EQ(counted.triangles(), built.triangles());
  }
}

// Volumes against formulas: a flipped face or a wrong bend would show.
TEST(Solids, VolumesTendToThoseOfTheShapes) {
  const double pi = 3.14159265358979;
  const auto volume = [](auto&& build) {
    TriangleMesh mesh;
    Solids solids(&mesh, 256);
    build(solids);
    EXPECT_TRUE(clean_mesh(mesh).closed);
    return compute_volume(mesh);
  };
  EXPECT_NEAR(volume([](Solids& s) { s.box(Vec3(1, 2, 3), Vec3(2, 4, 7)); }), 8, 1e-12);
  EXPECT_NEAR(volume([](Solids& s) { s.bar(Vec3(1, 2, 3), Vec3(1, 5, 7), 0.1, 0.2); }), 0.1, 1e-12);
  EXPECT_NEAR(volume([](Solids& s) { s.rod(Vec3(1, 2, 3), Vec3(1, 5, 7), 0.1); }), 0.05 * pi,
              2e-4 * pi);
  // Pappus: section times the way of its centre; a bend of 90 degrees replaces 2 r by r pi / 2.
  const std::vector<Vec3> path{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}};
  const double length = 4 - 2 * 0.5 + 0.5 * pi / 2;
  EXPECT_NEAR(volume([&](Solids& s) { s.tube(path, 0.1, 0.5); }), 0.01 * pi * length,
              2e-4 * 0.01 * pi * length);
  const std::vector<Vec2> cone{{1, 0}, {0, 3}};
  EXPECT_NEAR(volume([&](Solids& s) { s.turned(Pose(), cone); }), pi, 2e-4 * pi);
  const std::vector<Vec2> ring{{2, 0}, {3, 0}, {3, 1}, {2, 1}};
  EXPECT_NEAR(volume([&](Solids& s) { s.turned_ring(Pose(), ring); }), 5 * pi, 1e-3 * pi);
  EXPECT_NEAR(
      volume([](Solids& s) { s.geodesic(Vec3(1, 2, 3), 60, [](const Vec3&) { return 1.0; }); }),
      4 * pi / 3, 2e-3);
}

}  // namespace
}  // namespace geste
