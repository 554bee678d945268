#pragma once

#include <span>
#include <string>
#include <vector>

#include "geste/geometry/internal/world_plan.hpp"

namespace geste {

/// A pipe whose legs run along the axes. Bends have 1.5 diameters radius, as bought.
struct Pipe {
  std::vector<Vec3> path;
  double radius = 0;
};

inline double bend_radius(double pipe_radius) { return 3 * pipe_radius; }
/// The shortest leg between two bends.
inline double shortest_leg(double pipe_radius) { return 6 * pipe_radius + 0.2; }

/// A path of up to `legs` legs within `region`, horizontal at the given elevations and upright
/// between them. Empty where it found no way.
std::vector<Vec3> draw_route(Rng& rng, const AxisBox& region, std::span<const double> elevations,
                             int legs, double pipe_radius);

/// Adds the pipe with flanges at its ends, and flanges or valves on its long legs, where all of it
/// is free.
bool try_add_pipe(WorldPlan& plan, const std::string& name, const Pipe& pipe);

/// Draws routes until the plan has enough facets or `attempts` are over. How many pipes it added.
int fill_with_pipes(WorldPlan& plan, const AxisBox& region, std::span<const double> elevations,
                    int attempts, double largest_radius);

/// The colour of what flows in it: steel, insulation, water, steam, gas.
Colour draw_pipe_colour(Rng& rng);

}  // namespace geste
