#pragma once

#include <memory>

#include "geste/planning/steering.hpp"

namespace geste {

struct ProjectedOptions {
  /// How far joints may be from a straight leg while the mechanism stays closed, in rad and m. More
  /// makes fewer legs; less keeps more of the clearance, since provers count the difference.
  double stray = 1e-3;
  int most_cuts = 12;  ///< in halves, one in the other

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// Straight, and where that opens general loops along the closed configurations next to it (MV-4),
/// after K. Hauser, "Fast interpolation and time-optimization on implicit contact submanifolds",
/// RSS 2013: the middle of a leg is closed by projection, then both halves are treated alike.
///
/// - Continuity: neither half may be longer than 0.9 of the whole, so that what is cut again and
///   again comes to a curve; a projection that went to another branch is farther away.
/// - Proof: a leg is kept as it is when Kantorovich's theorem shows all along it that the mechanism
///   can be closed within `stray` of it (model/stray.hpp). The branch cannot change there.
///
/// Ends are closed points within the limits (PlanningSpace::close); so are all points between.
/// Ends that are far apart may not be joined: setting out goes step by step and comes farther.
class ProjectedSteering final : public SteeringMethod {
 public:
  /// The space must outlive it.
  static Result<std::unique_ptr<SteeringMethod>> make(const PlanningSpace& space,
                                                      const ProjectedOptions& options = {});

  [[nodiscard]] Course course() const override { return Course::straight; }
  [[nodiscard]] bool takes_any_leg() const override { return true; }
  bool steer(ConstVecRef a, ConstVecRef b, Way& way) const override;
  bool set_out(ConstVecRef a, ConstVecRef b, double range, Way& way) const override;
  [[nodiscard]] double lower_bound(ConstVecRef a, ConstVecRef b) const override {
    return space_.distance(a, b);
  }

 private:
  ProjectedSteering(const PlanningSpace& space, const ProjectedOptions& options)
      : space_(space), options_(options) {}

  const PlanningSpace& space_;
  ProjectedOptions options_;
};

}  // namespace geste
