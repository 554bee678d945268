#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/geometry/internal/equipment.hpp"
#include "geste/geometry/internal/piping.hpp"

namespace geste {
namespace {

constexpr Colour kConcrete{0.42, 0.41, 0.39, 1};
constexpr Colour kSteel{0.16, 0.24, 0.30, 1};
constexpr Colour kGalvanised{0.50, 0.52, 0.53, 1};
constexpr Colour kSafety{0.80, 0.52, 0.03, 1};
constexpr Colour kVessel{0.68, 0.69, 0.70, 1};
constexpr Colour kMachine{0.08, 0.25, 0.36, 1};

/// Seen from above, front below:
///
///   +------------------------------+
///   |  pipe rack                   |
///   +---------------------+--------+
///   |  steel frame        | tanks  |
///   |      with shaft     | towers |
///   +---------------------+--------+
///   |  yard (free)                 |
///   +------------------------------+
class Plant {
 public:
  explicit Plant(WorldPlan& plan);

  void lay_out();

 private:
  void add_ground();
  void add_frame();
  void add_floors();
  void add_floor(int i, int j, int level);
  void add_bracing();
  void add_rack();
  void add_rack_pipes();
  void add_tanks();
  void add_equipment();
  bool add_equipment(const Vec3& low, const Vec3& high);
  void add_ladders();
  void add_pipes();

  [[nodiscard]] double x(int i) const { return x0_ + i * bay_x_; }
  [[nodiscard]] double y(int j) const { return y0_ + j * bay_y_; }
  [[nodiscard]] double z(int level) const { return 4.0 * level; }
  [[nodiscard]] bool is_shaft(int i, int j) const { return i == shaft_i_ && j == shaft_j_; }
  [[nodiscard]] bool has_floor(int i, int j, int level) const {
    if (i < 0 || j < 0 || i >= bays_x_ || j >= bays_y_) return false;
    return floors_[static_cast<std::size_t>((level * bays_x_ + i) * bays_y_ + j)];
  }

  WorldPlan& plan_;
  Rng& rng_;
  double west_, east_, south_, north_, top_;  // of the whole area
  double x0_, y0_, bay_x_, bay_y_;            // of the frame
  int bays_x_, bays_y_, levels_;
  int shaft_i_, shaft_j_;
  double rack_y0_, rack_y1_;
  std::vector<double> tiers_;
  std::vector<bool> floors_;
};

Plant::Plant(WorldPlan& plan) : plan_(plan), rng_(plan.rng()) {
  west_ = -plan.size().x() / 2;
  east_ = plan.size().x() / 2;
  south_ = -plan.size().y() / 2;
  north_ = plan.size().y() / 2;
  top_ = plan.size().z();
  rack_y1_ = north_ - 1.2;
  rack_y0_ = rack_y1_ - 3.2;
  y0_ = south_ + std::max(8.0, 0.28 * plan.size().y());
  x0_ = west_ + 2.0;
  const double width = 0.58 * plan.size().x(), depth = rack_y0_ - 2.0 - y0_;
  bays_x_ = std::max(2, static_cast<int>(std::lround(width / 6)));
  bays_y_ = std::max(2, static_cast<int>(std::lround(depth / 5)));
  bay_x_ = width / bays_x_;
  bay_y_ = depth / bays_y_;
  levels_ = std::clamp(static_cast<int>((top_ - 5) / 4), 1, 8);
  shaft_i_ = static_cast<int>(rng_.integer(0, bays_x_ - 1));
  shaft_j_ = static_cast<int>(rng_.integer(0, bays_y_ > 2 ? 1 : 0));
  for (double t = 4.6; t < std::min(top_ - 2.5, 8.0); t += 1.6) tiers_.push_back(t);
  plan.set_box(make_box(Vec3(west_, south_, -0.3), Vec3(east_, north_, top_)));
}

void Plant::lay_out() {
  plan_.keep_free("yard", make_box(Vec3(west_, south_, 0), Vec3(east_, y0_ - 1.0, top_)));
  plan_.keep_free("shaft", make_box(Vec3(x(shaft_i_) + 0.35, y(shaft_j_) + 0.35, 0.04),
                                    Vec3(x(shaft_i_ + 1) - 0.35, y(shaft_j_ + 1) - 0.35, top_)));
  add_ground();
  add_frame();
  add_bracing();
  add_rack();
  add_tanks();
  add_floors();
  add_ladders();
  add_equipment();
  add_rack_pipes();

  add_pipes();
}

/// In the frame under its floors, and lower among the tanks.
void Plant::add_pipes() {
  std::vector<double> high, low{0.5, 2.6, 3.1};
  for (int level = 1; level <= levels_; ++level) {
    for (const double below : {0.75, 1.15, 1.55, 3.5}) high.push_back(z(level) - below);
  }
  for (const double tier : tiers_) low.push_back(tier - 1.0);
  const AxisBox frame =
      make_box(Vec3(x0_ - 0.9, y0_ - 0.6, 0.3), Vec3(x(bays_x_) + 0.8, rack_y0_ - 0.4, z(levels_)));
  const AxisBox tanks =
      make_box(Vec3(x(bays_x_) - 2, y0_, 0.3), Vec3(east_ - 0.8, rack_y1_, top_ - 1));
  int added = 1;
  while (added > 0) {
    added = fill_with_pipes(plan_, frame, high, 700, 0.17);
    added += fill_with_pipes(plan_, tanks, low, 150, 0.14);
  }
}

void Plant::add_ground() {
  plan_.add("ground", kConcrete,
            [box = plan_.box()](Solids& s) { s.box(box.min, Vec3(box.max.x(), box.max.y(), 0)); });
}

void Plant::add_frame() {
  const double height = z(levels_);
  for (int i = 0; i <= bays_x_; ++i) {
    for (int j = 0; j <= bays_y_; ++j) {
      const Vec3 foot(x(i), y(j), 0);
      plan_.claim(grown(make_box(foot, foot + Vec3(0, 0, height)), 0.18));
      plan_.add("column", kSteel, [=](Solids& s) { add_column(s, foot, height, kHea300); });
    }
  }
  // Beams end at the faces of the columns: flanges along x, webs along y.
  const auto beam = [&](const Vec3& p, const Vec3& q, const SteelSection& section) {
    plan_.claim(grown(make_box(p.cwiseMin(q), p.cwiseMax(q)), section.h / 2));
    plan_.add("beam", kSteel, [=](Solids& s) { add_beam(s, p, q, section); });
  };
  for (int level = 1; level <= levels_; ++level) {
    const double up = z(level) - 0.05;  // gratings lie on top
    for (int j = 0; j <= bays_y_; ++j) {
      for (int i = 0; i < bays_x_; ++i) {
        beam({x(i) + 0.15, y(j), up - 0.2}, {x(i + 1) - 0.15, y(j), up - 0.2}, kIpe400);
      }
    }
    for (int i = 0; i <= bays_x_; ++i) {
      for (int j = 0; j < bays_y_; ++j) {
        beam({x(i), y(j) + 0.16, up - 0.18}, {x(i), y(j + 1) - 0.16, up - 0.18}, kIpe360);
      }
    }
  }
}

void Plant::add_bracing() {
  // Crossed tubes in some bays of the rear and of both ends.
  const auto cross = [&](const Vec3& p, const Vec3& q) {
    const Vec3 a(p.x(), p.y(), q.z()), b(q.x(), q.y(), p.z());
    plan_.claim(grown(make_box(p.cwiseMin(q), p.cwiseMax(q)), 0.08));
    plan_.add("brace", kSteel, [=](Solids& s) {
      s.rod(p, q, 0.057);
      s.rod(a, b, 0.0445);
    });
  };
  for (int level = 0; level < levels_; ++level) {
    const double low = z(level) + 0.25, high = z(level + 1) - 0.5;
    const int i = static_cast<int>(rng_.integer(0, bays_x_ - 1));
    cross({x(i) + 0.2, y(bays_y_), low}, {x(i + 1) - 0.2, y(bays_y_), high});
    for (const int end : {0, bays_x_}) {
      const int j = static_cast<int>(rng_.integer(0, bays_y_ - 1));
      cross({x(end), y(j) + 0.2, low}, {x(end), y(j + 1) - 0.2, high});
    }
  }
}

void Plant::add_floors() {
  constexpr std::size_t kFloorFacets = 2800;  // with its handrails
  std::size_t planned = 0;
  floors_.assign(static_cast<std::size_t>((levels_ + 1) * bays_x_ * bays_y_), false);
  for (int level = 1; level <= levels_; ++level) {
    for (int i = 0; i < bays_x_; ++i) {
      for (int j = 0; j < bays_y_; ++j) {
        if (is_shaft(i, j)) continue;
        // Bays beside the shaft always have a floor: people work there.
        const bool is_beside = std::abs(i - shaft_i_) + std::abs(j - shaft_j_) == 1;
        if (!is_beside && rng_.uniform() > 0.5) continue;
        const AxisBox room = make_box(Vec3(x(i) + 0.2, y(j) + 0.2, z(level) - 0.05),
                                      Vec3(x(i + 1) - 0.2, y(j + 1) - 0.2, z(level) + 2.1));
        if (!plan_.wants_more(planned) || !plan_.is_free(room)) continue;
        planned += kFloorFacets;
        floors_[static_cast<std::size_t>((level * bays_x_ + i) * bays_y_ + j)] = true;
      }
    }
  }
  for (int level = 1; level <= levels_; ++level) {
    for (int i = 0; i < bays_x_; ++i) {
      for (int j = 0; j < bays_y_; ++j) {
        if (has_floor(i, j, level)) add_floor(i, j, level);
      }
    }
  }
}

void Plant::add_floor(int i, int j, int level) {
  const double up = z(level), middle = (y(j) + y(j + 1)) / 2;
  const Vec3 low(x(i) + 0.02, y(j) + 0.02, up - 0.05), high(x(i + 1) - 0.02, y(j + 1) - 0.02, up);
  plan_.claim(make_box(low - Vec3(0, 0, 0.25), high + Vec3(0, 0, 0.05)));
  plan_.add("joist", kSteel, [=](Solids& s) {
    add_beam(s, Vec3(low.x() + 0.1, middle, up - 0.15), Vec3(high.x() - 0.1, middle, up - 0.15),
             kIpe200);
  });
  plan_.add("grating", kGalvanised, [=](Solids& s) {
    add_grating(s, low, Vec3(high.x(), middle - 0.01, up));
    add_grating(s, Vec3(low.x(), middle + 0.01, low.z()), high);
  });
  const auto rail = [&](int di, int dj, const Vec3& p, const Vec3& q) {
    if (has_floor(i + di, j + dj, level)) return;
    plan_.claim(grown(make_box(p, q + Vec3(0, 0, 1.15)), 0.03));
    plan_.add("handrail", kSafety, [=](Solids& s) { add_handrail(s, p, q); });
  };
  // Between the columns, so that no rail runs into one.
  const double a = x(i) + 0.2, b = x(i + 1) - 0.2, c = y(j) + 0.2, d = y(j + 1) - 0.2;
  rail(-1, 0, Vec3(x(i) + 0.05, c, up), Vec3(x(i) + 0.05, d, up));
  rail(1, 0, Vec3(x(i + 1) - 0.05, c, up), Vec3(x(i + 1) - 0.05, d, up));
  rail(0, -1, Vec3(a, y(j) + 0.05, up), Vec3(b, y(j) + 0.05, up));
  rail(0, 1, Vec3(a, y(j + 1) - 0.05, up), Vec3(b, y(j + 1) - 0.05, up));
}

void Plant::add_rack() {
  const int bents = std::max(2, static_cast<int>(std::lround((plan_.size().x() - 3) / 6))) + 1;
  const double height = tiers_.back();
  for (int k = 0; k < bents; ++k) {
    const double at = west_ + 1.5 + (plan_.size().x() - 3) * k / (bents - 1);
    plan_.claim(grown(make_box(Vec3(at, rack_y0_, 0), Vec3(at, rack_y0_, height)), 0.12));
    plan_.claim(grown(make_box(Vec3(at, rack_y1_, 0), Vec3(at, rack_y1_, height)), 0.12));
    // Parts are built after the layout is gone: everything goes along by value.
    const Vec3 front(at, rack_y0_, 0), rear(at, rack_y1_, 0), inset(0, 0.1, 0);
    plan_.add("bent", kSteel, [=, tiers = tiers_](Solids& s) {
      for (const Vec3& foot : {front, rear}) add_column(s, foot, height, kHea200);
      for (const double tier : tiers) {
        const Vec3 up(0, 0, tier - 0.1);
        add_beam(s, front + inset + up, rear - inset + up, kIpe200);
      }
    });
    for (const double tier : tiers_) {
      plan_.claim(
          make_box(Vec3(at - 0.06, rack_y0_, tier - 0.2), Vec3(at + 0.06, rack_y1_, tier - 0.01)));
    }
  }
  for (const double side : {rack_y0_, rack_y1_}) {
    for (const double tier : tiers_) {
      const Vec3 p(west_ + 1.5, side, tier - 0.45), q(east_ - 1.5, side, tier - 0.45);
      plan_.claim(grown(make_box(p, q), 0.1));
      plan_.add("strut", kSteel, [=](Solids& s) { add_beam(s, p, q, kIpe200); });
    }
  }
}

void Plant::add_rack_pipes() {
  // Lanes filled from the front; a pipe rests on the beams and may turn out of the rack.
  for (const double tier : tiers_) {
    double lane = rack_y0_ + 0.25;
    while (plan_.wants_more()) {
      const double r = kPipeRadii[rng_.integer(0, 6)];
      lane += flange_radius(r) + 0.03;
      if (lane + flange_radius(r) > rack_y1_ - 0.2) break;
      Pipe pipe{{}, r};
      const double begin = west_ + rng_.uniform(0.9, 0.35 * plan_.size().x());
      const double end = east_ - rng_.uniform(0.9, 0.35 * plan_.size().x());
      const double up = tier + r + 0.07;  // on shoes
      pipe.path = {Vec3(begin, lane, up), Vec3(end, lane, up)};
      if (rng_.uniform() < 0.5) {  // over the neighbours and on towards the frame
        const double over = tier + 0.75 + shortest_leg(r);
        pipe.path.push_back(Vec3(end, lane, over));
        pipe.path.push_back(Vec3(end, rack_y0_ - 1.2, over));
      }
      if (!try_add_pipe(plan_, "line", pipe)) {
        pipe.path.resize(2);
        try_add_pipe(plan_, "line", pipe);
      }
      lane += flange_radius(r) + 0.03;
    }
  }
}

void Plant::add_tanks() {
  const double low_x = x(bays_x_) + 1.2, low_y = y0_, high_y = rack_y0_ - 1.2;
  const auto draw_place = [&](double reach) -> Vec3 {
    return {rng_.uniform(low_x + reach, std::max(low_x + reach, east_ - 0.5 - reach)),
            rng_.uniform(low_y + reach, high_y - reach), 0};
  };
  const auto standing = [](const Vec3& foot, double reach, double height) {
    return Boxes{make_box(foot - Vec3(reach, reach, -0.001), foot + Vec3(reach, reach, height))};
  };
  for (int i = 0; i < 60 && plan_.wants_more(); ++i) {
    const double turn = rng_.uniform(0, 2 * std::numbers::pi);
    if (i < 12) {
      const double r = rng_.uniform(0.5, 0.85), reach = r + 0.95;
      const double height = std::min(0.95 * top_, rng_.uniform(14, 18)) - 0.5;
      const Vec3 foot = draw_place(reach);
      if (foot.x() + reach > east_) continue;
      plan_.try_add("tower", kVessel, standing(foot, reach, height),
                    [=](Solids& s) { add_tower(s, foot, r, height); });
      i += 5;
    } else {
      const double r = rng_.uniform(1.1, 1.9), reach = r + 0.95;
      const double height = rng_.uniform(3.2, std::min(7.0, top_ - 2.5));
      const Vec3 foot = draw_place(reach);
      if (foot.x() + reach > east_) continue;
      plan_.try_add("tank", kVessel, standing(foot, reach, height + 0.6),
                    [=](Solids& s) { add_storage_tank(s, foot, r, height, turn); });
    }
  }
}

void Plant::add_equipment() {
  for (int level = 0; level <= levels_; ++level) {
    for (int i = 0; i < bays_x_; ++i) {
      for (int j = 0; j < bays_y_; ++j) {
        if (is_shaft(i, j) || (level > 0 && !has_floor(i, j, level))) continue;
        if (rng_.uniform() < 0.3) continue;
        const Vec3 low(x(i) + 0.7, y(j) + 0.7, z(level) + (level > 0 ? 0.001 : 0.0));
        add_equipment(low, Vec3(x(i + 1) - 0.7, y(j + 1) - 0.7, z(level) + 3.2));
      }
    }
  }
}

/// One machine in the given room.
bool Plant::add_equipment(const Vec3& low, const Vec3& high) {
  if (!plan_.wants_more()) return false;
  const Vec3 size = high - low, foot(low.x() + size.x() / 2, low.y() + size.y() / 2, low.z());
  const Vec3 axis = rng_.uniform() < 0.5 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
  const double length = std::min(std::abs(size.dot(axis)), 4.4), choice = rng_.uniform();
  const auto claims = [&](const Vec3& half, double height) {
    return Boxes{
        make_box(foot - Vec3(half.x(), half.y(), -0.06), foot + Vec3(half.x(), half.y(), height))};
  };
  const Colour painted = rng_.uniform() < 0.5 ? kMachine : kVessel;
  if (choice < 0.4) {
    const double r = rng_.uniform(0.3, 0.5), shell = length - 2 * r;
    const Vec3 across = Vec3(1, 1, 0) - axis;
    return plan_.try_add("exchanger", painted,
                         claims(length / 2 * axis + (r + 0.35) * across, 2 * r + 0.65),
                         [=](Solids& s) { add_exchanger(s, foot, axis, r, shell); });
  }
  if (choice < 0.75) {
    const double r = rng_.uniform(0.45, 0.8), height = rng_.uniform(2.2, 3.0);
    const double turn = rng_.uniform(0, 2 * std::numbers::pi);
    return plan_.try_add("drum", painted, claims(Vec3(r + 0.3, r + 0.3, 0), height),
                         [=](Solids& s) { add_drum(s, foot, r, height, turn); });
  }
  const double scale = rng_.uniform(0.9, 1.5);
  return plan_.try_add("pump", kMachine, claims(Vec3(1.1, 1.1, 0) * scale, 1.0 * scale),
                       [=](Solids& s) { add_pump(s, foot, axis, scale); });
}

void Plant::add_ladders() {
  for (int level = 0; level < levels_; ++level) {
    for (int j = 0; j < bays_y_; ++j) {
      if (!plan_.wants_more() || !has_floor(0, j, level + 1) || rng_.uniform() < 0.3) continue;
      const Vec3 foot(x0_ - 0.3, y(j) + bay_y_ / 2, z(level) + (level == 0 ? 0.0 : 0.05));
      const AxisBox claim = make_box(foot - Vec3(0.75, 0.42, -0.01), foot + Vec3(0.08, 0.42, 5.1));
      plan_.try_add("ladder", kSafety, {claim},
                    [=](Solids& s) { add_ladder(s, foot, Vec3::UnitY(), -Vec3::UnitX(), 4.0); });
      break;
    }
  }
}

}  // namespace

void lay_out_plant(WorldPlan& plan) { Plant(plan).lay_out(); }

}  // namespace geste
