#include "geste/geometry/swept_pair.hpp"

#include <gtest/gtest.h>

#include "geometry/random_meshes.hpp"
#include "random_vector.hpp"

namespace geste {
namespace {

using testing::random_vector;

Shape make_moved_shape(Rng& rng) {
  const double size = rng.uniform(0.1, 0.4);
  switch (rng.integer(0, 5)) {
    case 0:
      return Sphere{size / 2};
    case 1:
      return Capsule{size / 4, size};
    case 2:
      return Box{Vec3(size, size / 2, size / 3)};
    case 3:
      return Cylinder{size / 3, size};
    case 4:
      return Torus{size / 2, size / 6};
    default:
      break;
  }
  TriangleMesh mesh = testing::make_star(rng, 10);
  for (Vec3& v : mesh.vertices) v *= size;
  return testing::share(std::move(mesh));
}

JointRange make_range(Rng& rng) {
  JointRange joint{0.2 * random_vector(rng), random_vector(rng).normalized(), 0, 0};
  (rng.uniform() < 0.75 ? joint.turn : joint.slide) = std::pow(10, rng.uniform(-2.5, -0.15));
  joint.turn = std::min(joint.turn, kWidestTurn);
  joint.slide *= 0.3;
  return joint;
}

/// By `share` of its range.
Pose move_by(const JointRange& joint, double share) {
  const Mat3 R = Eigen::AngleAxisd(share * joint.turn, joint.axis).toRotationMatrix();
  return {R, joint.origin - R * joint.origin + share * joint.slide * joint.axis};
}

double bound_range(const JointRange& joint, double far) {
  return joint.turn * (far + joint.origin.norm()) + joint.slide;
}

// What is said to stay apart does so for any two values of the joints, nearest ones sought by
// sampling; and much of what does is said to.
TEST(RangeApart, HoldsForAllValues) {
  QueryScratch scratch;
  int apart = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const Collider a(make_moved_shape(rng)), b(make_moved_shape(rng));
    const double clearance = seed % 3 == 0 ? 0.01 : 0;
    const Pose X_AB(
        Eigen::AngleAxisd(rng.uniform(-3, 3), random_vector(rng).normalized()).toRotationMatrix(),
        rng.uniform(0.2, 0.7) * random_vector(rng).normalized());
    PairRange range{X_AB, {}, make_range(rng), 0};
    if (seed % 4 != 0) range.a = make_range(rng);
    range.reach = bound_range(range.a, 1) + bound_range(range.b, 2);
    const bool is_apart = range_apart(a, b, range, clearance, scratch);
    bool meets = false;
    for (int k = 0; k < 49; ++k) {
      const double s = k < 36 ? (k % 6) / 2.5 - 1 : rng.uniform(-1, 1),
                   t = k < 36 ? (k / 6) / 2.5 - 1 : rng.uniform(-1, 1);
      const Pose X = move_by(range.a, s).inverse() * move_by(range.b, t) * X_AB;
      meets = meets || comes_within(a, b, X, clearance, scratch);
    }
    ASSERT_FALSE(is_apart && meets) << "seed " << seed;
    apart += is_apart;
    kept += !meets;
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(apart, kept / 2);
  EXPECT_LT(kept, 2900);
}

// A joint moves nothing along its axis: plates a hundredth of a millimetre apart, as primitives and
// as meshes, whatever the turn; tilted by less than the gap tells it is not.
TEST(RangeApart, TellsApartWhatTurnsOnOneAxis) {
  QueryScratch scratch;
  for (const bool is_mesh : {false, true}) {
    const Box plate{Vec3(0.3, 0.2, 0.02)};
    const Shape shape = is_mesh ? Shape(testing::share(make_mesh(Shape(plate)))) : Shape(plate);
    const Collider a(shape), b(shape);
    PairRange range{Pose::translation(0, 0, 0.02 + 1e-5), {}, {}, 0};
    range.a = range.b = {Vec3(0.05, 0, 0), Vec3::UnitZ(), 0.7, 0};
    range.reach = 1;
    EXPECT_TRUE(range_apart(a, b, range, 0, scratch));
    EXPECT_TRUE(range_apart(a, b, range, 0.9e-5, scratch));
    EXPECT_FALSE(range_apart(a, b, range, 1.1e-5, scratch));
    range.b.axis = Vec3(1e-3, 0, 1).normalized();
    EXPECT_FALSE(range_apart(a, b, range, 0, scratch));
    range.b = {Vec3::Zero(), Vec3::UnitX(), 0, 0.5};  // slides along the plate
    EXPECT_TRUE(range_apart(a, b, range, 0, scratch));
    range.b.axis = Vec3::UnitZ();
    EXPECT_FALSE(range_apart(a, b, range, 0, scratch));
  }
}

// One inside the other is not apart, however far the surfaces are; nor is a turn that is too wide.
TEST(RangeApart, SaysNothingOfInsidesAndWideTurns) {
  QueryScratch scratch;
  const Collider shell(testing::share(make_mesh(Shape(Sphere{0.5})))),
      pea(testing::share(make_mesh(Shape(Sphere{0.01}))));
  PairRange range{Pose(), {}, {Vec3::Zero(), Vec3::UnitZ(), 0.1, 0}, 0.01};
  EXPECT_FALSE(range_apart(shell, pea, range, 0, scratch));
  range.X_AB = Pose::translation(2, 0, 0);
  range.reach = 3;
  EXPECT_TRUE(range_apart(shell, pea, range, 0, scratch));
  range.b.turn = 3;
  EXPECT_FALSE(range_apart(shell, pea, range, 0, scratch));
}

}  // namespace
}  // namespace geste
