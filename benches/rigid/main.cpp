#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "geste/model/configuration.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/shorten.hpp"

#include "common/ompl_peer.hpp"
#include "common/report.hpp"
#include "common/take.hpp"
#include "rigid/problems.hpp"

namespace {
using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

int run(int argc, char** argv) {
  CLI::App app{"rigid"};
  fs::path data;
  std::string only, json, peer;
  double range = 0, domain = 4, seconds = 20;
  int seeds = 3;
  app.add_option("--data", data)->required();
  app.add_option("--json", json);
  app.add_option("--only", only);
  app.add_option("--range", range);
  app.add_option("--domain", domain);
  app.add_option("--seconds", seconds);
  app.add_option("--seeds", seeds);
  app.add_option("--peer", peer);
  CLI11_PARSE(app, argc, argv);
  for (RigidProblem& rp : load_rigid_problems(data)) {
    if (rp.name.find(only) == std::string::npos) continue;
    const Scene scene = take(Scene::compile(rp.spec));
    const double t0 = thread_seconds();
    const CollisionModel model = take(CollisionModel::make(scene, {}));
    const Validator validator(scene, model);
    const JointId joint = *scene.find_joint("free");
    const PlanningSpace space =
        take(PlanningSpace::make(scene, model, {&joint, 1}, make_neutral(scene)));
    const LinearSteering steering(space);
    LocalPlanner local({space, steering, validator});
    fmt::print("{} setup {:.3f} s extent {:.2f}\n", rp.name, thread_seconds() - t0, space.extent());
    {
      Rng rng(5);
      VecX x(7), y(7);
      int free = 0;
      double t = thread_seconds();
      for (int i = 0; i < 20000; ++i) {
        space.sample(rng, x);
        free += local.is_free(x);
      }
      fmt::print("  points {:.0f}/s free {:.3f}\n", 20000 / (thread_seconds() - t), free / 20000.0);
      int n = 0, nf = 0;
      t = 0;
      for (int i = 0; i < 20000 && n < 1000; ++i) {
        space.sample(rng, x);
        if (!local.is_free(x)) continue;
        space.sample_near(x, 0.3, rng, y);
        const double b = thread_seconds();
        nf += local.is_leg_free(x, y);
        t += thread_seconds() - b;
        ++n;
      }
      fmt::print("  legs {:.0f}/s free {:.3f}\n", n / t, nf / double(n));
    }
    for (int seed = 1; seed <= seeds; ++seed) {
      if (!peer.empty()) {
        FclShapes shapes;
        FclWorld world(scene, model, shapes);
        OmplOptions o;
        o.planner = peer;
        o.seconds = seconds;
        o.seed = static_cast<std::uint32_t>(seed);
        o.resolution = 0.01;
        const OmplAnswer a = plan_with_ompl(space, {rp.start, {rp.goal}}, world, o);
        fmt::print("  {} seed {}: {} plan {:.3f} s simplify {:.3f} s\n", peer, seed, a.found,
                   a.plan_seconds, a.simplify_seconds);
      }
      Rng rng(static_cast<std::uint64_t>(seed));
      RrtConnectMemory memory(space);
      Budget budget;
      budget.deadline = make_deadline(seconds);
      const double t2 = thread_seconds();
      PlanReport r =
          plan_rrt_connect({rp.start, {rp.goal}}, {range, domain}, local, memory, budget, rng);
      const double t3 = thread_seconds();
      if (r.status == PlanStatus::found) shorten(r.path, {}, local, {}, rng);
      fmt::print(
          "  seed {}: {} {:.3f} s, shorten {:.3f} s; steps {} legs {} nodes {} + {} gap {:.3f} "
          "points {}\n",
          seed, to_text(r.status), t3 - t2, thread_seconds() - t3, r.steps, r.counts.legs,
          memory.start.size(), memory.goal.size(), r.gap, r.path.cols());
      std::fflush(stdout);
    }
  }
  return 0;
}
}  // namespace
int main(int argc, char** argv) { return run_suite("rigid", run, argc, argv); }
