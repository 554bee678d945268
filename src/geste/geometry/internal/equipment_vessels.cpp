#include <cmath>

#include "geste/geometry/internal/equipment.hpp"

namespace geste {
namespace {

Pose along(const Vec3& p, const Vec3& axis) { return {make_frame_along(axis), p}; }

/// A round disc or short cylinder about `axis`, from `from` to `to` along it.
void add_disc(Solids& solids, const Vec3& p, const Vec3& axis, double radius, double from,
              double to) {
  solids.rod(p + from * axis, p + to * axis, radius);
}

Vec3 direction(double angle) { return {std::cos(angle), std::sin(angle), 0}; }

}  // namespace

double flange_radius(double pipe_radius) { return 1.45 * pipe_radius + 0.035; }

void add_flanges(Solids& solids, const Vec3& p, const Vec3& axis, double pipe_radius) {
  const double r = flange_radius(pipe_radius), t = 0.012 + 0.08 * pipe_radius;
  add_disc(solids, p, axis, r, -0.001 - 2 * t, -0.001);
  add_disc(solids, p, axis, r, 0.001, 0.001 + 2 * t);
}

double valve_reach(double pipe_radius) { return 3.2 * pipe_radius + 0.25; }

void add_valve(Solids& solids, const Vec3& p, const Vec3& axis, const Vec3& stem,
               double pipe_radius) {
  const double r = pipe_radius, half = 1.6 * r + 0.05, reach = valve_reach(r);
  const std::vector<Vec2> body{{0.9 * r, -half},
                               {1.05 * r, -0.6 * half},
                               {1.5 * r, 0},
                               {1.05 * r, 0.6 * half},
                               {0.9 * r, half}};
  solids.turned(along(p, axis), body);
  add_flanges(solids, p - half * axis, axis, r);
  add_flanges(solids, p + half * axis, axis, r);
  // Bonnet, stem and hand wheel.
  solids.rod(p + r * stem, p + (1.9 * r + 0.06) * stem, 0.75 * r);
  solids.rod(p + 1.5 * r * stem, p + reach * stem, 0.2 * r + 0.004);
  const double wheel = 1.2 * r + 0.05, rim = 0.1 * r + 0.005;
  std::vector<Vec2> ring;
  for (int i = 0; i < 6; ++i) {
    const double angle = 2 * kPi * i / 6;
    ring.emplace_back(wheel + rim * std::cos(angle), rim * std::sin(angle));
  }
  const Vec3 hub = p + (reach - 0.02) * stem;
  solids.turned_ring(along(hub, stem), ring);
  const Mat3 frame = make_frame_along(stem);
  for (int i = 0; i < 2; ++i) {
    solids.bar(hub - wheel * frame.col(i), hub + wheel * frame.col(i), rim, 0.9 * rim);
  }
}

void add_nozzle(Solids& solids, const Vec3& p, const Vec3& out, double pipe_radius, double inside,
                double length) {
  solids.rod(p - inside * out, p + length * out, pipe_radius);
  add_flanges(solids, p + length * out, out, pipe_radius);
}

void add_shell(Solids& solids, const Vec3& low, const Vec3& axis, double radius, double length) {
  // Heads are half ellipses, twice as wide as deep.
  const int steps = std::max(2, solids.segments() / 4);
  std::vector<Vec2> profile;
  for (int i = 0; i <= steps; ++i) {
    const double angle = kPi / 2 * (i - steps) / steps;
    profile.emplace_back(i == 0 ? 0 : radius * std::cos(angle), radius / 2 * std::sin(angle));
  }
  for (int i = 0; i <= steps; ++i) {
    const double angle = kPi / 2 * i / steps;
    profile.emplace_back(i == steps ? 0 : radius * std::cos(angle),
                         length + radius / 2 * std::sin(angle));
  }
  solids.turned(along(low, axis), profile);
}

void add_drum(Solids& solids, const Vec3& foot, double radius, double height, double turn) {
  const double leg = 0.35 + 0.25 * radius, top = 0.28;
  const double length = height - leg - radius - top;
  const Vec3 low = foot + Vec3(0, 0, leg + radius / 2), up = Vec3::UnitZ();
  add_shell(solids, low, up, radius, length);
  for (int i = 0; i < 4; ++i) {
    const Vec3 at = foot + 0.93 * radius * direction(turn + kPi / 2 * i);
    solids.bar(at, at + (leg + 0.9 * radius) * up, 0.08, 0.08);
    solids.box(at - Vec3(0.09, 0.09, 0), at + Vec3(0.09, 0.09, 0.015));
  }
  add_nozzle(solids, low + (length + radius / 2) * up, up, 0.0842, 0.1, top - 0.05);
  for (int i = 0; i < 3; ++i) {
    const Vec3 out = direction(turn + 0.7 + 2.1 * i);
    add_nozzle(solids, low + (0.2 + 0.25 * i) * length * up + radius * out, out, 0.0572, 0.06,
               0.15);
  }
  const Vec3 out = direction(turn + 5.2);
  add_nozzle(solids, low + 0.55 * length * up + radius * out, out, 0.2032, 0.12, 0.12);
}

void add_exchanger(Solids& solids, const Vec3& foot, const Vec3& axis, double radius,
                   double length) {
  const Vec3 up = Vec3::UnitZ(), across = up.cross(axis);
  const double height = radius + 0.35;
  const Vec3 centre = foot + height * up;
  add_shell(solids, centre - length / 2 * axis, axis, radius, length);
  // Channel flanges, nozzles, saddles.
  for (const double side : {-1.0, 1.0}) {
    const Vec3 at = centre + side * (length / 2 - 0.25) * axis;
    add_disc(solids, at, axis, radius + 0.07, -0.05, -0.002);
    add_disc(solids, at, axis, radius + 0.07, 0.002, 0.05);
    add_nozzle(solids, centre + side * 0.3 * length * axis + radius * up, up, 0.0842, 0.1, 0.16);
    const Vec3 saddle = foot + side * 0.22 * length * axis;
    solids.bar(saddle, saddle + (height - 0.55 * radius) * up,
               std::abs(axis.x()) > 0.5 ? 1.7 * radius : 0.16,
               std::abs(axis.x()) > 0.5 ? 0.16 : 1.7 * radius);
  }
  add_nozzle(solids, centre + 0.1 * length * axis + radius * across, across, 0.0572, 0.06, 0.14);
}

void add_storage_tank(Solids& solids, const Vec3& foot, double radius, double height, double turn) {
  const double roof = 0.16 * radius, wall = height - roof - 0.35;
  const std::vector<Vec2> profile{{radius + 0.25, 0},
                                  {radius + 0.25, 0.25},
                                  {radius, 0.26},
                                  {radius, wall},
                                  {radius + 0.06, wall + 0.01},
                                  {radius + 0.06, wall + 0.07},
                                  {0.25, wall + 0.07 + roof},
                                  {0.25, wall + 0.2 + roof},
                                  {0, wall + 0.21 + roof}};
  solids.turned(Pose::translation(foot), profile);
  for (int i = 1; i <= 3; ++i) {  // stiffening rings
    const double z = 0.26 + (wall - 0.26) * i / 4;
    const std::vector<Vec2> ring{{radius - 0.02, z - 0.04},
                                 {radius + 0.07, z - 0.035},
                                 {radius + 0.07, z + 0.035},
                                 {radius - 0.02, z + 0.04}};
    solids.turned_ring(Pose::translation(foot), ring);
  }
  const auto nozzle = [&](double angle, double z, double r) {
    const Vec3 out = direction(turn + angle);
    add_nozzle(solids, foot + radius * out + Vec3(0, 0, z), out, r, 0.1, 0.14);
  };
  nozzle(0, 0.9, 0.30);
  nozzle(1.1, 0.6, 0.1095);
  nozzle(2.0, 0.6, 0.0842);
  const Vec3 out = direction(turn + 4.0), across = Vec3::UnitZ().cross(out);
  add_ladder(solids, foot + (radius + 0.2) * out, across, out, wall - 0.8);
}

void add_tower(Solids& solids, const Vec3& foot, double radius, double height) {
  const double skirt = 1.8, top = 0.35;
  const double length = height - skirt - radius - top;
  const Vec3 up = Vec3::UnitZ(), low = foot + (skirt + radius / 2) * up;
  const std::vector<Vec2> profile{{radius + 0.2, 0},
                                  {radius + 0.2, 0.06},
                                  {radius + 0.03, 0.07},
                                  {radius + 0.03, skirt + 0.2},
                                  {radius - 0.1, skirt + 0.21}};
  solids.turned(Pose::translation(foot), profile);
  add_shell(solids, low, up, radius, length);
  add_nozzle(solids, low + (length + radius / 2) * up, up, 0.1365, 0.15, top - 0.08);
  const int platforms = std::max(1, static_cast<int>(length / 4.5));
  for (int i = 1; i <= platforms; ++i) {
    const double z = length * i / (platforms + 0.4);
    const Pose at = Pose::translation(low + z * up);
    const double r = radius + 0.9;
    const std::vector<Vec2> floor{{radius + 0.02, -0.05}, {r, -0.05}, {r, 0}, {radius + 0.02, 0}};
    solids.turned_ring(at, floor);
    for (const double rail : {0.55, 1.1}) {
      const std::vector<Vec2> ring{{r - 0.06, rail - 0.02},
                                   {r - 0.02, rail - 0.02},
                                   {r - 0.02, rail + 0.02},
                                   {r - 0.06, rail + 0.02}};
      solids.turned_ring(at, ring);
    }
    for (int k = 0; k < 10; ++k) {
      const Vec3 post = low + z * up + (r - 0.04) * direction(2 * kPi * k / 10);
      solids.rod(post - 0.02 * up, post + 1.1 * up, 0.017);
    }
    const Vec3 out = direction(1.3 * i);
    add_nozzle(solids, low + (z + 0.7) * up + radius * out, out, 0.22, 0.12, 0.15);
    add_nozzle(solids, low + (z - 1.2) * up - radius * out, Vec3(-out), 0.0842, 0.08, 0.2);
  }
}

void add_pump(Solids& solids, const Vec3& foot, const Vec3& axis, double scale) {
  const double s = scale;
  const Vec3 up = Vec3::UnitZ(), across = up.cross(axis);
  const auto at = [&](double x, double y, double z) -> Vec3 {
    return foot + s * (x * axis + y * across + z * up);
  };
  const Mat3 frame = (Mat3() << axis, across, up).finished();
  solids.box(Pose(frame, at(0, 0, 0.06)), s * Vec3(1.6, 0.6, 0.12));
  solids.box(Pose(frame, at(-0.35, 0, 0.16)), s * Vec3(0.6, 0.4, 0.12));
  solids.box(Pose(frame, at(0.42, 0, 0.2)), s * Vec3(0.2, 0.3, 0.2));
  // Motor with fan cover, coupling guard, volute.
  solids.rod(at(-0.68, 0, 0.42), at(-0.05, 0, 0.42), 0.21 * s);
  solids.rod(at(-0.76, 0, 0.42), at(-0.66, 0, 0.42), 0.19 * s);
  solids.box(Pose(frame, at(-0.38, 0.2, 0.52)), s * Vec3(0.2, 0.14, 0.16));
  solids.rod(at(-0.08, 0, 0.42), at(0.28, 0, 0.42), 0.1 * s);
  solids.rod(at(0.26, 0, 0.42), at(0.52, 0, 0.42), 0.24 * s);
  add_nozzle(solids, at(0.52, 0, 0.42), axis, 0.08 * s, 0.05 * s, 0.16 * s);
  add_nozzle(solids, at(0.40, 0.14, 0.62), up, 0.06 * s, 0.1 * s, 0.16 * s);
}

}  // namespace geste
