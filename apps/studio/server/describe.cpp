#include "studio/server/describe.hpp"

#include <fmt/format.h>

#include <cmath>
#include <variant>

#include "geste/core/quantity.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::studio {
namespace {

Json to_limit(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

/// Of entries that have them: of free joints the places, of ball joints the angle.
Json describe_limits(const Joint& joint) {
  const std::size_t count = joint.type == JointType::free        ? 3
                            : joint.type == JointType::spherical ? 1
                                                                 : joint.limits.size();
  Json limits = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    limits.push_back(
        Json::array({to_limit(joint.limits[i].lower), to_limit(joint.limits[i].upper)}));
  return limits;
}

Json list_units(JointType type) {
  switch (type) {
    case JointType::fixed:
      return Json::array();
    case JointType::prismatic:
      return {"m"};
    case JointType::universal:
      return {"rad", "rad"};
    case JointType::planar:
      return {"m", "m", "rad"};
    case JointType::spherical:
      return {"1", "1", "1", "1"};
    case JointType::free:
      return {"m", "m", "m", "1", "1", "1", "1"};
    case JointType::revolute:
    case JointType::continuous:
      break;
  }
  return {"rad"};
}

class FactList {
 public:
  template <class... T>
  void add(const char* label, fmt::format_string<T...> form, T&&... values) {
    list_.push_back({label, fmt::format(form, std::forward<T>(values)...)});
  }
  Json take() { return std::move(list_); }

 private:
  Json list_ = Json::array();
};

void add_shape_facts(const Scene& scene, const Body& body, FactList& facts) {
  std::size_t triangles = 0, seen = 0, colliding = 0;
  AxisBox box;
  for (const int index : body.geometry) {
    const Geometry& g = scene.geometry()[static_cast<std::size_t>(index)];
    seen += g.visual;
    colliding += g.collision;
    if (const auto* mesh = std::get_if<MeshShape>(&g.shape)) triangles += (*mesh)->triangles.size();
    box.add(place_box(g.X_BG, compute_box(g.shape)));
  }
  if (!box.empty()) {
    const Vec3 size = box.size();
    facts.add("size", "{} x {} x {}", format_length(size.x()), format_length(size.y()),
              format_length(size.z()));
  }
  facts.add("shapes", "{} seen, {} for collisions", seen, colliding);
  if (triangles > 0) facts.add("triangles", "{}", triangles);
}

void add_joint_facts(const Joint& joint, FactList& facts) {
  if (joint.nq == 0) return;
  facts.add("joint", "{}, {}, {}", joint.name, to_string(joint.type), to_string(joint.role));
  if (joint.nv != 1) return;
  const DofLimits& l = joint.limits.front();
  const char* unit = joint.type == JointType::prismatic ? "m" : "rad";
  if (std::isfinite(l.lower) || std::isfinite(l.upper))
    facts.add("joint limits", "{} to {} {}", format_number(l.lower), format_number(l.upper), unit);
  if (std::isfinite(l.velocity))
    facts.add("joint speed", "{} {}/s", format_number(l.velocity), unit);
}

}  // namespace

Json describe_joints(const Scene& scene) {
  Json joints = Json::array();
  for (const Joint& j : scene.joints()) {
    if (j.nq == 0) continue;
    joints.push_back({{"name", j.name},
                      {"type", to_string(j.type)},
                      {"role", to_string(j.role)},
                      {"q", j.q},
                      {"nq", j.nq},
                      {"body", scene.body(j.child).name},
                      {"limits", describe_limits(j)},
                      {"units", list_units(j.type)}});
  }
  return joints;
}

Json describe_body(const Scene& scene, BodyId id, const Snapshot& now) {
  const Body& body = scene.body(id);
  FactList facts;
  facts.add("name", "{}", body.name);
  if (body.actor.valid()) {
    const Actor& actor = scene.actor(body.actor);
    facts.add(actor.kind.empty() ? "actor" : actor.kind.c_str(), "{}", actor.name);
  }
  if (body.parent.valid()) facts.add("hangs on", "{}", scene.body(body.parent).name);
  if (body.joint.valid()) add_joint_facts(scene.joint(body.joint), facts);
  if (body.inertia.mass > 0) facts.add("mass", "{} kg", format_number(body.inertia.mass));
  add_shape_facts(scene, body, facts);
  Workspace workspace(scene);
  compute_kinematics(scene, now.q, workspace);
  const Pose X_WB = compute_pose(scene, workspace, id);
  facts.add("place", "{:.4f} {:.4f} {:.4f} m", X_WB.p.x(), X_WB.p.y(), X_WB.p.z());
  return facts.take();
}

}  // namespace geste::studio
