#pragma once

#include "geste/formats/task_scene.hpp"
#include "geste/model/collision_spec.hpp"

namespace geste::internal {

/// How contacts of an assembled state are taken.
struct ContactOptions {
  double tolerance = 0;  ///< m; how much deeper than at the start seats may come
  int threads = 0;
  CancelToken cancel{};
};

/// Takes the contacts of the start as given (StartContact): every pair of a moved body and another
/// one that touches or overlaps there becomes a seat, with a shrunken copy in the scene, or a fit.
/// Real assemblies have press fits, threads that are modelled solid, flush faces, and triangles
/// that leave round surfaces. Pairs that `collision` allows are left out. `moved`: bodies, by name.
Result<TaskScene> take_start_contacts(TaskScene world, const std::vector<std::string>& moved,
                                      const CollisionSpec& collision,
                                      const ContactOptions& options);

/// What a task file says of collisions, without margins for seats: they are as near as they are.
CollisionSpec make_collision_spec(const TaskScene& world, const CollisionSpec& file);

/// The same with all copies of seats left out: what remains are the true shapes.
CollisionSpec leave_out_seats(const TaskScene& world, CollisionSpec spec);

/// A body's name as people know it: that of the part that a shrunken copy stands for.
std::string name_part(const Scene& scene, BodyId body);

}  // namespace geste::internal
