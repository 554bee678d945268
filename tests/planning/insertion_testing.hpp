#pragma once

#include <fmt/format.h>

#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/ik/drag.hpp"
#include "geste/model/dependents.hpp"

#include "planning/planning_testing.hpp"
#include "testing.hpp"

namespace geste::testing {

// Arms that hold pegs deep in holes that hardly are wider. Feasible by construction: the hole is
// put around the peg, which is drawn out straight by small steps of inverse kinematics.

/// The outline of a peg, seen from its front: how far it is from the axis, by angle.
enum class PegShape { round, square, keyed };

inline std::vector<Vec2> make_outline(PegShape shape, double more) {
  std::vector<Vec2> points;
  if (shape == PegShape::square) {
    const double h = 0.03 + more;
    return {{h, h}, {-h, h}, {-h, -h}, {h, -h}};
  }
  constexpr int kSides = 48;
  const double radius = shape == PegShape::round ? 0.03 + more : 0.025 + more;
  // The outline of a hole lies outside its circle.
  const double corner = radius / (more > 0 ? std::cos(kPi / kSides) : 1);
  const double key = 0.008 + more;  // half of its width
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2 * kPi * (i + 0.5) / kSides;
    const Vec2 p = corner * Vec2(std::cos(angle), std::sin(angle));
    if (shape == PegShape::keyed && p.x() > 0 && std::abs(p.y()) < key) continue;
    points.push_back(p);
  }
  if (shape != PegShape::keyed) return points;
  // Between the last point below the axis and the first above it.
  const double root = std::sqrt(corner * corner - key * key), tip = 0.033 + more;
  points.insert(points.end(), {Vec2(root, -key), Vec2(tip, -key), Vec2(tip, key), Vec2(root, key)});
  return points;
}

/// A wall with the outline as its inside and a wider one as its outside, from z = 0 to `height`.
inline TriangleMesh make_prism(const std::vector<Vec2>& outline, double height, double wider) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(outline.size());
  const auto lift = [](const Vec2& p, double z) { return Vec3(p.x(), p.y(), z); };
  for (const Vec2& p : outline) {
    const Vec2 inner = wider > 0 ? p : Vec2(Vec2::Zero());
    const Vec2 outer = wider > 0 ? Vec2(wider * p.normalized()) : p;
    for (const double z : {0.0, height}) {
      mesh.vertices.push_back(lift(inner, z));
      mesh.vertices.push_back(lift(outer, z));
    }
  }
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t a = 4 * i, b = 4 * ((i + 1) % n);
    if (wider > 0) quad(a + 2, b + 2, b, a);  // inside
    quad(a + 1, b + 1, b + 3, a + 3);         // outside
    if (wider > 0) {
      quad(a, b, b + 1, a + 1);
      quad(a + 3, b + 3, b + 2, a + 2);
    } else {
      mesh.triangles.push_back({a, b + 1, a + 1});
      mesh.triangles.push_back({a + 2, a + 3, b + 3});
    }
  }
  return mesh;
}

struct InsertionKind {
  const char* arm = "arm6";
  PegShape shape = PegShape::round;
  double clearance = 1e-3;       ///< m on each side
  bool has_plain_walls = false;  ///< the hole of a square peg is four boxes, else a mesh
  bool is_extraction = false;
  bool is_carried = false;  ///< attached, else welded to the arm
};

inline std::ostream& operator<<(std::ostream& out, const InsertionKind& k) {
  static constexpr const char* kShapes[] = {"round", "square", "keyed"};
  return out << fmt::format("{}_{}_{:.0f}um{}{}{}", k.arm, kShapes[static_cast<int>(k.shape)],
                            1e6 * k.clearance, k.has_plain_walls ? "_walls" : "",
                            k.is_extraction ? "_out" : "", k.is_carried ? "_carried" : "");
}

/// Where an arm holds its peg.
struct PegArm {
  std::filesystem::path folder;
  std::string name, tool;
  Pose X_TP;  ///< the peg goes along its own z
  std::vector<std::string> joints;
};

inline PegArm find_peg_arm(const std::string& name) {
  const std::filesystem::path robots = shared_data() / "robots";
  const Pose along_x(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()).toRotationMatrix(),
                     Vec3(0.06, 0, 0));
  if (name == "ur5")
    return {robots / name,
            name,
            "ee_link",
            Pose::translation(Vec3(0.11, 0, 0)) * along_x,  // beyond the fingers
            {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint",
             "wrist_2_joint", "wrist_3_joint"}};
  if (name == "panda") {
    PegArm arm{robots / name, name, "panda_hand", Pose::translation(Vec3(0, 0, 0.06)), {}};
    for (int i = 1; i <= 7; ++i) arm.joints.push_back(fmt::format("panda_joint{}", i));
    return arm;
  }
  if (name == "fetch")
    return {robots / name,
            name,
            "gripper_link",
            along_x,
            {"torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
             "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint", "wrist_roll_joint"}};
  PegArm arm{
      source_dir() / "models" / name, name, "gripper", Pose::translation(Vec3(0, 0, 0.1)), {}};
  for (int i = 1; i <= 6; ++i) arm.joints.push_back(fmt::format("joint{}", i));
  return arm;
}

constexpr double kPegLength = 0.16, kHoleDepth = 0.08;

/// The arm with its peg, alone in the world.
inline SceneSpec make_armed_spec(const PegArm& arm, const InsertionKind& kind) {
  SceneSpec spec = load_urdf(arm.folder / (arm.name + ".urdf")).value();
  EXPECT_TRUE(load_srdf(arm.folder / (arm.name + ".srdf"), spec));
  BodySpec peg{"peg"};
  peg.geometry.emplace_back();
  if (kind.shape == PegShape::round) {
    peg.geometry.back().shape = Cylinder{0.03, kPegLength};
    peg.geometry.back().X_BG = Pose::translation(Vec3(0, 0, kPegLength / 2));
  } else if (kind.shape == PegShape::square) {
    peg.geometry.back().shape = Box{Vec3(0.06, 0.06, kPegLength)};
    peg.geometry.back().X_BG = Pose::translation(Vec3(0, 0, kPegLength / 2));
  } else {
    peg.geometry.back().shape = share(make_prism(make_outline(kind.shape, 0), kPegLength, 0));
  }
  // It lies in the hand, whatever that is made of.
  for (const BodySpec& b : spec.bodies) spec.allowed_pairs.push_back({b.name, "peg", "held"});
  spec.bodies.push_back(peg);
  JointSpec joint;
  joint.name = "peg";
  joint.child = "peg";
  if (kind.is_carried) {
    joint.type = JointType::free;
    spec.attachments.push_back({"peg", arm.tool, arm.X_TP});
  } else {
    joint.parent = arm.tool;
    joint.X_PJ = arm.X_TP;
  }
  spec.joints.push_back(joint);
  return spec;
}

/// A hole around a peg that is at X_WP, with a floor below it.
inline void add_hole(SceneSpec& spec, const InsertionKind& kind, const Pose& X_WP) {
  constexpr double kFloor = 0.01, kThick = 0.02;
  BodySpec hole{"hole"};
  const auto add = [&](Shape shape, const Pose& X_PG) {
    hole.geometry.emplace_back();
    hole.geometry.back().shape = std::move(shape);
    hole.geometry.back().X_BG = X_WP * X_PG;
  };
  const double mouth = kPegLength - kHoleDepth;
  if (kind.has_plain_walls) {
    const double inside = 0.03 + kind.clearance;
    for (int k = 0; k < 4; ++k) {
      const Pose turn(Eigen::AngleAxisd(k * kPi / 2, Vec3::UnitZ()).toRotationMatrix(),
                      Vec3::Zero());
      add(Box{Vec3(kThick, 2 * inside + 2 * kThick, kHoleDepth)},
          turn * Pose::translation(Vec3(inside + kThick / 2, 0, mouth + kHoleDepth / 2)));
    }
  } else {
    add(share(make_prism(make_outline(kind.shape, kind.clearance), kHoleDepth, 0.06)),
        Pose::translation(Vec3(0, 0, mouth)));
  }
  add(Box{Vec3(0.1, 0.1, kFloor)},
      Pose::translation(Vec3(0, 0, kPegLength + kind.clearance + kFloor / 2)));
  spec.bodies.push_back(hole);
}

/// Everything that planning takes.
struct ArmWorld {
  ArmWorld(const PegArm& arm, const SceneSpec& spec, const ArmWorld* previous)
      : scene(Scene::compile(spec).value()),
        model(
            CollisionModel::make(scene, make_plain_options(), previous ? &previous->model : nullptr)
                .value()),
        validator(scene, model, {.threads = 1}, previous ? &previous->validator : nullptr),
        joints(find_joints(arm, scene)),
        space(PlanningSpace::make(scene, model, joints, make_complete(scene)).value()),
        steering(space) {}

  static std::vector<JointId> find_joints(const PegArm& arm, const Scene& scene) {
    std::vector<JointId> joints;
    for (const std::string& name : arm.joints) joints.push_back(*scene.find_joint(name));
    return joints;
  }
  static VecX make_complete(const Scene& scene) {
    VecX q = make_neutral(scene);
    Workspace workspace(scene);
    EXPECT_TRUE(compute_dependents(scene, q, workspace));
    return q;
  }

  [[nodiscard]] PlanningWorld world() const { return {space, steering, validator}; }
  [[nodiscard]] VecX complete(ConstVecRef x) const {
    VecX q(scene.nq());
    Workspace workspace(scene);
    EXPECT_TRUE(space.complete(x, q, workspace));
    return q;
  }
  [[nodiscard]] Pose find_body(ConstVecRef x, const std::string& name) const {
    Workspace workspace(scene);
    compute_kinematics(scene, complete(x), workspace);
    return compute_pose(scene, workspace, *scene.find_body(name));
  }

  Scene scene;
  CollisionModel model;
  Validator validator;
  std::vector<JointId> joints;
  PlanningSpace space;
  LinearSteering steering;
};

/// A problem with a known answer.
class Insertion {
 public:
  Insertion(const InsertionKind& kind, std::uint64_t seed)
      : kind_(kind), arm_(find_peg_arm(kind.arm)), spec_(make_armed_spec(arm_, kind)) {
    Rng rng(seed);
    const ArmWorld alone(arm_, spec_, nullptr);
    for (int tries = 0; tries < 3000 && known.cols() == 0; ++tries) try_hole(alone, rng);
  }

  [[nodiscard]] PlanningWorld world() const { return whole->world(); }

  /// By the second prover.
  [[nodiscard]] bool is_proven(const MatX& path) const {
    JointMotion motion{{}, MatX(whole->scene.nq(), path.cols()), Course::straight};
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      motion.times.push_back(static_cast<double>(k));
      motion.q.col(k) = whole->complete(path.col(k));
    }
    return verify_motion(whole->scene, whole->model, motion, make_second_options()).is_free;
  }

  MatX known;  ///< a path from start to goal; without columns: no place for the hole was found
  PlanningProblem problem;
  std::unique_ptr<ArmWorld> whole;

 private:
  void try_hole(const ArmWorld& alone, Rng& rng) {
    VecX goal(alone.space.size());
    alone.space.sample(rng, goal);
    if (!LocalPlanner(alone.world()).is_free(goal)) return;
    const Pose X_WP = alone.find_body(goal, "peg");
    // In front of the robot, off the floor.
    if (X_WP.p.head<2>().norm() < 0.35 || X_WP.p.z() < 0.2) return;
    SceneSpec spec = spec_;
    add_hole(spec, kind_, X_WP);
    whole = std::make_unique<ArmWorld>(arm_, spec, &alone);
    LocalPlanner local(world());
    Way out(whole->space);
    if (!local.is_free(goal) || !draw_out(goal, X_WP, local, out)) return;
    VecX start(whole->space.size());
    Way leg(whole->space);
    for (int i = 0; i < 20 && known.cols() == 0; ++i) {
      whole->space.sample_near(out.back(), 0.8, rng, start);
      if (!local.is_free(start) || !local.connects(out.back(), start, leg)) continue;
      out.add(start);
      known = kind_.is_extraction ? MatX(out.points()) : MatX(out.points().rowwise().reverse());
      problem = {known.col(0), {known.rightCols(1)}};
    }
  }

  /// Straight back along the peg, a millimetre at a time. Who carries the peg is moved: it cannot
  /// go by itself.
  bool draw_out(const VecX& goal, const Pose& X_WP, LocalPlanner& local, Way& out) const {
    Workspace workspace(whole->scene);
    VecX q = whole->complete(goal), x(whole->space.size());
    const Pose X_WT = whole->find_body(goal, arm_.tool);
    DragOptions options;
    options.joints = whole->joints;
    out.add(goal);
    for (double gone = 1e-3; gone < kHoleDepth + 0.02; gone += 1e-3) {
      const Vec3 p = X_WT.p - gone * X_WP.R.col(2);
      const DragReport report =
          drag_body(whole->scene, {*whole->scene.find_body(arm_.tool), Vec3::Zero(), p, X_WT.R}, q,
                    workspace, options);
      if (report.residual_m > 1e-5 || report.residual_rad > 1e-4) return false;
      whole->space.gather(q, x);
      if (!local.is_leg_free(out.back(), x)) return false;
      out.add(x);
    }
    return true;
  }

  InsertionKind kind_;
  PegArm arm_;
  SceneSpec spec_;
};

}  // namespace geste::testing
