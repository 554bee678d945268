#include "geste/model/mechanisms.hpp"

#include <cmath>
#include <numbers>

namespace geste {
namespace {

using std::numbers::pi;

BodySpec make_cart(const std::string& name, const DumbbellOptions& o, const Colour& colour) {
  constexpr double kCartHeight = 0.3;
  const double post = o.grip_height - kCartHeight;
  BodySpec cart{.name = name,
                .inertia = InertiaSpec{40, Vec3(0, 0, 0.15), Vec3(1.6, 1.6, 2.5).asDiagonal()}};
  cart.geometry = {
      {name + "/hull", Cylinder{0.3, kCartHeight}, Pose::translation(0, 0, kCartHeight / 2), true,
       true, colour},
      {name + "/arm", Box{Vec3(o.grip_reach, 0.08, 0.05)},
       Pose::translation(o.grip_reach / 2, 0, kCartHeight - 0.025), true, true, colour},
      {name + "/post", Cylinder{0.025, post},
       Pose::translation(o.grip_reach, 0, kCartHeight + post / 2), true, true, colour}};
  return cart;
}

BodySpec make_bar(const DumbbellOptions& o) {
  const Pose along_x = Pose::rotation(Vec3::UnitY(), pi / 2);
  const Colour steel{0.45, 0.45, 0.5, 1};
  BodySpec bar{
      .name = "bar",
      .inertia = InertiaSpec{12, Vec3(o.bar_length / 2, 0, 0), Vec3(0.05, 2.6, 2.6).asDiagonal()}};
  bar.geometry = {
      {"bar/rod", Cylinder{0.03, o.bar_length},
       Pose::translation(o.bar_length / 2, 0, 0.04) * along_x, true, true, steel},
      {"bar/weight1", Sphere{0.12}, Pose::translation(0, 0, 0.12), true, true, steel},
      {"bar/weight2", Sphere{0.12}, Pose::translation(o.bar_length, 0, 0.12), true, true, steel}};
  return bar;
}

JointSpec make_joint(std::string name, JointType type, std::string parent, std::string child,
                     const Vec3& axis, std::vector<DofLimits> limits) {
  JointSpec joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.parent = std::move(parent);
  joint.child = std::move(child);
  joint.axis = axis;
  joint.limits = std::move(limits);
  return joint;
}

/// Leading: x, y, angle of the first cart, bar angle, angle of the second cart. Dependent: x, y of
/// the second.
bool close_dumbbell(const DumbbellOptions& o, std::span<const double> leading,
                    std::span<double> dependent) {
  const double first = leading[2];
  const double bar = first + leading[3];
  const double second = leading[4];
  dependent[0] = leading[0] + o.grip_reach * std::cos(first) + o.bar_length * std::cos(bar) -
                 o.grip_reach * std::cos(second);
  dependent[1] = leading[1] + o.grip_reach * std::sin(first) + o.bar_length * std::sin(bar) -
                 o.grip_reach * std::sin(second);
  return std::abs(dependent[0]) <= o.area && std::abs(dependent[1]) <= o.area;
}

}  // namespace

SceneSpec make_dumbbell_carriers(DumbbellClosure closure, const DumbbellOptions& o) {
  SceneSpec spec;
  spec.name = "dumbbell";
  spec.bodies = {make_cart("first", o, {0.85, 0.45, 0.2, 1}),
                 make_bar(o),
                 {.name = "second/slide"},
                 {.name = "second/bridge"},
                 make_cart("second", o, {0.2, 0.5, 0.8, 1})};
  const DofLimits area{-o.area, o.area};
  spec.joints = {
      make_joint("first/base", JointType::planar, "", "first", Vec3::UnitZ(), {area, area, {}}),
      make_joint("first/pin", JointType::continuous, "first", "bar", Vec3::UnitZ(), {}),
      make_joint("second/x", JointType::prismatic, "", "second/slide", Vec3::UnitX(), {area}),
      make_joint("second/y", JointType::prismatic, "second/slide", "second/bridge", Vec3::UnitY(),
                 {area}),
      make_joint("second/angle", JointType::continuous, "second/bridge", "second", Vec3::UnitZ(),
                 {})};
  spec.joints[1].X_PJ = Pose::translation(o.grip_reach, 0, o.grip_height);
  spec.frames = {{"first/grip", "first", Pose::translation(o.grip_reach, 0, o.grip_height)},
                 {"second/grip", "second", Pose::translation(o.grip_reach, 0, o.grip_height)},
                 {"bar/far_end", "bar", Pose::translation(o.bar_length, 0, 0)}};
  spec.groups = {{"leading", {"first/base", "first/pin", "second/angle"}}};
  spec.allowed_pairs = {{"first", "bar", "grip"}, {"second", "bar", "grip"}};
  if (closure == DumbbellClosure::explicit_formula) {
    // The place is that of the first robot and three arms that turn with three of the angles.
    const double arms = 2 * o.grip_reach + 2 * o.bar_length;
    spec.explicit_loops = {
        {"dumbbell",
         {"first/base", "first/pin", "second/angle"},
         {"second/x", "second/y"},
         [o](std::span<const double> l, std::span<double> d) { return close_dumbbell(o, l, d); },
         {.slope = 1 + arms, .curvature = arms}}};
  } else {
    // A pin: the bar may turn about the vertical in the second grip.
    spec.loops = {{"dumbbell",
                   "second",
                   Pose::translation(o.grip_reach, 0, o.grip_height),
                   "bar",
                   Pose::translation(o.bar_length, 0, 0),
                   {true, true, true, true, true, false},
                   {}}};
  }
  return spec;
}

}  // namespace geste
