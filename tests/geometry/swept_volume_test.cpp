#include "geste/geometry/swept_volume.hpp"

#include <gtest/gtest.h>

#include "geste/core/rng.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/so3.hpp"

namespace geste {
namespace {

double measure_volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  return sum;
}

// MV-11: a box that is pushed along x sweeps a longer box. By hand: what it holds and how large it
// is; the volume once more by the surface's integral, which a face turned inwards would change.
TEST(SweptVolume, HoldsABoxThatIsPushed) {
  const TriangleMesh box = make_mesh(Box{Vec3(1, 0.6, 0.4)});
  for (const double cell : {0.1, 0.05, 0.02}) {
    SCOPED_TRACE(cell);
    SweptVolume swept(AxisBox{Vec3(-1, -0.6, -0.5), Vec3(3, 0.6, 0.5)}, cell);
    const int steps = static_cast<int>(std::ceil(2 / cell));
    for (int i = 0; i <= steps; ++i)
      swept.add(box, Pose::translation(Vec3(2.0 * i / steps, 0, 0)), 1.0 / steps);
    swept.fill();
    Rng rng(1);
    for (int i = 0; i < 2000; ++i) {
      const Vec3 p(rng.uniform(-0.5, 2.5), rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2));
      EXPECT_TRUE(swept.contains(p)) << p.transpose();
    }
    const double slack = 0.5 / steps * 2 + std::sqrt(3.0) * cell;
    const Vec3 most = Vec3(3, 0.6, 0.4).array() + 2 * slack;
    EXPECT_GE(swept.volume(), 3 * 0.6 * 0.4);
    EXPECT_LE(swept.volume(), most.prod());
    EXPECT_NEAR(measure_volume(swept.make_surface()), swept.volume(), 1e-9);
  }
}

// MV-11: places that turn; every point of the part at every place is in it, and none far away.
TEST(SweptVolume, HoldsEveryPlaceOfAPart) {
  const TriangleMesh part = make_mesh(Torus{0.3, 0.08});
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    SweptVolume swept(AxisBox{Vec3::Constant(-1.2), Vec3::Constant(1.2)}, 0.05);
    std::vector<Pose> places;
    for (int i = 0; i < 5; ++i) {
      const auto draw = [&] { return Vec3(rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), 0); };
      places.emplace_back(so3::exp(3 * draw()), draw());
      swept.add(part, places.back(), 0);
    }
    swept.fill();
    for (const Pose& X : places) {
      for (const Triangle& t : part.triangles) {
        const Vec3 middle = (part.vertices[t[0]] + part.vertices[t[1]] + part.vertices[t[2]]) / 3;
        EXPECT_TRUE(swept.contains(X * middle));
      }
    }
    EXPECT_FALSE(swept.contains(Vec3(0, 0, 1.15)));
    EXPECT_FALSE(swept.contains(Vec3(0, 0, 5))) << "outside the grid";
  }
}

TEST(SweptVolume, RefusesCellsWithoutSize) {
  EXPECT_THROW(SweptVolume(AxisBox{Vec3::Zero(), Vec3::Ones()}, 0), std::invalid_argument);
  SweptVolume none(AxisBox(), 0.1);
  none.fill();
  EXPECT_TRUE(none.make_surface().triangles.empty());
}

}  // namespace
}  // namespace geste
