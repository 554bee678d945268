#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geste/core/overloaded.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/internal/compiler.hpp"

namespace geste {
namespace {

/// Why the shape cannot be used, or nothing.
std::optional<std::string> find_shape_fault(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
    if (!*mesh || (*mesh)->triangles.empty()) return "has no triangles";
    return std::nullopt;
  }
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  const bool sound = std::visit(
      Overloaded{[&](const Sphere& s) { return positive(s.radius); },
                 [&](const Capsule& s) {
                   return positive(s.radius) && (positive(s.length) || s.length == 0);
                 },
                 [&](const Box& s) {
                   return positive(s.size.x()) && positive(s.size.y()) && positive(s.size.z());
                 },
                 [&](const Cylinder& s) { return positive(s.radius) && positive(s.length); },
                 [&](const Cone& s) { return positive(s.radius) && positive(s.length); },
                 [&](const Torus& s) { return positive(s.radius) && positive(s.tube_radius); },
                 [](const HullShape& hull) { return hull && !hull->faces.empty(); },
                 [](const MeshShape&) { return true; }},
      shape);
  if (!sound) return "has a size that is not positive";
  return std::nullopt;
}

}  // namespace

void SceneCompiler::add_movers() {
  scene_.movers_.emplace_back();  // the world
  // Children of each body, in the order of the spec; -1 stands at the end for the world.
  const std::size_t n = scene_.bodies_.size();
  std::vector<std::vector<int>> children(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const int carrier = carrier_[i];
    const int parent = carrier >= 0 ? carrier : scene_.bodies_[i].parent.value();
    children[parent >= 0 ? static_cast<std::size_t>(parent) : n].push_back(static_cast<int>(i));
  }
  // Depth first without recursion: a chain of any length, parents before children.
  std::vector<int> stack(children[n].rbegin(), children[n].rend());
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    Body& b = body(i);
    const auto k = static_cast<std::size_t>(i);
    const int above = carrier_[k] >= 0 ? carrier_[k] : b.parent.value();
    const int parent_mover = above >= 0 ? body(above).mover : 0;
    const Pose X_MP = above >= 0 ? body(above).X_MB : Pose();
    const Pose X_PJ = carried_at_[k]    ? *carried_at_[k]
                      : b.joint.valid() ? scene_.joint(b.joint).X_PJ
                                        : Pose();
    const bool moves = b.joint.valid() && scene_.joint(b.joint).nv > 0;
    b.mover = moves ? add_mover(BodyId(i), parent_mover, X_MP * X_PJ) : parent_mover;
    b.X_MB = moves ? Pose() : X_MP * X_PJ;
    stack.insert(stack.end(), children[k].rbegin(), children[k].rend());
  }
}

int SceneCompiler::add_mover(BodyId id, int parent, const Pose& X_PJ) {
  const Body& b = scene_.body(id);
  const Joint& j = scene_.joint(b.joint);
  Mover m;
  m.parent = parent;
  m.joint = b.joint;
  m.type = j.type;
  m.carried = j.role == JointRole::carried;
  m.q = j.q;
  m.v = j.v;
  m.nv = j.nv;
  m.X_PJ = X_PJ;
  m.axis = j.axis;
  m.axis2 = j.axis2;
  const Mat3 K = so3::hat(j.axis);
  m.R0 = X_PJ.R;
  m.R1 = X_PJ.R * K;
  m.R2 = X_PJ.R * K * K;
  const bool turns = j.type == JointType::revolute || j.type == JointType::continuous;
  if (turns && !m.carried) scene_.angles_.push_back(j.q);
  for (int k = 0; turns && k < 3; ++k) {
    // Exactly, and not only to within rounding of the large component.
    if (j.axis.cwiseAbs() != Vec3::Unit(k)) continue;
    m.aligned = k;
    m.sense = j.axis[k];
  }
  if (j.type == JointType::prismatic) m.u1 = X_PJ.R * j.axis;
  if (j.type == JointType::planar) {
    const Mat3 plane = Quat::FromTwoVectors(Vec3::UnitZ(), j.axis).toRotationMatrix();
    m.u1 = plane.col(0);
    m.u2 = plane.col(1);
  }
  const int index = static_cast<int>(scene_.movers_.size());
  if (m.carried) scene_.carried_.push_back(index);
  scene_.movers_.push_back(std::move(m));
  return index;
}

void SceneCompiler::weld_inertia() {
  for (const Body& b : scene_.bodies_) {
    Mover& m = scene_.movers_[static_cast<std::size_t>(b.mover)];
    const Inertia welded = transform(b.X_MB, b.inertia);
    m.inertia = m.inertia + welded;
    if (b.mover == 0) continue;
    scene_.moving_mass_ += b.inertia.mass;
    if (b.actor.valid() && b.inertia.mass > 0) {
      scene_.actors_[static_cast<std::size_t>(b.actor.value())].masses.push_back(
          {b.mover, welded.mass, welded.com});
    }
  }
}

void SceneCompiler::add_geometry() {
  for (std::size_t i = 0; i < spec_.bodies.size(); ++i) {
    const BodySpec& b = spec_.bodies[i];
    for (const GeometrySpec& spec : b.geometry) {
      const std::string name = spec.name.empty() ? b.name : spec.name;
      if (const auto reason = find_shape_fault(spec.shape)) {
        fault("scene.bad_shape",
              fmt::format("its {} '{}' {}", shape_name(spec.shape), name, *reason),
              fmt::format("body '{}'", b.name), "correct or remove it", b.source);
        continue;
      }
      check_pose(spec.X_BG, fmt::format("geometry '{}' of body '{}'", name, b.name), b.source);
      scene_.bodies_[i].geometry.push_back(static_cast<int>(scene_.geometry_.size()));
      scene_.geometry_.push_back({name, BodyId(static_cast<int>(i)), spec.shape, spec.X_BG,
                                  spec.visual, spec.collision, spec.colour.value_or(Colour{})});
    }
  }
}

void SceneCompiler::find_loop_joints() {
  const auto way_to_world = [&](BodyId id) {
    std::vector<int> movers;
    for (int i = id.valid() ? scene_.body(id).mover : 0; i > 0;
         i = scene_.movers_[static_cast<std::size_t>(i)].parent) {
      movers.push_back(i);
    }
    return movers;
  };
  for (Loop& loop : scene_.loops_) {
    if (loop.joints.empty()) {
      // What lies on one way only moves one end against the other.
      const std::vector<int> a = way_to_world(loop.body_a);
      const std::vector<int> b = way_to_world(loop.body_b);
      const auto add = [&](const std::vector<int>& way, const std::vector<int>& other) {
        for (int i : way) {
          if (std::find(other.begin(), other.end(), i) != other.end()) continue;
          loop.joints.push_back(scene_.movers_[static_cast<std::size_t>(i)].joint);
        }
      };
      add(a, b);
      add(b, a);
    }
    loop.joints = find_movers_of(std::move(loop.joints));
  }
}

std::vector<JointId> SceneCompiler::find_movers_of(std::vector<JointId> joints) const {
  std::vector<char> seen(scene_.joints_.size(), 0);
  std::vector<JointId> independent;
  while (!joints.empty()) {
    const JointId id = joints.back();
    joints.pop_back();
    if (std::exchange(seen[static_cast<std::size_t>(id.value())], 1)) continue;
    if (scene_.joint(id).role == JointRole::independent) independent.push_back(id);
    for (const Follower& f : scene_.followers_) {
      if (f.joint == id) joints.insert(joints.end(), f.leaders.begin(), f.leaders.end());
    }
    for (const ExplicitLoop& e : scene_.explicit_loops_) {
      if (std::find(e.dependent.begin(), e.dependent.end(), id) != e.dependent.end())
        joints.insert(joints.end(), e.leading.begin(), e.leading.end());
    }
  }
  std::sort(independent.begin(), independent.end());
  return independent;
}

}  // namespace geste
