#include "geste/geometry/ray_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "random_meshes.hpp"

// Rays against meshes and whole scenes. The witness is every triangle in double. CH-6

namespace geste {
namespace {

using testing::make_soup;
using testing::make_star;
using testing::random_direction;
using testing::random_placement;
using testing::share;

/// T. Moeller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
struct Witness {
  double distance = kInfinity;
  std::uint32_t shape = RayScene::kNone;
  std::uint32_t triangle = RayScene::kNone;
  bool doubtful = false;  ///< so near to an edge or an end that rounding may decide
};

void hold_against(const TriangleMesh& mesh, const Pose& X_WS, std::uint32_t shape, const Vec3& from,
                  const Vec3& to, Witness& witness) {
  const double length = (to - from).norm();
  const Vec3 d = (to - from) / length;
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    const Triangle& t = mesh.triangles[k];
    const Vec3 a = X_WS * mesh.vertices[t[0]];
    const Vec3 u = X_WS * mesh.vertices[t[1]] - a, v = X_WS * mesh.vertices[t[2]] - a;
    const double flat = u.cross(v).norm();
    const Vec3 h = d.cross(v);
    const double det = u.dot(h);
    if (flat == 0 || det == 0) continue;
    const Vec3 s = from - a, q = s.cross(u);
    const double b1 = s.dot(h) / det, b2 = d.dot(q) / det, at = v.dot(q) / det;
    const double least = std::min({b1, b2, 1 - b1 - b2, at / length, 1 - at / length});
    // Slivers and grazing incidence widen what rounding may decide.
    const double sharp = std::abs(det) / (u.norm() * v.norm());
    if (std::abs(least) < 1e-13 / sharp) witness.doubtful = true;
    if (least < 0 || at >= witness.distance) continue;
    witness.distance = at;
    witness.shape = shape;
    witness.triangle = k;
  }
}

struct Mess {
  std::vector<PlacedShape> shapes;

  [[nodiscard]] Witness find(const Vec3& from, const Vec3& to) const {
    Witness witness;
    for (std::uint32_t i = 0; i < shapes.size(); ++i)
      hold_against(*std::get<MeshShape>(shapes[i].shape), shapes[i].X_WS, i, from, to, witness);
    return witness;
  }
};

/// Meshes of about `size`, some shared, around `centre`.
Mess make_mess(Rng& rng, double size, const Vec3& centre) {
  std::vector<MeshShape> meshes;
  for (int k = 0; k < 4; ++k) {
    TriangleMesh mesh = k % 2 == 0 ? make_star(rng, 14) : make_soup(rng, 150);
    const Vec3 off = k == 3 ? Vec3(40, -30, 20) : Vec3(Vec3::Zero());  // far from its own origin
    meshes.push_back(share(transformed(std::move(mesh), size * Mat3::Identity(), size * off)));
  }
  Mess mess;
  for (std::size_t k = 0; k < 9; ++k) {
    Pose X_WS = random_placement(rng, 0);
    const Vec3 middle = centre + random_direction(rng) * 2 * size * rng.uniform();
    X_WS.p = middle - X_WS.R * compute_box(*meshes[k % 4]).centre();
    mess.shapes.push_back({meshes[k % 4], X_WS});
  }
  return mess;
}

void expect_agrees(const RayScene& scene, const Mess& mess, const Vec3& from, const Vec3& to,
                   int& doubtful) {
  const Witness witness = mess.find(from, to);
  const auto hit = find_first_hit(scene, from, to);
  EXPECT_EQ(is_free(scene, from, to), !hit.has_value());
  if (witness.doubtful) {
    ++doubtful;
    return;
  }
  ASSERT_EQ(hit.has_value(), std::isfinite(witness.distance));
  if (!hit) return;
  const double reach = std::max(from.norm(), to.norm());
  EXPECT_NEAR(hit->distance, witness.distance, 1e-11 * reach);
  EXPECT_LT((hit->point - (from + hit->distance * (to - from).normalized())).norm(), 1e-14 * reach);
  EXPECT_EQ(hit->shape, witness.shape);
  EXPECT_EQ(hit->triangle, witness.triangle);
  const auto& mesh = *std::get<MeshShape>(mess.shapes[hit->shape].shape);
  const Triangle& t = mesh.triangles[hit->triangle];
  const Vec3 normal =
      (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
  EXPECT_GT(hit->normal.dot(mess.shapes[hit->shape].X_WS.R * normal), 0.999999 * normal.norm());
}

TEST(RayScene, MeshesAgreeWithEveryTriangle) {
  Rng rng(71);
  for (double size : {1e-3, 1.0, 100.0}) {
    for (const Vec3& centre : {Vec3(0, 0, 0), Vec3(100, -80, 30), Vec3(-5e4, 2e4, 1e3)}) {
      const Mess mess = make_mess(rng, size, centre);
      const RayScene scene(mess.shapes);
      int doubtful = 0, hits = 0;
      for (int n = 0; n < 400; ++n) {
        const Vec3 from = centre + random_direction(rng) * 3 * size * rng.uniform();
        const Vec3 to = centre + random_direction(rng) * 3 * size * rng.uniform();
        expect_agrees(scene, mess, from, to, doubtful);
        hits += find_first_hit(scene, from, to).has_value();
      }
      EXPECT_LT(doubtful, 20);
      EXPECT_GT(hits, 50);
      EXPECT_LT(hits, 390);
    }
  }
}

TEST(RayScene, EyesFarFromSmallThingsAgreeToo) {
  Rng rng(72);
  const Mess mess = make_mess(rng, 0.01, Vec3(3, 4, 5));
  const RayScene scene(mess.shapes);
  int doubtful = 0;
  for (int n = 0; n < 300; ++n) {
    const Vec3 from = random_direction(rng) * 100;
    const Vec3 through = Vec3(3, 4, 5) + random_direction(rng) * 0.02 * rng.uniform();
    expect_agrees(scene, mess, from, Vec3(from + 2 * (through - from)), doubtful);
  }
  EXPECT_LT(doubtful, 15);
}

/// From inside to far outside: through every corner, every edge, and points of edges at random.
TEST(RayScene, ClosedMeshesLetNothingThrough) {
  Rng rng(73);
  for (double size : {1e-3, 1.0, 1e2}) {
    const MeshShape ball =
        share(transformed(make_mesh(Sphere{0.5}, 24), size * Mat3::Identity(), Vec3::Zero()));
    const Pose X_WS = random_placement(rng, 100);
    const RayScene scene(std::vector<PlacedShape>{{ball, X_WS}});
    for (const Triangle& t : ball->triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &a = ball->vertices[t[k]], &b = ball->vertices[t[(k + 1) % 3]];
        for (double w : {0.0, 0.5, rng.uniform()}) {
          const Vec3 p = X_WS * Vec3((1 - w) * a + w * b);
          const Vec3 from = X_WS * Vec3(random_direction(rng) * 0.2 * size);
          const auto hit = find_first_hit(scene, from, Vec3(from + 4 * (p - from)));
          ASSERT_TRUE(hit);
          EXPECT_NEAR(hit->distance, (p - from).norm(), 1e-11 * (100 + size));
          EXPECT_GT(hit->normal.dot(p - from), 0);  // outwards, seen from inside
        }
      }
  }
}

TEST(RayScene, SegmentsAreClosed) {
  const RayScene scene(std::vector<PlacedShape>{
      {share(make_mesh(Box{Vec3(2, 2, 2)}, 4)), Pose::translation(100.25, 0, 0)},
      {Box{Vec3(2, 2, 2)}, Pose::translation(0, 100.25, 0)},
      {Sphere{1}, Pose::translation(0, 0, 100.25)}});
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 along = Vec3::Unit(axis),
               off = Vec3(0.125, 0.25, 0) - Vec3(0.125, 0.25, 0)[axis] * along;
    const Vec3 aside = axis == 2 ? Vec3(Vec3::Zero()) : Vec3(off);
    const Vec3 before = 90 * along + aside, face = 99.25 * along + aside, in = 100 * along + aside;
    EXPECT_NEAR(find_first_hit(scene, before, face)->distance, 9.25, 1e-12);  // ends on it
    EXPECT_EQ(find_first_hit(scene, face, in)->distance, 0);                  // begins on it
    EXPECT_EQ(find_first_hit(scene, face, before)->distance, 0);
    EXPECT_NEAR(find_first_hit(scene, in, face)->distance, 0.75, 1e-12);
    EXPECT_FALSE(is_free(scene, before, face));
    EXPECT_TRUE(is_free(scene, before, Vec3(face - 1e-9 * along)));
    EXPECT_TRUE(is_free(scene, Vec3(face + 1e-9 * along), in));  // inside and stays there
    const auto hit = find_first_hit(scene, before, in);
    EXPECT_EQ(hit->shape, static_cast<std::uint32_t>(axis));
    EXPECT_LT((hit->normal + along).norm(), 1e-12);
    EXPECT_LT((hit->point - face).norm(), 1e-12);
    EXPECT_TRUE(is_free(scene, face, face));  // of no length
  }
}

TEST(RayScene, TouchingPrimitivesIsHittingThem) {
  const RayScene scene(std::vector<PlacedShape>{{Sphere{0.5}, Pose()},
                                                {Cylinder{0.5, 1}, Pose::translation(4, 0, 0)},
                                                {Box{Vec3(1, 1, 1)}, Pose::translation(8, 0, 0)},
                                                {Torus{0.375, 0.125}, Pose::translation(12, 0, 0)},
                                                {Capsule{0.5, 1}, Pose::translation(16, 0, 0)}});
  for (int i = 0; i < 5; ++i) {
    for (double gap : {-1e-9, 0.0, 1e-9}) {
      const Vec3 from(4 * i, 0.5 + gap, -3), to(4 * i, 0.5 + gap, 3);
      EXPECT_EQ(is_free(scene, from, to), gap > 0) << i << " " << gap;
      // Across, in the same plane: along a face, or at one point.
      const Vec3 left(4 * i - 1.9, 0.5 + gap, 0), right(4 * i + 1.9, 0.5 + gap, 0);
      EXPECT_EQ(is_free(scene, left, right), gap > 0) << i << " " << gap;
    }
  }
}

TEST(RayScene, OpenEmptyAndFlatMeshesWork) {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}};
  sheet.triangles = {{0, 1, 1}, {0, 1, 2}, {1, 3, 2}};  // a segment, the sheet, no area
  const RayScene scene(std::vector<PlacedShape>{
      {share(sheet), Pose()}, {share(TriangleMesh()), Pose::translation(5, 5, 5)}});
  const auto above = find_first_hit(scene, {0.2, 0.2, 1}, {0.2, 0.2, -1});
  const auto below = find_first_hit(scene, {0.2, 0.2, -1}, {0.2, 0.2, 1});
  ASSERT_TRUE(above && below);
  EXPECT_EQ(above->triangle, 1u);
  EXPECT_EQ(above->normal, Vec3::UnitZ());  // where it is turned to, from either side
  EXPECT_EQ(below->normal, Vec3::UnitZ());
  EXPECT_TRUE(is_free(scene, {0.8, 0.8, 1}, {0.8, 0.8, -1}));
  EXPECT_TRUE(is_free(scene, {-1, 0.2, 0}, {2, 0.2, 0}));  // in its plane
  EXPECT_TRUE(is_free(scene, {4, 4, 4}, {6, 6, 6}));
  EXPECT_TRUE(is_free(RayScene(std::vector<PlacedShape>{}), {0, 0, 0}, {1, 1, 1}));
}

std::vector<PlacedShape> make_all_kinds(Rng& rng) {
  const MeshShape star = share(make_star(rng, 12));
  const auto hull = std::make_shared<const ConvexHull>(*make_convex_hull(star->vertices));
  std::vector<PlacedShape> shapes;
  for (const Shape& shape :
       std::vector<Shape>{Sphere{0.3}, Capsule{0.2, 0.5}, Box{Vec3(0.3, 0.5, 0.7)},
                          Cylinder{0.3, 0.6}, Cone{0.4, 0.8}, Torus{0.4, 0.15}, star, hull, star})
    shapes.push_back({shape, random_placement(rng, 1.5)});
  return shapes;
}

bool same(const std::optional<RayHit>& a, const std::optional<RayHit>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->shape == b->shape && a->triangle == b->triangle && a->distance == b->distance &&
         a->point == b->point && a->normal == b->normal;
}

TEST(RayScene, MovedIsTheSameAsMadeThere) {
  Rng rng(74);
  std::vector<PlacedShape> shapes = make_all_kinds(rng);
  RayScene moved(shapes);
  const RayScene before(moved);
  const std::vector<PlacedShape> old = shapes;
  for (int n = 0; n < 20; ++n) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (rng.uniform() < 0.5) continue;
      shapes[i].X_WS = random_placement(rng, n % 5 == 0 ? 50 : 1.5);
      moved.set_pose(i, shapes[i].X_WS);
    }
    moved.commit();
    const RayScene anew(shapes), stayed(old);
    for (int k = 0; k < 200; ++k) {
      const Vec3 from = random_direction(rng) * 2 * rng.uniform(), to = random_direction(rng) * 2;
      EXPECT_TRUE(same(find_first_hit(moved, from, to), find_first_hit(anew, from, to)));
      EXPECT_TRUE(same(find_first_hit(before, from, to), find_first_hit(stayed, from, to)));
    }
  }
}

TEST(RayScene, PosesCountFromTheNextCommit) {
  RayScene scene(std::vector<PlacedShape>{{Sphere{1}, Pose()}});
  scene.set_pose(0, Pose::translation(0, 0, 10));
  EXPECT_FALSE(is_free(scene, {-2, 0, 0}, {2, 0, 0}));
  EXPECT_EQ(scene.pose(0).p.z(), 0);
  scene.commit();
  EXPECT_TRUE(is_free(scene, {-2, 0, 0}, {2, 0, 0}));
  EXPECT_EQ(scene.pose(0).p.z(), 10);
}

TEST(RayScene, OrderOfShapesDoesNotMatter) {
  Rng rng(75);
  const std::vector<PlacedShape> shapes = make_all_kinds(rng);
  std::vector<std::size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), 0);
  const RayScene scene(shapes);
  for (int n = 0; n < 10; ++n) {
    std::shuffle(order.begin(), order.end(), rng);
    std::vector<PlacedShape> shuffled;
    for (const std::size_t i : order) shuffled.push_back(shapes[i]);
    const RayScene other(shuffled);
    for (int k = 0; k < 300; ++k) {
      const Vec3 from = random_direction(rng) * 2 * rng.uniform(), to = random_direction(rng) * 2;
      auto hit = find_first_hit(other, from, to);
      if (hit) hit->shape = static_cast<std::uint32_t>(order[hit->shape]);
      EXPECT_TRUE(same(find_first_hit(scene, from, to), hit));
    }
  }
}

TEST(RayScene, OfEquallyFarSurfacesTheLowestIsNamed) {
  TriangleMesh sheets;  // the same triangle again and again
  sheets.vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  sheets.triangles.assign(40, {0, 1, 2});
  const RayScene stack(std::vector<PlacedShape>{{share(sheets), Pose()}});
  EXPECT_EQ(find_first_hit(stack, {0.1, 0.2, 3}, {0.1, 0.2, -3})->triangle, 0u);
  const MeshShape box = share(make_mesh(Box{Vec3(1, 1, 1)}, 4));
  for (int n = 2; n < 20; ++n) {
    const RayScene scene(std::vector<PlacedShape>(static_cast<std::size_t>(n), {box, Pose()}));
    const auto hit = find_first_hit(scene, {0.1, 0.2, 3}, {0.1, 0.2, -3});
    EXPECT_EQ(hit->shape, 0u);
  }
}

TEST(RayScene, LooksThroughWhatIsIgnored) {
  std::vector<PlacedShape> row;
  for (int i = 0; i < 6; ++i) {
    const Pose X_WS = Pose::translation(2 * i, 0, 0);
    if (i % 2 == 0)
      row.push_back({Sphere{0.5}, X_WS});
    else
      row.push_back({share(make_mesh(Box{Vec3(1, 1, 1)}, 4)), X_WS});
  }
  const RayScene scene(row);
  std::vector<std::uint8_t> ignored(6, 0);
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(find_first_hit(scene, {-2, 0.1, 0.2}, {20, 0.1, 0.2}, ignored)->shape, i);
    EXPECT_FALSE(is_free(scene, {-2, 0.1, 0.2}, {20, 0.1, 0.2}, ignored));
    ignored[i] = 1;
  }
  EXPECT_TRUE(is_free(scene, {-2, 0.1, 0.2}, {20, 0.1, 0.2}, ignored));
  EXPECT_THROW(is_free(scene, {0, 0, 0}, {1, 1, 1}, std::vector<std::uint8_t>(5)),
               std::invalid_argument);
}

TEST(RayScene, TwoThreadsGetWhatOneGets) {
  Rng rng(76);
  const RayScene scene(make_all_kinds(rng));
  std::vector<std::pair<Vec3, Vec3>> segments;
  for (int k = 0; k < 4000; ++k)
    segments.emplace_back(random_direction(rng) * 2 * rng.uniform(), random_direction(rng) * 2);
  const auto trace = [&] {
    std::vector<std::optional<RayHit>> hits;
    for (const auto& [from, to] : segments) hits.push_back(find_first_hit(scene, from, to));
    return hits;
  };
  const auto alone = trace();
  std::vector<std::optional<RayHit>> first, second;
  std::thread a([&] { first = trace(); }), b([&] { second = trace(); });
  a.join();
  b.join();
  for (std::size_t k = 0; k < segments.size(); ++k) {
    EXPECT_TRUE(same(alone[k], first[k]));
    EXPECT_TRUE(same(alone[k], second[k]));
  }
}

TEST(RayScene, RefusesWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  RayScene scene(std::vector<PlacedShape>{{Sphere{1}, Pose()}});
  for (const double bad : {nan, kInfinity, 2e6}) {
    EXPECT_THROW(find_first_hit(scene, {0, bad, 0}, {1, 1, 1}), std::invalid_argument);
    EXPECT_THROW(is_free(scene, {0, 0, 0}, {1, 1, bad}), std::invalid_argument);
    EXPECT_THROW(scene.set_pose(0, Pose::translation(bad, 0, 0)), std::invalid_argument);
    EXPECT_THROW(RayScene(std::vector<PlacedShape>{{Sphere{bad}, Pose()}}), std::invalid_argument);
    TriangleMesh mesh = make_mesh(Sphere{1}, 8);
    mesh.vertices[3].y() = bad;
    EXPECT_THROW(RayScene(std::vector<PlacedShape>{{share(mesh), Pose()}}), std::invalid_argument);
  }
  EXPECT_THROW(RayScene(std::vector<PlacedShape>{{Sphere{-1}, Pose()}}), std::invalid_argument);
  EXPECT_THROW(RayScene(std::vector<PlacedShape>{{MeshShape(), Pose()}}), std::invalid_argument);
  EXPECT_THROW(RayScene(std::vector<PlacedShape>{{HullShape(), Pose()}}), std::invalid_argument);
  EXPECT_THROW(scene.set_pose(1, Pose()), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(scene.pose(1)), std::invalid_argument);
}

#if defined(__SSE__)
TEST(RayScene, LeavesTheThreadsFloatingPointModeAlone) {
  const unsigned before = _mm_getcsr() & 0xffc0u;  // without the sticky flags
  Rng rng(77);
  RayScene scene(make_all_kinds(rng));
  scene.set_pose(0, Pose::translation(1, 0, 0));
  scene.commit();
  static_cast<void>(is_free(scene, {-2, 0, 0}, {2, 0.1, 0}));
  EXPECT_EQ(_mm_getcsr() & 0xffc0u, before);
}
#endif

}  // namespace
}  // namespace geste
