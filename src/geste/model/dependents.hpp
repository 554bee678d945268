#pragma once

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

/// Fills the entries of followers, of joints given by explicit loops and of carried bodies from the
/// independent ones (MV-3, MV-4), and leaves the kinematics of the result in `workspace`.
/// Returns false when a formula cannot close its loop; q is then complete but open there.
[[nodiscard]] bool compute_dependents(const Scene& scene, VecRef q, Workspace& workspace);

/// Value of a follow function, and its slope with respect to each leader.
double evaluate_follow(const Follower& follower, std::span<const double> leaders);
void evaluate_follow_gradient(const Follower& follower, std::span<const double> leaders,
                              std::span<double> gradient);

/// nv x nv: full velocity = N times the velocity of the independent joints (entries of the others
/// are ignored). Followers get the slope of their function, carried bodies the motion of their
/// carrier, explicit loops central differences of their formula. Allocates; meant for inverse
/// kinematics and control.
void compute_velocity_map(const Scene& scene, ConstVecRef q, Workspace& workspace, MatX& N);
/// The columns of `dofs` alone, nv x dofs.size(): in a world of many parts a mechanism has few.
void compute_velocity_map(const Scene& scene, ConstVecRef q, Workspace& workspace,
                          std::span<const int> dofs, MatX& N);

}  // namespace geste
