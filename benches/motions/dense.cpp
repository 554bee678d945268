#include "motions/dense.hpp"

#include <algorithm>
#include <cmath>

#include "geste/model/kinematics.hpp"

namespace geste::bench {
namespace {

/// Of the geometry's points about the origin of its mover.
double compute_radius(const Scene& scene, int geometry) {
  const Geometry& g = scene.geometry()[static_cast<std::size_t>(geometry)];
  const Pose X_MG = scene.body(g.body).X_MB * g.X_BG;
  const AxisBox box = compute_box(g.shape);
  double radius = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1 ? box.max : box.min).x(), (corner & 2 ? box.max : box.min).y(),
                 (corner & 4 ? box.max : box.min).z());
    radius = std::max(radius, (X_MG * p).norm());
  }
  return radius;
}

/// FCL's distance; 0 where it gives up, so that the sample is looked at.
double compute_distance(const fcl::CollisionObjectd* a, const fcl::CollisionObjectd* b) try {
  const fcl::DistanceRequestd request;
  fcl::DistanceResultd result;
  fcl::distance(a, b, request, result);
  return result.min_distance;
} catch (const std::exception&) {
  return 0;
}

}  // namespace

DenseJudge::DenseJudge(const Scene& scene, FclWorld& world)
    : scene_(scene), world_(world), workspace_(scene), q_(scene.nq()) {
  for (int i = 0; i <= kSteps; ++i) shares_.push_back(static_cast<double>(i) / kSteps);
  const auto mover_of = [&](const FclWorld::Moving& m) {
    return scene.body(scene.geometry()[static_cast<std::size_t>(m.geometry)].body).mover;
  };
  for (const FclWorld::Moving& a : world.moving()) {
    const double radius = compute_radius(scene, a.geometry);
    for (const fcl::CollisionObjectd* b : a.obstacles)
      pairs_.push_back({a.object.get(), b, mover_of(a), 0, radius, 0, 0, 0});
    for (std::size_t j : a.others) {
      const FclWorld::Moving& b = world.moving()[j];
      pairs_.push_back({a.object.get(), b.object.get(), mover_of(a), mover_of(b), radius,
                        compute_radius(scene, b.geometry), 0, 0});
    }
  }
}

std::optional<double> DenseJudge::find_hit(const Edges& edges, int k) {
  return world_.find_hit(edges.q0.col(k), edges.q1.col(k), edges.course, shares_);
}

int DenseJudge::find_common_mover(int a, int b) const {
  // A parent comes before its children.
  while (a != b) {
    int& later = a > b ? a : b;
    later = scene_.movers()[static_cast<std::size_t>(later)].parent;
  }
  return a;
}

double DenseJudge::bound_speed(const Edges& edges, int k, int mover, int base,
                               double radius) const {
  double speed = 0;
  while (mover != base) {
    const Mover& m = scene_.movers()[static_cast<std::size_t>(mover)];
    const double from = edges.q0(m.q, k), to = edges.q1(m.q, k);
    if (m.type == JointType::prismatic) {
      speed += std::abs(to - from);
      radius += std::max(std::abs(from), std::abs(to));
    } else if (m.type == JointType::revolute || m.type == JointType::continuous) {
      speed += std::abs(to - from) * radius;
    } else {
      throw std::logic_error("the dense check is for arms whose joints turn or slide");
    }
    radius += m.X_PJ.p.norm();
    mover = m.parent;
  }
  return speed;
}

int DenseJudge::count_safe_samples(const Pair& pair) {
  constexpr double kTouch = 1e-5;  // m; FCL's distances are good to that
  constexpr double kEnough = 40;   // samples that boxes must grant to make a distance needless
  const auto count = [&](double gap) { return std::max(0.0, gap - kTouch) / pair.speed; };
  double samples = count(pair.a->getAABB().distance(pair.b->getAABB()));
  if (samples < kEnough) samples = std::max(samples, count(compute_distance(pair.a, pair.b)));
  return static_cast<int>(std::min(samples, 1.0 * kSteps));
}

std::optional<double> DenseJudge::find_hit_skipping(const Edges& edges, int k) {
  for (Pair& p : pairs_) {
    const int base = find_common_mover(p.mover_a, p.mover_b);
    p.speed = (bound_speed(edges, k, p.mover_a, base, p.radius_a) +
               bound_speed(edges, k, p.mover_b, base, p.radius_b)) /
                  kSteps +
              1e-12;
    p.due = 0;
  }
  for (int sample = 0; sample <= kSteps;) {
    interpolate(scene_, edges.q0.col(k), edges.q1.col(k), edges.course,
                shares_[static_cast<std::size_t>(sample)], q_);
    compute_kinematics(scene_, q_, workspace_);
    world_.place(workspace_);
    int next = kSteps + 1;
    for (Pair& p : pairs_) {
      if (p.due <= sample) {
        const int safe = count_safe_samples(p);
        if (safe == 0 && touches(p.a, p.b)) return shares_[static_cast<std::size_t>(sample)];
        p.due = sample + safe + 1;
      }
      next = std::min(next, p.due);
    }
    sample = next;
  }
  return std::nullopt;
}

}  // namespace geste::bench
