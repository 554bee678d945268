#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/internal/contact_pairs.hpp"
#include "geste/geometry/point_distance.hpp"
#include "geste/geometry/primitive_pair.hpp"

// Contacts of two primitives. Seen along the separating normal n the heights of two flat features
// differ by a linear function over their overlap, so its largest value, which is the depth of the
// pair, is at a corner of the overlap.

namespace geste::internal {
namespace {

double compute_size(const Collider& c) { return c.box().extent(); }

/// The distance of a shape along the circle of a torus, and its least values.
class RingSearch {
 public:
  RingSearch(const Torus& torus, const PrimitiveShape& other, const Pose& X_TO)
      : torus_(torus), other_(other), X_TO_(X_TO), X_OT_(X_TO.inverse()) {}

  struct Sample {
    double angle = 0;
    double distance = 0;  ///< of the ball
    Vec3 on_torus = Vec3::Zero(), on_other = Vec3::Zero();
    Vec3 normal = Vec3::UnitZ();  ///< from the torus to the other
  };

  [[nodiscard]] Sample at(double angle) const {
    const Vec3 centre(torus_.radius * std::cos(angle), torus_.radius * std::sin(angle), 0);
    const PointSeparation s = compute_point_separation(other_, X_OT_ * centre);
    const Vec3 normal = -(X_TO_.R * s.normal);
    return {angle, s.distance - torus_.tube_radius, centre + torus_.tube_radius * normal,
            X_TO_ * s.nearest, normal};
  }

  /// The least between two angles around one that is less than both; golden section.
  [[nodiscard]] Sample find_least(double low, double high) const {
    constexpr double kGolden = 0.6180339887498949;
    Sample x = at(high - kGolden * (high - low)), y = at(low + kGolden * (high - low));
    for (int i = 0; i < 40; ++i) {
      if (x.distance < y.distance) {
        high = y.angle, y = x;
        x = at(high - kGolden * (high - low));
      } else {
        low = x.angle, x = y;
        y = at(low + kGolden * (high - low));
      }
    }
    return x.distance < y.distance ? x : y;
  }

 private:
  const Torus& torus_;
  const PrimitiveShape& other_;
  Pose X_TO_, X_OT_;
};

}  // namespace

void add_convex_contacts(const Collider& a, const Collider& b, const Pose& X_AB,
                         ContactScratch::Memory& memory, ContactSink& sink) {
  const Separation s = compute_primitive_separation(*a.primitive(), *b.primitive(), X_AB);
  if (!(s.distance < sink.margin())) return;
  const double size = std::min(compute_size(a), compute_size(b));
  const double unimportant = 1e-3 * sink.margin() + 1e-9 * size;
  SupportFeature& fa = memory.feature_a;
  SupportFeature& fb = memory.feature_b;
  compute_support_feature(a, s.normal, unimportant, fa);
  compute_support_feature(b, -(X_AB.R.transpose() * s.normal), unimportant, fb);
  transform(X_AB, fb);
  // Normals at curves are good to 1e-5.
  const auto is_curved = [](const Collider& c) { return c.surface() && !c.faces(); };
  const double slack = (is_curved(a) || is_curved(b) ? 2e-5 : 1e-6) * size;
  compute_overlap(fa, fb, s.normal, slack, memory.overlap, memory.corners);
  include_deepest(s, unimportant, 0.1 * size, fa.name(), fb.name(), memory.corners);
  for (const OverlapCorner& c : memory.corners) {
    const double depth = std::min(s.normal.dot(c.on_a - c.on_b), -s.distance);
    sink.add(c.on_a, c.on_a - depth * s.normal, s.normal, depth, c.a, c.b);
  }
}

void add_torus_contacts(const Collider& torus, const Collider& other, const Pose& X_TO,
                        ContactScratch::Memory&, ContactSink& sink) {
  constexpr int kBalls = 32;
  constexpr double kStep = 2 * std::numbers::pi / kBalls;
  const auto& shape = std::get<Torus>(*torus.primitive());
  const RingSearch ring(shape, *other.primitive(), X_TO);
  const auto name_angle = [](double angle) {
    return static_cast<std::uint32_t>(std::lround(angle / kStep) + kBalls) % kBalls;
  };
  // Two tori find the same minima, each along its own circle: one name for both.
  const bool is_torus = std::holds_alternative<Torus>(*other.primitive());
  const auto add_least = [&](const RingSearch::Sample& s) {
    const Vec3 p = X_TO.inverse() * s.on_other;
    const std::uint32_t there = is_torus
                                    ? name_vertex(kMoving + name_angle(std::atan2(p.y(), p.x())))
                                    : name_face(kSideFace);
    sink.add(s.on_torus, s.on_other, s.normal, -s.distance,
             name_vertex(kMoving + name_angle(s.angle)), there);
  };
  RingSearch::Sample samples[kBalls];
  for (int k = 0; k < kBalls; ++k) samples[k] = ring.at(k * kStep);
  for (int k = 0; k < kBalls; ++k) {
    const auto& s = samples[k];
    sink.add(s.on_torus, s.on_other, s.normal, -s.distance,
             name_vertex(static_cast<std::uint32_t>(k)), name_face(kSideFace));
    const double before = samples[(k + kBalls - 1) % kBalls].distance;
    const double after = samples[(k + 1) % kBalls].distance;
    // Distance changes by at most the way along the circle.
    if (s.distance > before || s.distance >= after) continue;
    if (s.distance - kStep * shape.radius > sink.margin()) continue;
    const auto least = ring.find_least(s.angle - kStep, s.angle + kStep);
    if (least.distance >= s.distance - 1e-3 * sink.margin() - 1e-9 * shape.radius) continue;
    add_least(least);
  }
}

}  // namespace geste::internal
