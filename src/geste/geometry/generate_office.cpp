#include <algorithm>
#include <cmath>

#include "geste/geometry/internal/world_plan.hpp"

namespace geste {
namespace {

constexpr Colour kFloor{0.34, 0.30, 0.26, 1};
constexpr Colour kWall{0.83, 0.82, 0.79, 1};
constexpr Colour kWood{0.55, 0.36, 0.18, 1};
constexpr Colour kMetal{0.45, 0.46, 0.48, 1};
constexpr Colour kBlack{0.03, 0.03, 0.035, 1};
constexpr Colour kFabric{0.06, 0.14, 0.30, 1};
constexpr Colour kLeaf{0.05, 0.22, 0.06, 1};
constexpr Colour kClay{0.42, 0.16, 0.08, 1};
constexpr double kThickness = 0.12;  // m, of inner walls
constexpr double kDoor = 1.0;        // m, width

/// A wall from p to q on the floor, with an opening for a door at `door` m from p where that is
/// positive. Pieces overlap by a centimetre, and the lintel is a little thinner: solids that met in
/// a face would share its edges.
void build_wall(Solids& s, const Vec3& p, const Vec3& q, double height, double door) {
  const Vec3 along = q - p, u = along.normalized();
  const auto piece = [&](double from, double to, double low, double high, double thickness) {
    const Vec3 middle = (low + high) / 2 * Vec3::UnitZ();
    s.bar(p + from * u + middle, p + to * u + middle, thickness, high - low);
  };
  if (door <= 0) {
    piece(0, along.norm(), 0, height, kThickness);
    return;
  }
  piece(0, door, 0, height, kThickness);
  piece(door + kDoor, along.norm(), 0, height, kThickness);
  piece(door - 0.01, door + kDoor + 0.01, 2.05, height - 0.001, kThickness - 0.004);
}

/// What is written about a piece of furniture: `at` is its place on the floor, +x its front.
void build_chair(Solids& s, const Pose& at) {
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * kPi * i / 5;
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    s.bar(at * Vec3(0.03 * out + Vec3(0, 0, 0.09)), at * Vec3(0.30 * out + Vec3(0, 0, 0.07)), 0.04,
          0.03);
    const Vec3 axle = Vec3(-out.y(), out.x(), 0);
    s.rod(at * Vec3(0.30 * out - 0.02 * axle + Vec3(0, 0, 0.03)),
          at * Vec3(0.30 * out + 0.02 * axle + Vec3(0, 0, 0.03)), 0.03);
  }
  s.rod(at * Vec3(0, 0, 0.06), at * Vec3(0, 0, 0.43), 0.025);
  const std::vector<Vec2> seat{
      {0.16, 0.42}, {0.23, 0.425}, {0.25, 0.45}, {0.245, 0.485}, {0.20, 0.50}};
  s.turned(at, seat);
  s.bar(at * Vec3(-0.20, 0, 0.45), at * Vec3(-0.29, 0, 0.62), 0.06, 0.015);
  s.box(at * Pose::from_rpy(Vec3(-0.29, 0, 0.80), 0, -0.15, 0), Vec3(0.05, 0.44, 0.50));
  for (const double side : {-0.27, 0.27}) {
    s.rod(at * Vec3(-0.05, side, 0.45), at * Vec3(-0.05, side, 0.66), 0.012);
    s.box(at * Pose::translation(0, side, 0.67), Vec3(0.26, 0.06, 0.025));
  }
}

void build_desk(Solids& s, const Pose& at) {
  s.box(at * Pose::translation(0, 0, 0.725), Vec3(0.8, 1.6, 0.03));
  for (const double x : {-0.34, 0.34}) {
    for (const double y : {-0.74, 0.74}) s.rod(at * Vec3(x, y, 0), at * Vec3(x, y, 0.72), 0.025);
  }
  s.box(at * Pose::translation(0.36, 0, 0.5), Vec3(0.018, 1.4, 0.4));
  s.box(at * Pose::translation(0, 0.52, 0.33), Vec3(0.6, 0.38, 0.56));
  for (int i = 0; i < 3; ++i) {
    s.rod(at * Vec3(-0.32, 0.46, 0.15 + 0.18 * i), at * Vec3(-0.32, 0.58, 0.15 + 0.18 * i), 0.006);
  }
}

void build_screen(Solids& s, const Pose& at) {
  const std::vector<Vec2> foot{{0.11, 0.741}, {0.11, 0.748}, {0.03, 0.755}};
  s.turned(at * Pose::translation(0.2, 0, 0), foot);
  s.rod(at * Vec3(0.2, 0, 0.75), at * Vec3(0.2, 0, 0.98), 0.018);
  s.box(at * Pose::translation(0.17, 0, 1.05), Vec3(0.03, 0.60, 0.36));
  s.box(at * Pose::translation(-0.12, 0, 0.752), Vec3(0.14, 0.42, 0.02));
  const std::vector<Vec2> mouse{{0.03, 0.741}, {0.032, 0.75}, {0.018, 0.77}, {0, 0.775}};
  s.turned(at * Pose::translation(-0.12, -0.32, 0), mouse);
}

void build_cabinet(Solids& s, const Pose& at) {
  s.box(at * Pose::translation(0, 0, 0.93), Vec3(0.42, 0.98, 1.86));
  for (const double side : {-0.245, 0.245}) {
    s.box(at * Pose::translation(0.212, side, 0.93), Vec3(0.014, 0.48, 1.80));
    s.rod(at * Vec3(0.235, side * 0.2, 0.9), at * Vec3(0.235, side * 0.2, 1.05), 0.008);
  }
}

void build_plant_pot(Solids& s, const Pose& at) {
  const std::vector<Vec2> pot{{0.15, 0}, {0.20, 0.38}, {0.22, 0.385}, {0.22, 0.42}, {0.17, 0.425}};
  s.turned(at, pot);
}

void build_leaves(Solids& s, const Pose& at) {
  s.rod(at * Vec3(0, 0, 0.42), at * Vec3(0.03, 0.02, 0.95), 0.02);
  const int frequency = std::max(1, s.segments() / 5);
  for (int i = 0; i < 9; ++i) {
    const double angle = 2.4 * i, out = 0.08 + 0.02 * i;
    const Vec3 centre = at * Vec3(out * std::cos(angle), out * std::sin(angle), 0.75 + 0.07 * i);
    s.geodesic(centre, frequency, [&](const Vec3& d) {
      return 0.13 *
             (1 + 0.3 * std::sin(5 * d.x() + i) * std::sin(6 * d.y()) - 0.35 * d.z() * d.z());
    });
  }
}

void build_round_table(Solids& s, const Pose& at) {
  const std::vector<Vec2> table{{0.32, 0},     {0.32, 0.02}, {0.05, 0.05},  {0.045, 0.69},
                                {0.25, 0.705}, {0.70, 0.71}, {0.71, 0.725}, {0.70, 0.74}};
  s.turned(at, table);
}

/// Rooms along the north, an aisle, and an open floor with rows of desks.
class Office {
 public:
  explicit Office(WorldPlan& plan)
      : plan_(plan),
        rng_(plan.rng()),
        w_(plan.size().x() / 2),
        d_(plan.size().y() / 2),
        h_(plan.size().z()) {
    plan.set_box(make_box(Vec3(-w_, -d_, -0.2), Vec3(w_, d_, h_)));
    depth_ = std::clamp(0.36 * plan.size().y(), 2.9, 4.5);
    aisle_ = 1.6;
  }

  void lay_out() {
    const double back = d_ - 0.3 - depth_;
    plan_.keep_free("aisle",
                    make_box(Vec3(-w_ + 0.3, back - aisle_, 0), Vec3(w_ - 0.3, back - 0.1, h_)));
    add_walls(back);
    add_rooms(back);
    add_open_floor(back - aisle_);
  }

 private:
  void add_walls(double back);
  void add_rooms(double back);
  void add_open_floor(double north);
  void add_place(const Pose& at);
  /// Adds a piece where the box from `low` to `high` in its own frame is free.
  bool add(const char* name, const Colour& colour, const Pose& at, const Vec3& low,
           const Vec3& high, void (*build)(Solids&, const Pose&));

  WorldPlan& plan_;
  Rng& rng_;
  double w_, d_, h_;  // half width, half depth, height
  double depth_, aisle_;
};

bool Office::add(const char* name, const Colour& colour, const Pose& at, const Vec3& low,
                 const Vec3& high, void (*build)(Solids&, const Pose&)) {
  AxisBox claim;
  for (const double x : {low.x(), high.x()}) {
    for (const double y : {low.y(), high.y()}) {
      claim.add(at * Vec3(x, y, 0.001));
      claim.add(at * Vec3(x, y, high.z()));
    }
  }
  return plan_.wants_more() &&
         plan_.try_add(name, colour, {claim}, [=](Solids& s) { build(s, at); });
}

void Office::add_walls(double back) {
  plan_.add("floor", kFloor,
            [box = plan_.box()](Solids& s) { s.box(box.min, Vec3(box.max.x(), box.max.y(), 0)); });
  const auto wall = [&](const Vec3& p, const Vec3& q, double door) {
    const double height = h_;
    plan_.add("wall", kWall, [=](Solids& s) { build_wall(s, p, q, height, door); });
  };
  const double x = w_ - 0.1, y = d_ - 0.1;
  wall(Vec3(-x, y, 0), Vec3(x, y, 0), 0);
  wall(Vec3(-x, -y, 0), Vec3(-x, y - 0.1, 0), y - 0.1 + back - 1.3);
  wall(Vec3(x, -y, 0), Vec3(x, y - 0.1, 0), 0);
  const int rooms = std::max(2, static_cast<int>(2 * w_ / 4));
  const double width = 2 * (x - 0.06) / rooms;
  for (int i = 0; i < rooms; ++i) {
    const double from = -x + 0.06 + i * width;
    wall(Vec3(from, back, 0), Vec3(from + width, back, 0), rng_.uniform(0.4, width - kDoor - 0.4));
    if (i > 0) wall(Vec3(from, back + 0.06, 0), Vec3(from, y - 0.06, 0), 0);
  }
}

void Office::add_rooms(double back) {
  const int rooms = std::max(2, static_cast<int>(2 * w_ / 4));
  const double width = 2 * (w_ - 0.16) / rooms, north = d_ - 0.2;
  for (int i = 0; i < rooms; ++i) {
    const double x = -w_ + 0.16 + (i + 0.5) * width;
    add("cabinet", kMetal,
        Pose::from_rpy(Vec3(x - width / 2 + 0.62, north - 0.25, 0), 0, 0, -kPi / 2),
        Vec3(-0.22, -0.5, 0), Vec3(0.25, 0.5, 1.9), build_cabinet);
    if (rng_.uniform() < 0.35) {
      const Vec3 centre(x, (back + north) / 2 - 0.1, 0);
      add("table", kWood, Pose::translation(centre), Vec3(-0.72, -0.72, 0), Vec3(0.72, 0.72, 0.8),
          build_round_table);
      for (int k = 0; k < 4; ++k) {
        const double angle = kPi / 4 + kPi / 2 * k;
        const Vec3 place = centre + 1.1 * Vec3(std::cos(angle), std::sin(angle), 0);
        add("chair", kFabric, Pose::from_rpy(place, 0, 0, angle + kPi), Vec3(-0.35, -0.33, 0),
            Vec3(0.33, 0.33, 1.1), build_chair);
      }
    } else {
      add_place(Pose::from_rpy(Vec3(x + 0.3, north - 1.3, 0), 0, 0, kPi / 2));
      const Pose corner = Pose::translation(x + width / 2 - 0.5, north - 0.45, 0);
      if (add("pot", kClay, corner, Vec3(-0.4, -0.4, 0), Vec3(0.4, 0.4, 1.6), build_plant_pot)) {
        plan_.add("leaves", kLeaf, [=](Solids& s) { build_leaves(s, corner); });
      }
    }
  }
}

/// A desk that is looked at from its -x side, with screen and chair.
void Office::add_place(const Pose& at) {
  if (!add("desk", kWood, at, Vec3(-1.35, -0.8, 0), Vec3(0.4, 0.8, 1.3), build_desk)) return;
  plan_.add("screen", kBlack, [=](Solids& s) { build_screen(s, at); });
  const Pose chair =
      at * Pose::from_rpy(Vec3(-0.75 - rng_.uniform(0, 0.2), rng_.uniform(-0.2, 0.2), 0), 0, 0,
                          rng_.uniform(-0.5, 0.5));
  plan_.add("chair", kFabric, [=](Solids& s) { build_chair(s, chair); });
}

void Office::add_open_floor(double north) {
  const double south = -d_ + 0.4;
  for (double y = north - 1.2; y - 1.0 > south; y -= 2.1) {
    for (double x = -w_ + 2.1; x + 1.9 < w_ && plan_.wants_more(); x += 3.6) {
      if (rng_.uniform() < 0.12) continue;
      add_place(Pose::from_rpy(Vec3(x - 0.405, y, 0), 0, 0, 0));
      add_place(Pose::from_rpy(Vec3(x + 0.405, y, 0), 0, 0, kPi));
    }
  }
}

}  // namespace

void lay_out_office(WorldPlan& plan) { Office(plan).lay_out(); }

}  // namespace geste
