#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kinematics/loaders.hpp"
#include "kinematics/mechanisms.hpp"

// Forward kinematics and all-link Jacobians for real robots and a large tree, and the throughput of
// the mesh readers. MuJoCo and assimp run beside geste on the same input. Figures of one machine
// say nothing about another: compare ratios within one run.

namespace {

using namespace geste;
using namespace geste::bench;

constexpr const char* kHow =
    "1 thread, CPU time, median of 31 batches over 256 random configurations";

/// Calls `f` with the next configuration each time.
template <class F>
auto walk(const std::vector<VecX>& configurations, F f) {
  return [&configurations, f, i = std::size_t{0}]() mutable {
    f(configurations[i++ % configurations.size()]);
  };
}

void measure_mechanism(const std::string& name, const Scene& scene, Report& report) {
  const std::vector<VecX> configurations = sample_configurations(scene, 256);
  Workspace w(scene);
  MujocoPeer peer(scene);
  compute_kinematics(scene, configurations[3], w);
  peer.run(configurations[3]);
  if (const double gap = peer.compare(scene, w); gap > 1e-9)
    throw std::runtime_error(fmt::format("{}: the peer disagrees by {} m", name, gap));

  const double fk =
      1e6 *
      measure_median(walk(configurations, [&](const VecX& q) { compute_kinematics(scene, q, w); }));
  const double fk_peer =
      1e6 * measure_median(walk(configurations, [&](const VecX& q) { peer.run(q); }));
  const double jacobians = 1e6 * measure_median(walk(configurations, [&](const VecX& q) {
                             compute_kinematics(scene, q, w);
                             compute_joint_columns(scene, w);
                           }));
  const double jacobians_peer =
      1e6 * measure_median(walk(configurations, [&](const VecX& q) { peer.run_with_columns(q); }));
  report.rows.push_back({name, "forward kinematics", "us", true, fk, {{"mujoco", fk_peer}}, kHow});
  report.rows.push_back({name,
                         "kinematics + all Jacobians",
                         "us",
                         true,
                         jacobians,
                         {{"mujoco", jacobians_peer}},
                         kHow});
  report.summary.emplace_back("fk_us_" + name, fk);
  report.summary.emplace_back("jacobians_us_" + name, jacobians);
}

int run(int argc, char** argv) {
  CLI::App app{"Kinematics and loaders, beside MuJoCo and assimp"};
  std::string data, json;
  app.add_option("--data", data, "folder with the robots panda, talos, tiago")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", json, "file for the report");
  CLI11_PARSE(app, argc, argv);

  Report report;
  report.suite = "kinematics";
  const std::filesystem::path robots(data);
  measure_mechanism("panda", load_robot(robots / "panda/panda.urdf", JointType::fixed), report);
  measure_mechanism("talos", load_robot(robots / "talos/talos.urdf", JointType::free), report);
  measure_mechanism("tiago", load_robot(robots / "tiago/tiago.urdf", JointType::fixed), report);
  measure_mechanism("tree160", make_tree160(), report);
  measure_loaders(report);
  publish(report, json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_suite("kinematics", run, argc, argv); }
