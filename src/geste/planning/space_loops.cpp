#include "geste/planning/internal/space_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/core/quantity.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mover_chain.hpp"

namespace geste::internal {
namespace {

/// Open by more than this, m and rad: provers ask as much of equations that no joint answers to.
constexpr double kOpen = 1e-8;

bool contains(std::span<const JointId> joints, JointId joint) {
  return std::find(joints.begin(), joints.end(), joint) != joints.end();
}

/// Whether a joint is one of these, or follows one of them.
bool is_led(const Scene& scene, JointId joint, std::span<const JointId> joints) {
  const auto leads = [&](JointId leader) { return is_led(scene, leader, joints); };
  for (const Follower& f : scene.followers())
    if (f.joint == joint) return std::any_of(f.leaders.begin(), f.leaders.end(), leads);
  for (const ExplicitLoop& l : scene.explicit_loops())
    if (contains(l.dependent, joint)) return std::any_of(l.leading.begin(), l.leading.end(), leads);
  return contains(joints, joint);
}

bool is_moved(const Scene& scene, const Loop& loop, std::span<const JointId> joints) {
  const auto mover_of = [&](BodyId id) { return id.valid() ? scene.body(id).mover : 0; };
  bool found = std::any_of(loop.joints.begin(), loop.joints.end(),
                           [&](JointId joint) { return contains(joints, joint); });
  climb_to_common(scene.movers(), mover_of(loop.body_a), mover_of(loop.body_b), [&](int m, bool) {
    found = found || is_led(scene, scene.movers()[at(m)].joint, joints);
  });
  return found;
}

}  // namespace

bool moves_loops(const Scene& scene, std::span<const JointId> joints) {
  return std::any_of(scene.loops().begin(), scene.loops().end(),
                     [&](const Loop& loop) { return is_moved(scene, loop, joints); });
}

std::vector<Diagnostic> find_open_loops(const Scene& scene, ConstVecRef rest) {
  std::vector<Diagnostic> faults;
  if (scene.loops().empty()) return faults;
  VecX q = rest;
  Workspace workspace(scene);
  // What formulas cannot close is found by whoever checks the start.
  static_cast<void>(compute_dependents(scene, q, workspace));
  for (const Loop& loop : scene.loops()) {
    const double residual = compute_loop_residual(scene, workspace, loop);
    if (residual <= kOpen) continue;
    VecX closed = q;
    Workspace other(scene);
    const bool can_close = project_to_loops(scene, closed, other).closed;
    faults.push_back({.code = "plan.loop_open",
                      .message = fmt::format("is open by {} (m and rad) at the start{}",
                                             format_number(residual, 3),
                                             can_close ? "" : " and cannot be closed from there"),
                      .element = fmt::format("loop '{}'", loop.name),
                      .remedy = can_close ? "close it before planning (project_to_loops)"
                                          : "give a start configuration near one that closes it"});
  }
  return faults;
}

std::vector<Diagnostic> find_singular_loops(const PlanningSpace& space) {
  constexpr int kAround = 8;
  constexpr double kNear = 0.05;
  const Scene& scene = space.scene();
  Workspace workspace(scene);
  VecX x(space.size()), around(space.size()), q = space.rest();
  space.gather(q, x);
  const int rank = compute_loop_rank(scene, q, workspace);
  Rng rng(1);
  for (int i = 0; i < kAround; ++i) {
    space.sample_near(x, kNear, rng, around);
    if (!space.complete(around, q, workspace)) continue;
    if (compute_loop_rank(scene, q, workspace) > rank)
      return {{.code = "plan.loop_singular",
               .message = "singular at the start: its joints could go on in more than one way",
               .element = describe_loops(scene),
               .remedy = "start a little beside that place"}};
  }
  return {};
}

}  // namespace geste::internal

namespace geste {

std::vector<JointId> find_moved_joints(const Scene& scene, std::span<const JointId> joints) {
  std::vector<JointId> all(joints.begin(), joints.end());
  // What one loop adds may move another.
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    for (const Loop& loop : scene.loops()) {
      if (!internal::is_moved(scene, loop, all)) continue;
      std::vector<JointId> own = loop.joints;
      std::sort(own.begin(), own.end());
      for (const JointId joint : own)
        if (!internal::contains(all, joint)) all.push_back(joint);
    }
  }
  return all;
}

}  // namespace geste
