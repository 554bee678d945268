// FCL 0.7 as a second opinion. Its distances come from GJK with a tolerance of 1e-6 unless told
// otherwise; below 1e-9 the search sometimes ends early, so what is asked of it here is 1e-6 for
// flat shapes and 1e-4 for round ones. Its depths stop at 1e-6 or are not the shortest (MPR), so
// only its yes and no is asked inside.
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "convex_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> make_fcl(const PrimitiveShape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return std::make_shared<fcl::Sphered>(s->radius);
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    return std::make_shared<fcl::Capsuled>(s->radius, s->length);
  }
  if (const auto* s = std::get_if<Box>(&shape)) return std::make_shared<fcl::Boxd>(s->size);
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return std::make_shared<fcl::Cylinderd>(s->radius, s->length);
  }
  if (const auto* s = std::get_if<Cone>(&shape)) {
    return std::make_shared<fcl::Coned>(s->radius, s->length);
  }
  const ConvexHull& hull = *std::get<HullShape>(shape);
  auto faces = std::make_shared<std::vector<int>>();
  for (const Triangle& t : hull.faces) {
    faces->push_back(3);
    for (const std::uint32_t v : t) faces->push_back(static_cast<int>(v));
  }
  return std::make_shared<fcl::Convexd>(std::make_shared<std::vector<Vec3>>(hull.vertices),
                                        static_cast<int>(hull.faces.size()), faces);
}

fcl::Transform3d to_fcl(const Pose& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

TEST(ConvexFcl, AgreesOnDistanceAndTouch) {
  Rng rng(1);
  const std::size_t kinds[] = {0, 1, 2, 3, 4, 6};
  for (const std::size_t i : kinds) {
    for (const std::size_t j : kinds) {
      const auto is_flat = [](std::size_t k) { return k == 2 || k == 6; };
      const bool is_round = !is_flat(i) || !is_flat(j);
      int touching = 0;
      for (int run = 0; run < 300; ++run) {
        const PrimitiveShape a = testing::random_primitive(rng, i);
        const PrimitiveShape b = testing::random_primitive(rng, j);
        const Pose X_AB = testing::random_pose(rng, 0.8);
        const Separation s = compute_primitive_separation(a, b, X_AB);
        const auto fa = make_fcl(a), fb = make_fcl(b);
        const fcl::Transform3d I = fcl::Transform3d::Identity(), T = to_fcl(X_AB);
        if (std::abs(s.distance) > 1e-4) {
          fcl::CollisionRequestd request;
          fcl::CollisionResultd result;
          const bool is_touching = fcl::collide(fa.get(), I, fb.get(), T, request, result) > 0;
          EXPECT_EQ(is_touching, s.distance < 0) << testing::name_pair(i, j) << " " << s.distance;
          touching += is_touching;
        }
        if (s.distance > 1e-3) {
          fcl::DistanceRequestd request;
          request.distance_tolerance = 1e-8;
          fcl::DistanceResultd result;
          const double d = fcl::distance(fa.get(), I, fb.get(), T, request, result);
          EXPECT_NEAR(s.distance, d, is_round ? 1e-4 : 1e-6) << testing::name_pair(i, j);
          EXPECT_LT(s.distance, d + 1e-9) << testing::name_pair(i, j);
        }
      }
      EXPECT_GT(touching, 20);
    }
  }
}

}  // namespace
}  // namespace geste
