#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geste/core/error.hpp"
#include "geste/geometry/mesh.hpp"
#include "geste/geometry/mesh_report.hpp"
#include "geste/geometry/shape.hpp"

namespace geste {

/// One distinct surface of a file, in the file's own length unit.
struct AssetMesh {
  std::string name;
  std::shared_ptr<const TriangleMesh> mesh;
  MeshReport report;             ///< what hygiene found and changed
  std::optional<Colour> colour;  ///< when the file states one
};

/// One place where a mesh stands. `A`, `t` map the mesh's points into the file's world; A may
/// scale or mirror.
struct AssetInstance {
  std::string name;  ///< unique in the asset
  std::string path;  ///< names from the root of the assembly tree, joined by '/'
  int mesh = 0;      ///< index into Asset::meshes
  Mat3 A = Mat3::Identity();
  Vec3 t = Vec3::Zero();
  int assembly = -1;  ///< index into Asset::assemblies; -1: in none
};

/// A sub-assembly of the file: a name for what stands together.
struct AssetAssembly {
  std::string name;  ///< unique among those of one parent
  int parent = -1;   ///< index into Asset::assemblies, smaller than its own; -1: at the top
};

enum class UpAxis { unstated, x, y, z };

/// What a mesh or CAD file holds: distinct surfaces, and where each stands.
struct Asset {
  std::string file;
  std::string format;          ///< "STL", "OBJ", "DAE", "glTF", "STEP"
  std::string unit;            ///< the unit of the coordinates here: "m", "mm", ... or "unstated"
  double metres_per_unit = 1;  ///< 1 where unstated
  UpAxis up = UpAxis::unstated;
  std::vector<AssetMesh> meshes;
  std::vector<AssetInstance> instances;
  std::vector<AssetAssembly> assemblies;  ///< the tree above the instances; parents first
  Notes notes;
};

/// Triangles counted once per distinct mesh, and once per instance.
std::size_t count_distinct_triangles(const Asset& asset);
std::size_t count_instanced_triangles(const Asset& asset);
/// The box of all instances in the file's world and unit.
AxisBox compute_box(const Asset& asset);
/// A note when the size of the whole is implausible in the unit of the asset: its box is longer
/// than 100 m or shorter than 1 mm; or longer than 5 m and finely modelled, but with hardly an edge
/// below 5 cm (1 cm where hardly a part is below 40 cm) and not mostly along the axes, as buildings
/// are; or shorter than 1 cm with edges
/// below 10 micrometres. Such files are mostly written in another unit than they state or were read
/// in: the note names the first of mm, m, in, cm, ft, km that makes the box 5 mm to 1 km long, or
/// none. Asked by whoever decides the unit; a part whose task file gives its unit needs no doubt.
std::optional<Note> find_unit_doubt(const Asset& asset);

}  // namespace geste
