#include "proximity/meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "geste/formats/load_asset.hpp"
#include "geste/geometry/generate.hpp"
#include "geste/geometry/mesh_pair.hpp"
#include "geste/math/so3.hpp"

#include "common/take.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> list(const fs::path& folder) {
  std::set<fs::path> found;
  if (!fs::is_directory(folder)) return {};
  for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path());
  return {found.begin(), found.end()};
}

bool is_mesh(const fs::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".stl" || kind == ".STL" || kind == ".obj" || kind == ".dae";
}

/// The robot's link with the most triangles.
MeshShape find_link(const fs::path& robot) {
  MeshShape best;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(robot)) {
    if (entry.is_regular_file() && is_mesh(entry.path())) files.insert(entry.path());
  }
  for (const fs::path& file : files) {
    const MeshShape mesh = load_whole(file);
    if (!best || mesh->triangles.size() > best->triangles.size()) best = mesh;
  }
  return best;
}

Mat3 random_rotation(Rng& rng) {
  const Vec3 axis(rng.normal(), rng.normal(), rng.normal());
  return so3::exp(Vec3(axis.normalized() * rng.uniform(0, 3.14)));
}

Vec3 random_surface_point(const TriangleMesh& mesh, Rng& rng) {
  const auto last = static_cast<std::int64_t>(mesh.triangles.size()) - 1;
  const Triangle& t = mesh.triangles[static_cast<std::size_t>(rng.integer(0, last))];
  double u = rng.uniform(), v = rng.uniform();
  if (u + v > 1) u = 1 - u, v = 1 - v;
  const Vec3& p = mesh.vertices[t[0]];
  return p + u * (mesh.vertices[t[1]] - p) + v * (mesh.vertices[t[2]] - p);
}

}  // namespace

MeshShape load_whole(const fs::path& file, double size) {
  const Asset asset = take(load_asset(file));
  TriangleMesh whole;
  for (const AssetInstance& i : asset.instances)
    append(whole, transformed(*asset.meshes[static_cast<std::size_t>(i.mesh)].mesh, i.A, i.t));
  const double unit =
      size > 0 ? size / compute_box(whole).size().maxCoeff() : asset.metres_per_unit;
  for (Vec3& v : whole.vertices) v *= unit;
  return std::make_shared<const TriangleMesh>(std::move(whole));
}

MeshShape make_plant(std::size_t facets) {
  WorldOptions options;
  options.facets = facets;
  const GeneratedWorld world = take(generate_world("plant", options));
  TriangleMesh whole;
  for (const GeneratedPart& part : world.parts)
    append(whole, transformed(*part.mesh, part.X_WP.R, part.X_WP.p));
  return std::make_shared<const TriangleMesh>(std::move(whole));
}

std::vector<MeshCase> find_large_cases(const fs::path& data) {
  std::vector<std::pair<std::string, MeshShape>> links;
  for (const fs::path& robot : list(data / "robots")) {
    if (!fs::is_directory(robot)) continue;
    const MeshShape link = find_link(robot);
    if (link && links.size() < 3) links.emplace_back(robot.filename().string(), link);
  }
  std::vector<MeshCase> cases;
  const auto add = [&](const std::string& name, const MeshShape& world) {
    for (const auto& [robot, link] : links)
      cases.push_back({fmt::format("{} - {}", robot, name), link, world});
  };
  for (const fs::path& file : list(data / "cad/gltf")) {
    if (file.extension() != ".glb") continue;
    constexpr double kSize = 1.5;  // m: about as large as a robot
    const MeshShape world = load_whole(file, kSize);
    if (world->triangles.size() >= 30000) add(file.stem().string(), world);
  }
  add("plant", make_plant(300'000));
  if (cases.empty())
    throw std::runtime_error("there is no robots/ or cad/gltf/ in " + data.string());
  return cases;
}

std::vector<MeshCase> find_small_cases(const fs::path& data) {
  std::vector<MeshCase> cases;
  for (const fs::path& folder : list(data / "rigid")) {
    const fs::path robot = folder / "robot.stl", world = folder / "environment.stl";
    if (!fs::exists(robot) || !fs::exists(world)) continue;
    MeshCase c{folder.filename().string(), load_whole(robot), load_whole(world)};
    if (std::max(c.a->triangles.size(), c.b->triangles.size()) < 30000) cases.push_back(c);
  }
  return cases;
}

std::vector<Pose> sample_poses(const MeshTree& a, const MeshTree& b, bool near, int count,
                               Rng rng) {
  const double size = a.box().size().norm(), world = b.box().size().norm();
  QueryScratch scratch;
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) {
    Pose X_BA(random_rotation(rng), Vec3::Zero());
    if (!near) {
      const Vec3 at =
          b.box().centre() + 0.6 * b.box().size().cwiseProduct(Vec3(
                                       rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)));
      X_BA.p = at - X_BA.R * a.box().centre();
    } else {
      const Vec3 way = Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
      X_BA.p = random_surface_point(b.mesh(), rng) - X_BA.R * random_surface_point(a.mesh(), rng) +
               (world + size) * way;
      TrianglePair hint;
      double gap = size;
      for (int step = 0; step < 500 && gap > 1e-5 * size; ++step) {
        gap = compute_distance(b, a, X_BA, scratch, &hint).distance;
        X_BA.p -= gap * way;
      }
      X_BA.p += 0.01 * size * rng.uniform(-1, 1) * way;
    }
    poses.push_back(X_BA);
  }
  return poses;
}

}  // namespace geste::bench
