#include <fmt/format.h>

#include "rigid/puzzle_parts.hpp"
#include "rigid/puzzles.hpp"

// Furniture that is carried through rooms. The floor is at z = 0.

namespace geste::bench {
namespace {

constexpr double kWallThick = 0.1;

/// Between two opposite corners.
void add_block(std::vector<GeometrySpec>& to, const Vec3& low, const Vec3& high) {
  to.push_back(make_box(high - low, (low + high) / 2));
}

/// Floor, ceiling and outer walls of a room from the origin to `size`.
void add_shell(std::vector<GeometrySpec>& world, const Vec3& size) {
  constexpr double t = kWallThick;
  const double x = size.x(), y = size.y(), z = size.z();
  add_block(world, {-t, -t, -t}, {x + t, y + t, 0});
  add_block(world, {-t, -t, z}, {x + t, y + t, z + t});
  add_block(world, {-t, -t, 0}, {0, y + t, z});
  add_block(world, {x, -t, 0}, {x + t, y + t, z});
  add_block(world, {0, -t, 0}, {x, 0, z});
  add_block(world, {0, y, 0}, {x, y + t, z});
}

/// A top on four legs, its middle above `at` on the floor.
void add_table(std::vector<GeometrySpec>& to, const Vec3& at, const Vec3& size) {
  constexpr double kLeg = 0.06, kTop = 0.04;
  const double x = size.x() / 2, y = size.y() / 2, z = size.z();
  add_block(to, at + Vec3(-x, -y, z - kTop), at + Vec3(x, y, z));
  for (const double sx : {-1.0, 1.0})
    for (const double sy : {-1.0, 1.0})
      to.push_back(make_box({kLeg, kLeg, z - kTop},
                            at + Vec3(sx * (x - kLeg), sy * (y - kLeg), (z - kTop) / 2)));
}

GeometrySpec make_pillar(const Vec3& foot, double radius, double height) {
  return make_solid(Cylinder{radius, height}, Pose::translation(foot + Vec3(0, 0, height / 2)));
}

/// A round table with four stools, 0.9 m across.
void add_stools(std::vector<GeometrySpec>& world, const Vec3& at) {
  world.push_back(make_pillar(at, 0.04, 0.7));
  world.push_back(make_pillar(at + Vec3(0, 0, 0.7), 0.3, 0.04));
  for (const double sx : {-1.0, 1.0})
    for (const double sy : {-1.0, 1.0}) {
      const Vec3 foot = at + Vec3(sx * 0.28, sy * 0.28, 0);
      world.push_back(make_pillar(foot, 0.03, 0.42));
      world.push_back(make_pillar(foot + Vec3(0, 0, 0.42), 0.15, 0.04));
    }
}

/// A plant in its pot.
void add_plant(std::vector<GeometrySpec>& world, const Vec3& at) {
  world.push_back(make_pillar(at, 0.2, 0.4));
  world.push_back(make_pillar(at + Vec3(0, 0, 0.4), 0.03, 0.7));
  world.push_back(make_solid(Sphere{0.35}, Pose::translation(at + Vec3(0, 0, 1.3))));
}

/// Boards between two sides.
void add_shelf(std::vector<GeometrySpec>& world, const Vec3& at) {
  for (const double s : {-1.0, 1.0})
    add_block(world, at + Vec3(s * 0.38 - 0.02, -0.2, 0), at + Vec3(s * 0.38 + 0.02, 0.2, 1.8));
  for (int i = 0; i < 6; ++i) {
    const double z = 0.1 + 0.32 * i;
    add_block(world, at + Vec3(-0.36, -0.2, z), at + Vec3(0.36, 0.2, z + 0.02));
  }
}

void add_desk(std::vector<GeometrySpec>& world, const Vec3& at) {
  add_table(world, at, {0.8, 0.5, 0.72});
  add_block(world, at + Vec3(-0.2, 0, 0.78), at + Vec3(0.2, 0.04, 1.08));  // its screen
}

/// A wall from one point of the floor plan to another along x or y, with a door in its middle.
void add_door_wall(std::vector<GeometrySpec>& world, const Vec2& from, const Vec2& to,
                   double height, double door) {
  constexpr double kDoorHeight = 2;
  const Vec2 along = (to - from).normalized(), across(-along.y(), along.x());
  const Vec2 middle = (from + to) / 2, half = kWallThick / 2 * across;
  const auto add = [&](const Vec2& a, const Vec2& b, double bottom) {
    const Vec2 low = (a - half).cwiseMin(b - half).cwiseMin(a + half).cwiseMin(b + half);
    const Vec2 high = (a - half).cwiseMax(b - half).cwiseMax(a + half).cwiseMax(b + half);
    add_block(world, {low.x(), low.y(), bottom}, {high.x(), high.y(), height});
  };
  add(from, middle - door / 2 * along, 0);
  add(middle + door / 2 * along, to, 0);
  add(middle - door / 2 * along, middle + door / 2 * along, kDoorHeight);
}

/// Something in each corner of a room of 4 m x 4 m; its middle and what is before its doors stay
/// free.
void furnish(std::vector<GeometrySpec>& world, const Vec3& middle) {
  add_stools(world, middle + Vec3(-1.45, -1.45, 0));
  add_plant(world, middle + Vec3(1.5, 1.5, 0));
  add_shelf(world, middle + Vec3(-1.5, 1.6, 0));
  add_desk(world, middle + Vec3(1.45, -1.6, 0));
}

/// Where cubicles of 2 m x 2 m meet: partitions that leave 0.6 m open in the middle of each side.
void add_partitions(std::vector<GeometrySpec>& world, int columns, int rows, double height) {
  constexpr double kSide = 2, kShare = 0.7, t = 0.05;
  for (int i = 0; i < columns; ++i) {
    for (int j = 0; j < rows; ++j) {
      const double x = kSide * i, y = kSide * j;
      for (const double at : {0.0, kSide - kShare}) {
        if (i > 0) add_block(world, {x - t / 2, y + at, 0}, {x + t / 2, y + at + kShare, height});
        if (j > 0) add_block(world, {x + at, y - t / 2, 0}, {x + at + kShare, y + t / 2, height});
      }
    }
  }
}

}  // namespace

RigidProblem make_cubicles(int columns, int rows, double clearance) {
  constexpr double kPartition = 1.3;
  const Vec3 table(1.4, 0.7, 0.72);
  const Vec3 size(2.0 * columns, 2.0 * rows, kPartition + table.z() + 2 * clearance);
  RigidProblem p =
      make_puzzle(fmt::format("cubicles {:.2f}", clearance), AxisBox{Vec3::Zero(), size});
  add_table(get_mover(p), {0, 0, -table.z() / 2}, table);
  auto& world = get_world(p);
  add_shell(world, size);
  add_partitions(world, columns, rows, kPartition);
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j)
      if (i + j > 0 && i + j < columns + rows - 2) add_desk(world, {2.0 * i + 1, 2.0 * j + 1.6, 0});

  const Vec3 from(1, 1, 0), to(size.x() - 1, size.y() - 1, 0);
  const Vec3 standing(0, 0, table.z() / 2 + 0.02);
  const Vec3 raised(0, 0, kPartition + clearance + table.z() / 2);
  const Quat turned(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
  set_way(p,
          {Pose::translation(from + standing), Pose::translation(from + raised),
           Pose::translation(to + raised), Pose(turned, to + raised), Pose(turned, to + standing)});
  return p;
}

RigidProblem make_piano(double clearance) {
  constexpr double kHeight = 2.4, kDepth = 0.6;
  RigidProblem p = make_puzzle(fmt::format("piano {:.2f}", clearance),
                               AxisBox{Vec3::Zero(), Vec3(8, 8, kHeight)});
  // An upright one, along x, keys towards -y.
  auto& piano = get_mover(p);
  piano.push_back(make_box({1.5, 0.35, 1.2}, {0, kDepth / 2 - 0.175, 0}));
  piano.push_back(make_box({1.4, 0.25, 0.12}, {0, -kDepth / 2 + 0.125, 0.1}));
  for (const double s : {-1.0, 1.0})
    piano.push_back(make_box({0.08, 0.08, 0.64}, {s * 0.65, -kDepth / 2 + 0.06, -0.28}));

  // Four rooms, one after the other; no door leads from the last to the first.
  auto& world = get_world(p);
  add_shell(world, {8, 8, kHeight});
  const double door = kDepth + 2 * clearance;
  add_door_wall(world, {4, 0}, {4, 4}, kHeight, door);
  add_door_wall(world, {4, 4}, {8, 4}, kHeight, door);
  add_door_wall(world, {4, 4}, {4, 8}, kHeight, door);
  add_block(world, {0, 4 - kWallThick / 2, 0}, {4, 4 + kWallThick / 2, kHeight});
  for (const double x : {2.0, 6.0})
    for (const double y : {2.0, 6.0}) furnish(world, {x, y, 0});

  constexpr double z = 0.62;  // 20 mm above the floor
  const Quat along_y(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitZ()));
  set_way(p, {Pose(along_y, Vec3(0.5, 2, z)), Pose(along_y, Vec3(2, 2, z)),
              Pose::translation(2, 2, z), Pose::translation(6, 2, z), Pose(along_y, Vec3(6, 2, z)),
              Pose(along_y, Vec3(6, 6, z)), Pose::translation(6, 6, z), Pose::translation(2, 6, z),
              Pose(along_y, Vec3(2, 6, z)), Pose(along_y, Vec3(0.5, 6, z))});
  return p;
}

}  // namespace geste::bench
