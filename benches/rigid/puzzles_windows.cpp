#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigid/puzzle_parts.hpp"
#include "rigid/puzzles.hpp"
#include "rigid/sweep.hpp"

// Parts that must go through openings in walls.

namespace geste::bench {
namespace {

const Quat kUpright(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitY()));

/// A bar along x, turned upright, on one side of what lies along x and on the other.
std::vector<Pose> make_way_along_x(double from, double to) {
  return {Pose(kUpright, Vec3(from, 0.2, 0.1)), Pose::translation(from, 0, 0),
          Pose::translation(to, 0, 0), Pose(kUpright, Vec3(to, -0.2, 0.1))};
}

GeometrySpec make_mesh_geometry(TriangleMesh mesh) {
  GeometrySpec g;
  g.shape = std::make_shared<const TriangleMesh>(std::move(mesh));
  return g;
}

/// A part swept along `frames` goes through a window at the origin along its own curve, end first:
/// one frame after the other comes to lie in the window, against its direction.
void set_way_along(RigidProblem& problem, const std::vector<Pose>& frames) {
  Mat3 R;
  R << 0, 0, -1, 1, 0, 0, 0, -1, 0;
  const Pose window(R, Vec3::Zero());
  const Vec3 away(0.3, 0, 0);
  const Quat turned(Eigen::AngleAxisd(2, Vec3(1, 2, 2) / 3));
  std::vector<Pose> places{Pose(turned, Vec3(-1.3, 0.2, 0.1))};
  const Pose first = window * frames.front().inverse(), last = window * frames.back().inverse();
  places.emplace_back(first.R, Vec3(-1.3, first.p.y(), first.p.z()));
  places.push_back(Pose::translation(-away) * first);
  for (const Pose& X : frames) places.push_back(window * X.inverse());
  places.push_back(Pose::translation(away) * last);
  places.emplace_back(last.R, Vec3(1.3, last.p.y(), last.p.z()));
  places.emplace_back(turned, Vec3(1.3, -0.2, 0.1));
  set_way(problem, places);
}

/// The curve of two quarter circles, one in the plane of x and z, the other across it.
std::vector<Vec3> make_bent_curve(double radius, int steps) {
  std::vector<Vec3> points;
  for (int i = 0; i <= steps; ++i) {
    const double a = kPi / 2 * i / steps;
    points.emplace_back(radius * (1 - std::cos(a)), 0, radius * std::sin(a));
  }
  for (int i = 1; i <= steps; ++i) {
    const double a = kPi / 2 * i / steps;
    points.emplace_back(radius * (1 + std::sin(a)), radius * (1 - std::cos(a)), radius);
  }
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += p / static_cast<double>(points.size());
  for (Vec3& p : points) p -= mean;
  return points;
}

}  // namespace

RigidProblem make_window(double side) {
  RigidProblem p = make_puzzle(fmt::format("window {:.3f}", side), Vec3(1.2, 0.8, 0.8));
  get_mover(p).push_back(make_box({0.8, 0.1, 0.1}, Vec3::Zero()));
  add_wall(p, 0, side, side);
  set_way(p, make_way_along_x(-0.7, 0.7));
  return p;
}

RigidProblem make_slit() {
  RigidProblem p = make_puzzle("board through a slit", Vec3(1.2, 0.8, 0.8));
  get_mover(p).push_back(make_box({0.6, 0.5, 0.05}, Vec3::Zero()));
  add_wall(p, 0, 0.07, 0.6);
  const Pose on_edge = Pose::rotation(Vec3::UnitX(), kPi / 2);
  const Pose before = Pose::translation(-0.7, 0, 0), behind = Pose::translation(0.7, 0, 0);
  set_way(p, {before, before * on_edge, behind * on_edge, behind});
  return p;
}

RigidProblem make_two_windows() {
  RigidProblem p = make_puzzle("two windows", Vec3(1.6, 0.8, 0.8));
  get_mover(p).push_back(make_box({0.8, 0.1, 0.1}, Vec3::Zero()));
  add_wall(p, -0.5, 0.2, 0.2);
  add_wall(p, 0.5, 0.2, 0.2);
  set_way(p, make_way_along_x(-1.1, 1.1));
  return p;
}

RigidProblem make_twisted_bar(double clearance) {
  constexpr double kLength = 0.8, kWidth = 0.2, kThick = 0.05;
  constexpr int kSteps = 48;
  std::vector<Pose> frames;
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    frames.push_back(Pose::translation(0, 0, kLength * (share - 0.5)) *
                     Pose::rotation(Vec3::UnitZ(), kPi * share));
  }
  const double w = kWidth / 2, t = kThick / 2;
  const std::vector<Vec2> section{{-w, -t}, {w, -t}, {w, t}, {-w, t}};
  RigidProblem p = make_puzzle(fmt::format("twisted bar {:.3f}", clearance), Vec3(1.5, 0.8, 0.8));
  get_mover(p).push_back(make_mesh_geometry(sweep_section(frames, section)));
  add_wall(p, 0, kWidth + 2 * clearance, kThick + 2 * clearance);
  set_way_along(p, frames);
  return p;
}

RigidProblem make_bent_bar(double gap) {
  constexpr double kThick = 0.1;
  const std::vector<Pose> frames = make_frames(make_bent_curve(0.3, 24));
  RigidProblem p = make_puzzle(fmt::format("bent bar {:.2f}", gap), Vec3(1.5, 0.8, 0.8));
  get_mover(p).push_back(make_mesh_geometry(sweep_section(frames, make_circle(kThick / 2, 12))));
  add_wall(p, 0, gap * kThick, gap * kThick);
  set_way_along(p, frames);
  return p;
}

RigidProblem make_cluttered_window(long triangles) {
  RigidProblem p = make_window(0.15);
  p.name = fmt::format("window among {} triangles", triangles);
  constexpr int kBalls = 8;
  // A ball of n segments has about n^2 triangles.
  const int segments =
      std::max(4, static_cast<int>(std::sqrt(static_cast<double>(triangles) / kBalls)));
  for (const double x : {-0.6, 0.6})
    for (const double y : {-0.65, 0.65})
      for (const double z : {-0.65, 0.65})
        get_world(p).push_back(make_solid(Sphere{0.12}, Pose::translation(x, y, z), segments));
  return p;
}

}  // namespace geste::bench
