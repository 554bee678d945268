#include "common/arm_problems.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/configuration.hpp"

#include "common/take.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Vec3 to_vector(const json& values) {
  return {values.at(0).get<double>(), values.at(1).get<double>(), values.at(2).get<double>()};
}

/// Spheres may go without a rotation.
Pose to_pose(const json& item) {
  const json q = item.value("quaternion_xyzw", json{0.0, 0.0, 0.0, 1.0});
  return {Quat(q.at(3).get<double>(), q.at(0).get<double>(), q.at(1).get<double>(),
               q.at(2).get<double>())
              .normalized(),
          to_vector(item.at("position"))};
}

std::vector<BodySpec> to_bodies(const json& obstacles) {
  std::vector<BodySpec> bodies;
  const auto add = [&](const json& item, const Shape& shape) {
    // Several may have one name.
    BodySpec body{fmt::format("obstacle {} {}", bodies.size(), item.value("name", ""))};
    GeometrySpec geometry;
    geometry.shape = shape;
    geometry.X_BG = to_pose(item);
    body.geometry.push_back(std::move(geometry));
    bodies.push_back(std::move(body));
  };
  const json none = json::array();
  for (const json& item : obstacles.value("boxes", none))
    add(item, Box{2 * to_vector(item.at("half_extents"))});
  for (const json& item : obstacles.value("cylinders", none))
    add(item, Cylinder{item.at("radius").get<double>(), item.at("length").get<double>()});
  for (const json& item : obstacles.value("spheres", none))
    add(item, Sphere{item.at("radius").get<double>()});
  return bodies;
}

VecX to_values(const json& values, std::size_t count) {
  VecX x(static_cast<Eigen::Index>(count));
  for (std::size_t k = 0; k < count; ++k)
    x[static_cast<Eigen::Index>(k)] = values.at(k).get<double>();
  return x;
}

ProblemFile::Query to_query(const json& problem, std::size_t joints) {
  ProblemFile::Query query{problem.value("id", 0),
                           to_values(problem.at("start"), joints),
                           {},
                           problem.value("valid", true)};
  for (const json& goal : problem.at("goals")) query.goals.push_back(to_values(goal, joints));
  return query;
}

}  // namespace

std::optional<SceneSpec> find_robot(const std::vector<fs::path>& folders, const std::string& name) {
  for (const fs::path& folder : folders) {
    const fs::path urdf = folder / name / (name + ".urdf"), srdf = folder / name / (name + ".srdf");
    if (!fs::exists(urdf)) continue;
    UrdfOptions options;
    options.meshes = UrdfMeshes::collision;
    SceneSpec robot = take(load_urdf(urdf, options));
    if (!fs::exists(srdf)) return robot;
    const Result<void> applied = load_srdf(srdf, robot);
    if (!applied) throw std::runtime_error(to_text(applied.error()));
    return robot;
  }
  return std::nullopt;
}

ProblemFile load_problems(const fs::path& file) try {
  std::ifstream in(file);
  const json all = json::parse(in);
  ProblemFile problems;
  problems.robot = all.at("robot").get<std::string>();
  problems.scene_class = all.at("scene_class").get<std::string>();
  problems.joints = all.at("joint_names").get<std::vector<std::string>>();
  const json held = all.value("fixed_joints", json::object());
  for (const auto& [joint, value] : held.items())
    problems.held.emplace_back(joint, value.get<double>());
  for (const json& problem : all.at("problems")) {
    problems.obstacles.push_back(to_bodies(problem.at("obstacles")));
    problems.queries.push_back(to_query(problem, problems.joints.size()));
  }
  return problems;
} catch (const json::exception& e) {
  throw std::runtime_error(
      fmt::format("{} is no file of arm planning problems: {}", file.string(), e.what()));
}

std::vector<fs::path> list_problem_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (files.empty())
    throw std::runtime_error("there is no problem file (*.json) in " + folder.string());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<JointId> find_joints(const ProblemFile& file, const Scene& scene) {
  std::vector<JointId> found;
  for (const std::string& name : file.joints) {
    const std::optional<JointId> joint = scene.find_joint(name);
    if (!joint)
      throw std::runtime_error(
          fmt::format("robot '{}' has no joint '{}', which its problems plan", file.robot, name));
    found.push_back(*joint);
  }
  return found;
}

VecX make_rest(const ProblemFile& file, const Scene& scene) {
  VecX q = make_neutral(scene);
  for (const auto& [name, value] : file.held) {
    const std::optional<JointId> joint = scene.find_joint(name);
    if (joint && scene.joint(*joint).nq == 1) q[scene.joint(*joint).q] = value;
  }
  return q;
}

SceneSpec make_problem(const SceneSpec& robot, const std::vector<BodySpec>& obstacles) {
  SceneSpec world;
  PlaceOptions options;
  options.name = "robot";
  options.keep_names = true;
  place(world, robot, options);
  world.bodies.insert(world.bodies.end(), obstacles.begin(), obstacles.end());
  return world;
}

}  // namespace geste::bench
