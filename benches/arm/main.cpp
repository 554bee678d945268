#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>

#include "geste/model/configuration.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/shorten.hpp"

#include "common/arm_problems.hpp"
#include "common/report.hpp"
#include "common/take.hpp"

namespace {
using namespace geste;
using namespace geste::bench;
namespace fs = std::filesystem;

double median(std::vector<double> v, double p = 0.5) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[static_cast<std::size_t>(p * static_cast<double>(v.size() - 1))];
}

int run(int argc, char** argv) {
  CLI::App app{"arm"};
  fs::path data;
  std::vector<fs::path> robots;
  std::string only;
  double range = 0, domain = 4;
  int patience = 12;
  app.add_option("--data", data)->required();
  app.add_option("--robots", robots)->required();
  app.add_option("--only", only);
  app.add_option("--range", range);
  app.add_option("--domain", domain);
  app.add_option("--patience", patience);
  CLI11_PARSE(app, argc, argv);
  std::map<std::string, std::vector<double>> plans, totals, lengths;
  for (const fs::path& path : list_problem_files(data)) {
    if (path.filename().string().find(only) == std::string::npos) continue;
    const ProblemFile file = load_problems(path);
    const auto robot = find_robot(robots, file.robot);
    std::vector<double> plan, simp, total, steps, legs, len, setup;
    int solved = 0, valid = 0;
    std::optional<Validator> last;
    std::optional<CollisionModel> last_model;
    std::vector<std::unique_ptr<Scene>> keep;
    std::vector<std::unique_ptr<CollisionModel>> keep_m;
    for (std::size_t i = 0; i < file.queries.size(); ++i) {
      const auto& query = file.queries[i];
      const double t0 = thread_seconds();
      keep.push_back(
          std::make_unique<Scene>(take(Scene::compile(make_problem(*robot, file.obstacles[i])))));
      const Scene& scene = *keep.back();
      keep_m.push_back(std::make_unique<CollisionModel>(
          take(CollisionModel::make(scene, {}, keep_m.empty() ? nullptr : keep_m.back().get()))));
      const CollisionModel& model = *keep_m.back();
      Validator validator(scene, model, {}, last ? &*last : nullptr);
      const auto joints = find_joints(file, scene);
      const PlanningSpace space =
          take(PlanningSpace::make(scene, model, joints, make_rest(file, scene)));
      const LinearSteering steering(space);
      const PlanningWorld world{space, steering, validator};
      LocalPlanner local(world);
      const double t1 = thread_seconds();
      setup.push_back(t1 - t0);
      if (!local.is_free(query.start) || !local.is_free(query.goals[0])) {
        last = std::move(validator);
        continue;
      }
      ++valid;
      for (int seed = 1; seed <= 3; ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed));
        RrtConnectMemory memory(space);
        const double t2 = thread_seconds();
        PlanReport r = plan_rrt_connect({query.start, query.goals}, {range, domain}, local, memory,
                                        Budget::steps(100000), rng);
        const double t3 = thread_seconds();
        if (r.status != PlanStatus::found) {
          fmt::print("{} {} {}\n", path.filename().string(), query.id, to_text(r.status));
          continue;
        }
        ++solved;
        shorten(r.path, {patience}, local, {}, rng);
        const double t4 = thread_seconds();
        plan.push_back(1e6 * (t3 - t2));
        simp.push_back(1e6 * (t4 - t3));
        total.push_back(1e6 * (t4 - t2));
        steps.push_back(static_cast<double>(r.steps));
        legs.push_back(static_cast<double>(r.counts.legs));
        len.push_back(measure_length(space, r.path));
      }
      last = std::move(validator);
    }
    fmt::print(
        "{:32} {}/{} plan {:.0f} p95 {:.0f} mean {:.0f} simp {:.0f} total {:.0f} p95 {:.0f} us; "
        "steps {:.0f} legs {:.0f} len {:.2f} setup {:.4f}s max {:.4f}\n",
        path.filename().string(), solved, 3 * valid, median(plan), median(plan, .95),
        std::accumulate(plan.begin(), plan.end(), 0.0) / plan.size(), median(simp), median(total),
        median(total, .95), median(steps), median(legs), median(len), median(setup),
        median(setup, 1));
    auto& p = plans[file.robot];
    p.insert(p.end(), plan.begin(), plan.end());
    auto& t = totals[file.robot];
    t.insert(t.end(), total.begin(), total.end());
    auto& l = lengths[file.robot];
    l.insert(l.end(), len.begin(), len.end());
  }
  for (auto& [name, p] : plans)
    fmt::print("{} plan median {:.0f} p95 {:.0f}  total median {:.0f} p95 {:.0f} length {:.3f}\n",
               name, median(p), median(p, .95), median(totals[name]), median(totals[name], .95),
               median(lengths[name]));
  return 0;
}
}  // namespace
int main(int argc, char** argv) { return run_suite("arm", run, argc, argv); }
