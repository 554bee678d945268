#include "geste/proximity/fast_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"

namespace geste {
namespace {

constexpr int kEdges = 200;
constexpr int kTries = 20 * kEdges;
/// Below this planning takes several times as long as it would.
constexpr double kSlow = 0.7;

/// Ends of edges, one per column.
struct Ends {
  MatX q0, q1;
};

Ends draw_edges(const Scene& scene, const Validator& validator, std::span<const JointId> joints,
                VecX q) {
  Ends ends{MatX(scene.nq(), kEdges), MatX(scene.nq(), kEdges)};
  const Result<ConfigurationSampler> sampler = ConfigurationSampler::make(scene, joints);
  Validator::Memory memory(validator);
  Workspace workspace(scene);
  Rng rng(1);
  VecX v = VecX::Zero(scene.nv()), q1 = q;
  int found = 0;
  for (int tries = 0; sampler && found < kEdges && tries < kTries; ++tries) {
    sampler->sample(rng, q);
    for (const JointId id : joints) {
      const Joint& joint = scene.joint(id);
      for (int k = 0; k < joint.nv; ++k) v[joint.v + k] = rng.normal();
    }
    integrate(scene, q, v / v.norm(), q1);
    ConfigurationAnswer begin;
    if (!is_within_limits(scene, q1) || !compute_dependents(scene, q1, workspace) ||
        !compute_dependents(scene, q, workspace))
      continue;
    validator.check(q, {&begin, 1}, memory);
    if (!begin.is_free) continue;
    ends.q0.col(found) = q;
    ends.q1.col(found++) = q1;
  }
  ends.q0.conservativeResize(Eigen::NoChange, found);
  ends.q1.conservativeResize(Eigen::NoChange, found);
  return ends;
}

}  // namespace

FastPathReport measure_fast_path(const Scene& scene, const Validator& validator,
                                 std::span<const JointId> joints, ConstVecRef q) {
  FastPathReport report;
  if (joints.empty()) return report;
  const Ends ends = draw_edges(scene, validator, joints, q);
  const EdgeTrace trace = validator.trace_edges(ends.q0, ends.q1, Course::straight);
  report.edges = static_cast<int>(trace.edges);
  if (trace.edges == 0) return report;
  report.fraction = 1 - static_cast<double>(trace.exact) / static_cast<double>(trace.edges);
  std::map<std::pair<BodyId, BodyId>, long> by_body;
  long all = 0;
  for (const auto& [pair, count] : trace.sweeps) {
    const auto& objects = validator.model().objects();
    const BodyId a = objects[static_cast<std::size_t>(pair.first)].body,
                 b = objects[static_cast<std::size_t>(pair.second)].body;
    by_body[std::minmax(a, b)] += count;
    all += count;
  }
  for (const auto& [pair, count] : by_body)
    report.costliest.push_back(
        {pair.first, pair.second, static_cast<double>(count) / static_cast<double>(all)});
  std::stable_sort(report.costliest.begin(), report.costliest.end(),
                   [](const auto& x, const auto& y) { return x.fraction > y.fraction; });
  if (report.costliest.size() > 3) report.costliest.resize(3);
  return report;
}

std::string to_text(const Scene& scene, const FastPathReport& report) {
  std::string text =
      fmt::format("the fast stages of collision checking decide {:.0f} % of random motions",
                  100 * report.fraction);
  for (std::size_t k = 0; k < report.costliest.size(); ++k) {
    const FastPathReport::Pair& p = report.costliest[k];
    text += fmt::format("{}{} - {} ({:.0f} %)", k == 0 ? "; most exact work: " : ", ",
                        scene.body(p.a).name, scene.body(p.b).name, 100 * p.fraction);
  }
  return text;
}

std::optional<Note> explain_slow_path(const Scene& scene, const FastPathReport& report) {
  if (report.edges == 0 || report.fraction >= kSlow) return std::nullopt;
  return Note{.code = "collision.slow_pairs",
              .message = to_text(scene, report),
              .remedy = "allow pairs that may touch, or give these links simpler collision shapes"};
}

}  // namespace geste
