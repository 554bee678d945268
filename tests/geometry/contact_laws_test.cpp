#include "geste/geometry/internal/support_feature.hpp"
#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/point_distance.hpp"

#include "contact_testing.hpp"

// Laws that contacts of any two shapes obey, over random shapes and poses.

namespace geste {
namespace {

using testing::expect_sound;
using testing::get_deepest;
using testing::make_box_hull;
using testing::make_plate;
using testing::random_direction;
using testing::random_placement;
using testing::share;

constexpr double kMargin = 5e-3;
constexpr ContactOptions kAll{.max_points = 0};

HullShape make_random_hull() {
  Rng rng(7);
  std::vector<Vec3> points;
  for (int i = 0; i < 40; ++i) points.push_back(random_direction(rng) * rng.uniform(0.2, 0.5));
  return std::make_shared<const ConvexHull>(make_convex_hull(points).value());
}

std::vector<Shape> make_all_kinds() {
  Rng rng(8);
  return {Sphere{0.4},
          Capsule{0.2, 0.6},
          Box{Vec3(0.5, 0.3, 0.8)},
          Cylinder{0.3, 0.7},
          Cone{0.4, 0.8},
          Torus{0.4, 0.15},
          make_random_hull(),
          share(testing::make_star(rng, 16))};
}

class ContactLaws : public testing::ContactTest,
                    public ::testing::WithParamInterface<std::tuple<int, int>> {
 protected:
  Shape a_shape = make_all_kinds()[static_cast<std::size_t>(std::get<0>(GetParam()))];
  Shape b_shape = make_all_kinds()[static_cast<std::size_t>(std::get<1>(GetParam()))];
  Collider a{a_shape}, b{b_shape};
  bool has_mesh = a.mesh() || b.mesh();
  int rounds = has_mesh ? 16 : 40;

  /// Apart by about `gap` (into each other where negative), at a random attitude.
  Pose random_contact(Rng& rng, double gap) {
    Pose X = random_placement(rng, 0);
    X.p = 3 * random_direction(rng);
    for (int i = 0; i < 60; ++i) {
      const Separation s = compute_separation(a, b, X, query);
      if (s.distance <= gap + 1e-9) break;
      // On towards a, as far as nothing can be in the way.
      X.p += (gap - s.distance) * (i < 50 ? Vec3(X.p.normalized()) : s.normal);
    }
    return X;
  }

  /// Distance from a surface, negative inside.
  double measure(const Collider& c, const Vec3& p) {
    if (c.primitive()) return compute_point_separation(*c.primitive(), p).distance;
    const double distance = find_nearest(*c.mesh(), p, query).distance;
    return is_inside(*c.mesh(), p, query) ? -distance : distance;
  }
};

TEST_P(ContactLaws, DeepestIsAsDeepAsTheSeparation) {
  Rng rng(81);
  for (int i = 0; i < rounds; ++i) {
    const Pose X = random_contact(rng, rng.uniform(-0.5, 0.9) * kMargin);
    const Separation s = compute_separation(a, b, X, query);
    for (const ContactOptions& options : {kAll, ContactOptions{}}) {
      const ContactSet set = find(a, b, X, kMargin, options);
      if (s.distance > kMargin) continue;
      ASSERT_FALSE(set.contacts.empty()) << i << " " << s.distance;
      expect_sound(set, kMargin);
      if (s.distance > 0 || !has_mesh) {
        EXPECT_NEAR(get_deepest(set), -s.distance, 2e-3 * kMargin) << i;
      } else if (s.distance < -s.error - 1e-6) {
        EXPECT_GT(get_deepest(set), 0) << i << " " << s.distance;
      }
    }
  }
}

TEST_P(ContactLaws, PointsLieOnBothSurfaces) {
  Rng rng(82);
  for (int i = 0; i < rounds; ++i) {
    const double gap = rng.uniform(-0.5, 0.9) * kMargin;
    const Pose X = random_contact(rng, gap);
    const ContactSet set = find(a, b, X, kMargin, kAll);
    for (const Contact& c : set.contacts) {
      const double a_to_a = measure(a, c.on_a), b_to_b = measure(b, X.inverse() * c.on_b);
      // Normals at curves are good to 1e-5; round ends lean inwards.
      EXPECT_LT(a_to_a, 3e-5) << i;
      EXPECT_LT(b_to_b, 3e-5) << i;
      EXPECT_GT(a_to_a, -2 * kMargin) << i;
      EXPECT_GT(b_to_b, -2 * kMargin) << i;
      EXPECT_LT(measure(b, X.inverse() * c.on_a), kMargin) << i;
      EXPECT_LT(measure(a, c.on_b), kMargin) << i;
      // Out along the normal of a is away from a: a flipped sign would be seen here.
      if (c.depth < -1e-4) {
        EXPECT_GT(measure(a, c.on_a + 1e-4 * c.normal), a_to_a) << i;
      }
    }
  }
}

TEST_P(ContactLaws, SwappingMirrors) {
  Rng rng(83);
  int mirrored = 0, total = 0;
  for (int i = 0; i < rounds; ++i) {
    const Pose X = random_contact(rng, rng.uniform(-0.5, 0.9) * kMargin);
    const ContactSet ab = find(a, b, X, kMargin, kAll);
    const ContactSet ba = find(b, a, X.inverse(), kMargin, kAll);
    EXPECT_EQ(ab.contacts.size(), ba.contacts.size()) << i;
    if (ab.contacts.empty() || ba.contacts.empty()) continue;
    EXPECT_NEAR(get_deepest(ab), get_deepest(ba), 4e-3 * kMargin);
    for (const Contact& c : ab.contacts) {
      ++total;
      for (const Contact& d : ba.contacts) {
        if (d.id != swapped_id(c.id)) continue;
        ++mirrored;
        EXPECT_LT((c.normal + X.R * d.normal).norm(), 1e-3);
        EXPECT_LT((c.on_a - X * d.on_b).norm(), 1e-3);
      }
    }
  }
  EXPECT_GE(mirrored, total * 95 / 100);
}

TEST_P(ContactLaws, SmallMotionsKeepIdsAndMoveLittle) {
  Rng rng(84);
  int kept = 0, total = 0;
  std::vector<std::uint32_t> matches;
  for (int i = 0; i < rounds; ++i) {
    const Pose X = random_contact(rng, rng.uniform(-0.3, 0.5) * kMargin);
    const double small = 1e-7;
    const Pose moved =
        Pose(so3::exp(Vec3(small * random_direction(rng))), small * random_direction(rng)) * X;
    const ContactSet before = find(a, b, X, kMargin, kAll),
                     after = find(a, b, moved, kMargin, kAll);
    find_matching(before, after, matches);
    ASSERT_EQ(matches.size(), after.contacts.size());
    for (std::size_t k = 0; k < matches.size(); ++k) {
      ++total;
      if (matches[k] == kNoContact) continue;
      ++kept;
      const Contact &p = before.contacts[matches[k]], &q = after.contacts[k];
      EXPECT_EQ(p.id, q.id);
      // Normals at curves are good to 1e-5 rad.
      EXPECT_NEAR(p.depth, q.depth, 5e-5);
    }
  }
  EXPECT_GE(kept, total * 97 / 100) << kept << " of " << total;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ContactLaws, ::testing::Combine(::testing::Range(0, 8), ::testing::Range(0, 8)),
    [](const auto& test) {
      const auto name = [](int k) {
        return std::string(shape_name(make_all_kinds()[static_cast<std::size_t>(k)]));
      };
      return name(std::get<0>(test.param)) + "_" + name(std::get<1>(test.param));
    });

using ContactLaw = testing::ContactTest;

TEST_F(ContactLaw, WhereTheMeshesLieDoesNotMatter) {
  Rng rng(85);
  for (int i = 0; i < 20; ++i) {
    const TriangleMesh star = testing::make_star(rng, 12);
    const Pose X_AB = random_placement(rng, 0.9), M = random_placement(rng, 5);
    const auto moved = transformed(star, M.R, M.p);
    const Collider b{Shape(Box{Vec3(0.3, 0.4, 0.5)})},
        c{Shape(share(make_mesh(Box{Vec3(1, 1, 1)})))};
    for (const Collider* other : {&b, &c}) {
      const ContactSet x = find(Collider{Shape(share(star))}, *other, X_AB, 0.01, kAll);
      const ContactSet y = find(Collider{Shape(share(moved))}, *other, M * X_AB, 0.01, kAll);
      ASSERT_EQ(x.contacts.size(), y.contacts.size());
      for (std::size_t k = 0; k < x.contacts.size(); ++k) {
        EXPECT_EQ(x.contacts[k].id, y.contacts[k].id);
        EXPECT_NEAR(x.contacts[k].depth, y.contacts[k].depth, 1e-6);
        // Several points may be deepest alike.
        if (x.contacts[k].id >> 32 == internal::kDeepest) continue;
        EXPECT_LT((M * x.contacts[k].point - y.contacts[k].point).norm(), 1e-5);
      }
    }
  }
}

TEST_F(ContactLaw, SizeDoesNotMatter) {
  for (const double scale : {1e-3, 1.0, 100.0}) {
    const Collider plate{Shape(share(make_plate(2 * scale, scale, 5)))};
    const Vec3 size = scale * Vec3(0.5, 0.4, 0.3);
    for (const Shape& s :
         {Shape(Box{size}), Shape(make_box_hull(size)), Shape(share(make_mesh(Box{size}))),
          Shape(Cylinder{0.2 * scale, 0.3 * scale})}) {
      for (const double depth : {-1e-4, 1e-4}) {
        const ContactSet set =
            find(plate, Collider{s}, Pose::translation(0, 0, (0.15 - depth) * scale), 1e-3 * scale);
        ASSERT_EQ(set.contacts.size(), 4u) << shape_name(s) << " " << scale;
        for (const Contact& c : set.contacts) EXPECT_NEAR(c.depth, depth * scale, 1e-9 * scale);
      }
    }
  }
}

TEST_F(ContactLaw, BoxHullAndMeshOfABoxAreOne) {
  Rng rng(86);
  const Vec3 size(0.4, 0.3, 0.2), table(1, 1, 0.3);
  const Shape boxes[] = {Box{size}, make_box_hull(size), share(make_mesh(Box{size}))};
  const Shape tables[] = {Box{table}, make_box_hull(table), share(make_mesh(Box{table}))};
  for (int i = 0; i < 100; ++i) {
    const double tilt = i % 2 == 0 ? 0 : 1e-3;
    const Pose X(
        so3::exp(Vec3(rng.uniform(-tilt, tilt), rng.uniform(-tilt, tilt), 0)) *
            so3::exp(Vec3(0, 0, rng.uniform(-3, 3))),
        Vec3(rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), 0.25 + rng.uniform(-1e-4, 1e-3)));
    const ContactSet expected = find(tables[0], boxes[0], X, 5e-3, kAll);
    for (const Shape& t : tables) {
      for (const Shape& b : boxes) {
        const ContactSet set = find(t, b, X, 5e-3, kAll);
        ASSERT_EQ(set.contacts.size(), expected.contacts.size())
            << i << shape_name(t) << shape_name(b);
        for (const Contact& c : set.contacts) {
          double nearest = 1;
          for (const Contact& e : expected.contacts)
            nearest = std::min(nearest, (e.point - c.point).norm() + std::abs(e.depth - c.depth));
          EXPECT_LT(nearest, 2e-5 + 2 * tilt * 5e-3) << i << shape_name(t) << shape_name(b);
        }
      }
    }
  }
}

TEST_F(ContactLaw, FewAreAsFirmAsAll) {
  Rng rng(87);
  const Collider plate{Shape(share(make_plate(3, 0.3, 12)))};
  std::vector<Collider> bodies;
  for (const Shape& s : {Shape(Cylinder{0.3, 0.2}), Shape(Box{Vec3(0.5, 0.3, 0.2)}),
                         Shape(share(make_mesh(Cylinder{0.3, 0.2}, 40)))})
    bodies.emplace_back(s);
  for (const Collider& body : bodies) {
    for (int i = 0; i < 50; ++i) {
      const Pose X(so3::exp(Vec3(0, 0, rng.uniform(-3, 3))),
                   Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), 0.1 + rng.uniform(-1e-4, 1e-4)));
      const ContactSet few = find(plate, body, X, 1e-3);
      EXPECT_LE(few.contacts.size(), 4u);
      EXPECT_TRUE(testing::bears(few, X.p, -0.1));
    }
  }
}

TEST(ContactTangent, IsContinuousButAtOnePoint) {
  Rng rng(88);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 n = random_direction(rng);
    if (n.dot(Vec3(0.6, 0.48, 0.64)) < -0.99) continue;
    const Vec3 m = (n + 1e-6 * random_direction(rng)).normalized();
    EXPECT_NEAR(compute_tangent(n).dot(n), 0, 1e-12);
    EXPECT_LT((compute_tangent(n) - compute_tangent(m)).norm(), 1e-4);
  }
}

}  // namespace
}  // namespace geste
