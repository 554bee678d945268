#pragma once

#include <optional>

#include "geste/geometry/internal/ray_local.hpp"
#include "geste/geometry/shape.hpp"

namespace geste::internal {

// The first point of a solid's surface on a line, in closed form: within the rounding of the ray,
// and where it only touches within what a touch allows (the square root of that). The surface is
// closed: a line that touches it hits it. A line through the inside hits where it leaves, if it
// does within the ray's stretch.
std::optional<SurfaceHit> find_surface_hit(const Sphere& shape, const LocalRay& ray);
std::optional<SurfaceHit> find_surface_hit(const Capsule& shape, const LocalRay& ray);
std::optional<SurfaceHit> find_surface_hit(const Box& shape, const LocalRay& ray);
std::optional<SurfaceHit> find_surface_hit(const Cylinder& shape, const LocalRay& ray);
std::optional<SurfaceHit> find_surface_hit(const Cone& shape, const LocalRay& ray);
std::optional<SurfaceHit> find_surface_hit(const Torus& shape, const LocalRay& ray);

}  // namespace geste::internal
