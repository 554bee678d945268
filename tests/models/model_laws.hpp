#pragma once

#include <utility>
#include <vector>

#include "geste/model/kinematics.hpp"
#include "geste/model/scene.hpp"

namespace geste::laws {

/// Mass properties of the collision primitives of a body at one density.
Inertia compute_inertia(const BodySpec& body, double mass);

/// How far a point of the body is outside its collision primitives; not positive inside one.
double distance_to_collision(const BodySpec& body, const Vec3& p_B);

/// Whether collision primitives of two bodies touch. E. G. Gilbert, "An iterative procedure for
/// computing the minimum of a quadratic form on a convex set", SIAM J. Control 4(1), 1966: either a
/// plane is found that parts two shapes, or they count as touching.
bool touch(const Scene& scene, const Workspace& workspace, BodyId a, BodyId b);

/// Every pair of bodies that touch and are not allowed to.
std::vector<std::pair<BodyId, BodyId>> find_contacts(const Scene& scene,
                                                     const Workspace& workspace);

}  // namespace geste::laws
