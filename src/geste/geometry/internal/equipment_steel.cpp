#include <array>
#include <cmath>
#include <numbers>

#include "geste/geometry/internal/equipment.hpp"

namespace geste {

void add_beam(Solids& solids, const Vec3& p, const Vec3& q, const SteelSection& s) {
  const double b = s.b / 2, w = s.tw / 2, h = s.h / 2, f = s.h / 2 - s.tf;
  const std::array<Vec2, 12> outline{{{-b, -h},
                                      {b, -h},
                                      {b, -f},
                                      {w, -f},
                                      {w, f},
                                      {b, f},
                                      {b, h},
                                      {-b, h},
                                      {-b, f},
                                      {-w, f},
                                      {-w, -f},
                                      {-b, -f}}};
  // Lower flange, web, upper flange.
  static constexpr std::array<Triangle, 10> kFaces{{{0, 1, 2},
                                                    {0, 2, 3},
                                                    {0, 3, 10},
                                                    {0, 10, 11},
                                                    {10, 3, 4},
                                                    {10, 4, 9},
                                                    {7, 8, 9},
                                                    {7, 9, 4},
                                                    {7, 4, 5},
                                                    {7, 5, 6}}};
  const Vec3 along = q - p;
  solids.prism(Pose(make_frame_along(along.normalized()), p), outline, kFaces, along.norm());
}

void add_column(Solids& solids, const Vec3& foot, double height, const SteelSection& section) {
  const double plate = 0.6 * section.h + 0.1;
  solids.box(foot - Vec3(plate, plate, 0), foot + Vec3(plate, plate, 0.03));
  add_beam(solids, foot + Vec3(0, 0, 0.025), foot + Vec3(0, 0, height), section);
}

void add_handrail(Solids& solids, const Vec3& p, const Vec3& q) {
  const Vec3 along = q - p;
  const int gaps = std::max(1, static_cast<int>(std::lround(along.norm() / 1.5)));
  const Vec3 inset = 0.05 * along.normalized();
  for (int i = 0; i <= gaps; ++i) {
    const Vec3 foot = p + inset + (along - 2 * inset) * i / gaps;
    solids.rod(foot, foot + Vec3(0, 0, 1.095), 0.021);
  }
  solids.rod(p + Vec3(0, 0, 1.1), q + Vec3(0, 0, 1.1), 0.0225);
  solids.rod(p + Vec3(0, 0, 0.55), q + Vec3(0, 0, 0.55), 0.017);
  solids.bar(p + Vec3(0, 0, 0.06), q + Vec3(0, 0, 0.06), 0.006, 0.1);
}

void add_grating(Solids& solids, const Vec3& low, const Vec3& high) {
  constexpr double kBar = 0.005, kRim = 0.008, kPitch = 0.1;
  solids.box(low, Vec3(high.x(), low.y() + kRim, high.z()));
  solids.box(Vec3(low.x(), high.y() - kRim, low.z()), high);
  const double width = high.x() - low.x();
  const int bars = std::max(2, static_cast<int>(std::lround(width / kPitch)));
  for (int i = 0; i <= bars; ++i) {
    const double x = low.x() + (width - kBar) * i / bars;
    solids.box(Vec3(x, low.y() + kRim / 2, low.z() + 0.001),
               Vec3(x + kBar, high.y() - kRim / 2, high.z() - 0.001));
  }
  const int ties = std::max(1, static_cast<int>((high.y() - low.y()) / 1.0));
  for (int i = 1; i <= ties; ++i) {
    const double y = low.y() + (high.y() - low.y()) * i / (ties + 1);
    solids.box(Vec3(low.x() + 0.002, y - 0.003, high.z() - 0.010),
               Vec3(high.x() - 0.002, y + 0.003, high.z() - 0.004));
  }
}

void add_ladder(Solids& solids, const Vec3& foot, const Vec3& across, const Vec3& out,
                double height) {
  const Vec3 up = Vec3::UnitZ();
  for (const double side : {-0.22, 0.22}) {
    solids.bar(foot + side * across, foot + side * across + (height + 1.0) * up, 0.05, 0.012);
  }
  const int rungs = static_cast<int>(height / 0.28);
  for (int i = 1; i <= rungs; ++i) {
    const Vec3 at = foot + 0.28 * i * up;
    solids.rod(at - 0.218 * across, at + 0.218 * across, 0.0125);
  }
  // Cage: hoops of five straight pieces and three uprights.
  const auto hoop = [&](double z, int i) -> Vec3 {
    const double angle = std::numbers::pi * i / 6;
    return foot + z * up + 0.36 * std::cos(angle) * across + 0.68 * std::sin(angle) * out;
  };
  for (double z = 2.2; z < height + 0.9; z += 0.8) {
    for (int i = 0; i < 6; ++i) solids.bar(hoop(z, i), hoop(z, i + 1), 0.006, 0.05);
  }
  for (const int i : {1, 3, 5}) {
    solids.bar(hoop(2.15, i), hoop(height + 0.95, i), 0.04, 0.007);
  }
}

}  // namespace geste
