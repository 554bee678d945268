#include "geste/formats/track_pack.hpp"

#include <cmath>
#include <stdexcept>

#include "geste/formats/internal/pack_pose.hpp"
#include "geste/formats/internal/pack_writer.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

using Json = PackWriter::Json;

constexpr double kStep = 1e-6;              // m
constexpr double kRotationScale = 1 << 20;  // of a quaternion's entries
constexpr double kMost32 = 2e9;

/// Where every mover is in every frame: one row per mover.
std::vector<std::vector<Pose>> compute_places(const Scene& scene, const JointMotion& motion,
                                              BudgetMeter& meter) {
  std::vector<std::vector<Pose>> places(scene.movers().size());
  Workspace workspace(scene);
  for (Eigen::Index k = 0; k < motion.q.cols() && meter.spend(); ++k) {
    compute_kinematics(scene, motion.q.col(k), workspace);
    for (std::size_t m = 0; m < places.size(); ++m) places[m].push_back(workspace.X_WM()[m]);
  }
  return places;
}

bool rests(const std::vector<Pose>& places) {
  for (const Pose& X : places)
    if (X.p != places.front().p || X.R != places.front().R) return false;
  return true;
}

Json pack_positions(const std::vector<Pose>& places, const Vec3& centre, double step,
                    PackWriter& writer) {
  std::vector<std::array<std::int32_t, 3>> items;
  items.reserve(places.size());
  for (const Pose& X : places) {
    const Vec3 n = (X.p - centre) / step;
    items.push_back({static_cast<std::int32_t>(std::lround(n.x())),
                     static_cast<std::int32_t>(std::lround(n.y())),
                     static_cast<std::int32_t>(std::lround(n.z()))});
  }
  return writer.add_items(items.data(), items.size(), sizeof items.front());
}

Json pack_rotations(const std::vector<Pose>& places, PackWriter& writer) {
  std::vector<std::array<std::int32_t, 4>> items;
  items.reserve(places.size());
  Quat last = places.front().quaternion();
  for (const Pose& X : places) {
    Quat q = X.quaternion();
    if (q.dot(last) < 0) q.coeffs() = -q.coeffs();  // q and -q are one rotation
    last = q;
    std::array<std::int32_t, 4>& item = items.emplace_back();
    for (std::size_t k = 0; k < 4; ++k)
      item[k] = static_cast<std::int32_t>(
          std::lround(kRotationScale * q.coeffs()[static_cast<Eigen::Index>(k)]));
  }
  return writer.add_items(items.data(), items.size(), sizeof items.front());
}

Json pack_mover(std::size_t mover, const std::vector<Pose>& places, PackWriter& writer) {
  Vec3 lower = places.front().p, upper = lower;
  for (const Pose& X : places) {
    lower = lower.cwiseMin(X.p);
    upper = upper.cwiseMax(X.p);
  }
  const Vec3 centre = (lower + upper) / 2;
  const double step = std::max(kStep, (upper - lower).maxCoeff() / kMost32);
  return {{"mover", mover},
          {"centre", {centre.x(), centre.y(), centre.z()}},
          {"step", step},
          {"positions", pack_positions(places, centre, step, writer)},
          {"rotations", pack_rotations(places, writer)}};
}

Json pack_limit(double limit) { return std::isfinite(limit) ? Json(limit) : Json(nullptr); }

/// The independent joints; their values go to `values`, entry by entry.
Json pack_joints(const Scene& scene, const JointMotion& motion, std::vector<float>& values) {
  Json joints = Json::array();
  for (const Joint& joint : scene.joints()) {
    if (joint.role != JointRole::independent || joint.nq == 0) continue;
    Json limits = Json::array();
    for (const DofLimits& l : joint.limits)
      limits.push_back({pack_limit(l.lower), pack_limit(l.upper)});
    joints.push_back({{"name", joint.name},
                      {"type", to_string(joint.type)},
                      {"unit", joint.type == JointType::prismatic ? "m" : "rad"},
                      {"nq", joint.nq},
                      {"limits", std::move(limits)}});
    for (int k = joint.q; k < joint.q + joint.nq; ++k)
      for (Eigen::Index frame = 0; frame < motion.q.cols(); ++frame)
        values.push_back(static_cast<float>(motion.q(k, frame)));
  }
  return joints;
}

}  // namespace

std::string make_track_pack(const Scene& scene, const JointMotion& motion, const Budget& budget) {
  if (motion.times.empty()) throw std::invalid_argument("make_track_pack: no moments");
  BudgetMeter meter(budget);
  PackWriter writer;
  Json times = writer.add_raw(motion.times.data(), motion.times.size() * sizeof(double));
  Json movers = Json::array(), still = Json::array();
  const std::vector<std::vector<Pose>> places = compute_places(scene, motion, meter);
  for (std::size_t m = 0; m < places.size(); ++m) {
    if (!meter.spend()) return {};
    if (rests(places[m])) {
      still.push_back({m, pack_pose(places[m].front())});
    } else {
      movers.push_back(pack_mover(m, places[m], writer));
    }
  }
  std::vector<float> values;
  Json joints = pack_joints(scene, motion, values);
  const Json head = {{"version", 1},
                     {"frames", motion.times.size()},
                     {"begin", motion.times.front()},
                     {"end", motion.times.back()},
                     {"times", std::move(times)},
                     {"movers", std::move(movers)},
                     {"still", std::move(still)},
                     {"joints", std::move(joints)},
                     {"values", writer.add_items(values.data(), values.size(), sizeof(float))}};
  return writer.finish("GTP1", head);
}

}  // namespace geste
