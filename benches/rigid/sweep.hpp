#pragma once

#include <span>
#include <vector>

#include "geste/geometry/mesh.hpp"
#include "geste/math/pose.hpp"

namespace geste::bench {

/// Frames along a curve through `points`, z along it, that turn about it as little as can be.
std::vector<Pose> make_frames(std::span<const Vec3> points);

/// A regular polygon with its corners on a circle.
std::vector<Vec2> make_circle(double radius, int corners);

/// The solid that a convex section, counter-clockwise in x and y, covers as its frame goes along
/// `frames`; closed at both ends.
TriangleMesh sweep_section(std::span<const Pose> frames, std::span<const Vec2> section);

}  // namespace geste::bench
