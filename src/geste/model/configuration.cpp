#include "geste/model/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/math/so3.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/internal/manifold.hpp"
#include "geste/model/internal/require.hpp"

namespace geste {

using internal::require_size;
using std::numbers::pi;

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
    internal::integrate(j, q.data() + j.q, v.data() + j.v, q_out.data() + j.q);
  }
}

void difference(const Scene& scene, ConstVecRef q0, ConstVecRef q1, VecRef v_out) {
  require_size("q0", q0.size(), scene.nq());
  require_size("q1", q1.size(), scene.nq());
  require_size("v_out", v_out.size(), scene.nv());
  for (const Joint& j : scene.joints()) {
    internal::difference(j, q0.data() + j.q, q1.data() + j.q, v_out.data() + j.v);
  }
}

void interpolate(const Scene& scene, ConstVecRef q0, ConstVecRef q1, double t, VecRef q_out) {
  require_size("q0", q0.size(), scene.nq());
  require_size("q1", q1.size(), scene.nq());
  require_size("q_out", q_out.size(), scene.nq());
  double v[6];
  for (const Joint& j : scene.joints()) {
    internal::difference(j, q0.data() + j.q, q1.data() + j.q, v);
    for (int k = 0; k < j.nv; ++k) v[k] *= t;
    internal::integrate(j, q0.data() + j.q, v, q_out.data() + j.q);
  }
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
    internal::difference(j, q0.data() + j.q, q1.data() + j.q, v);
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
    if (j.type == JointType::continuous) x[0] = internal::wrap_angle(x[0]);
    if (j.type == JointType::planar) x[2] = internal::wrap_angle(x[2]);
    if (j.type == JointType::spherical) Eigen::Map<Quat>(x).normalize();
    if (j.type == JointType::free) Eigen::Map<Quat>(x + 3).normalize();
  }
}

bool is_within_limits(const Scene& scene, ConstVecRef q, double tolerance) {
  require_size("q", q.size(), scene.nq());
  for (const Joint& j : scene.joints()) {
    if (internal::limit_violation(j, q.data() + j.q) > tolerance) return false;
  }
  return true;
}

LimitViolation find_limit_violation(const Scene& scene, ConstVecRef q) {
  require_size("q", q.size(), scene.nq());
  LimitViolation worst;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& j = scene.joints()[i];
    const double excess = internal::limit_violation(j, q.data() + j.q);
    if (excess > worst.excess) worst = {JointId(static_cast<int>(i)), excess};
  }
  return worst;
}

void clamp_to_limits(const Scene& scene, VecRef q) {
  require_size("q", q.size(), scene.nq());
  for (const Joint& j : scene.joints()) internal::clamp_to_limits(j, q.data() + j.q);
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
    if (internal::has_unlimited_position(j)) {
      faults.push_back({.code = "sample.no_limits",
                        .message = "cannot be sampled: a position has no finite limits",
                        .element = fmt::format("joint '{}'", j.name),
                        .remedy = "give the joint a lower and an upper limit"});
    }
    sampler.items_.push_back({j.type, j.q, j.limits});
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return sampler;
}

namespace {

/// Uniform on SO(3): K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
Quat sample_rotation(Rng& rng) {
  const double u = rng.uniform();
  const double a = 2 * pi * rng.uniform();
  const double b = 2 * pi * rng.uniform();
  const double r1 = std::sqrt(1 - u);
  const double r2 = std::sqrt(u);
  return {r2 * std::cos(b), r1 * std::sin(a), r1 * std::cos(a), r2 * std::sin(b)};
}

Quat sample_rotation_within(Rng& rng, double max_angle) {
  if (max_angle >= pi) return sample_rotation(rng);
  // Uniform axis; on SO(3) the angle has density proportional to sin^2(angle/2), here by rejection
  // under its largest value.
  const double z = rng.uniform(-1, 1);
  const double turn = 2 * pi * rng.uniform();
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  const double peak = std::sin(max_angle / 2);
  double angle = 0;
  do {
    angle = max_angle * rng.uniform();
  } while (std::pow(std::sin(angle / 2), 2) < rng.uniform() * peak * peak);
  return so3::exp_quaternion(angle * Vec3(r * std::cos(turn), r * std::sin(turn), z));
}

}  // namespace

void ConfigurationSampler::sample(Rng& rng, VecRef q) const {
  const auto draw = [&](const DofLimits& l) { return rng.uniform(l.lower, l.upper); };
  // Where a limit is missing, one turn from the other, or about zero.
  const auto draw_angle = [&](const DofLimits& l) {
    const bool has_lower = std::isfinite(l.lower), has_upper = std::isfinite(l.upper);
    const double lower = has_lower ? l.lower : has_upper ? l.upper - 2 * pi : -pi;
    return rng.uniform(lower, has_upper ? l.upper : lower + 2 * pi);
  };
  for (const Item& item : items_) {
    double* x = q.data() + item.q;
    switch (item.type) {
      case JointType::fixed:
        break;
      case JointType::revolute:
      case JointType::continuous:
        x[0] = draw_angle(item.limits[0]);
        break;
      case JointType::prismatic:
        x[0] = draw(item.limits[0]);
        break;
      case JointType::universal:
        for (int k = 0; k < 2; ++k) x[k] = draw_angle(item.limits[static_cast<std::size_t>(k)]);
        break;
      case JointType::planar:
        for (int k = 0; k < 2; ++k) x[k] = draw(item.limits[static_cast<std::size_t>(k)]);
        x[2] = draw_angle(item.limits[2]);
        break;
      case JointType::spherical:
        Eigen::Map<Quat>{x} = sample_rotation_within(rng, item.limits[0].upper);
        break;
      case JointType::free:
        for (int k = 0; k < 3; ++k) x[k] = draw(item.limits[static_cast<std::size_t>(k)]);
        Eigen::Map<Quat>{x + 3} = sample_rotation(rng);
        break;
    }
  }
}

}  // namespace geste
