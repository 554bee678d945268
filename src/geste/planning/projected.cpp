#include "geste/planning/projected.hpp"

#include <algorithm>

#include "geste/model/stray.hpp"

namespace geste {
namespace {

/// What is left of a leg in its longer half, at most.
constexpr double kContraction = 0.9;

/// Joins closed points, with memory for all cuts.
class LegCutter {
 public:
  LegCutter(const PlanningSpace& space, const ProjectedOptions& options)
      : space_(space),
        options_(options),
        workspace_(space.scene()),
        stray_(space.scene()),
        straight_(space.size()),
        x_(space.size(), options.most_cuts + 2),
        q_(space.scene().nq(), options.most_cuts + 2) {}

  bool join(ConstVecRef a, ConstVecRef b, Way& way) {
    way.clear();
    way.add(a);
    // Points themselves stay as they are: whoever completes them comes to the same configuration.
    const int first = options_.most_cuts, second = first + 1;
    x_.col(first) = a;
    x_.col(second) = b;
    if (!complete(first) || !complete(second)) return false;
    return join(first, second, options_.most_cuts, way);
  }

  /// The closed point `range` on the way from a to b.
  bool find_between(ConstVecRef a, ConstVecRef b, double range, VecRef x) {
    space_.interpolate(a, b, Course::straight, range / space_.distance(a, b), x_.col(0));
    if (!complete(0)) return false;
    space_.gather(q_.col(0), x);
    return true;
  }

 private:
  bool complete(int i) { return space_.complete(x_.col(i), q_.col(i), workspace_); }

  /// Adds the way from point a, which is there, to point b. Columns below `cuts` are free.
  bool join(int a, int b, int cuts, Way& way) {
    const int middle = cuts - 1;
    if (cuts == 0) return false;
    space_.interpolate(x_.col(a), x_.col(b), Course::straight, 0.5, straight_);
    x_.col(middle) = straight_;
    if (!complete(middle)) return false;
    space_.gather(q_.col(middle), x_.col(middle));
    const double away = space_.distance(straight_, x_.col(middle));
    if (away <= options_.stray && is_leg(a, b)) {
      way.add(x_.col(b));
      return true;
    }
    const double whole = space_.distance(x_.col(a), x_.col(b));
    const double longer = std::max(space_.distance(x_.col(a), x_.col(middle)),
                                   space_.distance(x_.col(middle), x_.col(b)));
    if (longer > kContraction * whole) return false;
    return join(a, middle, middle, way) && join(middle, b, middle, way);
  }

  /// Whether the mechanism can be kept closed next to the straight leg.
  bool is_leg(int a, int b) {
    if (stray_.compute(q_.col(a), q_.col(b), Course::straight)) return false;
    const auto strays = stray_.strays();
    return std::all_of(strays.begin(), strays.end(), [&](const JointTravel& s) {
      return std::max(s.angular, s.linear) <= options_.stray;
    });
  }

  const PlanningSpace& space_;
  const ProjectedOptions& options_;
  Workspace workspace_;
  StrayBound stray_;
  VecX straight_;
  MatX x_;  ///< middles by how many cuts are left, then both ends
  MatX q_;  ///< the closed configurations
};

}  // namespace

std::vector<Diagnostic> ProjectedOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto need = [&](bool holds, const char* what) {
    if (!holds)
      found.push_back({.code = "plan.steering", .message = what, .remedy = "correct the value"});
  };
  need(stray > 0, "how far joints may stray from a leg is not above 0");
  need(most_cuts > 0, "no cut is allowed");
  return found;
}

Result<std::unique_ptr<SteeringMethod>> ProjectedSteering::make(const PlanningSpace& space,
                                                                const ProjectedOptions& options) {
  if (auto faults = options.faults(); !faults.empty()) return make_error(std::move(faults));
  return std::unique_ptr<SteeringMethod>(new ProjectedSteering(space, options));
}

bool ProjectedSteering::steer(ConstVecRef a, ConstVecRef b, Way& way) const {
  return LegCutter(space_, options_).join(a, b, way);
}

bool ProjectedSteering::set_out(ConstVecRef a, ConstVecRef b, double range, Way& way) const {
  // A step must bring it nearer by this share of itself.
  constexpr double kProgress = 0.1;
  const double distance = space_.distance(a, b);
  LegCutter cutter(space_, options_);
  if (distance <= range) return cutter.join(a, b, way);
  VecX between(space_.size());
  if (!cutter.find_between(a, b, range, between)) return false;
  if (space_.distance(between, b) > distance - kProgress * range) return false;
  return cutter.join(a, between, way);
}

}  // namespace geste
