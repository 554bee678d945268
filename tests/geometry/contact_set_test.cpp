#include "geste/geometry/contact_set.hpp"

#include "contact_testing.hpp"

// Contacts known by hand.

namespace geste {
namespace {

using testing::expect_sound;
using testing::get_deepest;
using testing::make_box_hull;
using testing::make_plate;
using testing::share;

using ContactSetTest = testing::ContactTest;

/// All 24 ways to put a cube on a face.
std::vector<Mat3> make_face_poses() {
  std::vector<Mat3> poses;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const Vec3 x = (i < 3 ? 1 : -1) * Vec3::Unit(i % 3), y = (j < 3 ? 1 : -1) * Vec3::Unit(j % 3);
      if (x.dot(y) != 0) continue;
      Mat3 R;
      R << x, y, x.cross(y);
      poses.push_back(R);
    }
  }
  return poses;
}

std::vector<Shape> make_boxes(const Vec3& size) {
  return {Box{size}, make_box_hull(size), share(make_mesh(Box{size}))};
}

TEST_F(ContactSetTest, BoxOnBoxHasItsFourCornersAtEveryFacePose) {
  const Vec3 size(0.2, 0.3, 0.4);
  const auto poses = make_face_poses();
  ASSERT_EQ(poses.size(), 24u);
  for (const Shape& table : make_boxes(Vec3(2, 2, 0.5))) {
    for (const Shape& box : make_boxes(size)) {
      const Collider a{table}, b{box};
      for (const Mat3& R : poses) {
        const double half = 0.5 * (R * size).cwiseAbs().z();
        const double gap = 1e-4;
        const Pose X(R, Vec3(0.3, -0.2, 0.25 + half + gap));
        const ContactSet set = find(a, b, X, 1e-3);
        ASSERT_EQ(set.contacts.size(), 4u) << shape_name(table) << " " << shape_name(box);
        expect_sound(set, 1e-3);
        const Vec3 turned = 0.5 * (R * size).cwiseAbs();
        int corners = 0;
        for (const Contact& c : set.contacts) {
          EXPECT_NEAR(c.depth, -gap, 1e-12);
          EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-9);
          EXPECT_NEAR(c.on_a.z(), 0.25, 1e-12);
          EXPECT_NEAR(std::abs(c.point.x() - 0.3), turned.x(), 1e-9);
          EXPECT_NEAR(std::abs(c.point.y() + 0.2), turned.y(), 1e-9);
          corners |= 1 << ((c.point.x() > 0.3 ? 1 : 0) + (c.point.y() > -0.2 ? 2 : 0));
        }
        EXPECT_EQ(corners, 15);
      }
    }
  }
}

TEST_F(ContactSetTest, OverhangingBoxRestsOnTheCommonArea) {
  // A unit cube turned 45 degrees over the corner region of a table: an area with crossings.
  for (const Shape& table : make_boxes(Vec3(2, 2, 1))) {
    for (const Shape& box : make_boxes(Vec3(1, 1, 1))) {
      const Pose X(Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix(), Vec3(0.8, 0, 0.999));
      const ContactSet set = find(table, box, X, 1e-2, {.max_points = 0});
      // Two corners of the cube on the table, two edges across the table's edge.
      ASSERT_EQ(set.contacts.size(), 4u) << shape_name(table) << " " << shape_name(box);
      double farthest = 0;
      for (const Contact& c : set.contacts) {
        EXPECT_NEAR(c.depth, 1e-3, 1e-9);
        EXPECT_GT(c.normal.z(), 0.999999);
        farthest = std::max(farthest, c.point.x());
      }
      EXPECT_NEAR(farthest, 1, 1e-9);
    }
  }
}

TEST_F(ContactSetTest, TiltedBoxStandsOnItsEdgeAndThenOnItsCorner) {
  for (const Shape& table : make_boxes(Vec3(4, 4, 1))) {
    for (const Shape& box : make_boxes(Vec3(0.4, 0.4, 0.4))) {
      const double r = 0.2 * std::sqrt(2.0);
      const Pose on_edge(Pose::rotation(Vec3::UnitY(), std::numbers::pi / 4).R,
                         Vec3(0, 0, 0.5 + r - 1e-4));
      const ContactSet two = find(table, box, on_edge, 1e-3);
      ASSERT_EQ(two.contacts.size(), 2u) << shape_name(table) << " " << shape_name(box);
      for (const Contact& c : two.contacts) {
        EXPECT_NEAR(c.depth, 1e-4, 1e-9);
        EXPECT_NEAR(std::abs(c.point.y()), 0.2, 1e-9);
        EXPECT_NEAR(c.normal.z(), 1, 1e-9);
      }
      const Quat turn = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0, 1));
      const ContactSet one =
          find(table, box, Pose(turn, Vec3(0, 0, 0.5 + 0.2 * std::sqrt(3.0) - 1e-4)), 1e-3);
      ASSERT_EQ(one.contacts.size(), 1u) << shape_name(table) << " " << shape_name(box);
      EXPECT_NEAR(one.contacts[0].depth, 1e-4, 1e-9);
    }
  }
}

TEST_F(ContactSetTest, CrossedRoofsTouchAtOnePoint) {
  for (const Shape& lower : make_boxes(Vec3(1, 1, 1))) {
    for (const Shape& upper : make_boxes(Vec3(1, 1, 1))) {
      const Pose up = Pose::rotation(Vec3::UnitY(), std::numbers::pi / 4);  // its edge along y
      const Pose down = Pose::rotation(Vec3::UnitX(), std::numbers::pi / 4);
      for (const double gap : {1e-4, -1e-4}) {
        const Pose X = up.inverse() * Pose::translation(0.1, 0.05, std::sqrt(2.0) + gap) * down;
        const ContactSet set = find(lower, upper, X, 1e-3);
        ASSERT_EQ(set.contacts.size(), 1u) << shape_name(lower) << " " << shape_name(upper);
        EXPECT_NEAR(set.contacts[0].depth, -gap, 1e-9);
        EXPECT_LT((up.R * set.contacts[0].normal - Vec3::UnitZ()).norm(), 1e-7);
      }
    }
  }
}

TEST_F(ContactSetTest, BallHasOneContactWithWhateverIsFlat) {
  const Sphere ball{0.1};
  const double z = 0.1 - 1e-4;
  for (const Shape& plate :
       {Shape(share(make_plate(1, 0.2, 1))), Shape(share(make_plate(1, 0.2, 20))),
        Shape(share(make_plate(1, 0.2, 20, true)))}) {
    Rng rng(5);
    for (int i = 0; i < 50; ++i) {
      // Over vertices, edges and faces alike.
      const double x = i < 10 ? 0.05 * i - 0.2 : rng.uniform(-0.3, 0.3);
      const double y = i < 20 ? 0.05 * (i % 10) - 0.2 : rng.uniform(-0.3, 0.3);
      const ContactSet set = find(plate, ball, Pose::translation(x, y, z), 1e-3);
      ASSERT_EQ(set.contacts.size(), 1u) << x << " " << y;
      EXPECT_NEAR(set.contacts[0].depth, 1e-4, 1e-9);
      EXPECT_LT((set.contacts[0].on_b - Vec3(x, y, -1e-4)).norm(), 1e-9);
      EXPECT_LT((set.contacts[0].normal - Vec3::UnitZ()).norm(), 1e-9);
    }
  }
  const double r = 0.3;
  for (const Shape& other : {Shape(Box{Vec3(0.6, 0.6, 0.6)}), Shape(Sphere{r}),
                             Shape(Capsule{r, 0.2}), Shape(Cylinder{r, 0.6}),
                             Shape(Torus{0.2, 0.1}), Shape(make_box_hull(Vec3(0.6, 0.6, 0.6)))}) {
    const ContactSet set = find(other, ball, Pose::translation(0.4 - 1e-4, 0, 0), 1e-3);
    ASSERT_EQ(set.contacts.size(), 1u) << shape_name(other);
    EXPECT_NEAR(set.contacts[0].depth, 1e-4, 1e-9) << shape_name(other);
    EXPECT_LT((set.contacts[0].normal - Vec3::UnitX()).norm(), 1e-6) << shape_name(other);
  }
}

TEST_F(ContactSetTest, BallInAGrooveTouchesBothSides) {
  // Two blocks leave a corner: floor z = 0 and wall x = 0, one mesh.
  TriangleMesh corner;
  corner.vertices = {{0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 1, 0}, {0, -1, 1}, {0, 1, 1}};
  corner.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
  const Collider groove{Shape(share(corner))};
  for (const double depth : {-1e-4, 1e-4}) {
    const Pose X = Pose::translation(0.1 - depth, 0, 0.1 - depth);
    const ContactSet set = find(groove, Collider{Shape(Sphere{0.1})}, X, 1e-3);
    ASSERT_EQ(set.contacts.size(), 2u);
    for (const Contact& c : set.contacts) EXPECT_NEAR(c.depth, depth, 1e-9);
    EXPECT_NEAR(std::abs(set.contacts[0].normal.dot(set.contacts[1].normal)), 0, 1e-9);
    // A box in the corner: its edge's two ends, each at the floor and at the wall; and the others.
    for (const Shape& box : make_boxes(Vec3(0.2, 0.2, 0.2))) {
      const ContactSet pushed = find(groove, Collider{box}, X, 1e-3, {.max_points = 0});
      int floor = 0, wall = 0;
      for (const Contact& c : pushed.contacts) {
        EXPECT_NEAR(c.depth, depth, 1e-9) << shape_name(box);
        floor += c.normal.z() > 0.999;
        wall += c.normal.x() > 0.999;
      }
      EXPECT_EQ(floor, 4) << shape_name(box);
      EXPECT_EQ(wall, 4) << shape_name(box);
    }
  }
}

TEST_F(ContactSetTest, CapsulesAndCylindersLieOnTwoPointsAndStandOnFour) {
  const Pose lying = Pose::rotation(Vec3::UnitY(), std::numbers::pi / 2);
  for (const Shape& plate : {Shape(Box{Vec3(1, 1, 0.2)}), Shape(share(make_plate(1, 0.2, 1))),
                             Shape(share(make_plate(1, 0.2, 16)))}) {
    const double top = std::holds_alternative<Box>(plate) ? 0.1 : 0;
    for (const Shape& rod : {Shape(Capsule{0.05, 0.4}), Shape(Cylinder{0.05, 0.4})}) {
      const Pose X = Pose::translation(0.01, 0.02, top + 0.05 - 1e-5) * lying;
      const ContactSet set = find(plate, rod, X, 1e-3);
      ASSERT_EQ(set.contacts.size(), 2u) << shape_name(plate) << " " << shape_name(rod);
      for (const Contact& c : set.contacts) {
        EXPECT_NEAR(std::abs(c.point.x() - 0.01), 0.2, 1e-6);
        EXPECT_NEAR(c.point.y(), 0.02, 1e-6);
        EXPECT_NEAR(c.depth, 1e-5, 1e-8);
      }
    }
    for (const Shape& post : {Shape(Cylinder{0.05, 0.4}), Shape(Cone{0.05, 0.4})}) {
      const Pose X = Pose::translation(0.01, 0.02, top + 0.2 - 1e-5);
      const ContactSet set = find(plate, post, X, 1e-3);
      ASSERT_EQ(set.contacts.size(), 4u) << shape_name(plate) << " " << shape_name(post);
      EXPECT_TRUE(testing::bears(set, Vec3(0.01, 0.02, 0), -0.03)) << shape_name(plate);
      for (const Contact& c : set.contacts)
        EXPECT_NEAR((c.point - Vec3(0.01, 0.02, c.point.z())).norm(), 0.05, 1e-6);
    }
    const ContactSet ring =
        find(plate, Torus{0.2, 0.05}, Pose::translation(0, 0, top + 0.05), 1e-3);
    ASSERT_EQ(ring.contacts.size(), 4u) << shape_name(plate);
    EXPECT_TRUE(testing::bears(ring, Vec3::Zero(), -0.1));
  }
}

TEST_F(ContactSetTest, LinkedToriMeetAtOnePoint) {
  const Pose X = Pose::translation(0.4 - 0.1 + 1e-4, 0, 0) *
                 Pose::rotation(Vec3::UnitX(), std::numbers::pi / 2) *
                 Pose::rotation(Vec3::UnitZ(), 0.05);
  // Circles of 0.2: where one passes through the other's middle, pulled until the tubes touch.
  const ContactSet set = find(Torus{0.2, 0.05}, Torus{0.2, 0.05}, X, 1e-3);
  ASSERT_GE(set.contacts.size(), 1u);
  ASSERT_LE(set.contacts.size(), 4u);
  expect_sound(set, 1e-3);
  const Separation s =
      compute_separation(Collider(Torus{0.2, 0.05}), Collider(Torus{0.2, 0.05}), X, query);
  EXPECT_NEAR(get_deepest(set), -s.distance, 1e-6);
}

TEST_F(ContactSetTest, PegInAHoleIsHeldAllRound) {
  const double clearance = 1e-4;
  const Shape bore = share(testing::make_bore(0.02 + clearance, 0.1, 0.05, 64));
  const Shape pegs[] = {Cylinder{0.02, 0.1}, share(make_mesh(Cylinder{0.02, 0.1}, 64))};
  for (const Shape& peg : pegs) {
    const ContactSet set = find(bore, peg, Pose::translation(0, 0, 0.03), 5e-4);
    expect_sound(set, 5e-4);
    ASSERT_GE(set.contacts.size(), 8u) << shape_name(peg);
    EXPECT_LT(set.contacts.size(), 200u) << shape_name(peg);
    for (int k = 0; k < 16; ++k) {
      // In every direction something pushes back.
      const Vec3 d(std::cos(k * std::numbers::pi / 8), std::sin(k * std::numbers::pi / 8), 0);
      double most = -1;
      for (const Contact& c : set.contacts) most = std::max(most, c.normal.dot(d));
      EXPECT_GT(most, 0.9) << shape_name(peg);
    }
    for (const Contact& c : set.contacts) {
      EXPECT_LT(std::abs(c.normal.z()), 0.1);
      EXPECT_LT(c.normal.dot(Vec3(c.point.x(), c.point.y(), 0).normalized()), -0.9);
      EXPECT_NEAR(c.depth, -clearance, 6e-5);
    }
  }
}

TEST_F(ContactSetTest, FinePlateGivesAHandful) {
  for (const int n : {1, 7, 60}) {
    const Collider plate{Shape(share(make_plate(1, 0.1, n)))};
    for (const Shape& box : make_boxes(Vec3(0.3, 0.2, 0.1))) {
      const ContactSet set = find(plate, Collider{box}, Pose::translation(0.013, 0.02, 0.05 - 1e-5),
                                  1e-3, {.max_points = 0});
      ASSERT_EQ(set.contacts.size(), 4u) << n << " " << shape_name(box);
      for (const Contact& c : set.contacts) EXPECT_NEAR(c.depth, 1e-5, 1e-10);
    }
  }
}

TEST_F(ContactSetTest, OpenSheetHasAFront) {
  const Collider sheet{Shape(share(make_plate(1, 0, 5, true)))};
  for (const Shape& box : make_boxes(Vec3(0.2, 0.2, 0.2))) {
    const ContactSet sunk = find(sheet, Collider{box}, Pose::translation(0, 0, 0.1 - 5e-4), 1e-3);
    ASSERT_EQ(sunk.contacts.size(), 4u) << shape_name(box);
    for (const Contact& c : sunk.contacts) {
      EXPECT_NEAR(c.depth, 5e-4, 1e-9);
      EXPECT_GT(c.normal.z(), 0.999);
    }
    EXPECT_TRUE(find(sheet, Collider{box}, Pose::translation(0, 0, -0.2), 1e-3).contacts.empty());
  }
}

TEST_F(ContactSetTest, DeepMeshIsDeep) {
  const Collider block{Shape(share(make_plate(2, 1, 8)))};
  const Collider ball{Shape(share(make_mesh(Sphere{0.2}, 24)))};
  const ContactSet half = find(block, ball, Pose::translation(0.1, 0, 0), 1e-3);
  EXPECT_NEAR(get_deepest(half), 0.2, 2e-3);
  const ContactSet inside = find(block, ball, Pose::translation(0.1, 0, -0.21), 1e-3);
  EXPECT_NEAR(get_deepest(inside), 0.41, 2e-3);
  for (const Contact& c : inside.contacts) EXPECT_GT(c.normal.z(), 0.99);
  const ContactSet ball_in =
      find(block, Collider{Shape(Sphere{0.1})}, Pose::translation(0, 0, -0.3), 0);
  EXPECT_NEAR(get_deepest(ball_in), 0.4, 1e-9);
}

TEST_F(ContactSetTest, SpikeThroughAPlateIsNotOverlooked) {
  const Collider plate{Shape(share(make_plate(1, 0.01, 1)))};
  for (const Shape& spike : {Shape(share(make_mesh(Cone{0.02, 1}, 12))), Shape(Cone{0.02, 1})}) {
    const ContactSet set = find(plate, Collider{spike}, Pose::translation(0.1, 0.05, 0), 1e-4);
    ASSERT_FALSE(set.contacts.empty()) << shape_name(spike);
    EXPECT_GT(get_deepest(set), 0) << shape_name(spike);
  }
}

TEST_F(ContactSetTest, BadInputThrows) {
  const Collider ball{Shape(Sphere{0.1})};
  EXPECT_THROW(find(ball, ball, Pose(), -1), std::invalid_argument);
  EXPECT_THROW(find(ball, ball, Pose::translation(NAN, 0, 0), 1), std::invalid_argument);
  EXPECT_TRUE(find(ball, Collider{Shape(share({}))}, Pose(), 1).contacts.empty());
  EXPECT_TRUE(
      find(Collider{Shape(share({}))}, Collider{Shape(share(make_plate(1, 1, 1)))}, Pose(), 1)
          .contacts.empty());
}

/// Every normal agrees with itself, whatever the angle.
TEST(ContactReduction, GroupsOfNoWidthEnd) {
  Rng rng(5);
  ContactScratch scratch;
  ContactSet set;
  ContactOptions options;
  options.normal_angle = 0;
  options.max_points = 1;
  const Collider a{Shape(Box{Vec3(1, 1, 1)})}, b{Shape(Torus{0.5, 0.2})};
  for (int round = 0; round < 100; ++round) {
    const Pose X_AB = testing::random_placement(rng, 0.6);
    compute_contacts(a, b, X_AB, 0.1, scratch, set, options);
    options.normal_angle = round % 2 ? 0 : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace
}  // namespace geste
