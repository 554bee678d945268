#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/core/text.hpp"
#include "geste/model/internal/compiler.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/state.hpp"

namespace geste {
namespace {

bool is_rigid(const Pose& X) {
  return X.p.allFinite() && X.R.allFinite() &&
         (X.R.transpose() * X.R - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-6 &&
         X.R.determinant() > 0;
}

bool uses_axis(JointType type) {
  return type == JointType::revolute || type == JointType::continuous ||
         type == JointType::prismatic || type == JointType::universal || type == JointType::planar;
}

/// Attachments that do not say where the body sits take it where it is in the neutral
/// configuration.
Result<void> complete_attachments(SceneSpec& spec);

}  // namespace

std::string quoted(const char* what, const std::string& name) {
  return fmt::format("{} '{}'", what, name);
}

SceneCompiler::SceneCompiler(SceneSpec spec) : spec_(std::move(spec)) {}

Result<Scene> SceneCompiler::run() {
  index_bodies();
  index_joints();
  link_bodies();
  const bool is_tree = check_cycles();
  lay_out();
  add_followers();
  add_explicit_loops();
  add_loops();
  if (is_tree) add_attachments();
  add_groups();
  add_configurations();
  add_frames();
  add_actors();
  add_allowed_pairs();
  add_geometry();
  if (!faults_.empty()) return make_error(std::move(faults_));
  add_movers();
  weld_inertia();
  find_loop_joints();
  scene_.spec_ = std::make_shared<const SceneSpec>(std::move(spec_));
  return std::move(scene_);
}

void SceneCompiler::fault(std::string code, std::string message, std::string element,
                          std::string remedy, const Source& source) {
  Diagnostic d;
  d.code = std::move(code);
  d.message = std::move(message);
  d.element = std::move(element);
  d.remedy = std::move(remedy);
  d.file = source.file;
  d.line = source.line;
  faults_.push_back(std::move(d));
}

void SceneCompiler::fault_unknown(const char* what, const std::string& name,
                                  const std::string& element,
                                  const std::unordered_map<std::string, int>& known,
                                  const Source& source) {
  // Suggestions cost a look at every name; a file full of unknown ones has another problem.
  constexpr int kMostSuggestions = 20;
  std::string remedy = fmt::format("name a {} of the scene", what);
  if (++unknown_names_ <= kMostSuggestions) {
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const auto& [candidate, index] : known) names.push_back(candidate);
    std::sort(names.begin(), names.end());
    remedy = suggest_name(name, names);
  }
  fault(fmt::format("scene.unknown_{}", what), fmt::format("there is no {} '{}'", what, name),
        element, remedy, source);
}

void SceneCompiler::check_pose(const Pose& X, const std::string& element, const Source& source) {
  if (is_rigid(X)) return;
  fault("scene.bad_pose", "its placement is not a rigid pose of finite numbers", element,
        "use an orthonormal, right-handed rotation", source);
}

void SceneCompiler::check_unique(std::unordered_set<std::string>& seen, const std::string& name,
                                 const char* kind, const Source& source) {
  if (name.empty() || seen.insert(name).second) return;
  fault(fmt::format("scene.duplicate_{}", kind), "the name is used twice", quoted(kind, name),
        "rename one of the two", source);
}

std::optional<int> SceneCompiler::find_body(const std::string& name, const std::string& element,
                                            const Source& source) {
  if (name.empty()) return -1;
  const auto found = scene_.body_index_.find(name);
  if (found != scene_.body_index_.end()) return found->second;
  fault_unknown("body", name, element, scene_.body_index_, source);
  return std::nullopt;
}

std::optional<int> SceneCompiler::find_joint(const std::string& name, const std::string& element,
                                             const Source& source) {
  const auto found = scene_.joint_index_.find(name);
  if (found != scene_.joint_index_.end()) return found->second;
  fault_unknown("joint", name, element, scene_.joint_index_, source);
  return std::nullopt;
}

void SceneCompiler::index_bodies() {
  for (const BodySpec& b : spec_.bodies) {
    const int index = static_cast<int>(scene_.bodies_.size());
    if (b.name.empty()) {
      fault("scene.no_name", "a body has no name", fmt::format("body number {}", index + 1),
            "name it", b.source);
    } else if (!scene_.body_index_.emplace(b.name, index).second) {
      fault("scene.duplicate_body", "the name is used twice", quoted("body", b.name),
            "rename one of the two", b.source);
    }
    check_inertia(b);
    Body body;
    body.name = b.name;
    if (b.inertia) body.inertia = {b.inertia->mass, b.inertia->com, b.inertia->inertia};
    scene_.bodies_.push_back(std::move(body));
    scene_.total_mass_ += b.inertia ? b.inertia->mass : 0;
  }
}

void SceneCompiler::check_inertia(const BodySpec& b) {
  if (!b.inertia) return;
  const InertiaSpec& I = *b.inertia;
  if (!std::isfinite(I.mass) || I.mass < 0 || !I.com.allFinite() || !I.inertia.allFinite()) {
    fault("scene.bad_inertia",
          "mass, centre of mass and inertia must be finite numbers and the mass not negative",
          quoted("body", b.name), "correct the inertial values", b.source);
    return;
  }
  const double scale = I.inertia.cwiseAbs().maxCoeff();
  if ((I.inertia - I.inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    fault("scene.bad_inertia", "the inertia matrix is not symmetric", quoted("body", b.name),
          "correct the inertial values", b.source);
    return;
  }
}

void SceneCompiler::index_joints() {
  for (const JointSpec& spec : spec_.joints) {
    const int index = static_cast<int>(scene_.joints_.size());
    if (spec.name.empty()) {
      fault("scene.no_name", "a joint has no name", fmt::format("joint number {}", index + 1),
            "name it", spec.source);
    } else if (!scene_.joint_index_.emplace(spec.name, index).second) {
      fault("scene.duplicate_joint", "the name is used twice", quoted("joint", spec.name),
            "rename one of the two", spec.source);
    }
    check_joint(spec);
    Joint joint;
    joint.name = spec.name;
    joint.type = spec.type;
    joint.X_PJ = spec.X_PJ;
    joint.axis = spec.axis.normalized();
    joint.axis2 = spec.axis2.normalized();
    joint.nq = count_q(spec.type);
    joint.nv = count_v(spec.type);
    joint.limits = spec.limits;
    joint.limits.resize(static_cast<std::size_t>(joint.nv));
    if (spec.type == JointType::spherical && !std::isfinite(joint.limits[0].upper)) {
      joint.limits[0].upper = std::numbers::pi;
    }
    joint.damping = spec.damping;
    joint.friction = spec.friction;
    scene_.joints_.push_back(std::move(joint));
  }
}

void SceneCompiler::check_joint(const JointSpec& spec) {
  const std::string element = quoted("joint", spec.name);
  check_pose(spec.X_PJ, element, spec.source);
  const auto not_negative = [](double x) { return std::isfinite(x) && x >= 0; };
  if (!not_negative(spec.damping) || !not_negative(spec.friction)) {
    fault("scene.bad_friction",
          fmt::format("damping {:g} and friction {:g} must be finite and not negative",
                      spec.damping, spec.friction),
          element, "correct the values", spec.source);
  }
  const auto bad = [](const Vec3& axis) { return !axis.allFinite() || axis.norm() < 1e-9; };
  if (uses_axis(spec.type) && bad(spec.axis)) {
    fault("scene.bad_axis", "its axis has no direction", element, "give a vector that is not zero",
          spec.source);
  }
  if (spec.type == JointType::universal &&
      (bad(spec.axis2) || spec.axis.normalized().cross(spec.axis2.normalized()).norm() < 1e-6)) {
    fault("scene.bad_axis", "its two axes must span a plane", element,
          "give two axes that are not parallel", spec.source);
  }
  check_limits(spec);
}

void SceneCompiler::check_limits(const JointSpec& spec) {
  const std::string element = quoted("joint", spec.name);
  const auto nv = static_cast<std::size_t>(count_v(spec.type));
  if (!spec.limits.empty() && spec.limits.size() != nv) {
    fault("scene.limit_count",
          fmt::format("has {} limits for {} degrees of freedom", spec.limits.size(), nv), element,
          "give one limit for each degree of freedom, or none", spec.source);
  }
  for (const DofLimits& l : spec.limits) {
    if (!(l.lower <= l.upper) || l.lower == kInfinity || l.upper == -kInfinity) {
      fault(
          "scene.bad_limits",
          fmt::format("its lower limit {:g} and upper limit {:g} leave no value", l.lower, l.upper),
          element, "give lower <= upper", spec.source);
    }
    if (!(l.velocity >= 0) || !(l.effort >= 0)) {
      fault("scene.bad_limits",
            fmt::format("its velocity limit {:g} and effort limit {:g} must not be negative",
                        l.velocity, l.effort),
            element, "give numbers of 0 or more", spec.source);
    }
  }
  if (spec.type == JointType::spherical && !spec.limits.empty() && spec.limits[0].upper < 0) {
    fault("scene.bad_limits",
          fmt::format("its largest angle {:g} is negative", spec.limits[0].upper), element,
          "give an angle between 0 and pi", spec.source);
  }
}

void SceneCompiler::link_bodies() {
  for (std::size_t i = 0; i < spec_.joints.size(); ++i) {
    const JointSpec& spec = spec_.joints[i];
    const std::string element = quoted("joint", spec.name);
    if (spec.child.empty()) {
      fault("scene.no_child", "names no child body", element, "the world cannot hang on a joint",
            spec.source);
      continue;
    }
    const auto child = find_body(spec.child, element, spec.source);
    const auto parent = find_body(spec.parent, element, spec.source);
    if (!child || !parent) continue;
    Joint& joint = scene_.joints_[i];
    joint.child = BodyId(*child);
    joint.parent = BodyId(*parent);
    if (body(*child).joint.valid()) {
      fault("scene.two_parents",
            fmt::format("its child '{}' already hangs on joint '{}'", spec.child,
                        scene_.joint(body(*child).joint).name),
            element, "close the loop with a loop constraint instead of a second joint",
            spec.source);
      continue;
    }
    body(*child).joint = JointId(static_cast<int>(i));
    body(*child).parent = joint.parent;
  }
}

bool SceneCompiler::check_cycles() {
  bool sound = true;
  // Walk up from every body; a walk longer than the number of bodies goes around.
  std::vector<char> settled(scene_.bodies_.size(), 0);
  for (std::size_t start = 0; start < scene_.bodies_.size(); ++start) {
    std::vector<int> way;
    int i = static_cast<int>(start);
    while (i >= 0 && !settled[static_cast<std::size_t>(i)] && way.size() <= scene_.bodies_.size()) {
      way.push_back(i);
      i = body(i).parent.value();
    }
    if (way.size() > scene_.bodies_.size()) {
      sound = false;
      fault("scene.cycle", "hangs on itself through its own children", quoted("body", body(i).name),
            "remove one joint of the ring, or close it with a loop constraint",
            spec_.bodies[static_cast<std::size_t>(i)].source);
    }
    for (int k : way) settled[static_cast<std::size_t>(k)] = 1;
  }
  return sound;
}

void SceneCompiler::lay_out() {
  for (Joint& j : scene_.joints_) {
    j.q = scene_.nq_;
    j.v = scene_.nv_;
    scene_.nq_ += j.nq;
    scene_.nv_ += j.nv;
  }
}

namespace {

Result<void> complete_attachments(SceneSpec& spec) {
  const auto open = [](const AttachmentSpec& a) { return !a.X_CB; };
  if (std::none_of(spec.attachments.begin(), spec.attachments.end(), open)) return {};
  SceneSpec before = spec;
  std::erase_if(before.attachments, open);
  Result<Scene> scene = SceneCompiler(std::move(before)).run();
  if (!scene) return scene.error();
  Workspace workspace(*scene);
  compute_kinematics(*scene, State(*scene).q, workspace);
  for (AttachmentSpec& a : spec.attachments) {
    const auto b = scene->find_body(a.body);
    const auto c = scene->find_body(a.carrier);
    if (a.X_CB || !b || !c) continue;  // unknown names are faults of the compilation that follows
    a.X_CB = compute_pose(*scene, workspace, *c).inverse() * compute_pose(*scene, workspace, *b);
  }
  return {};
}

}  // namespace

Result<Scene> Scene::compile(SceneSpec spec) {
  if (Result<void> completed = complete_attachments(spec); !completed) return completed.error();
  return SceneCompiler(std::move(spec)).run();
}

}  // namespace geste
