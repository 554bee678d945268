#include "geste/planning/steering/trailer.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/planning/steering/cart_word.hpp"
#include "geste/planning/steering/fault.hpp"

namespace geste {

/// Cuts a curve into legs.
class TrailerSteering::Writer {
 public:
  Writer(const TrailerSteering& method, Way& way) : method_(method), way_(way) {}

  /// Puts all points of a curve but the first. False where it is too bent to be cut.
  bool write(const TrailerCurve& curve) {
    curve_ = &curve;
    return write(0, method_.flatness_.from_flat(curve.from()), 1,
                 method_.flatness_.from_flat(curve.to()), 0);
  }

 private:
  bool write(double u, const TrailerPose& a, double w, const TrailerPose& b, int depth) {
    if (is_leg(a, b)) {
      add(b);
      return true;
    }
    if (depth == 24) return false;
    const double middle = find_cut(u, a, w, b);
    const FlatPoint point = curve_->evaluate(middle);
    if (!method_.range_.contains(point.curvature)) return false;
    const TrailerPose c = method_.flatness_.from_flat(point);
    return write(u, a, middle, c, depth + 1) && write(middle, c, w, b, depth + 1);
  }

  /// Whether one arc is near enough, and both coordinates are monotone on it.
  [[nodiscard]] bool is_leg(const TrailerPose& a, const TrailerPose& b) const {
    return std::abs(wrap_angle(b.angle - a.angle)) < kQuarterTurn && count_crossed(a, b) == 0 &&
           bound_slip(a, b) <= method_.options_.slip;
  }

  /// Quarter turns that the heading passes; those at its ends do not count.
  [[nodiscard]] static int count_crossed(const TrailerPose& a, const TrailerPose& b) {
    constexpr double kMargin = 1e-7;
    const double begin = a.angle / kQuarterTurn;
    const double end = begin + wrap_angle(b.angle - a.angle) / kQuarterTurn;
    const double low = std::min(begin, end) + kMargin, high = std::max(begin, end) - kMargin;
    return static_cast<int>(std::max(0.0, std::floor(high) - std::ceil(low) + 1));
  }

  /// The middle, or where the heading passes a quarter turn if it does so once.
  [[nodiscard]] double find_cut(double u, const TrailerPose& a, double w,
                                const TrailerPose& b) const {
    const double turn = wrap_angle(b.angle - a.angle);
    if (std::abs(turn) >= kQuarterTurn || count_crossed(a, b) != 1) return (u + w) / 2;
    const double sense = turn > 0 ? 1 : -1;
    const double quarter = sense * kQuarterTurn * std::ceil(sense * a.angle / kQuarterTurn + 1e-7);
    double low = u, high = w;
    for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
      const double middle = (low + high) / 2;
      const double angle = method_.flatness_.from_flat(curve_->evaluate(middle)).angle;
      (sense * wrap_angle(quarter - angle) > 0 ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  /// How far the axles slip sideways on a leg, at least: that of the cart at a constant rate, that
  /// of the trailer at w(s) = -sin f(s) x + cos f(s) (y - h turn) - l (turn + df), where (x, y,
  /// turn) is the cart's velocity and f goes by df. Its integral is summed by midpoints, whose
  /// error the largest slope of w bounds.
  [[nodiscard]] double bound_slip(const TrailerPose& a, const TrailerPose& b) const {
    const double from[3] = {a.p.x(), a.p.y(), a.angle}, to[3] = {b.p.x(), b.p.y(), b.angle};
    const Vec6 v = compute_screw(JointType::planar, from, to);
    const double df = b.hinge - a.hinge;
    const Vec2 hitch(v[0], v[1] - method_.vehicle_.hitch * v[5]);
    const double rest = method_.options_.length * (v[5] + df);
    constexpr int kParts = 8;
    double sum = 0;
    for (int i = 0; i < kParts; ++i) {
      const double f = a.hinge + df * (i + 0.5) / kParts;
      sum += std::abs(hitch.dot(left_of(unit_at(f))) - rest) / kParts;
    }
    return std::max(std::abs(v[1]), sum + std::abs(df) * hitch.norm() / (4 * kParts));
  }

  void add(const TrailerPose& pose) {
    auto x = way_.add();
    x.segment<3>(method_.vehicle_.cart) << pose.p, wrap_angle(pose.angle);
    x[method_.vehicle_.hinge] = method_.vehicle_.sense * pose.hinge;
  }

  const TrailerSteering& method_;
  Way& way_;
  const TrailerCurve* curve_ = nullptr;
};

TrailerSteering::TrailerSteering(const PlanningSpace& space, const Vehicle& vehicle,
                                 const TrailerOptions& options)
    : space_(space),
      vehicle_(vehicle),
      options_(options),
      flatness_(vehicle.hitch, options.length) {
  for (const PlanningSpace::Item& item : space.items()) {
    if (item.x != vehicle.hinge) continue;
    const double k0 = flatness_.compute_curvature(vehicle.sense * item.joint.limits[0].lower);
    const double k1 = flatness_.compute_curvature(vehicle.sense * item.joint.limits[0].upper);
    range_ = {std::min(k0, k1), std::max(k0, k1)};
  }
}

bool TrailerSteering::steer(ConstVecRef a, ConstVecRef b, Way& way) const {
  way.clear();
  way.add(a);
  const Curves curves = find_curves(flatness_.to_flat(read(a)), flatness_.to_flat(read(b)));
  if (curves.length == kInfinity) return false;
  Writer writer(*this, way);
  for (int i = 0; i < curves.count; ++i)
    if (!writer.write(curves.curve[i])) return false;
  // The end itself, not what rounding made of it.
  way.cut(std::max(1, way.count() - 1));
  way.add(b);
  return true;
}

TrailerPose TrailerSteering::read(ConstVecRef x) const {
  return {x.segment<2>(vehicle_.cart), x[vehicle_.cart + 2], vehicle_.sense * x[vehicle_.hinge]};
}

TrailerSteering::Curves TrailerSteering::find_curves(const FlatPoint& a, const FlatPoint& b) const {
  const double size = flatness_.size();
  const double gap = (b.p - a.p).norm() / size + std::abs(wrap_angle(b.angle - a.angle)) +
                     std::abs(b.curvature - a.curvature) * size;
  Curves found;
  if (gap < 1e-12) {
    found.length = 0;
    return found;
  }
  // The nearer the ends, the less the hinge may swing.
  const double swing = 3 * std::sqrt(gap) / size;
  found = find_curves(a, b, gap,
                      {std::max(range_.least, std::min(a.curvature, b.curvature) - swing),
                       std::min(range_.largest, std::max(a.curvature, b.curvature) + swing)});
  return found.length < kInfinity ? found : find_curves(a, b, gap, range_);
}

TrailerSteering::Curves TrailerSteering::find_curves(const FlatPoint& a, const FlatPoint& b,
                                                     double gap,
                                                     const CurvatureRange& range) const {
  Curves best;
  best.improve(a, b, 0, 0, range);
  // Lengths to go along the circles: the nearer the ends, the shorter the first one tried.
  std::vector<double> steps;
  const double largest = 16 * flatness_.size();
  for (double s = 0.05 * flatness_.size() * std::min(1.0, std::sqrt(gap)); s < largest; s *= 2)
    steps.push_back(s);
  for (std::size_t i = 0; i < steps.size() && best.count == 0; ++i) {
    for (const double s : {steps[i], -steps[i]}) {
      best.improve(a, b, s, 0, range);
      best.improve(a, b, 0, s, range);
    }
  }
  for (std::size_t i = 0; i < steps.size() && best.count == 0; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (const double s : {steps[i], -steps[i]})
        for (const double t : {steps[j], -steps[j]}) {
          best.improve(a, b, s, t, range);
          if (j < i) best.improve(a, b, t, s, range);
        }
  return best;
}

void TrailerSteering::Curves::improve(const FlatPoint& a, const FlatPoint& b, double along_a,
                                      double along_b, const CurvatureRange& range) {
  const FlatPoint from = go_round(a, along_a), to = go_round(b, along_b);
  const double rest = std::abs(along_a) + std::abs(along_b);
  const double straight = (to.p - from.p).norm();
  const double projected = (project(from, to.p) - project(to, from.p)) / 2;
  for (const double v : {projected, straight, -straight, 1.3 * straight, -1.3 * straight}) {
    if (std::abs(v) < 1e-12 || straight + rest >= length) continue;
    const TrailerCurve blended(from, to, v);
    const double whole = blended.measure(range) + rest;
    if (!(whole < length)) continue;
    count = 0;
    length = whole;
    if (along_a != 0) curve[count++] = {a, from, along_a};
    curve[count++] = blended;
    if (along_b != 0) curve[count++] = {to, b, -along_b};
  }
}

Result<std::unique_ptr<SteeringMethod>> TrailerSteering::make(const PlanningSpace& space,
                                                              const TrailerOptions& options) {
  std::vector<Diagnostic> faults;
  const Vehicle vehicle = inspect(space, options, faults);
  if (!faults.empty()) return make_error(std::move(faults));
  return std::unique_ptr<SteeringMethod>(new TrailerSteering(space, vehicle, options));
}

}  // namespace geste
