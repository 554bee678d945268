#include <algorithm>
#include <cmath>

#include "geste/geometry/internal/equipment.hpp"
#include "geste/geometry/internal/piping.hpp"

namespace geste {
namespace {

constexpr Colour kConcrete{0.42, 0.41, 0.39, 1};
constexpr Colour kWall{0.66, 0.66, 0.62, 1};
constexpr Colour kSteel{0.13, 0.20, 0.30, 1};
constexpr Colour kSafety{0.80, 0.52, 0.03, 1};
constexpr Colour kTurbine{0.10, 0.28, 0.33, 1};
constexpr Colour kGenerator{0.30, 0.34, 0.14, 1};
constexpr Colour kMachine{0.12, 0.22, 0.42, 1};
constexpr Colour kTurbopump{0.50, 0.10, 0.06, 1};
constexpr Colour kZinc{0.58, 0.60, 0.61, 1};
constexpr Colour kCabinet{0.55, 0.56, 0.54, 1};

constexpr double kLowerFloor = -5;  // m
constexpr double kSlab = 0.4;       // m, of the upper floor
constexpr SteelSection kGirder{0.60, 0.30, 0.020, 0.012};

/// A round casing along x: (distance along the shaft from `from`, radius) steps, with bolted
/// flanges where the radius steps.
void build_casing(Solids& s, const Vec3& from, std::span<const Vec2> steps) {
  const Pose at(make_frame_along(Vec3::UnitX()), from);
  std::vector<Vec2> profile;
  for (const Vec2& step : steps) profile.emplace_back(step.y(), step.x());
  s.turned(at, profile);
  for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
    const double r = steps[i].y() + 0.09, x = steps[i].x();
    const std::vector<Vec2> flange{
        {r - 0.2, x - 0.06}, {r, x - 0.055}, {r, x + 0.055}, {r - 0.2, x + 0.06}};
    s.turned_ring(at, flange);
    constexpr int kBolts = 16;
    for (int k = 0; k < kBolts; ++k) {
      const double angle = 2 * kPi * (k + 0.5) / kBolts;
      const Vec3 p((r - 0.04) * std::cos(angle), (r - 0.04) * std::sin(angle), x - 0.1);
      s.rod(at * p, at * Vec3(p + Vec3(0, 0, 0.2)), 0.02);
    }
  }
}

/// A sheet-metal duct along a path of straight legs, with flanges every 1.5 m.
void build_duct(Solids& s, std::span<const Vec3> path, double width, double height) {
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    const Vec3 leg = path[k + 1] - path[k], u = leg.normalized();
    const double length = leg.norm();
    s.bar(path[k] - 0.5 * width * (k > 0 ? 1 : 0) * u, path[k + 1] + 0.49 * width * u, width,
          height - 0.002 * static_cast<double>(k));
    const int flanges = std::max(1, static_cast<int>(length / 1.5));
    for (int i = 0; i < flanges; ++i) {
      const Vec3 at = path[k] + (i + 0.5) / flanges * leg;
      s.bar(at - 0.02 * u, at + 0.02 * u, width + 0.08, height + 0.08);
    }
  }
}

class EngineRoom {
 public:
  explicit EngineRoom(WorldPlan& plan);

  void lay_out();

 private:
  void add_floors();
  void add_walls();
  void add_girders();
  void add_train();
  void add_turbopump();
  void add_hatch_rails();
  void add_ducts();
  void add_cabinets();
  void add_machines(double floor, double ceiling, int attempts);

  WorldPlan& plan_;
  Rng& rng_;
  double w_, d_, top_;  // half width, half depth, height
  double track_;        // of the crane: rails at y = +-track_
  double rail_;         // underside of the rails
  AxisBox hatch_;
};

EngineRoom::EngineRoom(WorldPlan& plan)
    : plan_(plan),
      rng_(plan.rng()),
      w_(plan.size().x() / 2),
      d_(plan.size().y() / 2),
      top_(plan.size().z()) {
  plan.set_box(make_box(Vec3(-w_, -d_, kLowerFloor - 0.3), Vec3(w_, d_, top_)));
  track_ = d_ - 2;
  rail_ = top_ - 3.12;
  const double x = rng_.uniform(0.25, 0.6) * (w_ - 4) * (rng_.uniform() < 0.5 ? -1 : 1);
  hatch_ = make_box(Vec3(x - 2.5, -track_ + 1.2, kLowerFloor), Vec3(x + 2.5, -track_ + 5.2, top_));
}

void EngineRoom::lay_out() {
  plan_.keep_free("hatch", hatch_);
  plan_.keep_free("crane", make_box(Vec3(-w_ + 0.4, -track_ + 0.35, rail_ - 2.6),
                                    Vec3(w_, track_ - 0.35, top_)));
  add_floors();
  add_walls();
  add_girders();
  add_hatch_rails();
  add_train();
  add_turbopump();
  add_ducts();
  add_cabinets();
  add_machines(0, 3.0, 60);
  add_machines(kLowerFloor, -kSlab - 0.9, 90);
  const double high[] = {0.45, 3.3, 3.9, 4.5};
  const double low[] = {-4.5, -1.2, -1.7, -2.2, -2.7};
  const AxisBox above = make_box(Vec3(-w_ + 0.8, -d_ + 0.8, 0.2), Vec3(w_ - 0.8, d_ - 0.8, 5.2));
  const AxisBox below = make_box(Vec3(-w_ + 0.8, -d_ + 0.8, -4.8), Vec3(w_ - 0.8, d_ - 0.8, -0.6));
  int added = 1;
  while (added > 0) {
    added = fill_with_pipes(plan_, below, low, 300, 0.21);
    added += fill_with_pipes(plan_, above, high, 120, 0.14);
  }
}

void EngineRoom::add_floors() {
  const auto slab = [&](const Vec3& low, const Vec3& high) {
    plan_.claim(make_box(low, high));
    plan_.add("floor", kConcrete, [=](Solids& s) { s.box(low, high); });
  };
  slab(plan_.box().min, Vec3(w_, d_, kLowerFloor));
  slab(Vec3(-w_, -d_, -kSlab), Vec3(hatch_.min.x(), d_, 0));
  slab(Vec3(hatch_.max.x(), -d_, -kSlab), Vec3(w_, d_, 0));
  slab(Vec3(hatch_.min.x(), -d_, -kSlab), Vec3(hatch_.max.x(), hatch_.min.y(), 0));
  slab(Vec3(hatch_.min.x(), hatch_.max.y(), -kSlab), Vec3(hatch_.max.x(), d_, 0));
}

void EngineRoom::add_walls() {
  // North and west, with a band of windows; south and east stay open to the rest of the building.
  const auto wall = [&](const Vec3& low, const Vec3& high) {
    plan_.claim(make_box(low, high));
    plan_.add("wall", kWall, [=](Solids& s) { s.box(low, high); });
  };
  const double sill = 0.45 * top_, lintel = 0.62 * top_;
  wall(Vec3(-w_, d_ - 0.3, 0), Vec3(w_, d_, sill));
  wall(Vec3(-w_, d_ - 0.3, lintel), Vec3(w_, d_, top_));
  wall(Vec3(-w_, -d_, 0), Vec3(-w_ + 0.3, d_ - 0.3, top_));
  wall(Vec3(-w_, d_ - 0.3, kLowerFloor), Vec3(w_, d_, -kSlab));
  const int piers = std::max(3, static_cast<int>(2 * w_ / 4));
  for (int i = 0; i <= piers; ++i) {
    const double x = -w_ + (2 * w_ - 0.5) * i / piers;
    wall(Vec3(x, d_ - 0.3, sill), Vec3(x + 0.5, d_, lintel));
  }
}

void EngineRoom::add_girders() {
  const double end = w_ - 2;
  const int bays = std::max(2, static_cast<int>(std::lround(2 * end / 5.6)));
  for (const double y : {-track_, track_}) {
    const Vec3 p(-end, y, rail_ - kGirder.h / 2), q(end, y, rail_ - kGirder.h / 2);
    plan_.claim(grown(make_box(p, q), kGirder.h / 2));
    plan_.add("girder", kSteel, [=](Solids& s) { add_beam(s, p, q, kGirder); });
    for (int i = 0; i <= bays; ++i) {
      const double x = -end + 0.3 + (2 * end - 0.6) * i / bays;
      const Vec3 foot(x, y, 0), pit(x, y, kLowerFloor);
      const double height = rail_ - kGirder.h;
      plan_.claim(grown(make_box(foot, foot + Vec3(0, 0, height)), 0.2));
      plan_.add("column", kSteel, [=](Solids& s) { add_column(s, foot, height, kHea300); });
      if (!plan_.is_free(grown(make_box(pit + Vec3(0, 0, 0.4), pit + Vec3(0, 0, 4)), 0.3)))
        continue;
      plan_.claim(grown(make_box(pit, pit + Vec3(0, 0, 4.6)), 0.3));
      plan_.add("pier", kConcrete, [=](Solids& s) {
        s.box(pit - Vec3(0.28, 0.28, 0), pit + Vec3(0.28, 0.28, -kLowerFloor - kSlab));
      });
    }
  }
}

void EngineRoom::add_hatch_rails() {
  const double x0 = hatch_.min.x() - 0.15, x1 = hatch_.max.x() + 0.15;
  const double y0 = hatch_.min.y() - 0.15, y1 = hatch_.max.y() + 0.15;
  const auto rail = [&](const Vec3& p, const Vec3& q) {
    plan_.claim(grown(make_box(p, q + Vec3(0, 0, 1.15)), 0.03));
    plan_.add("handrail", kSafety, [=](Solids& s) { add_handrail(s, p, q); });
  };
  rail(Vec3(x0, y0, 0), Vec3(x1, y0, 0));
  rail(Vec3(x0, y1, 0), Vec3(x1, y1, 0));
  rail(Vec3(x0, y0 + 0.1, 0), Vec3(x0, y1 - 0.1, 0));
  rail(Vec3(x1, y0 + 0.1, 0), Vec3(x1, y1 - 0.1, 0));
}

/// Turbine, generator and exciter on one shaft along x, behind the middle of the hall.
void EngineRoom::add_train() {
  const double k = std::min(1.0, (w_ - 2) / 14), y = track_ - 3.1, shaft = 1.9;
  const auto unit = [&](const char* name, const Colour& colour, double from,
                        std::vector<Vec2> steps) {
    for (Vec2& step : steps) step.x() *= k;
    const Vec3 at(k * from, y, shaft);
    const double length = steps.back().x();
    plan_.claim(make_box(at + Vec3(0, -1.75, -shaft + 0.001), at + Vec3(length, 1.75, 2.0)));
    plan_.add(name, colour, [=](Solids& s) {
      build_casing(s, at, steps);
      for (const double u : {0.15, 0.85}) {
        const Vec3 foot = at + Vec3(u * length, 0, -shaft);
        s.box(foot - Vec3(0.3, 1.1, 0), foot + Vec3(0.3, 1.1, 0.95 * shaft));
      }
      s.box(at + Vec3(0.12, -1.35, -shaft), at + Vec3(length - 0.12, 1.35, -shaft + 0.35));
    });
  };
  unit("turbine_hp", kTurbine, -12.4,
       {{0, 0.35}, {0.35, 0.55}, {0.9, 1.0}, {3.0, 1.15}, {3.6, 0.6}, {4.0, 0.35}});
  unit("turbine_lp", kTurbine, -8.1,
       {{0, 0.4}, {0.5, 0.9}, {1.4, 1.55}, {4.6, 1.55}, {5.5, 0.9}, {6.0, 0.4}});
  unit("generator", kGenerator, -1.7,
       {{0, 0.45}, {0.4, 1.25}, {2.4, 1.3}, {4.4, 1.3}, {6.4, 1.25}, {6.8, 0.45}});
  unit("exciter", kGenerator, 5.4, {{0, 0.3}, {0.3, 0.7}, {2.0, 0.7}, {2.4, 0.3}});
}

/// Three elements on one frame that a crane lifts out one by one (MV-11).
void EngineRoom::add_turbopump() {
  const double x = hatch_.centre().x() > 0 ? -0.45 * w_ : 0.45 * w_;
  const double y = -track_ + 3.2;
  plan_.claim(make_box(Vec3(x - 3.0, y - 1.2, 0.001), Vec3(x + 3.0, y + 1.2, rail_ - 2.6)));
  plan_.add("turbopump_frame", kConcrete,
            [=](Solids& s) { s.box(Vec3(x - 2.8, y - 0.9, 0), Vec3(x + 2.8, y + 0.9, 0.35)); });
  const auto element = [&](double from, std::vector<Vec2> steps) {
    const Vec3 at(x + from, y, 1.25);
    const double length = steps.back().x();
    plan_.add("turbopump", kTurbopump, [=](Solids& s) {
      build_casing(s, at, steps);
      for (const double u : {0.22, 0.78}) {
        const Vec3 foot = at + Vec3(u * length, 0, -0.9);
        s.box(foot + Vec3(-0.1, -0.5, 0.005), foot + Vec3(0.1, 0.5, 0.6));
      }
      const Vec3 eye = at + Vec3(length / 2, 0, 0.55);
      s.rod(eye, eye + Vec3(0, 0, 0.35), 0.05);  // lifting lug
    });
  };
  element(-2.6, {{0, 0.2}, {0.2, 0.5}, {1.2, 0.55}, {1.5, 0.2}});
  element(-0.95, {{0, 0.2}, {0.3, 0.6}, {1.5, 0.6}, {1.8, 0.2}});
  element(1.0, {{0, 0.2}, {0.25, 0.45}, {1.25, 0.5}, {1.55, 0.2}});
}

void EngineRoom::add_ducts() {
  for (const double y : {track_ + 0.95, -track_ - 0.95}) {
    const double up = rng_.uniform(5.2, 5.8), end = w_ - rng_.uniform(1.5, 5);
    std::vector<Vec3> path{Vec3(-w_ + 0.9, y, up), Vec3(end, y, up),
                           Vec3(end, y, up - rng_.uniform(1.5, 2.5))};
    const double width = 0.7, height = 0.5;
    plan_.claim(grown(make_box(path[0].cwiseMin(path[1]), path[0].cwiseMax(path[1])), 0.5));
    plan_.claim(grown(make_box(path[1].cwiseMin(path[2]), path[1].cwiseMax(path[2])), 0.5));
    plan_.add("duct", kZinc, [=](Solids& s) { build_duct(s, path, width, height); });
  }
}

void EngineRoom::add_cabinets() {
  for (double x = -w_ + 1.2; x + 1 < w_ && plan_.wants_more(); x += 0.85) {
    if (rng_.uniform() < 0.45) continue;
    const Vec3 low(x, d_ - 0.95, 0), high(x + 0.8, d_ - 0.35, 2.0);
    plan_.try_add("cabinet", kCabinet, {make_box(low + Vec3(0, 0, 0.01), high)}, [=](Solids& s) {
      s.box(low, high);
      s.box(Vec3(low.x() + 0.03, low.y() - 0.015, 0.08),
            Vec3(high.x() - 0.03, low.y() + 0.01, 1.95));
      s.rod(Vec3(low.x() + 0.1, low.y() - 0.03, 0.95), Vec3(low.x() + 0.1, low.y() - 0.03, 1.15),
            0.01);
      s.box(Vec3(low.x() + 0.2, low.y() - 0.02, 1.5), Vec3(high.x() - 0.2, low.y(), 1.75));
    });
  }
}

void EngineRoom::add_machines(double floor, double ceiling, int attempts) {
  for (int i = 0; i < attempts && plan_.wants_more(); ++i) {
    const Vec3 axis = rng_.uniform() < 0.5 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
    const Vec3 across = Vec3(1, 1, 0) - axis;
    const Vec3 foot(rng_.uniform(-w_ + 2.5, w_ - 2.5), rng_.uniform(-d_ + 2.5, d_ - 2.5), floor);
    const auto claims = [&](const Vec3& half, double height) {
      return Boxes{make_box(foot - half + Vec3(0, 0, 0.001), foot + half + Vec3(0, 0, height))};
    };
    const double choice = rng_.uniform(), r = rng_.uniform(0.35, 0.75), turn = rng_.uniform(0, 6);
    if (choice < 0.4) {
      const double scale = 0.7 + r;
      plan_.try_add("pump", kMachine, claims(Vec3(1.2, 1.2, 0) * scale, 1.1 * scale),
                    [=](Solids& s) { add_pump(s, foot, axis, scale); });
    } else if (choice < 0.7) {
      const double length = rng_.uniform(2, 3.6);
      plan_.try_add("exchanger", kTurbine,
                    claims((length / 2 + r) * axis + (r + 0.4) * across, 2 * r + 0.7),
                    [=](Solids& s) { add_exchanger(s, foot, axis, r, length); });
    } else {
      const double height = std::min(ceiling - floor, rng_.uniform(2.2, 3.4));
      plan_.try_add("drum", kMachine, claims(Vec3(r + 0.4, r + 0.4, 0), height),
                    [=](Solids& s) { add_drum(s, foot, r, height, turn); });
    }
  }
}

}  // namespace

void lay_out_engine_room(WorldPlan& plan) { EngineRoom(plan).lay_out(); }

}  // namespace geste
