#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "geste/core/files.hpp"
#include "geste/geometry/collision_line.hpp"

#include "common/report.hpp"
#include "proximity/fcl_peer.hpp"
#include "proximity/meshes.hpp"

// Mesh queries beside FCL on the same poses, one sweep, no hints from pose to pose: robot links
// near and about CAD assemblies and a plant, the small puzzles, building, and how cost grows with
// the plant. Answers are compared as they are measured.

namespace {

using namespace geste;
using namespace geste::bench;

constexpr const char* kHow = "1 thread, CPU time, mean of one sweep over the poses, no hints";

class Suite {
 public:
  explicit Suite(int poses) : poses_(poses) {}

  void measure(const MeshCase& c, const std::string& size) {
    std::cerr << "bench proximity: " << c.name << "\n";
    const double t0 = thread_seconds();
    const MeshTree a(c.a), b(c.b);
    const double t1 = thread_seconds();
    const FclMesh fcl_a(*c.a), fcl_b(*c.b);
    const double t2 = thread_seconds();
    add(c.name, "build", "ms", 1e3 * (t1 - t0), 1e3 * (t2 - t1), "build_ratio");
    bytes_ += static_cast<double>(a.bytes() + b.bytes());
    triangles_ += static_cast<double>(c.a->triangles.size() + c.b->triangles.size());
    for (const bool near : {true, false}) {
      const std::vector<Pose> poses = sample_poses(a, b, near, poses_, Rng(17));
      const std::string where = near ? "near" : "random";
      measure_touch(c.name, where, size, a, b, fcl_a, fcl_b, poses);
    }
  }

  void measure_growth(const MeshShape& link) {
    const MeshTree a(link);
    for (std::size_t facets = 300'000; facets <= 2'400'000; facets *= 2) {
      const MeshTree b(make_plant(facets));
      QueryScratch scratch;
      const std::vector<Pose> poses = sample_poses(a, b, true, poses_, Rng(18));
      const double t0 = thread_seconds();
      for (const Pose& X : poses) (void)touches(b, a, X, scratch);
      const double t1 = thread_seconds();
      for (const Pose& X : poses) (void)compute_distance(b, a, X, scratch);
      const double t2 = thread_seconds();
      const std::string name = fmt::format("plant {}", b.mesh().triangles.size());
      const double n = static_cast<double>(poses.size());
      report_.rows.push_back({name, "touch near", "us", true, 1e6 * (t1 - t0) / n, {}, kHow});
      report_.rows.push_back({name, "distance near", "us", true, 1e6 * (t2 - t1) / n, {}, kHow});
    }
  }

  Report finish() {
    report_.suite = "proximity";
    for (auto& [key, ratios] : ratios_) {
      std::nth_element(ratios.begin(), ratios.begin() + static_cast<long>(ratios.size() / 2),
                       ratios.end());
      report_.summary.emplace_back(key, ratios[ratios.size() / 2]);
    }
    report_.summary.emplace_back("bytes_per_triangle", bytes_ / triangles_);
    report_.summary.emplace_back("disagreements", disagreements_);
    return std::move(report_);
  }

 private:
  void add(const std::string& name, const std::string& metric, const char* unit, double geste,
           double fcl, const std::string& key) {
    report_.rows.push_back({name, metric, unit, true, geste, {{"fcl", fcl}}, kHow});
    if (!key.empty()) ratios_[key].push_back(fcl / geste);
  }

  void measure_touch(const std::string& name, const std::string& where, const std::string& size,
                     const MeshTree& a, const MeshTree& b, const FclMesh& fcl_a,
                     const FclMesh& fcl_b, const std::vector<Pose>& poses) {
    QueryScratch scratch;
    std::vector<fcl::Transform3d> transforms;
    for (const Pose& X : poses) transforms.push_back(to_fcl(X));
    const auto n = poses.size();
    std::vector<char> hit(n), fcl_hit(n);
    const double t0 = thread_seconds();
    for (std::size_t i = 0; i < n; ++i) hit[i] = touches(b, a, poses[i], scratch);
    const double t1 = thread_seconds();
    for (std::size_t i = 0; i < n; ++i) fcl_hit[i] = fcl_b.touches(fcl_a, transforms[i]);
    const double t2 = thread_seconds();
    std::vector<std::size_t> free, touching;
    for (std::size_t i = 0; i < n; ++i) (hit[i] ? touching : free).push_back(i);
    for (std::size_t i = 0; i < n; ++i) disagreements_ += hit[i] != fcl_hit[i];
    const double us = 1e6 / static_cast<double>(n);
    // The small pairs have one figure over all poses.
    const std::string key = size == "small" ? "small" : where + "_large";
    add(name, "touch " + where, "us", us * (t1 - t0), us * (t2 - t1), "touch_" + key);
    measure_distance(name, where, key, a, b, fcl_a, fcl_b, poses, transforms, free);
    if (where == "near" && size == "large")
      measure_line(name, a, b, fcl_a, fcl_b, poses, transforms, touching);
  }

  void measure_distance(const std::string& name, const std::string& where, const std::string& key,
                        const MeshTree& a, const MeshTree& b, const FclMesh& fcl_a,
                        const FclMesh& fcl_b, const std::vector<Pose>& poses,
                        const std::vector<fcl::Transform3d>& transforms,
                        const std::vector<std::size_t>& free) {
    if (free.size() < 10) return;
    QueryScratch scratch;
    std::vector<double> found;
    const double t0 = thread_seconds();
    for (std::size_t i : free) found.push_back(compute_distance(b, a, poses[i], scratch).distance);
    const double t1 = thread_seconds();
    std::vector<double> peer;
    for (std::size_t i : free) peer.push_back(fcl_b.distance(fcl_a, transforms[i]));
    const double t2 = thread_seconds();
    for (std::size_t k = 0; k < found.size(); ++k)
      disagreements_ += std::abs(found[k] - peer[k]) > 1e-9 * (1 + found[k]);
    const double us = 1e6 / static_cast<double>(free.size());
    add(name, "distance " + where, "us", us * (t1 - t0), us * (t2 - t1), "distance_" + key);
  }

  void measure_line(const std::string& name, const MeshTree& a, const MeshTree& b,
                    const FclMesh& fcl_a, const FclMesh& fcl_b, const std::vector<Pose>& poses,
                    const std::vector<fcl::Transform3d>& transforms,
                    const std::vector<std::size_t>& touching) {
    if (touching.size() < 10) return;
    QueryScratch scratch;
    CollisionLine line;
    const double t0 = thread_seconds();
    for (std::size_t i : touching) compute_collision_line(b, a, poses[i], scratch, line);
    const double t1 = thread_seconds();
    std::size_t contacts = 0;
    for (std::size_t i : touching) contacts += fcl_b.count_contacts(fcl_a, transforms[i]);
    const double t2 = thread_seconds();
    const double us = 1e6 / static_cast<double>(touching.size());
    add(name, "contacts and collision line", "us", us * (t1 - t0), us * (t2 - t1), "line_large");
    if (contacts == 0) throw std::runtime_error(name + ": the peer finds no contact");
  }

  int poses_;
  Report report_;
  std::map<std::string, std::vector<double>> ratios_;
  double bytes_ = 0;
  double triangles_ = 0;
  double disagreements_ = 0;
};

int run(int argc, char** argv) {
  CLI::App app{"Mesh queries beside FCL"};
  std::string data, json;
  int poses = 300;
  app.add_option("--data", data, "folder with robots, cad/gltf and rigid")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", json, "file for the report");
  app.add_option("--poses", poses, "poses per pair and kind")->check(CLI::Range(20, 1'000'000));
  CLI11_PARSE(app, argc, argv);

  Suite suite(poses);
  const std::vector<MeshCase> large = find_large_cases(data);
  for (const MeshCase& c : large) suite.measure(c, "large");
  for (const MeshCase& c : find_small_cases(data)) suite.measure(c, "small");
  suite.measure_growth(large.front().a);
  const Report report = suite.finish();
  std::cout << make_table(report);
  if (json.empty()) return 0;
  const Result<void> written = write_file_atomically(json, make_json(report));
  if (!written) throw std::runtime_error(to_text(written.error()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "bench proximity: " << e.what() << "\n";
    return 1;
  }
}
