#include "rigid/problems.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "geste/formats/stl.hpp"

#include "common/take.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

VecX to_pose(const json& item) {
  const json &p = item.at("xyz"), &q = item.at("quaternion_wxyz");
  VecX x(7);
  x << p.at(0).get<double>(), p.at(1).get<double>(), p.at(2).get<double>(), q.at(1).get<double>(),
      q.at(2).get<double>(), q.at(3).get<double>(), q.at(0).get<double>();
  x.tail<4>().normalize();
  return x;
}

BodySpec make_body(const std::string& name, const fs::path& mesh) {
  const Asset asset = take(load_stl(mesh));
  BodySpec body{name};
  for (const AssetMesh& m : asset.meshes) {
    GeometrySpec geometry;
    geometry.shape = m.mesh;
    body.geometry.push_back(std::move(geometry));
  }
  return body;
}

}  // namespace

RigidProblem load_rigid(const fs::path& folder) try {
  std::ifstream in(folder / "problem.json");
  const json file = json::parse(in);
  RigidProblem problem;
  problem.name = file.value("name", folder.filename().string());
  problem.spec.bodies.push_back(
      make_body("mover", folder / file.at("robot_mesh").get<std::string>()));
  problem.spec.bodies.push_back(
      make_body("world", folder / file.at("environment_mesh").get<std::string>()));
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::free;
  joint.child = "mover";
  joint.limits.resize(6);
  for (std::size_t k = 0; k < 3; ++k) {
    joint.limits[k].lower = file.at("bounds").at("min").at(k).get<double>();
    joint.limits[k].upper = file.at("bounds").at("max").at(k).get<double>();
  }
  problem.spec.joints.push_back(std::move(joint));
  problem.start = to_pose(file.at("start"));
  problem.goal = to_pose(file.at("goal"));
  return problem;
} catch (const json::exception& e) {
  throw std::runtime_error(fmt::format("{} is no problem of rigid bodies: {}",
                                       (folder / "problem.json").string(), e.what()));
}

std::vector<RigidProblem> load_rigid_problems(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "problem.json")) folders.push_back(entry.path());
  if (folders.empty())
    throw std::runtime_error("no folder with a problem.json is in " + folder.string());
  std::sort(folders.begin(), folders.end());
  std::vector<RigidProblem> problems;
  for (const fs::path& path : folders) problems.push_back(load_rigid(path));
  return problems;
}

}  // namespace geste::bench
