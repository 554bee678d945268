#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geste/core/id.hpp"
#include "geste/core/result.hpp"
#include "geste/math/spatial.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

using BodyId = Id<struct BodyTag>;  ///< an invalid id is the world
using JointId = Id<struct JointTag>;
using FrameId = Id<struct FrameTag>;
using ActorId = Id<struct ActorTag>;

/// Who decides a joint's value.
enum class JointRole {
  independent,  ///< the caller
  follower,     ///< a follow function of its leaders
  dependent,    ///< the formula of an explicit loop
  carried,      ///< the body that carries it (attachment)
};

const char* to_string(JointRole role);

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  JointRole role = JointRole::independent;
  int q = 0;  ///< first entry in the configuration
  int nq = 0;
  int v = 0;  ///< first entry in the velocity
  int nv = 0;
  BodyId parent;
  BodyId child;
  Pose X_PJ;
  Vec3 axis = Vec3::UnitX();
  Vec3 axis2 = Vec3::UnitY();
  std::vector<DofLimits> limits;  ///< nv entries
  double damping = 0;
  double friction = 0;
};

struct Body {
  std::string name;
  BodyId parent;
  JointId joint;  ///< the joint above; invalid when the body is welded to the world without one
  ActorId actor;
  int mover = 0;  ///< the moving frame it is rigid with, see Scene::movers
  Pose X_MB;      ///< its place in that frame
  Inertia inertia;
  std::vector<int> geometry;  ///< indices into Scene::geometry
};

struct Geometry {
  std::string name;
  BodyId body;
  Shape shape;
  Pose X_BG;
  bool visual = true;
  bool collision = true;
  Colour colour;
};

struct Frame {
  std::string name;
  BodyId body;
  Pose X_BF;
};

struct Actor {
  /// What of the actor is rigid with one mover.
  struct Mass {
    int mover = 0;
    double mass = 0;
    Vec3 com = Vec3::Zero();  ///< in the mover's frame
  };
  std::string name;
  std::string kind;
  std::vector<BodyId> bodies;
  std::vector<Mass> masses;  ///< of its moving bodies that have mass
};

struct Group {
  std::string name;
  std::vector<JointId> joints;
};

struct NamedConfiguration {
  std::string name;
  std::string group;
  std::vector<std::pair<JointId, VecX>> values;
};

/// A set of bodies that move as one: the child frame of a moving joint with everything welded to
/// it. Mover 0 is the world; a parent comes before its children, so one pass computes all poses.
struct Mover {
  int parent = 0;
  JointId joint;
  JointType type = JointType::fixed;
  bool carried = false;
  int q = 0;
  int v = 0;
  int nv = 0;
  Pose X_PJ;  ///< joint frame in the parent mover
  Vec3 axis = Vec3::UnitX();
  Vec3 axis2 = Vec3::UnitY();
  /// X_PJ.R times the rotation about `axis` by an angle is R0 + sin R1 + (1 - cos) R2 (Rodrigues),
  /// for any axis. Prismatic and planar joints use R0 too.
  Mat3 R0 = Mat3::Identity();
  Mat3 R1 = Mat3::Zero();
  Mat3 R2 = Mat3::Zero();
  Vec3 u1 = Vec3::UnitX();  ///< prismatic: R0 axis. planar: the plane's first direction, in J
  Vec3 u2 = Vec3::UnitY();  ///< planar: the second direction, in J
  /// Which of x, y, z the axis of a turning joint is, and whether it points the same way; -1: none.
  int aligned = -1;
  double sense = 1;
  Inertia inertia;  ///< of everything welded to it, in its frame
};

struct Follower {
  JointId joint;
  std::vector<JointId> leaders;
  std::variant<LinearFollow, TableFollow, CallableFollow> function;
};

struct ExplicitLoop {
  std::string name;
  std::vector<JointId> leading;
  std::vector<JointId> dependent;
  int nq_leading = 0;
  int nq_dependent = 0;
  std::function<bool(std::span<const double>, std::span<double>)> formula;
  FunctionBounds bounds;
};

struct Loop {
  std::string name;
  BodyId body_a;
  Pose X_A;
  BodyId body_b;
  Pose X_B;
  std::array<bool, 6> constrained{};
  int size = 0;                 ///< number of constrained components
  std::vector<JointId> joints;  ///< independent joints that the projection may move
};

/// Two bodies whose contact is no collision; body_a < body_b.
struct AllowedPair {
  BodyId body_a;
  BodyId body_b;
  std::string reason;
};

/// A compiled world: immutable, shared by all threads. Ids are positions in the arrays below and
/// follow the order of the spec. Attachments change the tree (parents, movers) but never the ids
/// nor the layout of q and v: a carried body keeps its entries, and compute_dependents fills them.
class Scene {
 public:
  /// Checks the whole spec; the error lists every fault by name.
  static Result<Scene> compile(SceneSpec spec);

  [[nodiscard]] const SceneSpec& spec() const { return *spec_; }
  [[nodiscard]] const std::string& name() const { return spec_->name; }

  [[nodiscard]] int nq() const { return nq_; }
  [[nodiscard]] int nv() const { return nv_; }

  [[nodiscard]] const std::vector<Body>& bodies() const { return bodies_; }
  /// Every joint, fixed ones too.
  [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }
  [[nodiscard]] const std::vector<Geometry>& geometry() const { return geometry_; }
  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }
  [[nodiscard]] const std::vector<Actor>& actors() const { return actors_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<NamedConfiguration>& configurations() const {
    return configurations_;
  }
  [[nodiscard]] const std::vector<Mover>& movers() const { return movers_; }
  /// In an order in which every leader comes before its followers.
  [[nodiscard]] const std::vector<Follower>& followers() const { return followers_; }
  [[nodiscard]] const std::vector<ExplicitLoop>& explicit_loops() const { return explicit_loops_; }
  [[nodiscard]] const std::vector<Loop>& loops() const { return loops_; }
  [[nodiscard]] const std::vector<AllowedPair>& allowed_pairs() const { return allowed_pairs_; }
  /// Entries of q that are angles of revolute and continuous joints, in the order of their movers.
  [[nodiscard]] const std::vector<int>& angles() const { return angles_; }
  /// Movers that are carried, in order of computation.
  [[nodiscard]] const std::vector<int>& carried() const { return carried_; }

  /// An id of another scene, or an invalid one (the world is no body), throws.
  [[nodiscard]] const Body& body(BodyId id) const { return at(bodies_, id.value()); }
  [[nodiscard]] const Joint& joint(JointId id) const { return at(joints_, id.value()); }
  [[nodiscard]] const Frame& frame(FrameId id) const { return at(frames_, id.value()); }
  [[nodiscard]] const Actor& actor(ActorId id) const { return at(actors_, id.value()); }

  [[nodiscard]] std::optional<BodyId> find_body(std::string_view name) const;
  [[nodiscard]] std::optional<JointId> find_joint(std::string_view name) const;
  [[nodiscard]] std::optional<FrameId> find_frame(std::string_view name) const;
  [[nodiscard]] std::optional<ActorId> find_actor(std::string_view name) const;
  [[nodiscard]] const Group* find_group(std::string_view name) const;
  [[nodiscard]] const NamedConfiguration* find_configuration(std::string_view name) const;

  /// Sum over all bodies, and over those that can move.
  [[nodiscard]] double total_mass() const { return total_mass_; }
  [[nodiscard]] double moving_mass() const { return moving_mass_; }

 private:
  friend class SceneCompiler;
  Scene() = default;

  template <class T>
  static const T& at(const std::vector<T>& items, int i) {
    if (static_cast<std::size_t>(i) >= items.size()) throw_bad_id(i);
    return items[static_cast<std::size_t>(i)];
  }
  [[noreturn]] static void throw_bad_id(int id);

  std::shared_ptr<const SceneSpec> spec_;
  int nq_ = 0;
  int nv_ = 0;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Geometry> geometry_;
  std::vector<Frame> frames_;
  std::vector<Actor> actors_;
  std::vector<Group> groups_;
  std::vector<NamedConfiguration> configurations_;
  std::vector<Mover> movers_;
  std::vector<Follower> followers_;
  std::vector<ExplicitLoop> explicit_loops_;
  std::vector<Loop> loops_;
  std::vector<AllowedPair> allowed_pairs_;
  std::vector<int> angles_;
  std::vector<int> carried_;
  double total_mass_ = 0;
  double moving_mass_ = 0;
  std::unordered_map<std::string, int> body_index_;
  std::unordered_map<std::string, int> joint_index_;
  std::unordered_map<std::string, int> frame_index_;
};

}  // namespace geste
