#include "geste/planning/internal/leg_rates.hpp"

#include "geste/model/joint_manifold.hpp"

namespace geste::internal {
namespace {

/// Turns a vector in the axes of a planar or free joint's child into those of the joint.
Vec3 turn_out(JointType type, const double* q, const Vec3& v) {
  if (type == JointType::planar) return Eigen::AngleAxisd(q[2], Vec3::UnitZ()) * v;
  return Eigen::Map<const Quat>(q + 3) * v;
}

}  // namespace

Mat3X compute_travel(const PlanningSpace& space, ConstVecRef a, ConstVecRef b) {
  std::vector<Vec3> travels;
  visit_rates(space, [&](const Rate& rate) {
    const PlanningSpace::Item& item = *rate.item;
    const double *from = a.data() + item.x, *to = b.data() + item.x;
    double v[6];
    difference(item.joint, from, to, v);
    Vec3 travel = Vec3::Zero();
    for (int k = 0; k < rate.count; ++k)
      travel[k] = rate.slides && rate.count > 1 ? to[k] - from[k] : v[rate.first + k];
    travels.push_back(travel);
  });
  return Eigen::Map<const Mat3X>(travels.front().data(), 3,
                                 static_cast<Eigen::Index>(travels.size()));
}

LegRates compute_leg_rates(const PlanningSpace& space, Course course, ConstVecRef a,
                           ConstVecRef b) {
  LegRates leg;
  leg.begin = compute_travel(space, a, b);
  leg.end = leg.begin;
  leg.along = leg.begin.colwise().norm().transpose();
  leg.across = VecX::Zero(leg.along.size());
  if (course == Course::straight) return leg;
  Eigen::Index row = 0;
  visit_rates(space, [&](const Rate& rate) {
    if (rate.slides && rate.count > 1) {
      const PlanningSpace::Item& item = *rate.item;
      const double *from = a.data() + item.x, *to = b.data() + item.x;
      const Vec6 twist = compute_screw(item.joint.type, from, to);
      leg.begin.col(row) = turn_out(item.joint.type, from, twist.head<3>());
      leg.end.col(row) = turn_out(item.joint.type, to, twist.head<3>());
      leg.along[row] = twist.head<3>().norm();
      leg.across[row] = leg.along[row] * twist.tail<3>().norm();
    }
    ++row;
  });
  return leg;
}

}  // namespace geste::internal
