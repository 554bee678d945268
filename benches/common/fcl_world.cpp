#include "common/fcl_world.hpp"

#include <algorithm>

#include "geste/core/overloaded.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"

#include "common/report.hpp"

namespace geste::bench {

bool touches(const fcl::CollisionObjectd* a, const fcl::CollisionObjectd* b) {
  static const fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  fcl::collide(a, b, request, result);
  return result.isCollision();
}

std::shared_ptr<fcl::CollisionGeometryd> FclShapes::get(const Shape& shape) {
  using Made = std::shared_ptr<fcl::CollisionGeometryd>;
  return std::visit(
      Overloaded{
          [](const Sphere& s) -> Made { return std::make_shared<fcl::Sphered>(s.radius); },
          [](const Capsule& s) -> Made {
            return std::make_shared<fcl::Capsuled>(s.radius, s.length);
          },
          [](const Box& s) -> Made { return std::make_shared<fcl::Boxd>(s.size); },
          [](const Cylinder& s) -> Made {
            return std::make_shared<fcl::Cylinderd>(s.radius, s.length);
          },
          [](const Cone& s) -> Made { return std::make_shared<fcl::Coned>(s.radius, s.length); },
          [this](const MeshShape& s) -> Made {
            Made& made = meshes_[s];
            if (!made) made = make_fcl_model(*s);
            return made;
          },
          [](const auto& s) -> Made { return make_fcl_model(make_mesh(s)); },
      },
      shape);
}

FclWorld::FclWorld(const Scene& scene, const CollisionModel& model, FclShapes& shapes)
    : scene_(scene), workspace_(scene), q_(scene.nq()) {
  compute_kinematics(scene, make_neutral(scene), workspace_);
  std::vector<std::pair<BodyId, fcl::CollisionObjectd*>> fixed;
  for (std::size_t i = 0; i < scene.geometry().size(); ++i) {
    const Geometry& g = scene.geometry()[i];
    if (!g.collision) continue;
    const Pose X = compute_geometry_pose(scene, workspace_, static_cast<int>(i));
    auto object = std::make_unique<fcl::CollisionObjectd>(shapes.get(g.shape), to_fcl(X));
    object->computeAABB();
    if (scene.body(g.body).mover != 0) {
      moving_.push_back({static_cast<int>(i), std::move(object), {}, {}});
    } else {
      fixed.emplace_back(g.body, object.get());
      fixed_.push_back(std::move(object));
    }
  }
  const auto body_of = [&](const Moving& m) {
    return scene.geometry()[static_cast<std::size_t>(m.geometry)].body;
  };
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyId a = body_of(moving_[i]);
    for (const auto& [b, object] : fixed) {
      if (model.rule(a, b) == PairRule::checked) moving_[i].obstacles.push_back(object);
    }
    std::sort(moving_[i].obstacles.begin(), moving_[i].obstacles.end());
    for (std::size_t j = i + 1; j < moving_.size(); ++j) {
      if (model.rule(a, body_of(moving_[j])) == PairRule::checked) moving_[i].others.push_back(j);
    }
  }
  std::vector<fcl::CollisionObjectd*> objects;
  for (const auto& object : fixed_) objects.push_back(object.get());
  tree_.registerObjects(objects);
  tree_.setup();
}

void FclWorld::place(const Workspace& workspace) {
  for (Moving& m : moving_) {
    m.object->setTransform(to_fcl(compute_geometry_pose(scene_, workspace, m.geometry)));
    m.object->computeAABB();
  }
}

bool FclWorld::hits_obstacle(const Moving& m) const {
  if (broad_ == Broad::pairs) {
    const fcl::AABBd& box = m.object->getAABB();
    return std::any_of(m.obstacles.begin(), m.obstacles.end(), [&](const auto* obstacle) {
      return box.overlap(obstacle->getAABB()) && touches(m.object.get(), obstacle);
    });
  }
  struct Query {
    const Moving& m;
    bool hit;
  } query{m, false};
  tree_.collide(m.object.get(), &query, [](auto* a, auto* b, void* data) {
    Query& q = *static_cast<Query*>(data);
    auto* obstacle = a == q.m.object.get() ? b : a;
    q.hit = std::binary_search(q.m.obstacles.begin(), q.m.obstacles.end(), obstacle) &&
            touches(q.m.object.get(), obstacle);
    return q.hit;
  });
  return query.hit;
}

bool FclWorld::is_free() const {
  for (const Moving& m : moving_) {
    if (hits_obstacle(m)) return false;
  }
  for (const Moving& m : moving_) {
    const fcl::AABBd& box = m.object->getAABB();
    for (std::size_t j : m.others) {
      const fcl::CollisionObjectd* other = moving_[j].object.get();
      if (box.overlap(other->getAABB()) && touches(m.object.get(), other)) return false;
    }
  }
  return true;
}

bool FclWorld::is_free(ConstVecRef q) {
  compute_kinematics(scene_, q, workspace_);
  place(workspace_);
  return is_free();
}

std::optional<double> FclWorld::find_hit(ConstVecRef q0, ConstVecRef q1, Course course,
                                         std::span<const double> shares) {
  for (double s : shares) {
    interpolate(scene_, q0, q1, course, s, q_);
    if (!is_free(q_)) return s;
  }
  return std::nullopt;
}

void FclWorld::choose_broad(const MatX& q) {
  double best = kInfinity;
  Broad chosen = Broad::pairs;
  for (Broad broad : {Broad::pairs, Broad::tree}) {
    broad_ = broad;
    const double begin = thread_seconds();
    for (int k = 0; k < q.cols(); ++k) (void)is_free(q.col(k));
    const double took = thread_seconds() - begin;
    if (took < best) best = took, chosen = broad;
  }
  broad_ = chosen;
}

}  // namespace geste::bench
