#include "geste/proximity/survey.hpp"

#include <algorithm>
#include <cmath>

#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/shape_pair.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

bool has_finite_travel(const Joint& joint) {
  const int positions = joint.type == JointType::prismatic ? 1
                        : joint.type == JointType::planar  ? 2
                        : joint.type == JointType::free    ? 3
                                                           : 0;
  return std::all_of(joint.limits.begin(), joint.limits.begin() + positions,
                     [](const DofLimits& l) { return std::isfinite(l.upper - l.lower); });
}

/// Joints between the actor's own bodies: where it stands changes nothing.
std::vector<JointId> find_inner_joints(const Scene& scene, ActorId actor) {
  std::vector<JointId> inner;
  for (std::size_t k = 0; k < scene.joints().size(); ++k) {
    const Joint& j = scene.joints()[k];
    if (j.nv == 0 || j.role != JointRole::independent || !j.parent.valid()) continue;
    if (scene.body(j.parent).actor != actor || scene.body(j.child).actor != actor) continue;
    if (has_finite_travel(j)) inner.emplace_back(k);
  }
  return inner;
}

/// Whether every joint between the two was sampled, or follows others.
bool is_sampled(const Scene& scene, const std::vector<JointId>& joints, BodyId a, BodyId b) {
  const auto path = [&](BodyId body) {
    std::vector<int> up;
    for (int m = scene.body(body).mover; m != 0;
         m = scene.movers()[static_cast<std::size_t>(m)].parent)
      up.push_back(m);
    return up;
  };
  const std::vector<int> from_a = path(a), from_b = path(b);
  const auto decides = [&](int m, const std::vector<int>& other) {
    if (std::find(other.begin(), other.end(), m) != other.end()) return false;  // above both
    const Mover& mover = scene.movers()[static_cast<std::size_t>(m)];
    return !mover.carried && scene.joint(mover.joint).role == JointRole::independent &&
           std::find(joints.begin(), joints.end(), mover.joint) == joints.end();
  };
  return std::none_of(from_a.begin(), from_a.end(), [&](int m) { return decides(m, from_b); }) &&
         std::none_of(from_b.begin(), from_b.end(), [&](int m) { return decides(m, from_a); });
}

class Prober {
 public:
  Prober(const Scene& scene, std::span<const CollisionObject> objects)
      : objects_(objects), of_body_(scene.bodies().size()), placed_(objects.size()) {
    for (std::size_t i = 0; i < objects.size(); ++i) of_body_[objects[i].body.index()].push_back(i);
  }

  void place(const Workspace& workspace, BodyId body) {
    for (const std::size_t i : of_body_[body.index()]) {
      const Pose X =
          workspace.X_WM()[static_cast<std::size_t>(objects_[i].mover)] * objects_[i].X_MO;
      placed_[i] = {X, place_box(X, objects_[i].collider.box())};
    }
  }

  bool touch(BodyId a, BodyId b) {
    for (const std::size_t i : of_body_[a.index()]) {
      for (const std::size_t j : of_body_[b.index()]) {
        if (compute_gap(placed_[i].box, placed_[j].box) > 0) continue;
        if (touches(objects_[i].collider, objects_[j].collider,
                    placed_[i].X_WO.inverse() * placed_[j].X_WO, scratch_))
          return true;
      }
    }
    return false;
  }

 private:
  struct Placed {
    Pose X_WO;
    AxisBox box;
  };
  std::span<const CollisionObject> objects_;
  std::vector<std::vector<std::size_t>> of_body_;
  std::vector<Placed> placed_;
  QueryScratch scratch_;
};

}  // namespace

double compute_open_share(int samples, double confidence) {
  return samples > 0 ? 1 - std::pow(1 - confidence, 1.0 / samples) : 1;
}

int survey_pairs(const Scene& scene, std::span<const CollisionObject> objects, ActorId actor,
                 const SurveyOptions& options, const CancelToken& cancel,
                 std::span<SurveyedPair> pairs) {
  const std::vector<JointId> joints = find_inner_joints(scene, actor);
  if (joints.empty() || pairs.empty()) return 0;
  const Result<ConfigurationSampler> sampler = ConfigurationSampler::make(scene, joints);
  if (!sampler) return 0;
  std::vector<char> known(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    known[i] = is_sampled(scene, joints, pairs[i].a, pairs[i].b);
  Workspace workspace(scene);
  Prober prober(scene, objects);
  VecX q = make_neutral(scene);
  Rng rng(options.seed);
  int looked_at = 0;
  for (int k = 0; k < options.samples; ++k) {
    if (cancel.requested()) return 0;
    sampler->sample(rng, q);
    if (!compute_dependents(scene, q, workspace)) continue;
    ++looked_at;
    for (const BodyId body : scene.actor(actor).bodies) prober.place(workspace, body);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      SurveyedPair& pair = pairs[i];
      if (!known[i] || (pair.touched && pair.parted)) continue;
      (prober.touch(pair.a, pair.b) ? pair.touched : pair.parted) = true;
    }
  }
  return looked_at;
}

}  // namespace geste
