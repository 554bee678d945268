#include "geste/core/rng.hpp"

#include "shapes.hpp"

// Arms made by code, gantries, and the arm of six joints.
//
// A crank is an arm whose first joint turns a long link in a plane, less than a full turn: from one
// side of a plate that reaches from near its axis to the link's end, to the other side, the link
// has to pass the plate, whatever the other joints do. A gantry moves a box by slides, as a free
// body that does not turn.

namespace geste::bench {
namespace {

constexpr double kTravel = 0.9, kSide = 0.35;  ///< m; of gantries, each way

std::string make_link(const std::string& name, const std::string& geometry) {
  return fmt::format("  <link name=\"{}\">{}</link>\n", name, geometry);
}

std::string make_box_geometry(const Vec3& size, const Vec3& centre) {
  return fmt::format(
      "<collision><origin xyz=\"{:.6f} {:.6f} {:.6f}\"/><geometry><box size=\"{:.6f} {:.6f} "
      "{:.6f}\"/></geometry></collision>",
      centre.x(), centre.y(), centre.z(), size.x(), size.y(), size.z());
}

std::string make_joint(const std::string& name, const char* type, const std::string& parent,
                       const std::string& child, const Vec3& origin, const Vec3& axis, double low,
                       double high) {
  return fmt::format(
      "  <joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/><origin "
      "xyz=\"{:.6f} "
      "{:.6f} {:.6f}\"/><axis xyz=\"{} {} {}\"/><limit lower=\"{:.6f}\" upper=\"{:.6f}\" "
      "effort=\"100\" velocity=\"1\"/></joint>\n",
      name, type, parent, child, origin.x(), origin.y(), origin.z(), axis.x(), axis.y(), axis.z(),
      low, high);
}

/// x, y and z slides that carry a box.
std::string make_gantry(double box) {
  std::string text = "<robot name=\"gantry\">\n" + make_link("base", "") + make_link("x", "") +
                     make_link("y", "") +
                     make_link("tool", make_box_geometry(Vec3::Constant(box), Vec3::Zero()));
  text +=
      make_joint("sx", "prismatic", "base", "x", Vec3::Zero(), Vec3::UnitX(), -kTravel, kTravel);
  text += make_joint("sy", "prismatic", "x", "y", Vec3::Zero(), Vec3::UnitY(), -kSide, kSide);
  text += make_joint("sz", "prismatic", "y", "tool", Vec3::Zero(), Vec3::UnitZ(), -kSide, kSide);
  return text + "</robot>\n";
}

/// Links of this length one behind the other; the first joint is upright, the others bend and turn.
std::string make_crank(int joints, double length) {
  constexpr double kThick = 0.04, kTurn = 2.4;
  std::string text = "<robot name=\"crank\">\n" + make_link("base", "");
  std::string joint_text;
  for (int k = 1; k <= joints; ++k) {
    const double own = k == 1 ? length : 0.5 * length;
    const Vec3 size(own - 0.05, kThick, kThick), centre(own / 2, 0, 0);
    text += make_link(fmt::format("link{}", k), make_box_geometry(size, centre));
    const Vec3 origin(k == 1 ? 0 : k == 2 ? length : 0.5 * length, 0, 0);
    joint_text +=
        make_joint(fmt::format("j{}", k), "revolute",
                   k == 1 ? "base" : fmt::format("link{}", k - 1), fmt::format("link{}", k), origin,
                   k == 1 || k % 2 == 0 ? Vec3::UnitZ() : Vec3::UnitY(), -kTurn, kTurn);
  }
  return text + joint_text + "</robot>\n";
}

class ArmCases {
 public:
  explicit ArmCases(std::uint64_t seed) : rng_(seed) {}

  std::vector<Case> run() {
    for (int i = 0; i < 6; ++i) add_start(i), add_goal(i), add_limits(i), add_time(i);
    for (int i = 0; i < 8; ++i) add_reach(i), add_keep(i), add_crank(i, 1), add_crank(i, 2);
    for (int i = 0; i < 10; ++i) add_gap(i);
    for (int i = 0; i < 5; ++i) add_enclosed(i), add_window_case(i), add_post(i), add_free_crank(i);
    return std::move(cases_);
  }

 private:
  static Case make(const std::string& name, int i, CaseKind kind) {
    Case c;
    c.name = fmt::format("arm_{}_{}", name, i);
    c.kind = kind;
    return c;
  }

  // ---- The arm of six joints, its gripper shut

  static void set_arm(Case& c, double turn, const std::string& goal, const std::string& more = "") {
    c.task.rest = fmt::format(
        "actors:\n  - {{name: arm, urdf: {0}/arm6/arm6.urdf, srdf: {0}/arm6/arm6.srdf, start: "
        "begin}}\nconfigurations:\n  - {{name: begin, joints: {{arm/joint1: {1:.4f}, arm/joint2: "
        "0.6, arm/joint3: 0.4}}}}\n",
        GESTE_MODELS, turn);
    c.task.task = fmt::format("move: {{actor: arm, group: arm, goal: {}{}", goal, more);
  }
  static std::string make_goal(double turn) {
    return fmt::format("{{joints: {{arm/joint1: {:.4f}}}}}", turn);
  }
  /// A box about the forearm when the first joint is turned by this.
  static TaskText::Part make_crate(double turn) {
    return make_box("crate", {0.3, 0.3, 0.9}, {0.55 * std::cos(turn), 0.55 * std::sin(turn), 0.45});
  }

  void add_start(int i) {
    Case c = make("start", i, CaseKind::start);
    const double turn = rng_.uniform(-2, -1);
    set_arm(c, turn, make_goal(turn + 2));
    c.task.parts.push_back(make_crate(turn));
    c.culprits = {{"crate"}};
    cases_.push_back(std::move(c));
  }

  void add_goal(int i) {
    Case c = make("goal", i, CaseKind::goal);
    const double turn = rng_.uniform(-2, -1);
    set_arm(c, turn, make_goal(turn + 2));
    c.task.parts.push_back(make_crate(turn + 2));
    c.culprits = {{"crate"}};
    cases_.push_back(std::move(c));
  }

  void add_limits(int i) {
    Case c = make("limits", i, CaseKind::limits);
    c.by = rng_.uniform(2e-3, 0.5);
    set_arm(c, 0, make_goal(2.8798 + c.by));
    c.conflict = "arm/joint1";
    c.task.parts.push_back(make_box("floor", {2, 2, 0.02}, {0, 0, -0.1}));
    cases_.push_back(std::move(c));
  }

  /// The arm is 1.3 m long, stretched.
  void add_reach(int i) {
    Case c = make("reach", i, CaseKind::reach);
    const double turn = rng_.uniform(-3, 3), away = 1.5 + 0.4 * i;
    set_arm(c, 0,
            fmt::format("{{body: arm/tool, pose: {{xyz: [{:.4f}, {:.4f}, 0.5]}}}}",
                        away * std::cos(turn), away * std::sin(turn)));
    c.task.parts.push_back(make_box("floor", {2, 2, 0.02}, {0, 0, -0.1}));
    cases_.push_back(std::move(c));
  }

  /// The first joint turns the tool about the world's z: its yaw; the second takes it down.
  void add_keep(int i) {
    Case c = make("keep", i, CaseKind::keep);
    const bool is_turn = i % 2 == 0;
    const double by = rng_.uniform(0.02, 0.5);
    c.conflict = is_turn ? "arm/tool.yaw" : "arm/tool.z";
    if (is_turn) c.by = by;
    set_arm(c, 0,
            is_turn ? make_goal(by) : fmt::format("{{joints: {{arm/joint2: {:.4f}}}}}", 0.6 + by),
            fmt::format(", keep: [{}]", c.conflict));
    c.task.parts.push_back(make_box("floor", {2, 2, 0.02}, {0, 0, -0.1}));
    cases_.push_back(std::move(c));
  }

  /// Past a post that is lower than the arm when it is raised.
  Case make_post(const char* name, int i, CaseKind kind) {
    Case c = make(name, i, kind);
    c.is_feasible = true;
    const double turn = rng_.uniform(1, 1.4);
    set_arm(c, -turn, make_goal(turn));
    const double height = rng_.uniform(0.5, 0.8);
    c.task.parts.push_back(make_box("post", {0.08, 0.08, height}, {0.45, 0, height / 2}));
    c.task.parts.push_back(make_box("post2", {0.08, 0.08, 0.5}, {0.4, 0.3, 0.25}));
    c.task.samples = 20'000;
    return c;
  }
  void add_post(int i) { cases_.push_back(make_post("post", i, CaseKind::feasible)); }
  void add_time(int i) {
    Case c = make_post("time", i, CaseKind::time);
    c.seconds = 1e-6;
    cases_.push_back(std::move(c));
  }

  // ---- Cranks

  void set_crank(Case& c, int joints, double length) {
    c.task.files["crank.urdf"] = make_crank(joints, length);
    c.task.rest =
        "actors:\n  - {name: crank, urdf: crank.urdf, start: begin}\nconfigurations:\n  - {name: "
        "begin, joints: {crank/j1: -1.6}}\n";
    c.task.task = "move: {actor: crank, goal: {joints: {crank/j1: 1.6}}";
  }
  /// From near the axis to near the end of the first link, across its plane, at an angle.
  static TaskText::Part make_vane(const std::string& name, double length, double angle,
                                  double height, double z = 0) {
    return {name, fmt::format(
                      "box: {}, pose: {{xyz: {}, rpy: [0, 0, {:.4f}]}}",
                      to_yaml({length - 0.2, 0.02, height}),
                      to_yaml({0.5 * length * std::cos(angle), 0.5 * length * std::sin(angle), z}),
                      angle)};
  }

  void add_crank(int i, int vanes) {
    Case c = make(vanes == 1 ? "one" : "two", i, vanes == 1 ? CaseKind::one : CaseKind::two);
    const double length = rng_.uniform(0.4, 0.7);
    set_crank(c, 2 + i % 4, length);
    std::vector<std::string> names;
    for (int k = 0; k < vanes; ++k) {
      names.push_back(fmt::format("vane{}", k));
      c.task.parts.push_back(make_vane(names.back(), length,
                                       rng_.uniform(-0.3, 0.3) + 0.9 * k - 0.4 * (vanes - 1), 0.4));
    }
    c.task.parts.push_back(make_box("floor", {3, 3, 0.02}, {0, 0, -2}));
    c.culprits = {names};
    cases_.push_back(std::move(c));
  }

  /// The vane ends below the first link, where the others can be bent out of its way.
  void add_free_crank(int i) {
    Case c = make("low_vane", i, CaseKind::feasible);
    c.is_feasible = true;
    const double length = rng_.uniform(0.4, 0.7);
    set_crank(c, 3 + i % 3, length);
    // Its upper edge 10 mm below the links.
    c.task.parts.push_back(make_vane("vane", length, rng_.uniform(-0.3, 0.3), 0.3, -0.18));
    c.task.samples = 20'000;
    cases_.push_back(std::move(c));
  }

  // ---- Gantries

  void set_gantry(Case& c, double box) {
    c.task.files["gantry.urdf"] = make_gantry(box);
    c.task.rest =
        "actors:\n  - {name: gantry, urdf: gantry.urdf, start: begin}\nconfigurations:\n  - {name: "
        "begin, joints: {gantry/sx: -0.6, gantry/sy: 0.1, gantry/sz: -0.15}}\n";
    c.task.task =
        "move: {actor: gantry, goal: {joints: {gantry/sx: 0.6, gantry/sy: -0.1, gantry/sz: 0.1}}";
  }

  void add_gap(int i) {
    Case c = make("gap", i, CaseKind::gap);
    const double box = rng_.uniform(0.06, 0.12);
    set_gantry(c, box);
    add_window(c.task, "plate", Vec3::Zero(), rng_.uniform(0.02, 0.06), box - 1e-3 * (i + 1), 1.2);
    for (const char* side : {"left", "right", "top", "bottom"})
      c.culprits.push_back({fmt::format("plate_{}", side)});
    cases_.push_back(std::move(c));
  }

  void add_enclosed(int i) {
    Case c = make("enclosed", i, CaseKind::enclosed);
    const double box = rng_.uniform(0.06, 0.12);
    set_gantry(c, box);
    add_closed_box(c.task, "case", {0.4, 0.3, 0.35}, {-0.6, 0.05, -0.1}, rng_.uniform(2e-3, 20e-3));
    for (const char* side : {"x0", "x1", "y0", "y1", "z0", "z1"})
      c.culprits.push_back({fmt::format("case_{}", side)});
    cases_.push_back(std::move(c));
  }

  void add_window_case(int i) {
    Case c = make("window", i, CaseKind::feasible);
    c.is_feasible = true;
    const double box = rng_.uniform(0.06, 0.12), play = rng_.uniform(2e-3, 5e-3);
    set_gantry(c, box);
    add_window(c.task, "plate", Vec3::Zero(), rng_.uniform(0.02, 0.06), box + 2 * play, 1.2);
    c.task.samples = 200'000;
    cases_.push_back(std::move(c));
  }

  Rng rng_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> make_arm_cases(std::uint64_t seed) { return ArmCases(seed).run(); }

}  // namespace geste::bench
