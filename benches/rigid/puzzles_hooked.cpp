#include <fmt/format.h>

#include <cmath>

#include "rigid/puzzle_parts.hpp"
#include "rigid/puzzles.hpp"
#include "rigid/sweep.hpp"

// Parts that are caught in or on others.

namespace geste::bench {
namespace {

/// A turn of a helix about z, closed towards -x, with straight level legs towards +x, one above
/// the other where they cross.
struct AlphaCurve {
  static constexpr double kPitch = 1.5;         // in radii of the helix, as all lengths
  static constexpr double kTurn = kPi * 4 / 3;  // so that the legs cross at 60 degrees
  static constexpr double kLeg = 2.6;
  static constexpr double kApart = kPitch * kTurn / (2 * kPi);  // the middles of the legs

  static std::vector<Vec3> make_points() {
    constexpr int kSteps = 32;
    std::vector<Vec3> points;
    const auto turn = [](double a) {
      return Vec3(-std::cos(a), -std::sin(a), kPitch * a / (2 * kPi));
    };
    const auto leg = [&](double a) {
      const double sign = a < 0 ? -1 : 1;
      const Vec3 along(std::sin(a), -std::cos(a), 0);
      return Vec3(turn(a) + sign * kLeg * along);
    };
    points.push_back(leg(-kTurn / 2));
    for (int i = 0; i <= kSteps; ++i)
      points.push_back(turn(kTurn * (static_cast<double>(i) / kSteps - 0.5)));
    points.push_back(leg(kTurn / 2));
    return points;
  }
};

}  // namespace

RigidProblem make_bug_trap(double clearance) {
  constexpr double kBar = 0.1, kSize = 1.2, kThick = 0.04, kTube = 0.5;
  RigidProblem p = make_puzzle(fmt::format("bug trap {:.2f}", clearance), Vec3(1.6, 0.5, 0.5));
  get_mover(p).push_back(make_box({0.3, kBar, kBar}, Vec3::Zero()));
  auto& world = get_world(p);
  const double open = kBar + 2 * clearance, half = kSize / 2;
  for (const double s : {-1.0, 1.0}) {
    world.push_back(make_box({kSize, kThick, kSize}, {0, s * half, 0}));
    world.push_back(make_box({kSize, kSize, kThick}, {0, 0, s * half}));
    const double side = (kSize - open) / 2, at = (open + side) / 2;
    world.push_back(make_box({kThick, side, kSize}, {half, s * at, 0}));
    world.push_back(make_box({kThick, open, side}, {half, 0, s * at}));
    const double wall = (open + kThick) / 2;
    world.push_back(make_box({kTube, kThick, open}, {half - kTube / 2, s * wall, 0}));
    world.push_back(make_box({kTube, open, kThick}, {half - kTube / 2, 0, s * wall}));
  }
  world.push_back(make_box({kThick, kSize, kSize}, {-half, 0, 0}));
  const Quat upright(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitY()));
  set_way(p, {Pose(upright, Vec3(-0.3, 0.3, 0.3)), Pose::translation(-0.3, 0, 0),
              Pose::translation(1.2, 0, 0), Pose(upright, Vec3(1.2, 0.2, 0.1))});
  return p;
}

RigidProblem make_hook(double mouth) {
  RigidProblem p = make_puzzle(fmt::format("hook {:.3f}", mouth), Vec3(1.5, 1.5, 1.5));
  constexpr double kInside = 0.2;  // between the hook's shank and its return
  auto& mover = get_mover(p);
  mover.push_back(make_box({0.6, 0.1, 0.1}, Vec3::Zero()));
  mover.push_back(make_box({0.1, 0.4, 0.1}, {0.25, 0.15, 0}));
  mover.push_back(make_box({0.3, 0.1, 0.1}, {0.15, 0.05 + kInside + 0.05, 0}));
  const double lip = kInside - mouth;
  mover.push_back(make_box({0.04, lip, 0.1}, {0.02, 0.05 + kInside - lip / 2, 0}));
  auto& world = get_world(p);
  world.push_back(make_box({0.1, 0.1, 1}, {0, 0, 0}));
  for (const double end : {-0.5, 0.5}) world.push_back(make_box({0.6, 0.1, 0.1}, {0, 0, end}));
  const double below_lip = -0.05 - mouth / 2;
  set_way(p, {Pose::translation(-0.12, -0.15, 0), Pose::translation(-0.12, below_lip, 0),
              Pose::translation(0.2, below_lip, 0), Pose::translation(0.2, -0.6, 0),
              Pose::translation(1, -0.6, 0), Pose::translation(1, 0.5, 0)});
  return p;
}

RigidProblem make_alpha(double gap) {
  const double thick = AlphaCurve::kApart / (1 + gap);
  const std::vector<Pose> frames = make_frames(AlphaCurve::make_points());
  GeometrySpec tube;
  tube.shape =
      std::make_shared<const TriangleMesh>(sweep_section(frames, make_circle(thick / 2, 12)));
  RigidProblem p = make_puzzle(fmt::format("alpha {:.2f}", gap), Vec3(8, 8, 8));
  get_mover(p).push_back(tube);
  get_world(p).push_back(tube);
  // Hooked, the loops hang in each other, one across the other. The mover comes to where both wind
  // about one axis, half a turn apart; from there each loop goes out between the other's legs,
  // tilted a little so that the helix is level there.
  // Legs at one height would meet then, so the mover goes half of what is between them higher.
  const Pose opposite = Pose::rotation(Vec3::UnitZ(), kPi);
  const Pose across = Pose::rotation(Vec3::UnitX(), kPi / 2);
  const Pose tilted = Pose::rotation(Vec3::UnitX(), -0.2);
  const double up = AlphaCurve::kApart / 2;
  const std::vector<Pose> places{
      Pose::translation(-1.2, 0, 0) * across * opposite,
      opposite,
      Pose::translation(0.8, 0, 0) * tilted * opposite,
      Pose::translation(2.1, 0, 0) * tilted * opposite,
      Pose::translation(2.4, 0, 0) * opposite,
      Pose::translation(2.4, 0, up) * opposite,
      Pose::translation(7, 0, up) * opposite,
      Pose(Quat(Eigen::AngleAxisd(1, Vec3(1, 2, 2) / 3)), Vec3(7, -1, 1))};
  set_way(p, places);
  return p;
}

}  // namespace geste::bench
