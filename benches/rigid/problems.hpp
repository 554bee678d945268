#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geste/model/scene.hpp"

namespace geste::bench {

/// Problems that differ in one size, so that it is seen how cost grows with it.
enum class Series {
  none,
  clearance,  ///< play in the opening, in thicknesses of the mover
  triangles,  ///< of all that is around
};

/// A loose part among fixed ones, and where it should go.
struct RigidProblem {
  std::string name;
  SceneSpec spec;  ///< body "mover" on the free joint "free", whose limits are the bounds; "world"
  VecX start;      ///< entries of the joint
  VecX goal;
  MatX way;  ///< from start to goal, free along straight legs; empty: none is known
  Series series = Series::none;
  double size = 0;  ///< in the series
};

/// From a folder with problem.json (its README says the form). Throws where it is no such folder.
RigidProblem load_rigid(const std::filesystem::path& folder);
/// Every folder in `folder` with a problem.json, by name; a folder without any throws.
std::vector<RigidProblem> load_rigid_problems(const std::filesystem::path& folder);

/// All puzzles of our own (puzzles.hpp), with ways that are known.
std::vector<RigidProblem> make_rigid_puzzles();

}  // namespace geste::bench
