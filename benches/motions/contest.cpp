#include "motions/contest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "geste/core/parallel.hpp"

#include "motions/sample_order.hpp"

namespace geste::bench {

void Tally::add(const Tally& other) {
  edges += other.edges;
  free += other.free;
  touching += other.touching;
  undecided += other.undecided;
  seconds += other.seconds;
  fcl_edges += other.fcl_edges;
  fcl_free += other.fcl_free;
  fcl_seconds += other.fcl_seconds;
  wrong += other.wrong;
  missed += other.missed;
}

std::string to_text(ConstVecRef q) {
  return fmt::format("{:.17g}", fmt::join(q.data(), q.data() + q.size(), " "));
}

Tally hold_contest(const std::string& label, const EdgeChecker& checker, FclWorld& fcl,
                   const Edges& edges, const Sampling& sampling,
                   std::vector<EdgeVerdict>& verdicts) {
  Tally tally;
  verdicts.assign(static_cast<std::size_t>(edges.count()), {});
  const EdgeChecker::MemoryPtr memory = checker.make_memory();
  const double begin = thread_seconds();
  checker.check_edges(edges, 0, verdicts, *memory);
  tally.seconds = thread_seconds() - begin;
  tally.edges = edges.count();
  for (const EdgeVerdict& v : verdicts) {
    tally.free += v.verdict == Verdict::free;
    tally.touching += v.verdict == Verdict::touches;
    tally.undecided += v.verdict == Verdict::undecided;
  }
  const std::vector<double> order = make_sample_order(sampling.steps);
  for (int k = 0; k < edges.count(); k += sampling.stride) {
    const double fcl_begin = thread_seconds();
    const std::optional<double> hit =
        fcl.find_hit(edges.q0.col(k), edges.q1.col(k), edges.course, order);
    tally.fcl_seconds += thread_seconds() - fcl_begin;
    ++tally.fcl_edges;
    tally.fcl_free += !hit;
    const bool free = verdicts[static_cast<std::size_t>(k)].verdict == Verdict::free;
    tally.missed += !hit && !free;
    if (!hit || !free) continue;
    ++tally.wrong;
    std::cerr << fmt::format(
        "bench motions: {}: free, but FCL collides at {}\n  from {}\n  to {}\n", label, *hit,
        to_text(edges.q0.col(k)), to_text(edges.q1.col(k)));
  }
  return tally;
}

void require_same_on_threads(const std::string& label, const EdgeChecker& checker,
                             const Edges& edges) {
  // Blocks are fixed; which thread takes which, and what it checked before, is chance.
  constexpr int kBlock = 8;
  const int blocks = (edges.count() + kBlock - 1) / kBlock;
  std::vector<EdgeVerdict> first;
  for (int threads : {1, 2, 4}) {
    std::vector<EdgeVerdict> verdicts(static_cast<std::size_t>(edges.count()));
    parallel_for_scratch(
        static_cast<std::size_t>(blocks), threads, [&] { return checker.make_memory(); },
        [&](std::size_t block, EdgeChecker::MemoryPtr& memory) {
          const int begin = static_cast<int>(block) * kBlock;
          const int count = std::min(kBlock, edges.count() - begin);
          checker.check_edges(edges, begin,
                              std::span(verdicts).subspan(static_cast<std::size_t>(begin),
                                                          static_cast<std::size_t>(count)),
                              *memory);
        });
    if (first.empty()) first = verdicts;
    if (verdicts != first)
      throw std::runtime_error(fmt::format("{}: answers on {} threads differ", label, threads));
  }
}

void add_rows(Report& report, const std::string& name, const std::string& kind, const Tally& tally,
              const std::string& how) {
  if (tally.edges == 0) return;
  const double n = static_cast<double>(tally.edges);
  const std::string counted =
      fmt::format("{}; {} edges, FCL {} of them, {} free; 1 thread, CPU time", how, tally.edges,
                  tally.fcl_edges, tally.fcl_free);
  const auto add = [&](const char* metric, const char* unit, bool lower, double value,
                       std::vector<std::pair<std::string, double>> peers = {}) {
    report.rows.push_back(
        {name, kind + " " + metric, unit, lower, value, std::move(peers), counted});
  };
  add("edges", "1/s", false, tally.rate(), {{"fcl", tally.fcl_rate()}});
  add("proven free", "share", false, static_cast<double>(tally.free) / n);
  add("refuted", "share", false, static_cast<double>(tally.touching) / n);
  add("undecided", "share", true, static_cast<double>(tally.undecided) / n);
  add("free, FCL collides", "edges", true, static_cast<double>(tally.wrong));
  add("not free, FCL saw nothing", "edges", false, static_cast<double>(tally.missed));
}

}  // namespace geste::bench
