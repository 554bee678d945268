#include "geste/model/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

/// Puts "actor/" before every name of a mechanism.
class Prefix {
 public:
  explicit Prefix(const std::string& actor) : prefix_(actor.empty() ? "" : actor + "/") {}

  [[nodiscard]] std::string operator()(const std::string& name) const {
    return name.empty() ? name : prefix_ + name;
  }
  [[nodiscard]] std::vector<std::string> operator()(std::vector<std::string> names) const {
    for (std::string& name : names) name = (*this)(name);
    return names;
  }

 private:
  std::string prefix_;
};

void rename(SceneSpec& m, const Prefix& named) {
  for (BodySpec& b : m.bodies) b.name = named(b.name);
  for (JointSpec& j : m.joints) {
    j.name = named(j.name);
    j.parent = named(j.parent);
    j.child = named(j.child);
    if (j.follow) j.follow->leaders = named(j.follow->leaders);
  }
  for (FrameSpec& f : m.frames) {
    f.name = named(f.name);
    f.body = named(f.body);
  }
  for (GroupSpec& g : m.groups) {
    g.name = named(g.name);
    g.joints = named(g.joints);
  }
  for (ConfigurationSpec& c : m.configurations) {
    c.name = named(c.name);
    c.group = named(c.group);
    for (auto& [joint, values] : c.values) joint = named(joint);
  }
  for (LoopSpec& l : m.loops) {
    l.name = named(l.name);
    l.body_a = named(l.body_a);
    l.body_b = named(l.body_b);
    l.joints = named(l.joints);
  }
  for (ExplicitLoopSpec& l : m.explicit_loops) {
    l.name = named(l.name);
    l.leading = named(l.leading);
    l.dependent = named(l.dependent);
  }
  for (AttachmentSpec& a : m.attachments) {
    a.body = named(a.body);
    a.carrier = named(a.carrier);
  }
  for (AllowedPairSpec& p : m.allowed_pairs) {
    p.body_a = named(p.body_a);
    p.body_b = named(p.body_b);
  }
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Diagnostic unknown_body(std::string_view name) {
  return {.code = "attach.unknown_body",
          .message = "there is no such body in the scene",
          .element = fmt::format("body '{}'", name),
          .remedy = "name a body as `geste info` lists it"};
}

/// Those among `joints` that move a body, themselves or through followers.
std::vector<std::string> find_movers(const Scene& scene, BodyId body,
                                     std::span<const JointId> joints) {
  std::vector<JointId> above;
  for (int m = scene.body(body).mover; m != 0;) {
    const Mover& mover = scene.movers()[static_cast<std::size_t>(m)];
    above.push_back(mover.joint);
    m = mover.parent;
  }
  const auto contains = [](std::span<const JointId> ids, JointId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  // Leaders come before their followers.
  for (auto f = scene.followers().rbegin(); f != scene.followers().rend(); ++f)
    if (contains(above, f->joint)) above.insert(above.end(), f->leaders.begin(), f->leaders.end());
  std::vector<std::string> names;
  for (const JointId joint : joints)
    if (contains(above, joint)) names.push_back(scene.joint(joint).name);
  return names;
}

}  // namespace

void place(SceneSpec& world, const SceneSpec& mechanism, const PlaceOptions& options) {
  SceneSpec m = mechanism;
  const Prefix named(options.name);
  if (!options.keep_names) rename(m, named);

  ActorSpec actor{options.name, options.kind, {}};
  std::unordered_set<std::string> children;
  for (const JointSpec& j : m.joints) children.insert(j.child);
  int roots = 0;
  for (const BodySpec& b : m.bodies) {
    actor.bodies.push_back(b.name);
    if (children.contains(b.name)) continue;
    JointSpec root;
    root.name = named(++roots == 1 ? "root" : fmt::format("root{}", roots));
    root.type = options.root;
    root.parent = options.parent;
    root.child = b.name;
    // A free or planar joint starts at the given place too: its zero is there.
    root.X_PJ = options.X_WA;
    root.axis = options.root == JointType::planar ? Vec3::UnitZ() : Vec3::UnitX();
    root.source = b.source;
    world.joints.push_back(std::move(root));
  }
  // What names no body lies in the world of its own file: here that is where the actor stands.
  const auto stand = [&](std::string& body, Pose& X) {
    if (!body.empty()) return;
    body = options.parent;
    X = options.X_WA * X;
  };
  for (JointSpec& j : m.joints) stand(j.parent, j.X_PJ);
  for (FrameSpec& f : m.frames) stand(f.body, f.X_BF);
  for (LoopSpec& l : m.loops) {
    stand(l.body_a, l.X_A);
    stand(l.body_b, l.X_B);
  }
  world.actors.push_back(std::move(actor));
  append(world.bodies, m.bodies);
  append(world.joints, m.joints);
  append(world.frames, m.frames);
  append(world.groups, m.groups);
  append(world.configurations, m.configurations);
  append(world.loops, m.loops);
  append(world.explicit_loops, m.explicit_loops);
  append(world.attachments, m.attachments);
  append(world.allowed_pairs, m.allowed_pairs);
  append(world.notes, m.notes);
}

Result<Scene> attach(const Scene& scene, ConstVecRef q, std::string_view body,
                     std::string_view carrier) {
  const auto b = scene.find_body(body);
  if (!b) return unknown_body(body);
  const auto c = scene.find_body(carrier);
  if (!c) return unknown_body(carrier);
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  const Pose X_WC = compute_pose(scene, workspace, *c);
  const Pose X_WB = compute_pose(scene, workspace, *b);

  SceneSpec spec = scene.spec();
  std::erase_if(spec.attachments, [&](const AttachmentSpec& a) { return a.body == body; });
  spec.attachments.push_back({std::string(body), std::string(carrier), X_WC.inverse() * X_WB});
  return Scene::compile(std::move(spec));
}

Result<Scene> detach(const Scene& scene, std::string_view body) {
  SceneSpec spec = scene.spec();
  const auto removed =
      std::erase_if(spec.attachments, [&](const AttachmentSpec& a) { return a.body == body; });
  if (removed == 0) {
    return Diagnostic{.code = "attach.not_carried",
                      .message = "is not carried by anything",
                      .element = fmt::format("body '{}'", body),
                      .remedy = "attach it first, or leave it where it is"};
  }
  return Scene::compile(std::move(spec));
}

Result<Scene> constrain(const Scene& scene, ConstVecRef q,
                        std::span<const TaskConstraint> constraints,
                        std::span<const JointId> joints) {
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  SceneSpec spec = scene.spec();
  std::vector<Diagnostic> faults;
  for (const TaskConstraint& constraint : constraints) {
    const auto body = scene.find_body(constraint.body);
    if (!body) {
      faults.push_back(unknown_body(constraint.body));
      continue;
    }
    // The world's axes, where the body is: frame A stays there, frame B goes with the body.
    const Pose X_WB = compute_pose(scene, workspace, *body);
    LoopSpec loop;
    loop.name = fmt::format("keep {} {}", constraint.body, spec.loops.size());
    loop.X_A = Pose::translation(X_WB.p);
    loop.body_b = constraint.body;
    loop.X_B = X_WB.inverse() * loop.X_A;
    loop.constrained = constraint.keep;
    loop.joints = find_movers(scene, *body, joints);
    if (loop.joints.empty())
      faults.push_back({.code = "constraint.not_moved",
                        .message = "is moved by none of the joints that move",
                        .element = fmt::format("body '{}'", constraint.body),
                        .remedy = "constrain a body that is"});
    spec.loops.push_back(std::move(loop));
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return Scene::compile(std::move(spec));
}

}  // namespace geste
