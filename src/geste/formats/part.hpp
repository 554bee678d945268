#pragma once

#include <map>
#include <string>
#include <vector>

#include "geste/formats/asset.hpp"
#include "geste/geometry/generate.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

/// How a mesh or CAD file becomes a part of a scene.
struct PartOptions {
  std::string name;
  double metres_per_unit = 0;    ///< 0: what the asset says
  std::optional<UpAxis> up;      ///< the asset's vertical; without it, what the asset says
  std::optional<Colour> colour;  ///< over the file's own
  double mass = 0;               ///< kg, spread evenly over the box; 0: no inertia
};

/// The asset in metres with Z up, as a mechanism for `place`: one body of the part's name, and for
/// an assembly one more body "instance" welded to it for each instance, so that each can be named.
/// Instances that only move their mesh share it; those that scale or mirror get their own.
SceneSpec make_part(const Asset& asset, const PartOptions& options);

/// The same for a primitive.
SceneSpec make_part(const Shape& shape, const PartOptions& options);

/// A generated world: one body of the part's name, and its parts welded to it as "name/part".
SceneSpec make_part(const GeneratedWorld& world, const std::string& name);

/// Names of the sub-assemblies that bodies stand in, outermost first, by the body's name. Only for
/// people: nothing follows from it.
using BodyAssemblies = std::map<std::string, std::vector<std::string>>;

/// Those of the bodies that make_part makes. An assembly that holds everything says no more than
/// the part's own name and is left out.
void add_assemblies(const Asset& asset, const std::string& part, BodyAssemblies& assemblies);

}  // namespace geste
