#include "geste/proximity/reach.hpp"

#include <algorithm>
#include <cmath>

#include "geste/geometry/placed_box.hpp"

namespace geste {
namespace {

ReachVolume make_unbounded() {
  return {{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)}, Vec3::Zero(), kInfinity};
}

AxisBox make_box_around(const Vec3& centre, double radius) {
  return {centre.array() - radius, centre.array() + radius};
}

std::array<Vec3, 8> corners(const AxisBox& box) {
  std::array<Vec3, 8> p;
  for (unsigned k = 0; k < 8; ++k) {
    p[k] = {k & 1 ? box.max.x() : box.min.x(), k & 2 ? box.max.y() : box.min.y(),
            k & 4 ? box.max.z() : box.min.z()};
  }
  return p;
}

/// Each bound where it is the tighter one, with room for the rounding of the step before.
ReachVolume tighten(ReachVolume v) {
  const double slack = 1e-12 * (v.centre.cwiseAbs().maxCoeff() + v.radius);
  v.radius += slack;
  v.box = {v.box.min.array() - slack, v.box.max.array() + slack};
  const AxisBox ball = make_box_around(v.centre, v.radius);
  v.box.min = v.box.min.cwiseMax(ball.min);
  v.box.max = v.box.max.cwiseMin(ball.max);
  const double around = v.box.size().norm() / 2;
  if (around < v.radius) {
    v.centre = v.box.centre();
    v.radius = around;
  }
  return v;
}

ReachVolume transform(const Pose& X, const ReachVolume& v) {
  return tighten({place_box(X, v.box), X * v.centre, v.radius});
}

/// Adds what c + a cos t + b sin t covers for t in the interval, coordinate by coordinate.
void add_arc(const Vec3& c, const Vec3& a, const Vec3& b, const Interval& t, AxisBox& box) {
  for (int k = 0; k < 3; ++k) {
    const auto value = [&](double angle) {
      return c[k] + a[k] * std::cos(angle) + b[k] * std::sin(angle);
    };
    const double r = std::hypot(a[k], b[k]), top = std::atan2(b[k], a[k]);
    // Whether an angle comes by on the way, full turns aside.
    const auto passes = [&](double angle) {
      return angle + 2 * kPi * std::ceil((t.low - angle) / (2 * kPi)) <= t.high;
    };
    const bool full = !(t.high - t.low < 2 * kPi);
    double low = c[k] - r, high = c[k] + r;
    if (!full) {
      if (!passes(top + kPi)) low = std::min(value(t.low), value(t.high));
      if (!passes(top)) high = std::max(value(t.low), value(t.high));
    }
    box.min[k] = std::min(box.min[k], low);
    box.max[k] = std::max(box.max[k], high);
  }
}

/// Turned about an axis through the origin, seen after the rotation R.
ReachVolume turn(const Mat3& R, const Vec3& axis, const Interval& angle, const ReachVolume& v) {
  ReachVolume out;
  const auto split = [&](const Vec3& p, Vec3& c, Vec3& a, Vec3& b) {
    c = axis * axis.dot(p);
    a = p - c;
    b = axis.cross(p);
  };
  Vec3 c, a, b;
  for (const Vec3& p : corners(v.box)) {
    split(p, c, a, b);
    add_arc(R * c, R * a, R * b, angle, out.box);
  }
  split(v.centre, c, a, b);
  const double range = angle.high - angle.low;
  if (range < kPi) {  // about the middle of the arc
    const double middle = (angle.low + angle.high) / 2;
    out.centre = R * (c + a * std::cos(middle) + b * std::sin(middle));
    out.radius = v.radius + 2 * a.norm() * std::sin(range / 4);
  } else {
    out.centre = R * c;
    out.radius = v.radius + a.norm();
  }
  return tighten(out);
}

/// Turned in any way about the origin, by at most `most`.
ReachVolume turn_freely(double most, const ReachVolume& v) {
  double farthest = v.centre.norm() + v.radius, corner = 0;
  for (const Vec3& p : corners(v.box)) corner = std::max(corner, p.norm());
  farthest = std::min(farthest, corner);
  ReachVolume out{make_box_around(Vec3::Zero(), farthest), Vec3::Zero(), farthest};
  // A small turn takes each point no farther than its chord.
  const double chord = 2 * farthest * std::sin(std::clamp(most, 0.0, kPi) / 2);
  AxisBox near{v.box.min.array() - chord, v.box.max.array() + chord};
  out.box.min = out.box.min.cwiseMax(near.min);
  out.box.max = out.box.max.cwiseMin(near.max);
  if (v.radius + chord < out.radius) {
    out.centre = v.centre;
    out.radius = v.radius + chord;
  }
  return tighten(out);
}

ReachVolume shift(const Vec3& way, const Interval& range, const ReachVolume& v) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return make_unbounded();
  ReachVolume out = v;
  out.box = {v.box.min + range.low * way, v.box.max + range.low * way};
  out.box.add(AxisBox{v.box.min + range.high * way, v.box.max + range.high * way});
  out.centre += (range.low + range.high) / 2 * way;
  out.radius += (range.high - range.low) / 2 * way.norm();
  return tighten(out);
}

ReachVolume sweep_joint(const Mover& m, const std::vector<Interval>& range,
                        const ReachVolume& inner) {
  const Pose at(Mat3::Identity(), m.X_PJ.p);
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      return transform(at, turn(m.R0, m.axis, range[0], inner));
    case JointType::prismatic:
      return shift(m.u1, range[0], transform(m.X_PJ, inner));
    case JointType::universal:
      return transform(
          at, turn(m.R0, m.axis, range[0], turn(Mat3::Identity(), m.axis2, range[1], inner)));
    case JointType::planar: {
      const ReachVolume turned = transform(at, turn(m.R0, m.axis, range[2], inner));
      const ReachVolume along = shift(m.R0 * m.u1, range[0], turned);
      return along.is_bounded() ? shift(m.R0 * m.u2, range[1], along) : along;
    }
    case JointType::spherical:
      return transform(m.X_PJ, turn_freely(range[0].high, inner));
    case JointType::free: {
      ReachVolume v = transform(m.X_PJ, turn_freely(kPi, inner));
      for (int k = 0; k < 3 && v.is_bounded(); ++k)
        v = shift(m.R0.col(k), range[static_cast<std::size_t>(k)], v);
      return v;
    }
    case JointType::fixed:
      break;
  }
  return transform(m.X_PJ, inner);
}

Interval follow(const LinearFollow& f, const Interval& leader) {
  if (f.multiplier == 0) return {f.offset, f.offset};
  const double a = f.multiplier * leader.low + f.offset, b = f.multiplier * leader.high + f.offset;
  return {std::min(a, b), std::max(a, b)};
}

/// Between corner points the value is straight: its extremes are at them or at the leader's ends.
Interval follow(const TableFollow& f, const Interval& leader) {
  Interval out{kInfinity, -kInfinity};
  const auto add = [&](double y) { out = {std::min(out.low, y), std::max(out.high, y)}; };
  for (const auto& [x, y] : f.points) {
    if (x >= leader.low && x <= leader.high) add(y);
  }
  const auto evaluate = [&](double x) {
    if (x <= f.points.front().first) return f.points.front().second;
    for (std::size_t i = 1; i < f.points.size(); ++i) {
      const auto& [x0, y0] = f.points[i - 1];
      const auto& [x1, y1] = f.points[i];
      if (x <= x1) return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
    }
    return f.points.back().second;
  };
  add(evaluate(leader.low));
  add(evaluate(leader.high));
  return out;
}

Interval follow(const Scene& scene, const Follower& f) {
  if (const auto* linear = std::get_if<LinearFollow>(&f.function))
    return follow(*linear, compute_ranges(scene, f.leaders[0])[0]);
  if (const auto* table = std::get_if<TableFollow>(&f.function); table && !table->points.empty())
    return follow(*table, compute_ranges(scene, f.leaders[0])[0]);
  return {};
}

}  // namespace

ReachVolume make_volume(const AxisBox& box) { return {box, box.centre(), box.size().norm() / 2}; }

bool may_meet(const ReachVolume& a, const ReachVolume& b, double margin) {
  if (!a.is_bounded() || !b.is_bounded()) return true;
  if (((a.box.min - b.box.max).array() > margin).any() ||
      ((b.box.min - a.box.max).array() > margin).any())
    return false;
  return (a.centre - b.centre).norm() <= a.radius + b.radius + margin;
}

std::vector<Interval> compute_ranges(const Scene& scene, JointId joint) {
  const Joint& j = scene.joint(joint);
  std::vector<Interval> ranges(static_cast<std::size_t>(j.nv));
  if (j.role == JointRole::follower) {
    for (const Follower& f : scene.followers()) {
      if (f.joint == joint) ranges[0] = follow(scene, f);
    }
    return ranges;
  }
  if (j.role == JointRole::dependent) return ranges;  // its formula knows no limits
  for (std::size_t k = 0; k < ranges.size() && k < j.limits.size(); ++k)
    ranges[k] = {j.limits[k].lower, j.limits[k].upper};
  return ranges;
}

ReachVolume sweep(const Scene& scene, int mover, const ReachVolume& inner) {
  const Mover& m = scene.movers()[static_cast<std::size_t>(mover)];
  if (!inner.is_bounded()) return inner;
  if (m.carried || !m.joint.valid()) return transform(m.X_PJ, inner);
  return sweep_joint(m, compute_ranges(scene, m.joint), inner);
}

}  // namespace geste
