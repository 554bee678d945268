#include "geste/ik/internal/drag_chain.hpp"

#include <algorithm>

#include "geste/math/so3.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

bool is_placing(const Scene& scene, const Mover& mover) {
  const Joint& joint = scene.joint(mover.joint);
  return mover.type == JointType::free && mover.parent == 0 && !mover.carried &&
         joint.role == JointRole::independent;
}

/// Collects joints until nothing new depends on what is there.
class ChainCollector {
 public:
  explicit ChainCollector(const Scene& scene) : scene_(scene), taken_(scene.joints().size()) {}

  void add_above(int mover, bool also_placing) {
    for (; mover != 0; mover = at(mover).parent) {
      if (at(mover).carried) continue;
      if (also_placing || !is_placing(scene_, at(mover))) add(at(mover).joint);
      also_placing = false;
    }
  }

  DragChain collect() {
    DragChain chain;
    while (spread(chain)) {
    }
    std::sort(chain.loops.begin(), chain.loops.end());
    for (int i = 0; i < static_cast<int>(taken_.size()); ++i) {
      const Joint& joint = scene_.joint(JointId(i));
      if (!taken_[static_cast<std::size_t>(i)] || joint.role != JointRole::independent) continue;
      chain.joints.emplace_back(i);
      for (int k = 0; k < joint.nv; ++k) chain.dofs.push_back(joint.v + k);
    }
    return chain;
  }

 private:
  [[nodiscard]] const Mover& at(int mover) const {
    return scene_.movers()[static_cast<std::size_t>(mover)];
  }
  [[nodiscard]] bool has(JointId joint) const { return taken_[joint.index()]; }
  void add(JointId joint) { taken_[joint.index()] = true; }
  [[nodiscard]] bool has_any(const std::vector<JointId>& joints) const {
    return std::any_of(joints.begin(), joints.end(), [&](JointId j) { return has(j); });
  }
  /// Whether one of them was new.
  bool add_all(const std::vector<JointId>& joints) {
    const bool grows =
        !std::all_of(joints.begin(), joints.end(), [&](JointId j) { return has(j); });
    for (const JointId joint : joints) add(joint);
    return grows;
  }

  bool spread(DragChain& chain) {
    bool grows = false;
    for (const Follower& f : scene_.followers())
      if (has(f.joint)) grows = add_all(f.leaders) || grows;
    for (const ExplicitLoop& loop : scene_.explicit_loops())
      if (has_any(loop.dependent)) grows = add_all(loop.leading) || grows;
    for (int i = 0; i < static_cast<int>(scene_.loops().size()); ++i) {
      const Loop& loop = scene_.loops()[static_cast<std::size_t>(i)];
      if (std::find(chain.loops.begin(), chain.loops.end(), i) != chain.loops.end()) continue;
      if (!has_any(loop.joints)) continue;
      chain.loops.push_back(i);
      add_all(loop.joints);
      grows = true;
    }
    return grows;
  }

  const Scene& scene_;
  std::vector<bool> taken_;
};

/// Jacobian of a loop's frame with respect to the chain; zero for one that is fixed to the world.
Mat6X compute_end_jacobian(const Scene& scene, const Workspace& workspace, BodyId body,
                           const Pose& X, const MatX& N) {
  if (!body.valid()) return Mat6X::Zero(6, N.cols());
  Mat6X J(6, scene.nv());
  compute_point_jacobian(scene, workspace, body, X.p, J);
  return J * N;
}

}  // namespace

DragChain find_drag_chain(const Scene& scene, BodyId body, const std::vector<JointId>& only) {
  ChainCollector collector(scene);
  collector.add_above(scene.body(body).mover, true);
  DragChain chain = collector.collect();
  if (only.empty()) return chain;
  std::erase_if(chain.joints, [&](JointId joint) {
    return std::find(only.begin(), only.end(), joint) == only.end();
  });
  chain.dofs.clear();
  for (const JointId id : chain.joints) {
    const Joint& joint = scene.joint(id);
    for (int k = 0; k < joint.nv; ++k) chain.dofs.push_back(joint.v + k);
  }
  return chain;
}

JointId find_loose_joint(const Scene& scene, BodyId body) {
  const int index = scene.body(body).mover;
  if (index == 0) return {};
  const Mover& mover = scene.movers()[static_cast<std::size_t>(index)];
  if (!is_placing(scene, mover)) return {};
  return find_drag_chain(scene, body).loops.empty() ? mover.joint : JointId();
}

MatX compute_loop_rows(const Scene& scene, const Workspace& workspace, const DragChain& chain,
                       const MatX& N) {
  MatX rows(6 * std::ssize(chain.loops), N.cols());
  int count = 0;
  for (const int index : chain.loops) {
    const Loop& loop = scene.loops()[static_cast<std::size_t>(index)];
    const auto place = [&](BodyId body, const Pose& X) {
      return body.valid() ? compute_pose(scene, workspace, body) * X : X;
    };
    const Pose X_WA = place(loop.body_a, loop.X_A), X_WB = place(loop.body_b, loop.X_B);
    const Mat6X J_A = compute_end_jacobian(scene, workspace, loop.body_a, loop.X_A, N);
    const Mat6X J_B = compute_end_jacobian(scene, workspace, loop.body_b, loop.X_B, N);
    const Mat3 R_AW = X_WA.R.transpose();
    // B's origin as seen by A, which turns; and the logarithm of the rotation from A to B.
    Mat6X J(6, N.cols());
    J.topRows(3) =
        R_AW * (J_B.topRows(3) - J_A.topRows(3) + so3::hat(X_WB.p - X_WA.p) * J_A.bottomRows(3));
    J.bottomRows(3) = so3::right_jacobian_inverse(so3::log(Mat3(R_AW * X_WB.R))) *
                      X_WB.R.transpose() * (J_B.bottomRows(3) - J_A.bottomRows(3));
    for (int k = 0; k < 6; ++k)
      if (loop.constrained[static_cast<std::size_t>(k)]) rows.row(count++) = J.row(k);
  }
  return rows.topRows(count);
}

}  // namespace geste::internal
