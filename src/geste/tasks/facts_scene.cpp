#include <fmt/format.h>

#include <cmath>
#include <set>

#include "geste/core/files.hpp"
#include "geste/core/quantity.hpp"
#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/internal/facts.hpp"
#include "geste/tasks/task.hpp"

namespace geste::internal {
namespace {

/// JSON has no infinity: no limit is null.
Facts finite_or_null(double x) { return std::isfinite(x) ? Facts(x) : Facts(nullptr); }

AxisBox compute_scene_box(const Scene& scene, const Workspace& workspace) {
  AxisBox box;
  for (std::size_t i = 0; i < scene.geometry().size(); ++i) {
    const Pose X_WG = compute_geometry_pose(scene, workspace, static_cast<int>(i));
    const Shape& shape = scene.geometry()[i].shape;
    if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
      for (const Vec3& p : (*mesh)->vertices) box.add(X_WG * p);
      continue;
    }
    // The box of a turned primitive's own box: never too small.
    box.add(place_box(X_WG, compute_box(shape)));
  }
  return box;
}

std::string describe_follow(const Scene& scene, JointId id) {
  for (const Follower& f : scene.followers()) {
    if (f.joint != id) continue;
    const std::string leader = scene.joint(f.leaders.front()).name;
    if (const auto* linear = std::get_if<LinearFollow>(&f.function)) {
      return fmt::format("{} * {} {} {}", format_number(linear->multiplier, 6), leader,
                         linear->offset < 0 ? "-" : "+",
                         format_number(std::abs(linear->offset), 6));
    }
    return "function of " + leader;
  }
  return "";
}

Facts joints_to_facts(const Scene& scene) {
  Facts table = Facts::array();
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& j = scene.joints()[i];
    if (j.nv == 0) continue;
    const std::string follows = describe_follow(scene, JointId(static_cast<int>(i)));
    for (int k = 0; k < j.nv; ++k) {
      const DofLimits& l = j.limits[static_cast<std::size_t>(k)];
      table.push_back({{"joint", j.nv == 1 ? j.name : fmt::format("{} [{}]", j.name, k + 1)},
                       {"type", to_string(j.type)},
                       {"lower", finite_or_null(l.lower)},
                       {"upper", finite_or_null(l.upper)},
                       {"velocity", finite_or_null(l.velocity)},
                       {"effort", finite_or_null(l.effort)},
                       {"follows", follows.empty() ? Facts(nullptr) : Facts(follows)}});
    }
  }
  return table;
}

Facts geometry_to_facts(const Scene& scene) {
  std::size_t visual = 0, collision = 0, instanced = 0, distinct = 0;
  std::set<const TriangleMesh*> meshes;
  for (const Geometry& g : scene.geometry()) {
    visual += g.visual;
    collision += g.collision;
    if (const auto* mesh = std::get_if<MeshShape>(&g.shape)) {
      instanced += (*mesh)->triangles.size();
      if (meshes.insert(mesh->get()).second) distinct += (*mesh)->triangles.size();
    }
  }
  return {{"shapes", scene.geometry().size()},
          {"visual", visual},
          {"collision", collision},
          {"distinct_meshes", meshes.size()},
          {"triangles_distinct", distinct},
          {"triangles_instanced", instanced}};
}

}  // namespace

void add_scene_facts(const Scene& scene, const VecX& q, Facts& facts) {
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  int independent = 0, moving = 0;
  for (const Joint& j : scene.joints()) {
    if (j.role == JointRole::independent) independent += j.nv;
    moving += j.nv > 0;
  }
  facts["bodies"] = scene.bodies().size();
  facts["joints"] = scene.joints().size();
  facts["moving_joints"] = moving;
  facts["degrees_of_freedom"] = independent;
  facts["following_degrees"] = scene.nv() - independent;
  facts["mass_kg"] = scene.total_mass();
  facts["geometry"] = geometry_to_facts(scene);
  facts["box_m"] = box_to_facts(compute_scene_box(scene, workspace));
  facts["joint_list"] = joints_to_facts(scene);
  Facts groups = Facts::array();
  for (const Group& g : scene.groups())
    groups.push_back({{"group", g.name}, {"joints", g.joints.size()}});
  facts["groups"] = std::move(groups);
  Facts configurations = Facts::array();
  for (const NamedConfiguration& c : scene.configurations())
    configurations.push_back({{"configuration", c.name}, {"group", c.group}});
  facts["configurations"] = std::move(configurations);
}

Result<Facts> load_urdf_facts(const std::filesystem::path& path, const InfoOptions& options) {
  Result<SceneSpec> robot = load_urdf(path);
  if (!robot) return robot.error();
  const Notes notes = robot->notes;
  const Result<Scene> scene = Scene::compile(std::move(*robot));
  if (!scene) return scene.error();
  Facts facts = {{"file", path.string()},
                 {"format", "URDF"},
                 {"robot", scene->name()},
                 {"units", "m, rad, kg"}};
  const VecX neutral = make_neutral(*scene);
  add_scene_facts(*scene, neutral, facts);
  add_speed_facts(*scene, {}, neutral, facts);
  if (Result<void> added = add_pose_facts(*scene, neutral, options, facts); !added)
    return added.error();
  facts["notes"] = notes_to_facts(notes);
  return facts;
}

Result<Facts> load_srdf_facts(const std::filesystem::path& path, const InfoOptions&) {
  const Result<std::string> text = load_file(path);
  if (!text) return text.error();
  const Result<SrdfFile> srdf = parse_srdf(*text, path.string());
  if (!srdf) return srdf.error();
  Facts facts = {{"file", path.string()},
                 {"format", "SRDF"},
                 {"robot", srdf->robot},
                 {"disabled_pairs", srdf->disabled_pairs.size()}};
  Facts groups = Facts::array();
  for (const SrdfGroup& g : srdf->groups) {
    groups.push_back({{"group", g.name},
                      {"joints", g.joints.size()},
                      {"links", g.links.size()},
                      {"chains", g.chains.size()},
                      {"subgroups", g.subgroups.size()}});
  }
  facts["groups"] = std::move(groups);
  Facts states = Facts::array();
  for (const SrdfGroupState& s : srdf->states)
    states.push_back({{"state", s.name}, {"group", s.group}, {"joints", s.joints.size()}});
  facts["states"] = std::move(states);
  Facts virtual_joints = Facts::array();
  for (const SrdfVirtualJoint& v : srdf->virtual_joints)
    virtual_joints.push_back({{"name", v.name}, {"type", v.type}, {"child_link", v.child_link}});
  facts["virtual_joints"] = std::move(virtual_joints);
  Facts effectors = Facts::array();
  for (const SrdfEndEffector& e : srdf->end_effectors)
    effectors.push_back({{"name", e.name}, {"parent_link", e.parent_link}, {"group", e.group}});
  facts["end_effectors"] = std::move(effectors);
  facts["notes"] = notes_to_facts(srdf->notes);
  return facts;
}

Result<Facts> load_task_facts(const std::filesystem::path& path, const InfoOptions& options) {
  const Result<LoadedTask> loaded = load_task(path);
  if (!loaded) return loaded.error();
  const Result<TaskScene> world = load_task_scene(loaded->file);
  if (!world) return world.error();
  Facts facts = {{"file", path.string()},
                 {"format", "geste task"},
                 {"task", loaded->file.kind.empty() ? "none (a scene)" : loaded->file.kind},
                 {"units", "m, rad, kg"}};
  Facts actors = Facts::array();
  for (const Actor& a : world->scene.actors())
    actors.push_back({{"name", a.name}, {"kind", a.kind}, {"bodies", a.bodies.size()}});
  add_scene_facts(world->scene, world->start, facts);
  add_speed_facts(world->scene, loaded->file.collision, world->start, facts);
  facts["actors_and_parts"] = std::move(actors);
  if (Result<void> added = add_pose_facts(world->scene, world->start, options, facts); !added)
    return added.error();
  facts["notes"] = notes_to_facts(world->notes);
  return facts;
}

}  // namespace geste::internal
