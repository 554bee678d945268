#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "geste/core/error.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

// The editable description of a world. Plain data, by name: readers and people write it in any
// order, Scene::compile checks it whole and reports every fault at once.

/// Where something was written, for messages. Empty for things made in code.
struct Source {
  std::string file{};
  int line = 0;
};

enum class JointType { fixed, revolute, continuous, prismatic, universal, planar, spherical, free };

const char* to_string(JointType type);
/// Entries in the configuration: fixed 0, planar 3 (x, y, angle), spherical 4 (x, y, z, w), free 7
/// (position, then quaternion x, y, z, w), universal 2, others 1.
int count_q(JointType type);
/// Degrees of freedom: fixed 0, planar 3, spherical 3, free 6, universal 2, others 1.
int count_v(JointType type);

/// Limits of one degree of freedom: m or rad, m/s or rad/s, N or N m.
struct DofLimits {
  double lower = -kInfinity;
  double upper = kInfinity;
  double velocity = kInfinity;
  double effort = kInfinity;
};

// How a passive joint follows its leaders (MV-3, Move3D section 3: "follow" functions).

/// q = multiplier * leader + offset (URDF mimic).
struct LinearFollow {
  double multiplier = 1;
  double offset = 0;
};
/// Straight lines between (leader, value) points with leaders strictly increasing; beyond the
/// ends the end value holds.
struct TableFollow {
  std::vector<std::pair<double, double>> points{};
};
/// What is known of a function wherever it is used: no directional derivative is larger than these.
/// It does not tell full turns of continuous joints apart. Without bounds no motion that uses the
/// function can be proven (stray.hpp).
struct FunctionBounds {
  double slope = kInfinity;      ///< of the first
  double curvature = kInfinity;  ///< of the second
};
/// Any function of the leaders' values. `gradient` writes d value / d leader; where it is empty,
/// central differences are used.
struct CallableFollow {
  std::function<double(std::span<const double>)> value{};
  std::function<void(std::span<const double>, std::span<double>)> gradient{};
  FunctionBounds bounds{};
};

/// Leaders are joints with one degree of freedom. Linear and table have exactly one leader.
struct FollowSpec {
  std::vector<std::string> leaders{};
  std::variant<LinearFollow, TableFollow, CallableFollow> function{};
};

/// Joint frame J lies at X_PJ in the parent body; at zero configuration the child's frame is J.
struct JointSpec {
  std::string name{};
  JointType type = JointType::fixed;
  std::string parent{};  ///< body name; empty: the world
  std::string child{};   ///< body name
  Pose X_PJ{};
  Vec3 axis = Vec3::UnitX();   ///< revolute, continuous, prismatic; planar: its normal; universal:
                               ///< first axis
  Vec3 axis2 = Vec3::UnitY();  ///< universal: second axis, fixed in the child
  /// One per degree of freedom, or empty for none. Planar: x, y, angle. Free: only the three
  /// positions have a lower and upper limit. Spherical: `upper` of the first is the largest angle
  /// away from zero configuration (at most pi).
  std::vector<DofLimits> limits{};
  double damping = 0;   ///< N s/m or N m s/rad
  double friction = 0;  ///< N or N m
  std::optional<FollowSpec> follow{};
  Source source{};
};

/// Mass in kg, centre of mass in the body frame in m, rotational inertia about the centre of mass
/// in body axes in kg m^2.
struct InertiaSpec {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

struct GeometrySpec {
  std::string name{};  ///< empty: named after its body
  Shape shape{};
  Pose X_BG{};
  bool visual = true;
  bool collision = true;
  std::optional<Colour> colour{};
};

struct BodySpec {
  std::string name{};
  std::optional<InertiaSpec> inertia{};
  std::vector<GeometrySpec> geometry{};
  Source source{};
};

/// A named place on a body: a tool centre, a grasp, an eye.
struct FrameSpec {
  std::string name{};
  std::string body{};
  Pose X_BF{};
};

struct GroupSpec {
  std::string name{};
  std::vector<std::string> joints{};
};

/// Joint values by name; joints not named keep theirs.
struct ConfigurationSpec {
  std::string name{};
  std::string group{};  ///< may be empty
  std::vector<std::pair<std::string, std::vector<double>>> values{};
  Source source{};
};

/// A general closed loop (MV-4): frames A and B coincide in the chosen components of (x, y, z, rx,
/// ry, rz): the place of B's origin in A, and the rotation vector from A to B. Solved by
/// projection.
struct LoopSpec {
  std::string name{};
  std::string body_a{};  ///< empty: the world
  Pose X_A{};
  std::string body_b{};
  Pose X_B{};
  std::array<bool, 6> constrained{true, true, true, true, true, true};
  /// Joints the projection may move; empty: every joint on the way between A and B.
  std::vector<std::string> joints{};
};

/// An explicit closed loop (MV-4): formulas give the dependent joints from the leading ones. Values
/// are the joints' q entries one after the other, in the order named. The function returns
/// false where the loop cannot be closed.
struct ExplicitLoopSpec {
  std::string name{};
  std::vector<std::string> leading{};
  std::vector<std::string> dependent{};
  std::function<bool(std::span<const double> leading, std::span<double> dependent)> formula{};
  FunctionBounds bounds{};
};

/// `body` (hanging on a free joint of the world) is carried by `carrier` from now on.
struct AttachmentSpec {
  std::string body{};
  std::string carrier{};
  /// Where the body sits in its carrier; without it, where it is when attached.
  std::optional<Pose> X_CB{};
};

/// Two bodies whose contact is no collision (SRDF disable_collisions).
struct AllowedPairSpec {
  std::string body_a{};
  std::string body_b{};
  std::string reason{};
};

/// A robot, a person or a part: the bodies that came in together.
struct ActorSpec {
  std::string name{};
  std::string kind{};  ///< "part", "robot", "person"
  std::vector<std::string> bodies{};
};

struct SceneSpec {
  std::string name{};
  std::vector<BodySpec> bodies{};
  std::vector<JointSpec> joints{};
  std::vector<FrameSpec> frames{};
  std::vector<GroupSpec> groups{};
  std::vector<ConfigurationSpec> configurations{};
  std::vector<LoopSpec> loops{};
  std::vector<ExplicitLoopSpec> explicit_loops{};
  std::vector<AttachmentSpec> attachments{};
  std::vector<AllowedPairSpec> allowed_pairs{};
  std::vector<ActorSpec> actors{};
  Notes notes{};  ///< what readers had to say
};

}  // namespace geste
