#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "geste/formats/load_asset.hpp"

#include "common/take.hpp"
#include "motions/suite.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHow =
    "screws of one body length of a part among the rest of its assembly (1 m long), from random "
    "free poses; FCL every 1 % of the body's length, the end first, then by halves";
constexpr const char* kHowNear =
    "the same from free poses 1 to 5 % of the body's length from another part";

/// The parts of an assembly where they stand, the whole scaled to a length of 1 m: the files do not
/// say their unit.
std::vector<MeshShape> load_parts(const fs::path& file) {
  const Asset asset = take(load_asset(file));
  const double unit = 1 / compute_box(asset).extent();
  std::vector<MeshShape> parts;
  for (const AssetInstance& i : asset.instances) {
    const TriangleMesh& mesh = *asset.meshes[static_cast<std::size_t>(i.mesh)].mesh;
    if (mesh.triangles.empty()) continue;
    parts.push_back(
        std::make_shared<const TriangleMesh>(transformed(mesh, unit * i.A, unit * i.t)));
  }
  return parts;
}

double measure_length(const MeshShape& part) { return compute_box(*part).size().norm(); }

/// Indices of `count` parts from small to large, none of them as large as half of the whole.
std::vector<std::size_t> choose_movers(const std::vector<MeshShape>& parts, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (measure_length(parts[i]) < 0.5) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return measure_length(parts[a]) < measure_length(parts[b]);
  });
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count && !order.empty(); ++i)
    chosen.push_back(order[(order.size() - 1) * (i + 1) / count]);
  return chosen;
}

/// Part `mover` is free, with its origin in the middle of it; the others stand.
SceneSpec make_assembly(const std::vector<MeshShape>& parts, std::size_t mover) {
  SceneSpec spec;
  AxisBox whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const AxisBox box = compute_box(*parts[i]);
    whole.add(box);
    BodySpec body{i == mover ? "mover" : fmt::format("part{}", i)};
    GeometrySpec geometry;
    geometry.shape = parts[i];
    if (i == mover) geometry.X_BG = Pose::translation(-box.centre());
    body.geometry.push_back(std::move(geometry));
    spec.bodies.push_back(std::move(body));
  }
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::free;
  joint.child = "mover";
  joint.limits.resize(6);
  const double room = measure_length(parts[mover]);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    joint.limits[k].lower = whole.min[axis] - room;
    joint.limits[k].upper = whole.max[axis] + room;
  }
  spec.joints.push_back(std::move(joint));
  return spec;
}

class BodyBench {
 public:
  BodyBench(const MotionsOptions& options, Totals& totals) : options_(options), totals_(totals) {}

  void measure(const fs::path& file) {
    const std::string name = file.stem().string();
    const std::vector<MeshShape> parts = load_parts(file);
    std::optional<Arena> arena;
    Tally random, near;
    for (std::size_t mover : choose_movers(parts, options_.is_quick() ? 1 : 3)) {
      const double length = measure_length(parts[mover]);
      const std::string label = fmt::format("{} part {}", name, mover);
      std::cerr << fmt::format("bench motions: {}, {:.3f} m long, {} triangles\n", label, length,
                               parts[mover]->triangles.size());
      CollisionOptions collision;
      // An arc may leave the limits that its ends keep.
      collision.use_reach = false;
      arena = make_arena(make_assembly(parts, mover), collision, 0.05 * length,
                         arena ? &*arena : nullptr);
      measure_part(label, *arena, length, random, near);
    }
    add_rows(totals_.report, name, "random", random, kHow);
    add_rows(totals_.report, name, "near", near, kHowNear);
    all_.add(random);
    all_.add(near);
  }

  void finish() {
    if (all_.edges == 0) return;
    totals_.all.add(all_);
    totals_.report.summary.emplace_back("ratio_fcl_bodies", all_.ratio());
  }

 private:
  void measure_part(const std::string& label, const Arena& arena, double length, Tally& random,
                    Tally& near) {
    const std::vector<JointId> joints{*arena.scene.find_joint("free")};
    const EdgeChecker checker(arena.scene, arena.model);
    FclWorld fcl(arena.scene, arena.model, shapes_);
    EdgeSource source(arena, joints, make_neutral(arena.scene), Rng(29));
    fcl.choose_broad(source.draw(50));
    const Way way = make_screw_way(arena.scene, joints.front(), length);
    const int count = std::max(options_.few_edges() / 2, 4);
    for (bool close : {false, true}) {
      Edges edges = source.draw_edges(count, close, way);
      edges.course = Course::screw;
      require_same_on_threads(label, checker, edges);
      totals_.same_on_threads += edges.count();
      std::vector<EdgeVerdict> verdicts;
      (close ? near : random)
          .add(hold_contest(label, checker, fcl, edges, {100, options_.stride()}, verdicts));
    }
  }

  const MotionsOptions& options_;
  Totals& totals_;
  FclShapes shapes_;
  Tally all_;
};

}  // namespace

void measure_bodies(const MotionsOptions& options, Totals& totals) {
  std::vector<fs::path> files;
  if (fs::is_directory(options.cad / "gltf")) {
    for (const auto& entry : fs::directory_iterator(options.cad / "gltf")) {
      if (entry.path().extension() == ".glb") files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    std::cerr << fmt::format(
        "bench motions: no assemblies (gltf/*.glb) in {}: free bodies skipped\n",
        options.cad.string());
    return;
  }
  std::sort(files.begin(), files.end());
  if (options.is_quick()) files.resize(1);
  BodyBench bench(options, totals);
  for (const fs::path& file : files) bench.measure(file);
  bench.finish();
}

}  // namespace geste::bench
