#include "studio/server/keeper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/text.hpp"
#include "geste/ik/drag.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"

namespace geste::studio {
namespace {

Diagnostic make_unknown(const char* what, const std::string& name,
                        std::span<const std::string> known) {
  // Of thousands of names the remedy would be a book.
  constexpr std::size_t kListed = 20;
  const std::optional<std::string> nearest = find_nearest_name(name, known);
  return {.code = "studio.unknown_name",
          .message = fmt::format("there is no {} called {}", what, quote_json(name)),
          .remedy = nearest || known.size() <= kListed ? suggest_name(name, known)
                                                       : "take a name of the scene"};
}

template <class Items>
std::vector<std::string> list_names(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

Diagnostic explain_role(const Joint& joint) {
  return {.code = "studio.not_independent",
          .message = fmt::format("joint '{}' is {}: others decide its value", joint.name,
                                 to_string(joint.role)),
          .remedy = "move the joint that it depends on"};
}

/// Quaternions that have no direction cannot be made unit.
bool has_rotations(const Scene& scene, const VecX& q) {
  constexpr double kShortest = 1e-6;
  return std::all_of(scene.joints().begin(), scene.joints().end(), [&](const Joint& j) {
    const int first = j.type == JointType::free ? j.q + 3 : j.q;
    const bool turns = j.type == JointType::free || j.type == JointType::spherical;
    return !turns || q.segment<4>(first).norm() > kShortest;
  });
}

}  // namespace

StateKeeper::StateKeeper(const Scene& scene, const VecX& start)
    : scene_(scene), workspace_(scene), q_(start), configurations_(scene.configurations()) {
  is_closed_ = project_to_loops(scene_, q_, workspace_).closed;
  if (scene.find_configuration("start") == nullptr) {
    remember("start");
    std::rotate(configurations_.begin(), configurations_.end() - 1, configurations_.end());
  }
}

Result<BodyId> StateKeeper::find_body(const std::string& name) const {
  if (const auto found = scene_.find_body(name)) return *found;
  return make_unknown("body", name, list_names(scene_.bodies()));
}

Result<void> StateKeeper::take(VecX q) {
  if (!has_rotations(scene_, q)) {
    return Diagnostic{.code = "studio.bad_request",
                      .message = "a quaternion of length 0 is no rotation",
                      .remedy = "send unit quaternions"};
  }
  normalize(scene_, q);
  const bool closed = project_to_loops(scene_, q, workspace_).closed;
  if (is_closed_ && !closed) {
    return Diagnostic{.code = "studio.loop_open",
                      .message = "a closed chain of the mechanism cannot be closed there",
                      .remedy = "move it by a smaller step, or drag a link of the chain"};
  }
  is_closed_ = closed;
  q_ = std::move(q);
  return {};
}

Result<Json> StateKeeper::apply(const SetJoint& deed) {
  const std::optional<JointId> id = scene_.find_joint(deed.joint);
  if (!id) return make_unknown("joint", deed.joint, list_names(scene_.joints()));
  const Joint& joint = scene_.joint(*id);
  if (joint.nq == 0 || joint.role != JointRole::independent) return explain_role(joint);
  if (std::ssize(deed.values) != joint.nq) {
    return Diagnostic{.code = "studio.bad_request",
                      .message = fmt::format("joint '{}' has {} values, not {}", joint.name,
                                             joint.nq, deed.values.size()),
                      .remedy = "send one value for each of its entries"};
  }
  VecX wanted = q_;
  std::copy(deed.values.begin(), deed.values.end(), wanted.data() + joint.q);
  VecX clamped = wanted;
  if (has_rotations(scene_, clamped)) clamp_to_limits(scene_, clamped);
  const auto entries = [&](const VecX& q) { return VecX(q.segment(joint.q, joint.nq)); };
  const bool is_clamped = entries(clamped) != entries(wanted);
  wanted.segment(joint.q, joint.nq) = entries(clamped);
  if (const Result<void> taken = take(std::move(wanted)); !taken) return taken.error();
  const VecX now = entries(q_);
  return Json{{"values", std::vector<double>(now.begin(), now.end())}, {"clamped", is_clamped}};
}

Result<Json> StateKeeper::apply(const SetState& deed) {
  if (std::ssize(deed.q) != scene_.nq()) {
    return Diagnostic{.code = "studio.bad_request",
                      .message = fmt::format("a configuration of this scene has {} entries, not {}",
                                             scene_.nq(), deed.q.size()),
                      .remedy = "send all entries of q"};
  }
  VecX q = Eigen::Map<const VecX>(deed.q.data(), scene_.nq());
  if (const Result<void> taken = take(std::move(q)); !taken) return taken.error();
  return Json::object();
}

Result<Json> StateKeeper::apply(const UseConfiguration& deed) {
  const auto found = std::find_if(configurations_.begin(), configurations_.end(),
                                  [&](const NamedConfiguration& c) { return c.name == deed.name; });
  if (found == configurations_.end())
    return make_unknown("configuration", deed.name, list_configurations());
  VecX q = q_;
  geste::apply(scene_, *found, q);
  if (const Result<void> taken = take(std::move(q)); !taken) return taken.error();
  return Json::object();
}

Json StateKeeper::move(BodyId body, const Vec3& p_B, const Vec3& p_W,
                       const std::optional<Mat3>& R_WB) {
  const DragReport report = drag_body(scene_, {body, p_B, p_W, R_WB}, q_, workspace_);
  Json at_limit = Json::array();
  for (const JointId joint : report.at_limit) at_limit.push_back(scene_.joint(joint).name);
  return {{"residual_m", report.residual_m},
          {"residual_rad", report.residual_rad},
          {"at_limit", std::move(at_limit)}};
}

Result<Json> StateKeeper::apply(const Drag& deed) {
  const Result<BodyId> body = find_body(deed.body);
  if (!body) return body.error();
  std::optional<Mat3> R_WB;
  if (deed.rotation) R_WB = deed.rotation->toRotationMatrix();
  return move(*body, deed.p_B, deed.p_W, R_WB);
}

Result<Json> StateKeeper::apply(const MoveByDevice& deed) {
  const Result<BodyId> body = find_body(deed.body);
  if (!body) return body.error();
  compute_kinematics(scene_, q_, workspace_);
  const Pose X_WB = compute_pose(scene_, workspace_, *body);
  const Mat3 turned = so3::exp(deed.angular * deed.seconds) * X_WB.R;
  return move(*body, Vec3::Zero(), X_WB.p + deed.linear * deed.seconds, turned);
}

std::vector<std::string> StateKeeper::list_configurations() const {
  return list_names(configurations_);
}

ConfigurationSpec StateKeeper::make_configuration(const std::string& name) const {
  ConfigurationSpec spec;
  spec.name = name;
  for (const Joint& j : scene_.joints()) {
    if (j.nq == 0 || j.role != JointRole::independent) continue;
    const auto entries = q_.segment(j.q, j.nq);
    spec.values.emplace_back(j.name, std::vector<double>(entries.begin(), entries.end()));
  }
  return spec;
}

void StateKeeper::remember(const std::string& name) {
  NamedConfiguration configuration{name, "", {}};
  for (std::size_t i = 0; i < scene_.joints().size(); ++i) {
    const Joint& j = scene_.joints()[i];
    if (j.nq == 0 || j.role != JointRole::independent) continue;
    configuration.values.emplace_back(JointId(i), q_.segment(j.q, j.nq));
  }
  const auto found = std::find_if(configurations_.begin(), configurations_.end(),
                                  [&](const NamedConfiguration& c) { return c.name == name; });
  if (found == configurations_.end()) {
    configurations_.push_back(std::move(configuration));
  } else {
    *found = std::move(configuration);
  }
}

std::shared_ptr<const Snapshot> StateKeeper::make_snapshot(std::uint64_t seq) {
  compute_kinematics(scene_, q_, workspace_);
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->seq = seq;
  snapshot->q = q_;
  snapshot->movers.resize(scene_.movers().size());
  for (std::size_t i = 0; i < snapshot->movers.size(); ++i) {
    const Pose& X = workspace_.X_WM()[i];
    const Quat r = X.quaternion();
    const double values[] = {X.p.x(), X.p.y(), X.p.z(), r.x(), r.y(), r.z(), r.w()};
    std::transform(std::begin(values), std::end(values), snapshot->movers[i].begin(),
                   [](double x) { return static_cast<float>(x); });
  }
  return snapshot;
}

}  // namespace geste::studio
