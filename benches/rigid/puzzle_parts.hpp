#pragma once

#include <string>
#include <vector>

#include "geste/math/pose.hpp"

#include "rigid/problems.hpp"

namespace geste::bench {

// What puzzles are put together from.

/// A loose part without geometry in a world without any; its origin stays in `room`.
RigidProblem make_puzzle(const std::string& name, const AxisBox& room);
/// The same, in a room whose middle is the origin; `half` from it to each wall.
RigidProblem make_puzzle(const std::string& name, const Vec3& half);

std::vector<GeometrySpec>& get_mover(RigidProblem& problem);
std::vector<GeometrySpec>& get_world(RigidProblem& problem);

/// As triangles, which are what the puzzles of others are.
GeometrySpec make_solid(const Shape& shape, const Pose& X, int segments = 16);
GeometrySpec make_box(const Vec3& size, const Vec3& at);

/// A wall across x, 0.05 m thick, with an opening in its middle: `width` along y, `height` along z.
void add_wall(RigidProblem& problem, double at, double width, double height);

/// Start, goal, and that the puzzle can be solved: places of the mover with free ways between,
/// each with the origin on a line and the rotation on the shorter arc.
void set_way(RigidProblem& problem, const std::vector<Pose>& places);

}  // namespace geste::bench
