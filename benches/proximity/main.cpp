#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "geste/geometry/collision_line.hpp"

#include "common/report.hpp"
#include "proximity/agreement.hpp"
#include "proximity/fcl_peer.hpp"
#include "proximity/meshes.hpp"

// Mesh queries beside FCL on the same poses, one sweep, no hints from pose to pose: robot links
// near and about CAD assemblies and a plant, the small puzzles, building, and how cost grows with
// the plant. Answers are compared as they are measured.

namespace {

using namespace geste;
using namespace geste::bench;

constexpr const char* kHow = "1 thread, CPU time, mean of one sweep over the poses, no hints";

/// Both libraries' view of one pair, and the poses it is asked at.
struct Contest {
  explicit Contest(const MeshCase& c)
      : name(c.name),
        begin(thread_seconds()),
        a(c.a),
        b(c.b),
        middle(thread_seconds()),
        fcl_a(*c.a),
        fcl_b(*c.b),
        end(thread_seconds()) {}

  void set_poses(std::vector<Pose> poses) {
    X_BA = std::move(poses);
    fcl_X_BA.clear();
    for (const Pose& X : X_BA) fcl_X_BA.push_back(to_fcl(X));
  }

  std::string name;
  double begin;
  MeshTree a;
  MeshTree b;
  double middle;
  FclMesh fcl_a;
  FclMesh fcl_b;
  double end;
  std::vector<Pose> X_BA;
  std::vector<fcl::Transform3d> fcl_X_BA;
};

class Suite {
 public:
  explicit Suite(int poses) : poses_(poses) {}

  void measure(const MeshCase& c, const std::string& size) {
    std::cerr << "bench proximity: " << c.name << "\n";
    Contest contest(c);
    add(c.name, "build", "ms", 1e3 * (contest.middle - contest.begin),
        1e3 * (contest.end - contest.middle), "build_ratio");
    bytes_ += static_cast<double>(contest.a.bytes() + contest.b.bytes());
    triangles_ += static_cast<double>(c.a->triangles.size() + c.b->triangles.size());
    for (const std::string where : {"near", "random"}) {
      contest.set_poses(sample_poses(contest.a, contest.b, where == "near", poses_, Rng(17)));
      // The small pairs have one figure over all poses.
      const std::string key = size == "small" ? "small" : where + "_large";
      std::vector<std::size_t> free, touching;
      measure_touch(contest, where, key, free, touching);
      measure_distance(contest, where, key, free);
      if (key == "near_large") measure_line(contest, touching);
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

  void measure_touch(const Contest& c, const std::string& where, const std::string& key,
                     std::vector<std::size_t>& free, std::vector<std::size_t>& touching) {
    QueryScratch scratch;
    const std::size_t n = c.X_BA.size();
    std::vector<char> hit(n), fcl_hit(n);
    const double t0 = thread_seconds();
    for (std::size_t i = 0; i < n; ++i) hit[i] = touches(c.b, c.a, c.X_BA[i], scratch);
    const double t1 = thread_seconds();
    for (std::size_t i = 0; i < n; ++i) fcl_hit[i] = c.fcl_b.touches(c.fcl_a, c.fcl_X_BA[i]);
    const double t2 = thread_seconds();
    for (std::size_t i = 0; i < n; ++i) {
      (hit[i] ? touching : free).push_back(i);
      disagreements_ += hit[i] != fcl_hit[i];
    }
    const double us = 1e6 / static_cast<double>(n);
    add(c.name, "touch " + where, "us", us * (t1 - t0), us * (t2 - t1), "touch_" + key);
  }

  void measure_distance(const Contest& c, const std::string& where, const std::string& key,
                        const std::vector<std::size_t>& free) {
    if (free.size() < 10) return;
    QueryScratch scratch;
    std::vector<double> found, peer;
    const double t0 = thread_seconds();
    for (std::size_t i : free)
      found.push_back(compute_distance(c.b, c.a, c.X_BA[i], scratch).distance);
    const double t1 = thread_seconds();
    for (std::size_t i : free) peer.push_back(c.fcl_b.distance(c.fcl_a, c.fcl_X_BA[i]));
    const double t2 = thread_seconds();
    for (std::size_t k = 0; k < found.size(); ++k)
      disagreements_ += std::abs(found[k] - peer[k]) > 1e-9 * (1 + found[k]);
    const double us = 1e6 / static_cast<double>(free.size());
    add(c.name, "distance " + where, "us", us * (t1 - t0), us * (t2 - t1), "distance_" + key);
  }

  void measure_line(const Contest& c, const std::vector<std::size_t>& touching) {
    if (touching.size() < 10) return;
    QueryScratch scratch;
    CollisionLine line;
    const double t0 = thread_seconds();
    for (std::size_t i : touching) compute_collision_line(c.b, c.a, c.X_BA[i], scratch, line);
    const double t1 = thread_seconds();
    std::size_t contacts = 0;
    for (std::size_t i : touching) contacts += c.fcl_b.count_contacts(c.fcl_a, c.fcl_X_BA[i]);
    const double t2 = thread_seconds();
    if (contacts == 0) throw std::runtime_error(c.name + ": the peer finds no contact");
    const double us = 1e6 / static_cast<double>(touching.size());
    add(c.name, "contacts and collision line", "us", us * (t1 - t0), us * (t2 - t1), "line_large");
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
  long agree = 0;
  app.add_option("--data", data, "folder with robots, cad/gltf and rigid")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", json, "file for the report");
  app.add_option("--poses", poses, "poses per pair and kind")->check(CLI::Range(20, 1'000'000));
  app.add_option("--agree", agree, "only compare answers on touching with FCL's, at so many poses");
  CLI11_PARSE(app, argc, argv);

  if (agree > 0) {
    std::vector<MeshCase> cases = find_large_cases(data);
    for (MeshCase& c : find_small_cases(data)) cases.push_back(std::move(c));
    return compare_touch(cases, agree) == 0 ? 0 : 1;
  }
  Suite suite(poses);
  const std::vector<MeshCase> large = find_large_cases(data);
  for (const MeshCase& c : large) suite.measure(c, "large");
  for (const MeshCase& c : find_small_cases(data)) suite.measure(c, "small");
  suite.measure_growth(large.front().a);
  publish(suite.finish(), json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("proximity", run, argc, argv); }
