#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geste/model/scene.hpp"

namespace geste::bench {

/// A loose part among fixed ones, and where it should go.
struct RigidProblem {
  std::string name;
  SceneSpec spec;  ///< body "mover" on the free joint "free", whose limits are the bounds; "world"
  VecX start;      ///< entries of the joint
  VecX goal;
};

/// From a folder with problem.json (its README says the form). Throws where it is no such folder.
RigidProblem load_rigid(const std::filesystem::path& folder);
/// Every folder in `folder` with a problem.json, by name; a folder without any throws.
std::vector<RigidProblem> load_rigid_problems(const std::filesystem::path& folder);

/// Puzzles of our own: a bar that must turn to go through a window, again with less room; a board
/// through a slit that it fits through one way round; a bar through two windows.
std::vector<RigidProblem> make_rigid_puzzles();

}  // namespace geste::bench
