#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/rng.hpp"

#include "rigid/puzzle_parts.hpp"
#include "rigid/puzzles.hpp"
#include "rigid/sweep.hpp"

// A long hook in a bundle of pipes. The way out is laid down first; then pipes are put wherever
// they stay clear of it and of each other.

namespace geste::bench {
namespace {

constexpr double kTube = 0.03;  // radius of the hook's
constexpr double kStep = 0.02;  // between points that stand for a tube

/// A straight pipe along x, y or z.
struct Pipe {
  Vec3 middle;
  int axis = 0;
  double radius = 0;
  double length = 0;

  [[nodiscard]] Vec3 get_half() const { return length / 2 * Vec3::Unit(axis); }
};

/// From the pipe's surface to a point; to another pipe's middle line, which is a box of no width.
double compute_distance(const Pipe& pipe, const Vec3& point, const Vec3& half = Vec3::Zero()) {
  const Vec3 apart = (point - pipe.middle).cwiseAbs() - pipe.get_half() - half;
  return apart.cwiseMax(0).norm() - pipe.radius;
}

bool is_clear(const Pipe& pipe, const std::vector<Pipe>& others) {
  return std::all_of(others.begin(), others.end(), [&](const Pipe& o) {
    return compute_distance(pipe, o.middle, o.get_half()) > o.radius;
  });
}

bool is_clear(const Pipe& pipe, const std::vector<Vec3>& points, double away) {
  return std::all_of(points.begin(), points.end(),
                     [&](const Vec3& p) { return compute_distance(pipe, p) > away; });
}

void add_leg(std::vector<Vec3>& points, const Vec3& to) {
  const Vec3 from = points.back();
  const int steps = static_cast<int>((to - from).norm() / kStep) + 1;
  for (int i = 1; i <= steps; ++i) points.emplace_back(from + (to - from) * i / steps);
}

/// A quarter circle from the end of the curve, whose direction is `from`, into direction `to`.
void add_bend(std::vector<Vec3>& points, const Vec3& from, const Vec3& to) {
  constexpr double kRadius = 0.1;
  constexpr int kSteps = 8;
  const Vec3 begin = points.back();
  for (int i = 1; i <= kSteps; ++i) {
    const double a = kPi / 2 * i / kSteps;
    points.emplace_back(begin + kRadius * (std::sin(a) * from + (1 - std::cos(a)) * to));
  }
}

/// A long leg along x, a short one across and one back, which is bent once more upwards.
std::vector<Vec3> make_hook_curve() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  std::vector<Vec3> points{Vec3(-0.6, 0, 0)};
  add_leg(points, points.back() + 1.1 * x);
  add_bend(points, x, y);
  add_leg(points, points.back() + 0.15 * y);
  add_bend(points, y, -x);
  add_leg(points, points.back() - 0.3 * x);
  add_bend(points, -x, z);
  add_leg(points, points.back() + 0.1 * z);
  return points;
}

/// Back along the long leg, aside by as much as the hook is wide, turned about the long leg, up,
/// and out with the hook first.
std::vector<Pose> make_way_out() {
  const Pose over = Pose::rotation(Vec3::UnitX(), kPi / 2);
  const Pose up = Pose::rotation(Vec3::UnitY(), -kPi / 3);
  std::vector<Pose> way{Pose(), Pose::translation(-0.3, 0, 0)};
  way.push_back(Pose::translation(-0.3, -0.4, 0));
  way.push_back(Pose::translation(-0.3, -0.4, 0) * over);
  way.push_back(Pose::translation(0, -0.4, 0.3) * up * over);
  way.push_back(Pose::translation(1.4, -0.4, 2.3) * up * over);
  way.push_back(Pose::translation(1.6, 0.4, 2.3));
  return way;
}

/// Where the hook's curve comes to on its way, no point of it further than a step.
std::vector<Vec3> trace(const std::vector<Vec3>& curve, const std::vector<Pose>& way) {
  constexpr double kReach = 1;  // from the hook's origin to its ends
  std::vector<Vec3> points;
  for (std::size_t leg = 1; leg < way.size(); ++leg) {
    const Quat from = way[leg - 1].quaternion(), to = way[leg].quaternion();
    const Vec3 shift = way[leg].p - way[leg - 1].p;
    const int moments =
        static_cast<int>((shift.norm() + kReach * from.angularDistance(to)) / kStep) + 1;
    for (int i = 0; i <= moments; ++i) {
      const double s = static_cast<double>(i) / moments;
      const Pose X(from.slerp(s, to), Vec3(way[leg - 1].p + s * shift));
      for (const Vec3& p : curve) points.push_back(X * p);
    }
  }
  return points;
}

/// Somewhere in the bundle, 3 m x 2 m x 2 m.
Pipe draw_pipe(Rng& rng) {
  Pipe pipe;
  pipe.middle = {rng.uniform(-1.5, 1.5), rng.uniform(-1, 1), rng.uniform(-1, 1)};
  pipe.axis = static_cast<int>(rng.uniform(0, 3));
  pipe.radius = rng.uniform(0.03, 0.06);
  pipe.length = rng.uniform(0.3, 2);
  const double end = pipe.axis == 0 ? 1.5 : 1;
  pipe.middle[pipe.axis] *= std::max(0.0, 1 - pipe.length / 2 / end);
  return pipe;
}

GeometrySpec make_pipe_geometry(const Pipe& pipe) {
  const Quat R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::Unit(pipe.axis));
  return make_solid(Cylinder{pipe.radius, pipe.length}, Pose(R, pipe.middle));
}

}  // namespace

RigidProblem make_pipes(int pipes, double clearance) {
  const std::vector<Vec3> curve = make_hook_curve();
  const std::vector<Pose> way = make_way_out();
  RigidProblem p = make_puzzle(fmt::format("pipes {:.3f}", clearance), Vec3(3, 3, 3));
  GeometrySpec tube;
  tube.shape = std::make_shared<const TriangleMesh>(
      sweep_section(make_frames(curve), make_circle(kTube, 10)));
  get_mover(p).push_back(std::move(tube));

  const std::vector<Vec3> taken = trace(curve, way);
  // A point stands for what is within half a step of it along the tube and along the way.
  const double away = kTube + clearance + kStep / std::sqrt(2);
  std::vector<Pipe> bundle;
  Rng rng(7);
  while (static_cast<int>(bundle.size()) < pipes) {
    const Pipe pipe = draw_pipe(rng);
    if (!is_clear(pipe, bundle) || !is_clear(pipe, taken, away)) continue;
    bundle.push_back(pipe);
    get_world(p).push_back(make_pipe_geometry(pipe));
  }
  set_way(p, way);
  return p;
}

}  // namespace geste::bench
