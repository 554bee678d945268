#include <algorithm>
#include <cmath>

#include "geste/geometry/internal/equipment.hpp"
#include "geste/geometry/internal/world_plan.hpp"

namespace geste {
namespace {

constexpr Colour kTruss{0.55, 0.57, 0.60, 1};
constexpr Colour kHull{0.78, 0.78, 0.76, 1};
constexpr Colour kCells{0.03, 0.06, 0.22, 1};
constexpr Colour kRadiator{0.85, 0.85, 0.86, 1};
constexpr Colour kGold{0.65, 0.45, 0.12, 1};
constexpr double kTrussWidth = 3;  // m

/// A number in [-1, 1) for every point of the integer grid (the finaliser of SplitMix64 by S.
/// Vigna: every bit of the input changes every bit of the result with a chance of one half).
double grid_value(std::uint64_t seed, std::int64_t i, std::int64_t j, std::int64_t k) {
  std::uint64_t h = seed + static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15 +
                    static_cast<std::uint64_t>(j) * 0xC2B2AE3D27D4EB4F +
                    static_cast<std::uint64_t>(k) * 0x165667B19E3779F9;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EB;
  return static_cast<double>((h ^ (h >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Smooth noise in [-1, 1]: grid values blended across their cell.
double noise(std::uint64_t seed, const Vec3& p) {
  const Vec3 cell = p.array().floor();
  const Vec3 t = p - cell, s = t.array().square() * (3 - 2 * t.array());
  const auto i = static_cast<std::int64_t>(cell.x()), j = static_cast<std::int64_t>(cell.y()),
             k = static_cast<std::int64_t>(cell.z());
  double sum = 0;
  for (int c = 0; c < 8; ++c) {
    const int dx = c & 1, dy = c >> 1 & 1, dz = c >> 2 & 1;
    const double weight =
        (dx ? s.x() : 1 - s.x()) * (dy ? s.y() : 1 - s.y()) * (dz ? s.z() : 1 - s.z());
    sum += weight * grid_value(seed, i + dx, j + dy, k + dz);
  }
  return sum;
}

/// Lumps, smaller lumps and grit, and two flat faces where pieces broke off. Star-shaped about its
/// centre, so that the surface never meets itself. At most `size`.
double rock_radius(std::uint64_t seed, double size, const Vec3& d) {
  double r = 0.78 + 0.16 * noise(seed, 1.7 * d) + 0.06 * noise(seed + 1, 4.1 * d) +
             0.025 * noise(seed + 2, 9.3 * d);
  for (std::uint64_t cut = 3; cut < 5; ++cut) {
    const Vec3 normal = Vec3(grid_value(seed + cut, 1, 0, 0), grid_value(seed + cut, 2, 0, 0),
                             grid_value(seed + cut, 3, 0, 0) + 0.01)
                            .normalized();
    const double facing = normal.dot(d);
    if (facing > 0.3) r = std::min(r, 0.62 / facing);
  }
  return size * std::min(r, 1.0);
}

class Station {
 public:
  explicit Station(WorldPlan& plan) : plan_(plan), rng_(plan.rng()), up_(plan.size().z() / 2) {
    half_ = kTrussWidth * std::floor(0.36 * plan.size().x() / kTrussWidth);
    plan.set_box(make_box(Vec3(-plan.size().x() / 2, -plan.size().y() / 2, 0),
                          Vec3(plan.size().x() / 2, plan.size().y() / 2, plan.size().z())));
  }

  void lay_out() {
    plan_.keep_free("approach", make_box(Vec3(plan_.box().min.x(), -4, up_ + 5),
                                         Vec3(plan_.box().max.x(), 4, up_ + 12)));
    add_truss(Vec3(-half_, 0, up_), Vec3(half_, 0, up_));
    add_modules();
    add_panels();
    add_dish(Vec3(half_ * 0.35, 0, up_ - 0.5 * kTrussWidth));
    add_rocks();
  }

 private:
  void add_truss(const Vec3& p, const Vec3& q);
  void add_modules();
  void add_panels();
  void add_wing(const Vec3& root, const Vec3& out);
  void add_dish(const Vec3& root);
  void add_rocks();

  WorldPlan& plan_;
  Rng& rng_;
  double up_;    // height of the spine
  double half_;  // of its length
};

/// Four chords, frames and diagonals; five bays to a part.
void Station::add_truss(const Vec3& p, const Vec3& q) {
  const Vec3 along = (q - p).normalized();
  const int bays = static_cast<int>(std::lround((q - p).norm() / kTrussWidth));
  const double w = kTrussWidth / 2;
  const Mat3 frame = make_frame_along(along);
  const auto node = [=](int bay, int corner) -> Vec3 {
    const double u = corner == 0 || corner == 3 ? -w : w, v = corner < 2 ? -w : w;
    return p + bay * kTrussWidth * along + u * frame.col(0) + v * frame.col(1);
  };
  plan_.claim(grown(make_box(p.cwiseMin(q), p.cwiseMax(q)), w + 1.5));
  for (int first = 0; first < bays; first += 5) {
    const int last = std::min(first + 5, bays);
    plan_.add("truss", kTruss, [=](Solids& s) {
      for (int c = 0; c < 4; ++c) {
        s.rod(node(first, c) + 0.01 * along, node(last, c) - 0.01 * along, 0.07);
        for (int bay = first; bay < last; ++bay) {
          const int d = (c + 1) % 4;
          const Vec3 side = (c % 2 ? 0.1 : 0.2) * along;  // sides of a frame pass each other
          s.rod(node(bay, c) + side, node(bay, d) + side, 0.04);
          s.rod(node(bay, bay % 2 ? c : d) + 0.15 * along,
                node(bay + 1, bay % 2 ? d : c) - 0.05 * along, 0.035);
        }
      }
    });
  }
}

void Station::add_modules() {
  const int count = std::max(2, static_cast<int>(half_ / 8));
  for (int i = 0; i < count; ++i) {
    const double x = -half_ * 0.55 + 1.1 * half_ * i / std::max(1, count - 1);
    const double side = i % 2 ? 1 : -1, r = rng_.uniform(1.8, 2.4), length = rng_.uniform(6, 10);
    const Vec3 root(x, side * (kTrussWidth / 2 + 0.6), up_), axis(0, side, 0);
    const Vec3 low = root + (0.8 + r / 2) * axis;
    plan_.claim(grown(make_box(root.cwiseMin(low + (length + r) * axis),
                               root.cwiseMax(low + (length + r) * axis)),
                      r + 0.8));
    plan_.add("module", i % 3 == 2 ? kGold : kHull, [=](Solids& s) {
      add_shell(s, low, axis, r, length);
      s.rod(root - 0.7 * axis, low, 0.9);  // tunnel to the truss
      s.rod(low + (length + r / 2 - 0.1) * axis, low + (length + r / 2 + 0.5) * axis, 0.8);
      const Pose at(make_frame_along(axis), low);
      for (int k = 0; k <= 3; ++k) {
        const double z = length * (0.05 + 0.3 * k);
        const std::vector<Vec2> band{
            {r - 0.05, z - 0.12}, {r + 0.07, z - 0.10}, {r + 0.07, z + 0.10}, {r - 0.05, z + 0.12}};
        s.turned_ring(at, band);
      }
      for (int k = 0; k < 5; ++k) {  // windows
        const double angle = 0.5 + 0.5 * k;
        const Vec3 out = at.R * Vec3(std::cos(angle), std::sin(angle), 0);
        const Vec3 p = low + 0.52 * length * axis + (r - 0.05) * out;
        s.rod(p, p + 0.12 * out, 0.25);
      }
    });
  }
}

void Station::add_panels() {
  const double reach = 0.36 * plan_.size().y();
  for (const double x : {-half_ + 1.0, half_ - 1.0, -half_ * 0.8, half_ * 0.8}) {
    for (const double side : {-1.0, 1.0}) {
      add_wing(Vec3(x, side * kTrussWidth / 2, up_), Vec3(0, side * reach, 0));
    }
  }
}

void Station::add_wing(const Vec3& root, const Vec3& out) {
  const double length = out.norm(), half_width = 1.7;
  const Vec3 axis = out / length;
  const Mat3 tilt = Eigen::AngleAxisd(rng_.uniform(-0.6, 0.6), Vec3::UnitY()).toRotationMatrix();
  const Vec3 across = tilt * Vec3::UnitX();
  plan_.claim(
      grown(make_box(root.cwiseMin(root + out), root.cwiseMax(root + out)), half_width + 1));
  plan_.add("panel_mast", kTruss, [=](Solids& s) { s.rod(root, root + out, 0.12); });
  plan_.add("panel", kCells, [=](Solids& s) {
    const Mat3 frame = (Mat3() << across, axis, across.cross(axis)).finished();
    const int rows = static_cast<int>((length - 3) / 1.5);
    for (int row = 0; row < rows; ++row) {
      for (const double side : {-0.95, 0.95}) {
        const Vec3 at = root + (2.5 + 1.5 * row) * axis + side * across;
        s.box(Pose(frame, at), Vec3(1.55, 1.4, 0.04));
      }
    }
  });
}

void Station::add_dish(const Vec3& root) {
  const double r = 2.6, depth = 0.8;
  const Pose at(Mat3(Eigen::AngleAxisd(kPi * 0.85, Vec3::UnitX()).toRotationMatrix()),
                root - Vec3(0, 0, 2.2));
  plan_.claim(grown(make_box(root - Vec3(3, 3, 4.5), root + Vec3(3, 3, 0)), 0.5));
  plan_.add("dish", kRadiator, [=](Solids& s) {
    constexpr int kSteps = 8;
    std::vector<Vec2> profile;
    for (int i = 1; i <= kSteps; ++i) {  // outside up, inside down
      const double u = static_cast<double>(i) / kSteps;
      profile.emplace_back(r * u, depth * u * u - 0.06);
    }
    for (int i = kSteps; i >= 1; --i) {
      const double u = static_cast<double>(i) / kSteps;
      profile.emplace_back(r * u * 0.985, depth * u * u);
    }
    s.turned_ring(at, profile);
    s.rod(at * Vec3(0, 0, 0.15), at * Vec3(0, 0, -0.3), 0.5);
    s.rod(at * Vec3(0, 0, -0.2), root, 0.15);
    for (int i = 0; i < 3; ++i) {
      const double angle = 2 * kPi * i / 3;
      s.rod(at * Vec3(0.8 * r * std::cos(angle), 0.8 * r * std::sin(angle), 0.62 * depth),
            at * Vec3(0.05 * std::cos(angle), 0.05 * std::sin(angle), 2.0), 0.03);
    }
    s.rod(at * Vec3(0, 0, 1.85), at * Vec3(0, 0, 2.3), 0.16);
  });
}

void Station::add_rocks() {
  for (int i = 0; i < 4000 && plan_.wants_more(); ++i) {
    const double u = rng_.uniform();
    const double size = 1.2 + 0.11 * plan_.size().minCoeff() * u * u * u;
    const Vec3 room = (plan_.box().size() / 2).array() - size - 0.1;
    const Vec3 centre = plan_.box().centre() + Vec3(rng_.uniform(-room.x(), room.x()),
                                                    rng_.uniform(-room.y(), room.y()),
                                                    rng_.uniform(-room.z(), room.z()));
    const std::uint64_t seed = rng_.next();
    const double grey = rng_.uniform(0.12, 0.24);
    // A ship of 1.5 m passes between any two.
    const AxisBox claim =
        make_box(centre - Vec3::Constant(size + 0.75), centre + Vec3::Constant(size + 0.75));
    plan_.try_add("rock", Colour{grey * 1.1, grey, grey * 0.85, 1}, {claim}, [=](Solids& s) {
      const int frequency =
          std::max(2, static_cast<int>(std::lround(s.segments() * (0.2 + 0.05 * size))));
      s.geodesic(centre, frequency, [=](const Vec3& d) { return rock_radius(seed, size, d); });
    });
  }
}

}  // namespace

void lay_out_station(WorldPlan& plan) { Station(plan).lay_out(); }

}  // namespace geste
