#include "geste/tasks/internal/loose_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "geste/core/text.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

/// Whether a name is what a pattern says: '*' stands for any letters.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = std::min(star, name.size()); i <= name.size(); ++i)
    if (matches(rest, name.substr(i))) return true;
  return false;
}

class Loosening {
 public:
  Loosening(TaskScene world, const LoosePart& loose, const std::string& element)
      : world_(std::move(world)),
        scene_(world_.scene),
        loose_(loose),
        element_(element),
        spec_(scene_.spec()),
        workspace_(scene_) {
    compute_kinematics(scene_, world_.start, workspace_);
  }

  Result<TaskScene> run() {
    find_part();
    for (const std::string& pattern : loose_.carries) carry(pattern);
    for (const std::string& pattern : loose_.ignored) ignore(pattern);
    if (!faults_.empty()) return make_error(std::move(faults_));
    hang_part();
    move_actors();
    Result<Scene> scene = Scene::compile(std::move(spec_));
    if (!scene) return scene.error();
    VecX start = make_start(*scene);
    return TaskScene{std::move(*scene), std::move(start), std::move(world_.inputs),
                     std::move(world_.notes), std::move(world_.assemblies)};
  }

 private:
  void fault(const char* code, std::string message, std::string remedy) {
    faults_.push_back({.code = code,
                       .message = std::move(message),
                       .element = element_,
                       .remedy = std::move(remedy)});
  }

  [[nodiscard]] Pose place_of(BodyId body) const { return compute_pose(scene_, workspace_, body); }

  void find_part() {
    const std::optional<BodyId> body = scene_.find_body(loose_.part);
    if (!body) {
      std::vector<std::string> names;
      for (const Body& b : scene_.bodies()) names.push_back(b.name);
      return fault("extract.unknown_part", fmt::format("there is no part '{}'", loose_.part),
                   suggest_name(loose_.part, names));
    }
    if (!is_part(*body))
      return fault("extract.no_part", fmt::format("'{}' belongs to an actor", loose_.part),
                   "name a part, or one of an assembly as part/instance; actors move by `move`");
    part_ = *body;
    add_with_fixed(part_);
  }

  [[nodiscard]] bool is_part(BodyId body) const {
    const ActorId actor = scene_.body(body).actor;
    return actor.valid() && scene_.actor(actor).kind == "part";
  }

  /// A body and what joints that cannot move hold on it.
  void add_with_fixed(BodyId body) {
    moved_.insert(scene_.body(body).name);
    for (std::size_t i = 0; i < scene_.bodies().size(); ++i) {
      const Body& b = scene_.bodies()[i];
      if (b.parent == body && b.joint.valid() && scene_.joint(b.joint).type == JointType::fixed)
        add_with_fixed(BodyId(i));
    }
  }

  template <class Take>
  void for_each_match(const std::string& pattern, const char* what, const Take& take) {
    bool is_known = false;
    for (std::size_t i = 0; i < scene_.bodies().size(); ++i) {
      const Body& b = scene_.bodies()[i];
      if (!matches(pattern, b.name)) continue;
      is_known = true;
      if (b.name != loose_.part) take(BodyId(i), b);
    }
    if (!is_known)
      fault("extract.unknown_part", fmt::format("{} names no part: '{}'", what, pattern),
            "name parts as `geste check` does; * stands for any letters");
  }

  void carry(const std::string& pattern) {
    for_each_match(pattern, "`carries`", [&](BodyId id, const Body& b) {
      if (moved_.contains(b.name)) return;
      if (!is_part(id))
        return fault("extract.no_part", fmt::format("'{}' belongs to an actor", b.name),
                     "let parts be carried by parts");
      fix(id, loose_.part, place_of(part_).inverse() * place_of(id));
      add_with_fixed(id);
    });
  }

  void ignore(const std::string& pattern) {
    for_each_match(pattern, "`ignore`", [&](BodyId, const Body& b) { ignored_.insert(b.name); });
  }

  /// The joint above a body, as it will be.
  JointSpec& take_joint(BodyId body) {
    const std::string& name = scene_.body(body).name;
    std::erase_if(spec_.attachments, [&](const AttachmentSpec& a) { return a.body == name; });
    auto found = std::find_if(spec_.joints.begin(), spec_.joints.end(),
                              [&](const JointSpec& j) { return j.child == name; });
    if (found == spec_.joints.end()) found = spec_.joints.insert(found, {.name = name + "/root"});
    JointSpec joint;
    joint.name = found->name;
    joint.child = name;
    joint.source = found->source;
    *found = std::move(joint);
    return *found;
  }

  void fix(BodyId body, const std::string& parent, const Pose& X_PB) {
    JointSpec& joint = take_joint(body);
    changed_.insert(joint.name);
    joint.parent = parent;
    joint.X_PJ = X_PB;
  }

  /// The box of all that moves, in the part's frame.
  [[nodiscard]] AxisBox measure_box() const {
    const Pose X_PW = place_of(part_).inverse();
    AxisBox box;
    for (std::size_t g = 0; g < scene_.geometry().size(); ++g) {
      const Geometry& geometry = scene_.geometry()[g];
      if (!geometry.collision || !moved_.contains(scene_.body(geometry.body).name)) continue;
      const Pose X_WG = compute_geometry_pose(scene_, workspace_, static_cast<int>(g));
      box.add(place_box(X_PW * X_WG, compute_box(geometry.shape)));
    }
    return box;
  }

  /// On a free joint in its own frame; in its middle where the frame lies far off, as that of CAD
  /// parts in the axes of their assembly: turning would swing it about.
  void hang_part() {
    const Pose X_WP = place_of(part_);
    const AxisBox box = measure_box();
    const bool is_far = !box.empty() && box.centre().norm() > box.size().norm() / 2;
    JointSpec& joint = take_joint(part_);
    changed_.insert(joint.name);
    joint.type = JointType::free;
    joint.X_PJ = X_WP;
    if (!is_far) return;
    const std::string middle = loose_.part + "/middle";
    joint.X_PJ = X_WP * Pose::translation(box.centre());
    joint.child = middle;
    spec_.bodies.push_back({.name = middle, .inertia = {}, .geometry = {}, .source = {}});
    JointSpec seat;
    seat.name = middle;
    seat.parent = middle;
    seat.child = loose_.part;
    seat.X_PJ = Pose::translation(-box.centre());
    spec_.joints.push_back(std::move(seat));
    moved_.insert(middle);
  }

  /// What moves together is one actor, so that nothing of it passes as its assembly's own.
  void move_actors() {
    for (ActorSpec& actor : spec_.actors)
      std::erase_if(actor.bodies, [&](const std::string& b) { return moved_.contains(b); });
    std::erase_if(spec_.actors, [](const ActorSpec& a) { return a.bodies.empty(); });
    spec_.actors.push_back({loose_.part, "part", {moved_.begin(), moved_.end()}});
    for (const std::string& a : moved_) {
      for (const std::string& b : ignored_)
        if (!moved_.contains(b)) spec_.allowed_pairs.push_back({a, b, "ignored by the task"});
    }
  }

  /// Where everything was; the part at the zero of its new joint.
  [[nodiscard]] VecX make_start(const Scene& scene) const {
    VecX q = make_neutral(scene);
    for (const Joint& joint : scene.joints()) {
      const std::optional<JointId> before = scene_.find_joint(joint.name);
      if (joint.nq == 0 || !before || changed_.contains(joint.name)) continue;
      q.segment(joint.q, joint.nq) = world_.start.segment(scene_.joint(*before).q, joint.nq);
    }
    Workspace workspace(scene);
    // What was closed stays so.
    static_cast<void>(compute_dependents(scene, q, workspace));
    return q;
  }

  TaskScene world_;
  const Scene& scene_;
  const LoosePart& loose_;
  const std::string& element_;
  SceneSpec spec_;
  Workspace workspace_;
  BodyId part_;
  std::set<std::string> moved_;
  std::set<std::string> ignored_;
  std::set<std::string> changed_;  ///< joints
  std::vector<Diagnostic> faults_;
};

}  // namespace

Result<TaskScene> loosen(TaskScene world, const LoosePart& loose, const std::string& element) {
  return Loosening(std::move(world), loose, element).run();
}

}  // namespace geste::internal
