#pragma once

#include "geste/model/workspace.hpp"
#include "geste/proximity/collision_model.hpp"
#include "geste/proximity/internal/verify_distance.hpp"
#include "geste/proximity/internal/verify_window.hpp"

namespace geste::internal {

/// An object of the model, prepared.
struct VerifyObject {
  VerifyShape shape;
  Ball ball;
  Pose X_MO;
  BodyId body;
};

/// Two objects on their way through a motion.
struct VerifyPair {
  int a = 0;  ///< objects
  int b = 0;
  int above = 0;      ///< the mover that carries both
  double floor = 0;   ///< m; never proven less than this
  double refuse = 0;  ///< m; not accepted so near
  double stray = 0;   ///< m; all distances of the pair are less by this

  std::size_t leg = 0;  ///< how far it is proven: so much of this leg
  double s = 0;
  bool is_begun = false;
  bool is_refused = false;
  double nearest = kInfinity;  ///< seen, or where it was refused
  double nearest_s = 0;        ///< and where on which leg
  std::size_t nearest_leg = 0;
  Vec3 point = Vec3::Zero();
  NearestHint hint{};
  long queries = 0;
};

struct VerifyScratch {
  explicit VerifyScratch(const Scene& scene) : workspace(scene), q(scene.nq()) {}
  Workspace workspace;
  VecX q;
};

/// Takes pairs through a window by conservative advancement: looks how far two are apart, and goes
/// on to where that may have shrunk to what is to be kept.
class PairAdvance {
 public:
  /// Clearances above this are not told apart, m.
  static constexpr double kFar = 0.1;
  /// The share of the least distance seen that is proven.
  static constexpr double kShare = 0.9;

  /// `target`: the clearance that is of interest, m: pairs that stay above it are not looked at
  /// more closely. `travel`: the way of every object in the window.
  PairAdvance(const Scene& scene, const JointMotion& motion,
              const std::vector<VerifyObject>& objects, const VerifyWindow& window,
              const std::vector<double>& travel, double target, const CancelToken& cancel)
      : scene_(scene),
        motion_(motion),
        objects_(objects),
        window_(window),
        travel_(travel),
        target_(target),
        cancel_(cancel) {}

  void run(VerifyPair& pair, VerifyScratch& scratch) const;

  /// What is proven of a pair once it is through.
  static double keep(const VerifyPair& pair, double target) {
    return std::max(pair.floor, std::min(target, kShare * pair.nearest));
  }

 private:
  struct Look {
    double lower = 0;
    bool is_exact = false;
  };

  /// Refuses the pair where it is too near.
  Look look(VerifyPair& pair, VerifyScratch& scratch) const;
  void note(VerifyPair& pair, double distance, const Vec3& point) const;
  void step(VerifyPair& pair, const Look& look) const;
  [[nodiscard]] bool is_far_throughout(const VerifyPair& pair) const;
  [[nodiscard]] double rate(const VerifyPair& pair, std::size_t leg) const;
  [[nodiscard]] double far(const VerifyPair& pair) const { return std::max(kFar, pair.refuse); }
  [[nodiscard]] const VerifyObject& object(int i) const {
    return objects_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const std::vector<Pose>& place(const VerifyPair& pair,
                                               VerifyScratch& scratch) const;

  const Scene& scene_;
  const JointMotion& motion_;
  const std::vector<VerifyObject>& objects_;
  const VerifyWindow& window_;
  const std::vector<double>& travel_;
  double target_;
  const CancelToken& cancel_;
};

}  // namespace geste::internal
