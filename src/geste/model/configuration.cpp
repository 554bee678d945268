#include "geste/model/configuration.hpp"

#include <fmt/format.h>

#include <cmath>

#include "geste/model/dependents.hpp"
#include "geste/model/internal/require.hpp"
#include "geste/model/joint_manifold.hpp"

namespace geste {

using internal::require_size;

VecX make_neutral(const Scene& scene) {
  VecX q = VecX::Zero(scene.nq());
  for (const Joint& joint : scene.joints()) {
    if (joint.type == JointType::spherical) q[joint.q + 3] = 1;
    if (joint.type == JointType::free) q[joint.q + 6] = 1;
  }
  clamp_to_limits(scene, q);
  // A formula that cannot close its loop here leaves it open: neutral promises no more.
  Workspace workspace(scene);
  const bool closed = compute_dependents(scene, q, workspace);
  (void)closed;
  return q;
}

void integrate(const Scene& scene, ConstVecRef q, ConstVecRef v, VecRef q_out) {
  require_size("q", q.size(), scene.nq());
  require_size("v", v.size(), scene.nv());
  require_size("q_out", q_out.size(), scene.nq());
  for (const Joint& j : scene.joints()) {
    integrate(j, q.data() + j.q, v.data() + j.v, q_out.data() + j.q);
  }
}

void difference(const Scene& scene, ConstVecRef q0, ConstVecRef q1, VecRef v_out) {
  require_size("q0", q0.size(), scene.nq());
  require_size("q1", q1.size(), scene.nq());
  require_size("v_out", v_out.size(), scene.nv());
  for (const Joint& j : scene.joints()) {
    difference(j, q0.data() + j.q, q1.data() + j.q, v_out.data() + j.v);
  }
}

void interpolate(const Scene& scene, ConstVecRef q0, ConstVecRef q1, double t, VecRef q_out) {
  interpolate(scene, q0, q1, Course::straight, t, q_out);
}

namespace {

template <class Weight>
double weighted_distance(const Scene& scene, const ConstVecRef& q0, const ConstVecRef& q1,
                         Weight weight) {
  require_size("q0", q0.size(), scene.nq());
  require_size("q1", q1.size(), scene.nq());
  double sum = 0;
  double v[6];
  for (const Joint& j : scene.joints()) {
    if (j.role != JointRole::independent) continue;
    difference(j, q0.data() + j.q, q1.data() + j.q, v);
    for (int k = 0; k < j.nv; ++k) sum += weight(j.v + k) * v[k] * v[k];
  }
  return std::sqrt(sum);
}

}  // namespace

double distance(const Scene& scene, ConstVecRef q0, ConstVecRef q1) {
  return weighted_distance(scene, q0, q1, [](int) { return 1.0; });
}

double distance(const Scene& scene, ConstVecRef q0, ConstVecRef q1, ConstVecRef weights) {
  require_size("weights", weights.size(), scene.nv());
  return weighted_distance(scene, q0, q1, [&](int k) { return weights[k] * weights[k]; });
}

void normalize(const Scene& scene, VecRef q) {
  require_size("q", q.size(), scene.nq());
  for (const Joint& j : scene.joints()) {
    double* x = q.data() + j.q;
    if (j.type == JointType::continuous) x[0] = wrap_angle(x[0]);
    if (j.type == JointType::planar) x[2] = wrap_angle(x[2]);
    if (j.type == JointType::spherical) Eigen::Map<Quat>(x).normalize();
    if (j.type == JointType::free) Eigen::Map<Quat>(x + 3).normalize();
  }
}

bool is_within_limits(const Scene& scene, ConstVecRef q, double tolerance) {
  require_size("q", q.size(), scene.nq());
  for (const Joint& j : scene.joints()) {
    if (limit_violation(j, q.data() + j.q) > tolerance) return false;
  }
  return true;
}

LimitViolation find_limit_violation(const Scene& scene, ConstVecRef q) {
  require_size("q", q.size(), scene.nq());
  LimitViolation worst;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& j = scene.joints()[i];
    const double excess = limit_violation(j, q.data() + j.q);
    if (excess > worst.excess) worst = {JointId(static_cast<int>(i)), excess};
  }
  return worst;
}

void clamp_to_limits(const Scene& scene, VecRef q) {
  require_size("q", q.size(), scene.nq());
  for (const Joint& j : scene.joints()) clamp_to_limits(j, q.data() + j.q);
}

void apply(const Scene& scene, const NamedConfiguration& configuration, VecRef q) {
  for (const auto& [joint, values] : configuration.values) {
    const Joint& j = scene.joint(joint);
    q.segment(j.q, j.nq) = values;
  }
}

Result<ConfigurationSampler> ConfigurationSampler::make(const Scene& scene) {
  std::vector<JointId> all;
  for (int i = 0; i < static_cast<int>(scene.joints().size()); ++i) all.emplace_back(i);
  return make(scene, all);
}

Result<ConfigurationSampler> ConfigurationSampler::make(const Scene& scene,
                                                        std::span<const JointId> joints) {
  ConfigurationSampler sampler;
  std::vector<Diagnostic> faults;
  for (JointId id : joints) {
    const Joint& j = scene.joint(id);
    if (j.role != JointRole::independent || j.nv == 0) continue;
    if (has_unlimited_position(j)) {
      faults.push_back({.code = "sample.no_limits",
                        .message = "cannot be sampled: a position has no finite limits",
                        .element = fmt::format("joint '{}'", j.name),
                        .remedy = "give the joint a lower and an upper limit"});
    }
    sampler.joints_.push_back(j);
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return sampler;
}

void ConfigurationSampler::sample(Rng& rng, VecRef q) const {
  for (const Joint& joint : joints_) geste::sample(joint, rng, q.data() + joint.q);
}

}  // namespace geste
