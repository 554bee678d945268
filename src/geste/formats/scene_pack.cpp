#include "geste/formats/scene_pack.hpp"

#include "geste/formats/internal/distinct_shapes.hpp"
#include "geste/formats/internal/pack_mesh.hpp"
#include "geste/formats/internal/pack_pose.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

using Json = PackWriter::Json;

constexpr double kCreaseAngle = 0.61;  // rad, as in motion.glb
constexpr int kSegments = 48;          // per full turn of a primitive

int number_of(BodyId id) { return id.valid() ? id.value() : -1; }

/// Adds shapes to the pack as they appear.
class MeshTable {
 public:
  explicit MeshTable(PackWriter& writer) : writer_(writer) {}

  struct Entry {
    int mesh = -1;  ///< -1: nothing to draw
    std::size_t triangles = 0;
  };

  Entry find(const Shape& shape) {
    const DistinctShapes::Entry found = shapes_.find(shape);
    if (found.is_new) entries_.push_back(add(shape));
    return entries_[static_cast<std::size_t>(found.number)];
  }

  Json take() { return std::move(meshes_); }

 private:
  Entry add(const Shape& shape) {
    ShadedMesh mesh = make_shaded_mesh(shape, kSegments, kCreaseAngle);
    if (mesh.indices.empty()) return {};
    const Entry entry{static_cast<int>(meshes_.size()), mesh.indices.size() / 3};
    Json json = {{"kind", shape_name(shape)}};
    json.update(pack_mesh(std::move(mesh), writer_));
    meshes_.push_back(std::move(json));
    return entry;
  }

  PackWriter& writer_;
  DistinctShapes shapes_;
  std::vector<Entry> entries_;  ///< by number
  Json meshes_ = Json::array();
};

Json pack_bodies(const Scene& scene, const BodyAssemblies& assemblies) {
  Json bodies = Json::array();
  for (const Body& body : scene.bodies()) {
    bodies.push_back({{"name", body.name},
                      {"actor", body.actor.valid() ? body.actor.value() : -1},
                      {"mover", body.mover},
                      {"parent", number_of(body.parent)},
                      {"pose", pack_pose(body.X_MB)},
                      {"mass", body.inertia.mass}});
    const auto above = assemblies.find(body.name);
    if (above != assemblies.end()) bodies.back()["assemblies"] = above->second;
  }
  return bodies;
}

Json pack_actors(const Scene& scene) {
  Json actors = Json::array();
  for (const Actor& actor : scene.actors())
    actors.push_back({{"name", actor.name}, {"kind", actor.kind}});
  return actors;
}

}  // namespace

std::string make_scene_pack(const Scene& scene, ConstVecRef start,
                            const BodyAssemblies& assemblies) {
  PackWriter writer;
  MeshTable meshes(writer);
  std::size_t triangles = 0;
  Json geometry = Json::array();
  for (const Geometry& g : scene.geometry()) {
    const MeshTable::Entry entry = meshes.find(g.shape);
    if (g.visual) triangles += entry.triangles;
    geometry.push_back({{"name", g.name},
                        {"body", number_of(g.body)},
                        {"mesh", entry.mesh},
                        {"pose", pack_pose(scene.body(g.body).X_MB * g.X_BG)},
                        {"colour", {g.colour.r, g.colour.g, g.colour.b, g.colour.a}},
                        {"visual", g.visual},
                        {"collision", g.collision}});
  }

  Workspace workspace(scene);
  compute_kinematics(scene, start, workspace);
  Json places = Json::array();
  for (std::size_t m = 0; m < scene.movers().size(); ++m)
    places.push_back(pack_pose(workspace.X_WM()[m]));

  const Json head = {{"version", 1},
                     {"name", scene.name()},
                     {"triangles", triangles},
                     {"movers", scene.movers().size()},
                     {"start", std::move(places)},
                     {"actors", pack_actors(scene)},
                     {"bodies", pack_bodies(scene, assemblies)},
                     {"geometry", std::move(geometry)},
                     {"meshes", meshes.take()}};
  return writer.finish("GSP1", head);
}

}  // namespace geste
