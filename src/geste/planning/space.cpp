#include "geste/planning/space.hpp"

#include <fmt/format.h>

#include <cmath>

#include "geste/model/dependents.hpp"

namespace geste {
namespace {

/// Half of how far the geometry below a joint reaches from it; 1 where there is none.
double choose_turn_weight(const Scene& scene, const Joint& joint) {
  const int mover = scene.body(joint.child).mover;
  double reach = 0;
  for (const Geometry& g : scene.geometry()) {
    const Body& body = scene.body(g.body);
    if (body.mover != mover) continue;
    const AxisBox box = compute_box(g.shape);
    if (box.empty()) continue;
    const double own = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).norm();
    reach = std::max(reach, (body.X_MB * g.X_BG).p.norm() + own);
  }
  return reach > 0 ? reach / 2 : 1;
}

bool does_both(JointType type) { return type == JointType::planar || type == JointType::free; }

}  // namespace

Result<PlanningSpace> PlanningSpace::make(const Scene& scene, std::span<const JointId> joints,
                                          const VecX& q, const SpaceOptions& options) {
  std::vector<Diagnostic> faults;
  for (const JointId id : joints) {
    const Joint& j = scene.joint(id);
    if (j.role == JointRole::independent && j.nv > 0) continue;
    faults.push_back({.code = "plan.not_independent",
                      .message = fmt::format("cannot be planned: it is {}",
                                             j.nv == 0 ? "fixed" : to_string(j.role)),
                      .element = fmt::format("joint '{}'", j.name),
                      .remedy = "name joints that may be moved by themselves"});
  }
  if (!faults.empty()) return make_error(std::move(faults));
  Result<ConfigurationSampler> sampler = ConfigurationSampler::make(scene, joints);
  if (!sampler) return sampler.error();

  PlanningSpace space(std::move(*sampler));
  space.scene_ = &scene;
  space.joints_.assign(joints.begin(), joints.end());
  space.base_ = q;
  for (const JointId id : joints) {
    const Joint& j = scene.joint(id);
    const bool chosen = options.turn_weight > 0 || !does_both(j.type);
    space.add(j, !chosen             ? choose_turn_weight(scene, j)
                 : does_both(j.type) ? options.turn_weight
                                     : 1);
  }
  for (const Joint& j : scene.joints())
    space.has_dependents_ |= j.nv > 0 && j.role != JointRole::independent;
  return space;
}

void PlanningSpace::add(const Joint& joint, double turn_weight) {
  items_.push_back({joint.type, joint.q, features_, 1, turn_weight});
  const auto add_span = [&](double span) { size_ = std::hypot(size_, span); };
  const auto add_plain = [&](int entry) {
    const DofLimits& limits = joint.limits[static_cast<std::size_t>(entry)];
    const double span = limits.upper - limits.lower;
    add_span(std::isfinite(span) ? span : 2 * kPi);
    features_ += 1;
  };
  const auto add_angle = [&] {
    add_span(2 * turn_weight);
    features_ += 2;
  };
  const auto add_turn = [&] {
    // Unit quaternions are half as far apart as their rotations are turned.
    turns_.push_back({features_, static_cast<float>(2 * turn_weight)});
    add_span(2 * std::numbers::sqrt2 * turn_weight);
    features_ += 4;
  };
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::prismatic:
      add_plain(0);
      break;
    case JointType::continuous:
      add_angle();
      break;
    case JointType::universal:
      for (int k = 0; k < 2; ++k) add_plain(k);
      break;
    case JointType::planar:
      for (int k = 0; k < 2; ++k) add_plain(k);
      add_angle();
      break;
    case JointType::spherical:
      add_turn();
      break;
    case JointType::free:
      for (int k = 0; k < 3; ++k) add_plain(k);
      add_turn();
      break;
  }
}

void PlanningSpace::sample(Rng& rng, VecRef q) const {
  q = base_;
  sampler_.sample(rng, q);
}

bool PlanningSpace::complete(VecRef q, Workspace& workspace) const {
  return !has_dependents_ || compute_dependents(*scene_, q, workspace);
}

bool PlanningSpace::is_within_limits(ConstVecRef q) const {
  return geste::is_within_limits(*scene_, q);
}

void PlanningSpace::embed(ConstVecRef q, std::span<float> features) const {
  for (const Item& item : items_) {
    const double* x = q.data() + item.q;
    float* f = features.data() + item.feature;
    const auto put = [&](double value) { *f++ = static_cast<float>(value); };
    switch (item.type) {
      case JointType::fixed:
        break;
      case JointType::revolute:
      case JointType::prismatic:
        put(item.slide * x[0]);
        break;
      case JointType::continuous:
        put(item.turn * std::cos(x[0]));
        put(item.turn * std::sin(x[0]));
        break;
      case JointType::universal:
        put(item.turn * x[0]);
        put(item.turn * x[1]);
        break;
      case JointType::planar:
        put(item.slide * x[0]);
        put(item.slide * x[1]);
        put(item.turn * std::cos(x[2]));
        put(item.turn * std::sin(x[2]));
        break;
      case JointType::spherical:
        for (int k = 0; k < 4; ++k) put(2 * item.turn * x[k]);
        break;
      case JointType::free:
        for (int k = 0; k < 3; ++k) put(item.slide * x[k]);
        for (int k = 3; k < 7; ++k) put(2 * item.turn * x[k]);
        break;
    }
  }
}

double PlanningSpace::distance(ConstVecRef q0, ConstVecRef q1) const {
  Eigen::VectorXf a(features_), b(features_);
  embed(q0, {a.data(), static_cast<std::size_t>(features_)});
  embed(q1, {b.data(), static_cast<std::size_t>(features_)});
  for (const Turn& turn : turns_)
    if (a.segment<4>(turn.feature).dot(b.segment<4>(turn.feature)) < 0)
      b.segment<4>(turn.feature) *= -1;
  return (a - b).norm();
}

}  // namespace geste
