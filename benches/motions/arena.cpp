#include "motions/arena.hpp"

#include "geste/math/se3.hpp"
#include "geste/model/dependents.hpp"

#include "common/take.hpp"

namespace geste::bench {
namespace {

constexpr int kTries = 20'000;  // per edge, before a scene counts as having no more

CollisionModel make_model(const Scene& scene, CollisionOptions options, double margin,
                          const CollisionModel* previous) {
  options.margin = margin;
  options.threads = 1;
  return take(CollisionModel::make(scene, options, previous));
}

Vec3 random_direction(Rng& rng) {
  return Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
}

Pose get_pose(ConstVecRef q, const Joint& joint) {
  return {Quat(q[joint.q + 6], q[joint.q + 3], q[joint.q + 4], q[joint.q + 5]).normalized(),
          Vec3(q.segment<3>(joint.q))};
}

}  // namespace

Arena make_arena(Scene scene, CollisionOptions options, double near, const Arena* previous) {
  CollisionModel model =
      make_model(scene, options, 0, previous == nullptr ? nullptr : &previous->model);
  CollisionModel close = make_model(scene, options, near, &model);
  CollisionModel apart = make_model(scene, options, near / 5, &model);
  return {std::move(scene), std::move(model), std::move(close), std::move(apart)};
}

Arena make_arena(SceneSpec spec, const CollisionOptions& options, double near,
                 const Arena* previous) {
  return make_arena(take(Scene::compile(std::move(spec))), options, near, previous);
}

Way make_straight_way(const Scene& scene, std::span<const JointId> joints, double length) {
  std::vector<int> dofs;
  for (JointId id : joints) {
    const Joint& joint = scene.joint(id);
    for (int k = 0; k < joint.nv; ++k) dofs.push_back(joint.v + k);
  }
  return [&scene, dofs, length](ConstVecRef q0, Rng& rng, VecRef q1) {
    VecX v = VecX::Zero(scene.nv());
    for (int dof : dofs) v[dof] = rng.normal();
    v *= length / v.norm();
    integrate(scene, q0, v, q1);
    return is_within_limits(scene, q1);
  };
}

Way make_screw_way(const Scene& scene, JointId id, double length) {
  return [&scene, id, length](ConstVecRef q0, Rng& rng, VecRef q1) {
    const Joint& joint = scene.joint(id);
    const double share = rng.uniform(0, 1.5707963);
    Vec6 twist;
    twist << length * std::cos(share) * random_direction(rng),
        2 * std::sin(share) * random_direction(rng);
    const Pose X = get_pose(q0, joint) * se3::exp(twist);
    const Quat rotation = X.quaternion();
    q1 = q0;
    q1.segment<3>(joint.q) = X.p;
    q1.segment<4>(joint.q + 3) << rotation.x(), rotation.y(), rotation.z(), rotation.w();
    return is_within_limits(scene, q1);
  };
}

EdgeSource::EdgeSource(const Arena& arena, std::span<const JointId> joints, VecX q, Rng rng)
    : arena_(arena),
      sampler_(take(ConfigurationSampler::make(arena.scene, joints))),
      rng_(rng),
      q_(std::move(q)),
      workspace_(arena.scene),
      model_memory_(arena.model),
      near_memory_(arena.near),
      apart_memory_(arena.apart) {}

MatX EdgeSource::draw(int count) {
  MatX q(q_.size(), count);
  for (int k = 0; k < count; ++k) {
    do sampler_.sample(rng_, q_);
    while (!compute_dependents(arena_.scene, q_, workspace_));
    q.col(k) = q_;
  }
  return q;
}

bool EdgeSource::draw_start(bool near) {
  sampler_.sample(rng_, q_);
  if (!compute_dependents(arena_.scene, q_, workspace_)) return false;
  if (!is_free(arena_.model, workspace_, model_memory_)) return false;
  return !near || (!is_free(arena_.near, workspace_, near_memory_) &&
                   is_free(arena_.apart, workspace_, apart_memory_));
}

Edges EdgeSource::draw_edges(int count, bool near, const Way& way) {
  Edges edges{MatX(q_.size(), count), MatX(q_.size(), count)};
  VecX q1(q_.size());
  int found = 0;
  for (int tries = 0; found < count && tries < kTries * (found + 1); ++tries) {
    if (!draw_start(near) || !way(q_, rng_, q1)) continue;
    if (!compute_dependents(arena_.scene, q1, workspace_)) continue;
    edges.q0.col(found) = q_;
    edges.q1.col(found++) = q1;
  }
  edges.q0.conservativeResize(Eigen::NoChange, found);
  edges.q1.conservativeResize(Eigen::NoChange, found);
  return edges;
}

}  // namespace geste::bench
