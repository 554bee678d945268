#pragma once

#include <span>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

struct SpaceOptions {
  /// What turning costs against sliding, m per rad, for joints that do both (planar, free); 0: half
  /// of how far the body that moves reaches from the joint.
  double turn_weight = 0;
};

/// Where a planner looks: the configurations that differ from a given one in some independent
/// joints. All others stay as they are, or follow (MV-3). Planners work with complete
/// configurations of the scene, which must outlive the space.
///
/// Distances are Euclid's after each joint has been turned into a few numbers ("features"): the
/// value itself; cosine and sine of an angle that goes round; a quaternion, whose sign does not
/// count. They are those of model/configuration.hpp for small differences.
class PlanningSpace {
 public:
  /// The error names every joint that cannot be sampled: no limits, not independent.
  static Result<PlanningSpace> make(const Scene& scene, std::span<const JointId> joints,
                                    const VecX& q, const SpaceOptions& options = {});

  [[nodiscard]] const Scene& scene() const { return *scene_; }
  [[nodiscard]] std::span<const JointId> joints() const { return joints_; }
  /// Where all that does not move stands.
  [[nodiscard]] const VecX& base() const { return base_; }

  /// A configuration within the limits, complete but for what follows.
  void sample(Rng& rng, VecRef q) const;
  /// Fills what follows; false where a loop cannot be closed.
  [[nodiscard]] bool complete(VecRef q, Workspace& workspace) const;
  [[nodiscard]] bool is_within_limits(ConstVecRef q) const;

  [[nodiscard]] int features() const { return features_; }
  /// Where quaternions begin among the features: four numbers each, of this length.
  struct Turn {
    int feature = 0;
    float length = 1;
  };
  [[nodiscard]] std::span<const Turn> turns() const { return turns_; }
  void embed(ConstVecRef q, std::span<float> features) const;
  /// How far apart two configurations can be, about.
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] double distance(ConstVecRef q0, ConstVecRef q1) const;

 private:
  struct Item {
    JointType type;
    int q;
    int feature;
    double slide;  ///< weights
    double turn;
  };

  explicit PlanningSpace(ConfigurationSampler sampler) : sampler_(std::move(sampler)) {}
  void add(const Joint& joint, double turn_weight);

  const Scene* scene_ = nullptr;
  std::vector<JointId> joints_;
  VecX base_;
  ConfigurationSampler sampler_;
  std::vector<Item> items_;
  std::vector<Turn> turns_;
  int features_ = 0;
  double size_ = 0;
  bool has_dependents_ = false;
};

}  // namespace geste
