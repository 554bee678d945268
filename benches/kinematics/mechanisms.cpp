#include "kinematics/mechanisms.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <stdexcept>

#include "geste/core/rng.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/assemble.hpp"

namespace geste::bench {
namespace {

std::string numbers(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

const char* mujoco_joint(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
      return "hinge";
    case JointType::prismatic:
      return "slide";
    case JointType::spherical:
      return "ball";
    case JointType::free:
      return "free";
    default:
      throw std::invalid_argument("the peer has no such joint");
  }
}

/// One body element with everything that hangs on it.
void write_body(const Scene& scene, int mover, std::string& xml) {
  const Mover& m = scene.movers()[static_cast<std::size_t>(mover)];
  const Quat r = m.X_PJ.quaternion();
  xml += fmt::format("<body name=\"m{}\" pos=\"{}\" quat=\"{:.17g} {:.17g} {:.17g} {:.17g}\">",
                     mover, numbers(m.X_PJ.p), r.w(), r.x(), r.y(), r.z());
  xml += fmt::format("<joint name=\"j{}\" type=\"{}\" axis=\"{}\"/>", mover, mujoco_joint(m.type),
                     numbers(m.axis));
  xml += "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
  for (std::size_t i = 1; i < scene.movers().size(); ++i) {
    if (scene.movers()[i].parent == mover) write_body(scene, static_cast<int>(i), xml);
  }
  xml += "</body>\n";
}

std::string make_mjcf(const Scene& scene) {
  std::string xml = "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><worldbody>\n";
  for (std::size_t i = 1; i < scene.movers().size(); ++i) {
    if (scene.movers()[i].parent == 0) write_body(scene, static_cast<int>(i), xml);
  }
  return xml + "</worldbody></mujoco>\n";
}

}  // namespace

Scene load_robot(const std::filesystem::path& urdf, JointType root) {
  UrdfOptions options;
  options.meshes = UrdfMeshes::none;
  Result<SceneSpec> robot = load_urdf(urdf, options);
  if (!robot) throw std::runtime_error(to_text(robot.error()));
  for (JointSpec& j : robot->joints) j.follow.reset();
  SceneSpec world;
  PlaceOptions placing;
  placing.name = "robot";
  placing.root = root;
  place(world, *robot, placing);
  return Scene::compile(std::move(world)).value();
}

Scene make_tree160() {
  Rng rng(160);
  SceneSpec spec;
  for (int i = 0; i < 160; ++i) {
    spec.bodies.push_back({.name = fmt::format("b{}", i)});
    JointSpec j;
    j.name = fmt::format("j{}", i);
    j.type = JointType::revolute;
    j.child = spec.bodies.back().name;
    if (i > 0) j.parent = fmt::format("b{}", rng.integer(0, i - 1));
    j.axis = Vec3::Unit(static_cast<int>(rng.integer(0, 2)));
    j.X_PJ = Pose(so3::exp_quaternion(Vec3(rng.normal(), rng.normal(), rng.normal())),
                  Vec3(rng.normal(), rng.normal(), rng.normal()));
    spec.joints.push_back(std::move(j));
  }
  return Scene::compile(std::move(spec)).value();
}

std::vector<VecX> sample_configurations(const Scene& scene, int count) {
  Rng rng(7);
  std::vector<VecX> configurations;
  for (int n = 0; n < count; ++n) {
    VecX q = make_neutral(scene);
    VecX v(scene.nv());
    for (int i = 0; i < v.size(); ++i) v[i] = rng.uniform(-1.5, 1.5);
    integrate(scene, q, v, q);
    configurations.push_back(q);
  }
  return configurations;
}

MujocoPeer::MujocoPeer(const Scene& scene)
    : model_(nullptr, mj_deleteModel), data_(nullptr, mj_deleteData) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("geste_bench_{}.xml", ::getpid());
  std::ofstream(file) << make_mjcf(scene);
  char error[1000] = "";
  model_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  std::filesystem::remove(file);
  if (!model_) throw std::runtime_error(std::string("the peer refuses the model: ") + error);
  data_.reset(mj_makeData(model_.get()));
  from_.resize(static_cast<std::size_t>(model_->nq));
  for (std::size_t i = 1; i < scene.movers().size(); ++i) {
    const Mover& m = scene.movers()[i];
    body_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, fmt::format("m{}", i).c_str()));
    const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, fmt::format("j{}", i).c_str());
    const auto at = static_cast<std::size_t>(model_->jnt_qposadr[joint]);
    // Their quaternions have w first.
    const int position = m.type == JointType::free ? 3 : 0;
    const bool ball = m.type == JointType::free || m.type == JointType::spherical;
    for (int k = 0; k < (ball ? position : 1); ++k)
      from_[at + static_cast<std::size_t>(k)] = m.q + k;
    for (int k = 0; ball && k < 4; ++k)
      from_[at + static_cast<std::size_t>(position + k)] = m.q + position + (k + 3) % 4;
  }
}

void MujocoPeer::set(const VecX& q) {
  for (std::size_t i = 0; i < from_.size(); ++i) data_->qpos[i] = q[from_[i]];
}

void MujocoPeer::run(const VecX& q) {
  set(q);
  mj_kinematics(model_.get(), data_.get());
}

void MujocoPeer::run_with_columns(const VecX& q) {
  run(q);
  mj_comPos(model_.get(), data_.get());
}

double MujocoPeer::compare(const Scene&, const Workspace& workspace) const {
  double worst = 0;
  for (std::size_t i = 0; i < body_.size(); ++i) {
    const Eigen::Map<const Vec3> p(data_->xpos + 3 * body_[i]);
    worst = std::max(worst, (workspace.X_WM()[i + 1].p - p).norm());
  }
  return worst;
}

}  // namespace geste::bench
