// Scratch: which pairs cost what. Not committed.
#include <fmt/format.h>
#include <chrono>
#include <iostream>
#include "common/arm_problems.hpp"
#include "common/report.hpp"
#include "common/take.hpp"
#include "motions/arena.hpp"
#include "geste/proximity/internal/edge_checker.hpp"
using namespace geste;
using namespace geste::bench;
int main(int argc, char** argv) {
  const std::string robot_name = argv[1], cls = argv[2];
  const int edges_n = argc > 3 ? std::atoi(argv[3]) : 200, problems = argc > 4 ? std::atoi(argv[4]) : 3;
  const std::filesystem::path data = "/work/shared/data";
  const auto robot = find_robot({data / "robots"}, robot_name);
  const ProblemFile file = load_problems(data / "mbm" / (robot_name + "_" + cls + ".json"));
  std::optional<Arena> arena;
  LaneStore store;
  double check = 0; long edges_total = 0, exact = 0, free = 0;
  std::map<std::pair<std::string, std::string>, long> sweeps;
  for (int i = 0; i < problems; ++i) {
    std::optional<Arena> next = make_arena(make_problem(*robot, file.obstacles[(std::size_t)i]), {}, 0.05, arena ? &*arena : nullptr);
    std::swap(arena, next);
    const double t0 = thread_seconds();
    ValidatorScene world{arena->scene, arena->model, {}, store, ProofScene(arena->scene, arena->model), LaneModel(), std::nullopt};
    world.lanes = make_lane_model(world.proof, world.store, 1);
    store = world.store;
    const double t1 = thread_seconds();
    fmt::print("validator {} made in {:.3f} s, {} tables\n", i, t1 - t0, world.lanes.tables.size());
    if (i == 0) for (auto& t : world.lanes.tables) {
      const auto name = [&](int o) { return arena->scene.body(arena->model.objects()[(std::size_t)o].body).name; };
      fmt::print("  table {} - {}, {} pairs: free {:.5f}\n", name(t.pairs[0].a), name(t.pairs[0].b), t.pairs.size(), t.table->free_fraction());
    }
    const auto joints = find_joints(file, arena->scene);
    EdgeSource source(*arena, joints, make_rest(file, arena->scene), Rng(23).split((std::size_t)i));
    const Way way = make_straight_way(arena->scene, joints, 1);
    const Edges edges = source.draw_edges(edges_n, false, way);
    geste::EdgeChecker checker(world);
    std::vector<EdgeAnswer> answers((std::size_t)edges.count());
    const auto run = [&] { for (int k = 0; k < edges.count(); ++k) answers[(std::size_t)k] = checker.check_edge(edges.q0.col(k), edges.q1.col(k), edges.course, EdgeBegin::unknown); };
    run();
    const double t2 = thread_seconds();
    run();
    check += thread_seconds() - t2;
    for (auto& a : answers) free += a.is_free;
    EdgeTrace trace;
    checker.set_trace(&trace);
    run();
    edges_total += trace.edges; exact += trace.exact;
    for (auto& [pair, n] : trace.sweeps) {
      const auto name = [&](int o) { return arena->scene.body(arena->model.objects()[(std::size_t)o].body).name; };
      sweeps[{name(pair.first), name(pair.second)}] += n;
    }
    if (i == 0) {
      std::map<std::string, int> rules;
      for (auto& p : arena->model.list_pairs()) ++rules[to_text(p.rule)];
      for (auto& [r, n] : rules) fmt::print("{}: {}\n", r, n);
    }
  }
  fmt::print("{} edges, {} free, {:.2f} us each ({:.0f}/s); exact {:.1f} %\n", edges_total, free, 1e6 * check / edges_total, edges_total / check, 100.0 * exact / edges_total);
  std::vector<std::pair<long, std::pair<std::string, std::string>>> sorted;
  for (auto& [k, n] : sweeps) sorted.push_back({n, k});
  std::sort(sorted.rbegin(), sorted.rend());
  for (std::size_t k = 0; k < sorted.size() && k < 14; ++k) fmt::print("  {:8.2f} sweeps/edge {} - {}\n", (double)sorted[k].first / edges_total, sorted[k].second.first, sorted[k].second.second);
}
