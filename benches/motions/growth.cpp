#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "geste/core/files.hpp"

#include "common/arm_problems.hpp"
#include "common/plot.hpp"
#include "motions/suite.hpp"

namespace geste::bench {
namespace {

constexpr double kNear = 0.05;  // m
constexpr double kBlob = 0.12;  // m, radius of the places where obstacles are
constexpr int kBlobs = 10;
constexpr const char* kHow =
    "panda, edges of 1 rad at random, among the same ten places filled ever more finely; FCL every "
    "1/32 rad; 1 thread, CPU time";

Vec3 random_point(Rng& rng, double radius) {
  const Vec3 way(rng.normal(), rng.normal(), rng.normal());
  return radius * std::cbrt(rng.uniform()) * way.normalized();
}

/// Ten places around the arm, the same for all sizes.
std::vector<Vec3> make_places() {
  Rng rng(37);
  std::vector<Vec3> places;
  for (int i = 0; i < kBlobs; ++i) {
    const double angle = 6.2831853 * i / kBlobs, away = rng.uniform(0.5, 0.75);
    places.emplace_back(away * std::cos(angle), away * std::sin(angle), rng.uniform(0.1, 0.9));
  }
  return places;
}

BodySpec make_obstacle(std::size_t index, const Shape& shape, const Vec3& at) {
  BodySpec body{fmt::format("obstacle{}", index)};
  GeometrySpec geometry;
  geometry.shape = shape;
  geometry.X_BG = Pose::translation(at);
  body.geometry.push_back(std::move(geometry));
  return body;
}

/// So many boxes, cylinders and spheres; together as large whatever their number.
std::vector<BodySpec> make_primitives(std::size_t count) {
  const std::vector<Vec3> places = make_places();
  const double size = kBlob * std::cbrt(static_cast<double>(kBlobs) / static_cast<double>(count));
  const double room = kBlob - size;
  Rng rng(41);
  std::vector<BodySpec> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = places[i % kBlobs] + random_point(rng, room);
    switch (i / kBlobs % 3) {
      case 0:
        bodies.push_back(make_obstacle(i, Sphere{size}, at));
        break;
      case 1:
        bodies.push_back(make_obstacle(i, Box{Vec3::Constant(1.6 * size)}, at));
        break;
      default:
        bodies.push_back(make_obstacle(i, Cylinder{0.9 * size, 1.6 * size}, at));
    }
  }
  return bodies;
}

/// A ring with bumps, of about so many triangles.
MeshShape make_ring(std::size_t triangles) {
  const auto n =
      static_cast<std::uint32_t>(std::max(3.0, std::sqrt(0.5 * static_cast<double>(triangles))));
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const double u = 6.283185307179586 * i / n, v = 6.283185307179586 * j / n;
      const double tube = 0.3 * kBlob * (1 + 0.2 * std::sin(7 * u) * std::cos(5 * v));
      const double away = 0.65 * kBlob + tube * std::cos(v);
      mesh.vertices.emplace_back(away * std::cos(u), away * std::sin(u), tube * std::sin(v));
      const std::uint32_t a = i * n + j, b = (i + 1) % n * n + j, c = (i + 1) % n * n + (j + 1) % n,
                          d = i * n + (j + 1) % n;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

std::vector<BodySpec> make_rings(std::size_t triangles) {
  const MeshShape ring = make_ring(triangles / kBlobs);
  std::vector<BodySpec> bodies;
  for (const Vec3& at : make_places()) bodies.push_back(make_obstacle(bodies.size(), ring, at));
  return bodies;
}

class GrowthBench {
 public:
  GrowthBench(const MotionsOptions& options, Totals& totals, const SceneSpec& robot)
      : options_(options), totals_(totals), robot_(robot) {}

  void measure(const std::string& what, std::size_t smallest, std::size_t largest,
               std::vector<BodySpec> (*make)(std::size_t)) {
    Curve geste{what, {}, {}}, fcl{what + ", FCL", {}, {}};
    for (std::size_t size = smallest; size <= largest; size *= 10) {
      std::cerr << fmt::format("bench motions: panda among {} {}\n", size, what);
      const Tally tally = contest(fmt::format("{} {}", size, what), make(size));
      if (tally.edges == 0) continue;
      geste.sizes.push_back(static_cast<double>(size));
      geste.values.push_back(1e6 / tally.rate());
      fcl.sizes.push_back(static_cast<double>(size));
      fcl.values.push_back(1e6 / tally.fcl_rate());
      add(fmt::format("{} {}", size, what), "cost of an edge", "us", geste.values.back(),
          fcl.values.back(),
          fmt::format("; {:.0f} % free",
                      100.0 * static_cast<double>(tally.free) / static_cast<double>(tally.edges)));
    }
    const double slope = compute_slope(geste);
    add(what, "growth of cost", "slope", slope, compute_slope(fcl), "; d log cost / d log size");
    totals_.report.summary.emplace_back("growth_" + what, slope);
    curves_.push_back(std::move(geste));
    curves_.push_back(std::move(fcl));
  }

  void draw() const {
    if (options_.plot.empty()) return;
    const Result<void> written = write_file_atomically(
        options_.plot, make_plot("Edges of a Panda among growing worlds", "primitives or triangles",
                                 "us per edge", curves_));
    if (!written) throw std::runtime_error(to_text(written.error()));
  }

 private:
  Tally contest(const std::string& label, const std::vector<BodySpec>& obstacles) {
    const Arena arena = make_arena(make_problem(robot_, obstacles), CollisionOptions{}, kNear);
    std::vector<JointId> joints;
    for (std::size_t i = 0; i < arena.scene.joints().size(); ++i) {
      if (arena.scene.joints()[i].nv > 0) joints.emplace_back(i);
    }
    const EdgeChecker checker(arena.scene, arena.model);
    FclWorld fcl(arena.scene, arena.model, shapes_);
    EdgeSource source(arena, joints, make_neutral(arena.scene), Rng(43));
    fcl.choose_broad(source.draw(20));
    const Edges edges = source.draw_edges(std::max(options_.few_edges(), 10), false,
                                          make_straight_way(arena.scene, joints, 1));
    std::vector<EdgeVerdict> verdicts;
    const Tally tally = hold_contest(label, checker, fcl, edges, {32, options_.stride()}, verdicts);
    totals_.all.add(tally);
    return tally;
  }

  void add(const std::string& name, const char* metric, const char* unit, double geste, double fcl,
           const std::string& more) {
    totals_.report.rows.push_back({name, metric, unit, true, geste, {{"fcl", fcl}}, kHow + more});
  }

  const MotionsOptions& options_;
  Totals& totals_;
  const SceneSpec& robot_;
  FclShapes shapes_;
  std::vector<Curve> curves_;
};

}  // namespace

void measure_growth(const MotionsOptions& options, Totals& totals) {
  const std::optional<SceneSpec> robot = find_robot(options.robots, "panda");
  if (!robot) {
    std::cerr << "bench motions: no --robots folder has panda/panda.urdf: growth skipped\n";
    return;
  }
  GrowthBench bench(options, totals, *robot);
  bench.measure("primitives", 10, options.is_quick() ? 1000 : 10'000, make_primitives);
  bench.measure("triangles", 1000, options.is_quick() ? 10'000 : 1'000'000, make_rings);
  bench.draw();
}

}  // namespace geste::bench
