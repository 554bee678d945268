#include "geste/core/rng.hpp"

#include "shapes.hpp"

// Free bodies. All are bars of a square cross-section along x in a room that keeps their middle
// from going round the plates, which reach beyond the room by more than the bar is long.

namespace geste::bench {
namespace {

constexpr double kWide = 1.2;  ///< m; of plates beyond the window, farther than room and bar reach
constexpr double kRoomX = 0.9, kRoom = 0.35;  ///< m; half sizes of the room

class BodyCases {
 public:
  explicit BodyCases(std::uint64_t seed) : rng_(seed) {}

  std::vector<Case> run() {
    for (int i = 0; i < 8; ++i) add_start(i), add_goal(i), add_two(i), add_enclosed(i);
    for (int i = 0; i < 6; ++i) add_limits(i), add_keep(i), add_time(i);
    for (int i = 0; i < 10; ++i) add_one(i), add_gap(i), add_narrow(i);
    for (int i = 0; i < 5; ++i) add_peg(i), add_two_windows(i);
    return std::move(cases_);
  }

 private:
  struct Bar {
    double thick;
    double length;
  };
  Bar draw_bar() { return {rng_.uniform(0.06, 0.12), rng_.uniform(0.2, 0.4)}; }

  /// The bar before x = 0, to go behind it.
  Case make(const char* name, int i, CaseKind kind, const Bar& bar, double turned = 0) {
    Case c;
    c.name = fmt::format("body_{}_{}", name, i);
    c.kind = kind;
    c.task.parts.push_back(
        {"bar", fmt::format("box: {}, pose: {{xyz: [-0.6, 0, 0], rpy_deg: [{:.3f}, {:.3f}, "
                            "{:.3f}]}}, movable: true",
                            to_yaml({bar.length, bar.thick, bar.thick}), turned, turned, -turned)});
    c.task.task = make_move("{pose: {xyz: [0.6, 0, 0]}}");
    return c;
  }

  static std::string make_move(const std::string& goal, const std::string& more = "") {
    return fmt::format("move: {{actor: bar, goal: {}, room: {{low: {}, high: {}}}{}", goal,
                       to_yaml({-kRoomX, -kRoom, -kRoom}), to_yaml({kRoomX, kRoom, kRoom}), more);
  }

  /// Something small that is in nobody's way: in a corner, beyond the bar's reach.
  void add_clutter(Case& c) {
    c.task.parts.push_back(make_box("shelf", {0.1, 0.1, 0.02}, {0.2, 2, rng_.uniform(-1, 1)}));
    c.task.parts.push_back(make_box("rack", {0.1, 0.02, 0.1}, {-0.3, 0, 2 + rng_.uniform(0, 1)}));
  }

  // ---- Ends

  void add_start(int i) {
    const Bar bar = draw_bar();
    Case c = make("start", i, CaseKind::start, bar);
    c.by = rng_.uniform(1e-3, 20e-3);
    // Over the bar's end, so that it is out again soonest upwards.
    c.task.parts.push_back(
        make_box("crate", {0.15, 0.3, 0.2}, {-0.6, 0, bar.thick / 2 + 0.1 - c.by}));
    c.culprits = {{"crate"}};
    add_clutter(c);
    cases_.push_back(std::move(c));
  }

  void add_goal(int i) {
    const Bar bar = draw_bar();
    Case c = make("goal", i, CaseKind::goal, bar);
    c.by = rng_.uniform(1e-3, 20e-3);
    c.task.parts.push_back(
        make_box("crate", {0.15, 0.3, 0.2}, {0.6, 0, -bar.thick / 2 - 0.1 + c.by}));
    c.culprits = {{"crate"}};
    add_clutter(c);
    cases_.push_back(std::move(c));
  }

  void add_limits(int i) {
    Case c = make("limits", i, CaseKind::limits, draw_bar());
    c.by = rng_.uniform(5e-3, 0.4);
    Vec3 p(0.6, 0, 0);
    p[i % 3] = (i % 3 == 0 ? kRoomX : kRoom) + c.by;
    c.task.task = make_move(fmt::format("{{pose: {{xyz: {}}}}}", to_yaml(p)));
    add_clutter(c);
    cases_.push_back(std::move(c));
  }

  void add_keep(int i) {
    static constexpr const char* kKeys[] = {"x", "y", "z", "roll", "pitch", "yaw"};
    Case c = make("keep", i, CaseKind::keep, draw_bar());
    c.conflict = fmt::format("bar.{}", kKeys[i]);
    Vec3 p(-0.6, 0, 0), turned = Vec3::Zero();
    if (i < 3)
      p[i] += c.by = rng_.uniform(2e-3, 0.3);
    else
      turned[i - 3] = c.by = rng_.uniform(0.01, 1.2);
    c.task.task =
        make_move(fmt::format("{{pose: {{xyz: {}, rpy: {}}}}}", to_yaml(p), to_yaml(turned)),
                  fmt::format(", keep: [{}]", c.conflict));
    add_clutter(c);
    cases_.push_back(std::move(c));
  }

  // ---- What is in the way

  void add_plate(Case& c, const std::string& name, double x) {
    c.task.parts.push_back(make_box(name, {rng_.uniform(0.01, 0.05), 3, 3}, {x, 0, 0}));
  }

  void add_one(int i) {
    Case c = make("one", i, CaseKind::one, draw_bar(), rng_.uniform(0, 30));
    add_plate(c, "plate", rng_.uniform(-0.1, 0.1));
    add_clutter(c);
    c.culprits = {{"plate"}};
    cases_.push_back(std::move(c));
  }

  void add_two(int i) {
    Case c = make("two", i, CaseKind::two, draw_bar(), rng_.uniform(0, 30));
    add_plate(c, "front", rng_.uniform(-0.15, -0.05));
    add_plate(c, "back", rng_.uniform(0.05, 0.15));
    add_clutter(c);
    c.culprits = {{"back", "front"}};
    cases_.push_back(std::move(c));
  }

  /// By 1 to 10 mm: a ball of the bar's thickness fits nowhere between left and right.
  void add_gap(int i) {
    const Bar bar = draw_bar();
    Case c = make("gap", i, CaseKind::gap, bar, rng_.uniform(0, 10));
    c.missing = 1e-3 * (i + 1);
    add_window(c.task, "plate", Vec3::Zero(), rng_.uniform(0.02, 0.06), bar.thick - c.missing,
               kWide);
    add_clutter(c);
    for (const char* side : {"left", "right", "top", "bottom"})
      c.culprits.push_back({fmt::format("plate_{}", side)});
    cases_.push_back(std::move(c));
  }

  /// In a closed box, to be elsewhere; every third time `extract` asks.
  void add_enclosed(int i) {
    const Bar bar = draw_bar();
    Case c = make("enclosed", i, CaseKind::enclosed, bar, rng_.uniform(0, 10));
    const double thickness = rng_.uniform(2e-3, 20e-3), inner = 1.6 * bar.length;
    add_closed_box(c.task, "case", {inner, 0.9 * inner, 0.8 * inner}, {-0.6, 0, 0}, thickness);
    if (i % 3 == 0) c.task.task = "extract: {part: bar";
    if (i % 3 == 1) c.task.task = "move: {actor: bar, goal: {pose: {xyz: [0.6, 0, 0]}}";
    add_clutter(c);
    for (const char* side : {"x0", "x1", "y0", "y1", "z0", "z1"})
      c.culprits.push_back({fmt::format("case_{}", side)});
    cases_.push_back(std::move(c));
  }

  // ---- Feasible

  /// Through a window with a play of 1 to 3 mm a side, begun at an angle.
  Case make_narrow(const char* name, int i, CaseKind kind) {
    const Bar bar = draw_bar();
    Case c = make(name, i, kind, bar, rng_.uniform(5, 30));
    c.is_feasible = true;
    const double play = rng_.uniform(1e-3, 3e-3);
    add_window(c.task, "plate", Vec3::Zero(), rng_.uniform(0.02, 0.1), bar.thick + 2 * play, kWide);
    add_clutter(c);
    c.task.samples = 60'000;
    return c;
  }
  void add_narrow(int i) { cases_.push_back(make_narrow("narrow", i, CaseKind::feasible)); }

  /// Enough for a million samples, with no time for more than a few.
  void add_time(int i) {
    Case c = make_narrow("time", i, CaseKind::time);
    c.seconds = i < 3 ? 1e-6 : 1e-3;
    cases_.push_back(std::move(c));
  }

  /// A peg out of its hole, with 0.2 to 1 mm of play a side: by `extract`.
  void add_peg(int i) {
    const Bar bar = draw_bar();
    Case c = make("peg", i, CaseKind::feasible, bar);
    c.is_feasible = true;
    const double play = rng_.uniform(0.2e-3, 1e-3);
    c.task.parts.clear();
    c.task.parts.push_back(
        {"bar", fmt::format("box: {}", to_yaml({bar.length, bar.thick, bar.thick}))});
    add_window(c.task, "block", Vec3::Zero(), 0.8 * bar.length, bar.thick + 2 * play, 0.1);
    c.task.task = "extract: {part: bar";
    c.task.samples = 60'000;
    cases_.push_back(std::move(c));
  }

  /// Two windows one behind the other, not in line.
  void add_two_windows(int i) {
    const Bar bar{rng_.uniform(0.06, 0.1), rng_.uniform(0.14, 0.2)};
    Case c = make("two_windows", i, CaseKind::feasible, bar, rng_.uniform(5, 20));
    c.is_feasible = true;
    const double off = rng_.uniform(0.05, 0.1);
    add_window(c.task, "first", {-0.2, off, 0}, 0.03, bar.thick + 10e-3, kWide);
    add_window(c.task, "second", {0.2, -off, 0}, 0.03, bar.thick + 10e-3, kWide);
    c.task.samples = 60'000;
    cases_.push_back(std::move(c));
  }

  Rng rng_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> make_body_cases(std::uint64_t seed) { return BodyCases(seed).run(); }

}  // namespace geste::bench
