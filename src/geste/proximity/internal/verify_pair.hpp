#pragma once

#include "geste/model/workspace.hpp"
#include "geste/proximity/collision_model.hpp"
#include "geste/proximity/internal/verify_sweep.hpp"
#include "geste/proximity/internal/verify_window.hpp"

namespace geste::internal {

/// An object of the model, prepared.
struct VerifyObject {
  VerifyShape shape;
  Ball ball;
  Pose X_MO;
  BodyId body;
};

/// Two objects, and what is asked of them.
struct VerifyPair {
  int a = 0;  ///< objects
  int b = 0;
  double floor = 0;   ///< m; proven in any case
  double refuse = 0;  ///< m; not accepted so near
  double stray = 0;   ///< m; all distances of the pair are less by this
};

/// What was seen of a pair on one leg.
struct LegFinding {
  double nearest = kInfinity;  ///< m; the least distance seen, less the stray
  double at = 0;               ///< and at which fraction of the leg
  Vec3 point = Vec3::Zero();   ///< between the two, in the world
  bool is_refused = false;     ///< for that distance
  long queries = 0;
};

/// Memory of one thread.
struct VerifyScratch {
  explicit VerifyScratch(const Scene& scene) : workspace(scene), q(scene.nq()) {}
  Workspace workspace;
  VecX q;
  std::vector<NodePair> open;  ///< a stack: those of an interval above those of the one around it
};

/// Proves pairs on the legs of a window: an interval in which something stays open is cut in two,
/// and only that is looked at again.
class PairVerifier {
 public:
  /// Clearances above this are not told apart, m.
  static constexpr double kFar = 0.1;
  /// The fraction of the least distance seen that is proven.
  static constexpr double kShare = 0.9;

  /// `target`: the clearance that is of interest, m: pairs that stay above it are not looked at
  /// more closely. `travel`: the way of every object in the window.
  PairVerifier(const Scene& scene, const JointMotion& motion,
               const std::vector<VerifyObject>& objects, const VerifyWindow& window,
               const std::vector<double>& travel, double target, const CancelToken& cancel)
      : scene_(scene),
        motion_(motion),
        objects_(objects),
        window_(window),
        travel_(travel),
        target_(target),
        cancel_(cancel) {}

  /// By balls, once for the whole window: they need not be looked at.
  [[nodiscard]] bool is_far_throughout(const VerifyPair& pair) const;
  LegFinding run(const VerifyPair& pair, std::size_t leg, VerifyScratch& scratch) const;

  /// What is proven of a pair once it is through, with the least distance that was seen of it.
  static double keep(const VerifyPair& pair, double target, double nearest) {
    return std::max(pair.floor, std::min(target, kShare * nearest));
  }

 private:
  class Leg;

  [[nodiscard]] const VerifyObject& object(int i) const {
    return objects_[static_cast<std::size_t>(i)];
  }

  const Scene& scene_;
  const JointMotion& motion_;
  const std::vector<VerifyObject>& objects_;
  const VerifyWindow& window_;
  const std::vector<double>& travel_;
  double target_;
  const CancelToken& cancel_;
};

/// Where two objects lie in each other without touching at the beginning of a motion: how near
/// their surfaces are there. Nothing where they do not.
std::optional<LegFinding> find_hidden(const VerifyObject& a, const VerifyObject& b,
                                      const std::vector<Pose>& X_WM);

}  // namespace geste::internal
