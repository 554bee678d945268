#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "geste/formats/bvh.hpp"

namespace geste {
namespace {

constexpr double kRadiansPerDegree = kPi / 180;
/// Bones shorter than this are coincident joints, not bones.
constexpr double kShortestBone = 1e-6;
constexpr double kRadiusPerLength = 0.1;
constexpr double kThinnestRadius = 0.008;
constexpr double kThickestRadius = 0.06;

/// How one joint of the file becomes a joint of the scene.
struct JointPlan {
  JointType type = JointType::fixed;
  std::vector<int> rotation_axes;
  int q_size = 0;
};

JointPlan plan_joint(const BvhJoint& joint) {
  JointPlan plan;
  bool moves = joint.parent < 0;
  for (const BvhChannel channel : joint.channels) {
    if (is_rotation(channel)) {
      plan.rotation_axes.push_back(axis_of(channel));
    } else {
      moves = true;
    }
  }
  const std::vector<int>& axes = plan.rotation_axes;
  if (moves) {
    plan.type = JointType::free;
    plan.q_size = 7;
  } else if (axes.size() == 1) {
    plan.type = JointType::revolute;
    plan.q_size = 1;
  } else if (axes.size() == 2 && axes[0] != axes[1]) {
    plan.type = JointType::universal;
    plan.q_size = 2;
  } else if (!axes.empty()) {
    plan.type = JointType::spherical;
    plan.q_size = 4;
  }
  return plan;
}

void check(const BvhSceneOptions& options) {
  const std::vector<Diagnostic> faults = options.faults();
  if (!faults.empty()) throw std::invalid_argument(to_text(make_error(faults)));
}

/// From the file's axes F to the scene's W: cyclic permutations, so that no mirror slips in.
Mat3 axes_rotation(UpAxis up) {
  Mat3 R_WF = Mat3::Identity();
  if (up == UpAxis::z) return R_WF;
  if (up == UpAxis::x) {
    R_WF << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  } else {
    R_WF << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  }
  return R_WF;
}

void add_bone(BodySpec& body, std::string name, const Vec3& p_BT) {
  const double length = p_BT.norm();
  if (length < kShortestBone) return;
  GeometrySpec bone;
  bone.name = std::move(name);
  bone.shape =
      Capsule{std::clamp(kRadiusPerLength * length, kThinnestRadius, kThickestRadius), length};
  bone.X_BG = Pose(Quat::FromTwoVectors(Vec3::UnitZ(), p_BT), 0.5 * p_BT);
  bone.collision = false;
  body.geometry.push_back(std::move(bone));
}

JointSpec make_joint(const BvhFile& bvh, const BvhJoint& joint, const BvhSceneOptions& options) {
  const JointPlan plan = plan_joint(joint);
  JointSpec spec;
  spec.name = joint.name;
  spec.type = plan.type;
  spec.child = joint.name;
  if (joint.parent >= 0) spec.parent = bvh.joints[joint.parent].name;
  if (joint.parent < 0) spec.X_PJ.R = axes_rotation(options.up);
  // A free joint carries all of its place in q, because channels replace the offset.
  if (plan.type != JointType::free) spec.X_PJ.p = options.metres_per_unit * joint.offset;
  if (plan.type == JointType::revolute || plan.type == JointType::universal) {
    spec.axis = Vec3::Unit(plan.rotation_axes[0]);
  }
  if (plan.type == JointType::universal) spec.axis2 = Vec3::Unit(plan.rotation_axes[1]);
  spec.source = {bvh.file, joint.line};
  return spec;
}

std::vector<double> rest_values(const BvhJoint& joint, double metres_per_unit) {
  const JointPlan plan = plan_joint(joint);
  std::vector<double> q(plan.q_size, 0.0);
  if (plan.type == JointType::free) Eigen::Map<Vec3>(q.data()) = metres_per_unit * joint.offset;
  if (plan.type == JointType::free || plan.type == JointType::spherical) q.back() = 1;
  return q;
}

void add_bodies(const BvhFile& bvh, const BvhSceneOptions& options, SceneSpec& scene) {
  for (const BvhJoint& joint : bvh.joints) {
    scene.bodies.push_back({joint.name, std::nullopt, {}, {bvh.file, joint.line}});
    scene.joints.push_back(make_joint(bvh, joint, options));
  }
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    const BvhJoint& joint = bvh.joints[i];
    if (joint.parent >= 0) {
      add_bone(scene.bodies[joint.parent], fmt::format("bone_to_{}", joint.name),
               options.metres_per_unit * joint.offset);
    }
    for (std::size_t k = 0; k < joint.end_sites.size(); ++k) {
      add_bone(scene.bodies[i],
               k == 0 ? fmt::format("end_of_{}", joint.name)
                      : fmt::format("end_{}_of_{}", k + 1, joint.name),
               options.metres_per_unit * joint.end_sites[k]);
    }
  }
}

/// One person per root.
void add_actors(const BvhFile& bvh, SceneSpec& scene) {
  std::vector<std::size_t> actor(bvh.joints.size());
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    const BvhJoint& joint = bvh.joints[i];
    if (joint.parent < 0) scene.actors.push_back({joint.name, "person", {}});
    actor[i] = joint.parent < 0 ? scene.actors.size() - 1 : actor[joint.parent];
    scene.actors[actor[i]].bodies.push_back(joint.name);
  }
  if (scene.actors.size() == 1) scene.actors.front().name = scene.name;
}

/// Writes one joint's entries; `previous` points at its entries of the frame before, or is null.
void write_entries(const BvhJoint& joint, const JointPlan& plan, std::span<const double> row,
                   double metres_per_unit, const double* previous, double* q) {
  Vec3 position = joint.offset;
  Quat rotation = Quat::Identity();
  int angles = 0;
  const bool as_angles = plan.type == JointType::revolute || plan.type == JointType::universal;
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    const BvhChannel channel = joint.channels[i];
    const double value = row[joint.first_channel + i];
    if (!is_rotation(channel)) {
      position[axis_of(channel)] = value;
    } else if (as_angles) {
      double angle = value * kRadiansPerDegree;
      if (previous) angle += 2 * kPi * std::round((previous[angles] - angle) / (2 * kPi));
      q[angles++] = angle;
    } else {
      rotation = rotation *
                 Quat(Eigen::AngleAxisd(value * kRadiansPerDegree, Vec3::Unit(axis_of(channel))));
    }
  }
  if (as_angles || plan.type == JointType::fixed) return;
  if (plan.type == JointType::free) {
    Eigen::Map<Vec3> place(q);
    place = metres_per_unit * position;
    q += 3;
    if (previous) previous += 3;
  }
  rotation.normalize();
  Eigen::Map<Eigen::Vector4d> out(q);
  out = rotation.coeffs();
  const double agreement =
      previous ? out.dot(Eigen::Map<const Eigen::Vector4d>(previous)) : rotation.w();
  if (agreement < 0) out = -out;
}

std::vector<JointPlan> plan_joints(const BvhFile& bvh, int& nq) {
  std::vector<JointPlan> plans;
  plans.reserve(bvh.joints.size());
  nq = 0;
  for (const BvhJoint& joint : bvh.joints) {
    plans.push_back(plan_joint(joint));
    nq += plans.back().q_size;
  }
  return plans;
}

void write_configuration(const BvhFile& bvh, const std::vector<JointPlan>& plans, int frame,
                         double metres_per_unit, const double* previous, double* q) {
  const std::span<const double> row = bvh.row(frame);
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    write_entries(bvh.joints[i], plans[i], row, metres_per_unit, previous, q);
    q += plans[i].q_size;
    if (previous) previous += plans[i].q_size;
  }
}

}  // namespace

std::vector<Diagnostic> BvhSceneOptions::faults() const {
  std::vector<Diagnostic> faults;
  if (!(metres_per_unit > 0) || !std::isfinite(metres_per_unit)) {
    Diagnostic fault;
    fault.code = "bvh.options";
    fault.element = "metres_per_unit";
    fault.message = fmt::format("{} is not a length above 0", metres_per_unit);
    fault.remedy = "give the length of one unit of the file in metres, such as 0.01";
    faults.push_back(std::move(fault));
  }
  return faults;
}

SceneSpec make_bvh_scene(const BvhFile& bvh, const BvhSceneOptions& options) {
  check(options);
  SceneSpec scene;
  scene.name = std::filesystem::path(bvh.file).stem().string();
  scene.notes = bvh.notes;
  add_bodies(bvh, options, scene);
  add_actors(bvh, scene);
  ConfigurationSpec rest;
  rest.name = "rest";
  for (const BvhJoint& joint : bvh.joints) {
    std::vector<double> q = rest_values(joint, options.metres_per_unit);
    if (!q.empty()) rest.values.emplace_back(joint.name, std::move(q));
  }
  scene.configurations.push_back(std::move(rest));
  return scene;
}

VecX make_bvh_configuration(const BvhFile& bvh, int frame, const BvhSceneOptions& options,
                            const VecX* previous) {
  check(options);
  if (frame < 0 || frame >= bvh.frames) {
    throw std::out_of_range(
        fmt::format("BVH frame {} asked for, the file has {}", frame, bvh.frames));
  }
  int nq = 0;
  const std::vector<JointPlan> plans = plan_joints(bvh, nq);
  if (previous && previous->size() != nq) {
    throw std::invalid_argument(
        fmt::format("previous configuration has {} entries, not {}", previous->size(), nq));
  }
  VecX q(nq);
  write_configuration(bvh, plans, frame, options.metres_per_unit,
                      previous ? previous->data() : nullptr, q.data());
  return q;
}

MatX make_bvh_motion(const BvhFile& bvh, const BvhSceneOptions& options) {
  check(options);
  int nq = 0;
  const std::vector<JointPlan> plans = plan_joints(bvh, nq);
  MatX motion(nq, bvh.frames);
  for (int frame = 0; frame < bvh.frames; ++frame) {
    const double* previous = frame > 0 ? motion.col(frame - 1).data() : nullptr;
    write_configuration(bvh, plans, frame, options.metres_per_unit, previous,
                        motion.col(frame).data());
  }
  return motion;
}

}  // namespace geste
