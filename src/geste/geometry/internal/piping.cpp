#include "geste/geometry/internal/piping.hpp"

#include <cmath>

#include "geste/geometry/internal/equipment.hpp"

namespace geste {
namespace {

struct Fitting {
  Vec3 p;
  Vec3 axis;
  Vec3 stem;  ///< zero: flanges only
};

double snapped(double x) { return std::round(x * 20) / 20; }

/// Fittings sit in the middle of long legs; every third one is a valve.
std::vector<Fitting> draw_fittings(Rng& rng, const Pipe& pipe) {
  std::vector<Fitting> fittings;
  for (std::size_t k = 0; k + 1 < pipe.path.size(); ++k) {
    const Vec3 leg = pipe.path[k + 1] - pipe.path[k];
    const double length = leg.norm();
    const Vec3 axis = leg / length;
    const int count = static_cast<int>(length / 5.5) + (length > 1.6 + 8 * pipe.radius ? 1 : 0);
    for (int i = 0; i < count; ++i) {
      if (rng.uniform() < 0.25) continue;
      const bool is_valve = rng.uniform() < 0.4;
      const bool is_upright = std::abs(axis.z()) > 0.5;
      Vec3 stem = is_upright ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitZ());
      if (is_upright && rng.uniform() < 0.5) stem = -Vec3::UnitY();
      const Vec3 at = pipe.path[k] + (i + 0.5) / count * leg;
      fittings.push_back({at, axis, is_valve ? stem : Vec3(Vec3::Zero())});
    }
  }
  return fittings;
}

AxisBox span_of(const Vec3& p, const Vec3& q, double margin) {
  return grown(make_box(p.cwiseMin(q), p.cwiseMax(q)), margin);
}

Boxes claims_of(const Pipe& pipe, const std::vector<Fitting>& fittings) {
  Boxes boxes;
  const double flange = flange_radius(pipe.radius) + 0.01;
  for (std::size_t k = 0; k + 1 < pipe.path.size(); ++k) {
    boxes.push_back(span_of(pipe.path[k], pipe.path[k + 1], pipe.radius + 0.05));
  }
  for (const Vec3& end : {pipe.path.front(), pipe.path.back()}) {
    boxes.push_back(span_of(end, end, flange));
  }
  for (const Fitting& f : fittings) {
    const double along = 2 * pipe.radius + 0.13;
    boxes.push_back(span_of(f.p - along * f.axis, f.p + along * f.axis, flange));
    if (!f.stem.isZero()) {
      boxes.push_back(span_of(f.p, f.p + valve_reach(pipe.radius) * f.stem, flange));
    }
  }
  return boxes;
}

void build_pipe(Solids& solids, const Pipe& pipe, const std::vector<Fitting>& fittings) {
  solids.tube(pipe.path, pipe.radius, bend_radius(pipe.radius));
  const std::size_t n = pipe.path.size();
  add_flanges(solids, pipe.path[0], (pipe.path[1] - pipe.path[0]).normalized(), pipe.radius);
  add_flanges(solids, pipe.path[n - 1], (pipe.path[n - 1] - pipe.path[n - 2]).normalized(),
              pipe.radius);
  for (const Fitting& f : fittings) {
    if (f.stem.isZero()) {
      add_flanges(solids, f.p, f.axis, pipe.radius);
    } else {
      add_valve(solids, f.p, f.axis, f.stem, pipe.radius);
    }
  }
}

}  // namespace

std::vector<Vec3> draw_route(Rng& rng, const AxisBox& region, std::span<const double> elevations,
                             int legs, double pipe_radius) {
  const auto elevation = [&] {
    return elevations[static_cast<std::size_t>(
        rng.integer(0, static_cast<std::int64_t>(elevations.size()) - 1))];
  };
  const double shortest = shortest_leg(pipe_radius);
  Vec3 at(snapped(rng.uniform(region.min.x(), region.max.x())),
          snapped(rng.uniform(region.min.y(), region.max.y())), elevation());
  std::vector<Vec3> path{at};
  int last = -1;
  for (int i = 0; i < legs; ++i) {
    const int axis = static_cast<int>((last + 1 + rng.integer(0, last < 0 ? 2 : 1)) % 3);
    Vec3 next = at;
    if (axis == 2) {
      next.z() = elevation();
    } else {
      next[axis] = snapped(at[axis] + (rng.uniform() < 0.5 ? -1 : 1) * rng.uniform(1.2, 9));
    }
    const bool is_inside = next[axis] > region.min[axis] && next[axis] < region.max[axis];
    if (!is_inside || (next - at).norm() < shortest) continue;
    path.push_back(next);
    at = next;
    last = axis;
  }
  if (path.size() < 3) path.clear();
  return path;
}

Colour draw_pipe_colour(Rng& rng) {
  static constexpr double kColours[][3] = {
      {0.42, 0.44, 0.46}, {0.42, 0.44, 0.46}, {0.62, 0.63, 0.65}, {0.72, 0.72, 0.70},
      {0.06, 0.32, 0.16}, {0.10, 0.22, 0.45}, {0.62, 0.42, 0.04}, {0.48, 0.06, 0.05}};
  const auto& c = kColours[rng.integer(0, 7)];
  return {c[0], c[1], c[2], 1};
}

bool try_add_pipe(WorldPlan& plan, const std::string& name, const Pipe& pipe) {
  const std::vector<Fitting> fittings = draw_fittings(plan.rng(), pipe);
  const Colour colour = draw_pipe_colour(plan.rng());
  return plan.try_add(name, colour, claims_of(pipe, fittings),
                      [pipe, fittings](Solids& solids) { build_pipe(solids, pipe, fittings); });
}

int fill_with_pipes(WorldPlan& plan, const AxisBox& region, std::span<const double> elevations,
                    int attempts, double largest_radius) {
  int added = 0;
  for (int i = 0; i < attempts && plan.wants_more(); ++i) {
    Pipe pipe;
    // Many thin ones, few thick ones.
    const double u = plan.rng().uniform();
    pipe.radius = kPipeRadii[static_cast<std::size_t>(u * u * std::size(kPipeRadii))];
    if (pipe.radius > largest_radius) continue;
    const int legs = static_cast<int>(plan.rng().integer(3, 7));
    pipe.path = draw_route(plan.rng(), region, elevations, legs, pipe.radius);
    if (!pipe.path.empty() && try_add_pipe(plan, "pipe", pipe)) ++added;
  }
  return added;
}

}  // namespace geste
