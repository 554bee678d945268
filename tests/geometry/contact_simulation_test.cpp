#include "contact_testing.hpp"

// What contacts are for: a box that comes to rest. A free body under gravity with friction, stepped
// semi-implicitly, contacts by projected Gauss-Seidel with impulses carried over by id.

namespace geste {
namespace {

using testing::make_plate;
using testing::share;

struct Body {
  Pose X;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  double mass = 1;
  Vec3 inertia = Vec3::Ones();  ///< about the principal axes

  [[nodiscard]] Mat3 inverse_inertia() const {
    return X.R * inertia.cwiseInverse().asDiagonal() * X.R.transpose();
  }
};

class Simulation {
 public:
  Simulation(const Shape& ground, const Shape& shape, const Body& start)
      : body(start), ground_(ground), shape_(shape) {}

  Body body;
  int iterations = 0;  ///< of all steps
  bool carries_over = true;
  ContactSet contacts;

  void step(double dt) {
    std::swap(contacts, previous_);
    compute_contacts(ground_, shape_, body.X, 2e-3, scratch_, contacts);
    std::vector<Vec3> before = impulses_;
    impulses_.assign(contacts.contacts.size(), Vec3::Zero());
    find_matching(previous_, contacts, matches_);
    body.v.z() -= 9.81 * dt;
    for (std::size_t i = 0; i < matches_.size() && carries_over; ++i) {
      if (matches_[i] == kNoContact) continue;
      impulses_[i] = before[matches_[i]];
      push(contacts.contacts[i], to_world(contacts.contacts[i], impulses_[i]));
    }
    for (int k = 0; k < 2000; ++k, ++iterations) {
      double change = 0;
      for (std::size_t i = 0; i < impulses_.size(); ++i) change = std::max(change, solve(i, dt));
      if (change < 1e-9) break;
    }
    body.X.p += dt * body.v;
    body.X.R = so3::exp(Vec3(dt * body.w)) * body.X.R;
  }

 private:
  static Vec3 to_world(const Contact& c, const Vec3& j) {
    return j.x() * c.normal + j.y() * c.tangent + j.z() * c.normal.cross(c.tangent);
  }
  void push(const Contact& c, const Vec3& impulse) {
    body.v += impulse / body.mass;
    body.w += body.inverse_inertia() * (c.point - body.X.p).cross(impulse);
  }
  [[nodiscard]] double get_mobility(const Contact& c, const Vec3& d) const {
    const Vec3 arm = (c.point - body.X.p).cross(d);
    return 1 / body.mass + arm.dot(body.inverse_inertia() * arm);
  }

  double solve(std::size_t i, double dt) {
    const Contact& c = contacts.contacts[i];
    const Vec3 axes[3] = {c.normal, c.tangent, c.normal.cross(c.tangent)};
    Vec3 j = impulses_[i];
    const Vec3 u = body.v + body.w.cross(c.point - body.X.p);
    // A gap may close in this step; a tenth of a depth is taken back.
    const double wanted = c.depth > 0 ? 0.1 * std::max(0.0, c.depth - 1e-5) / dt : c.depth / dt;
    for (int k = 0; k < 3; ++k)
      j[k] += ((k == 0 ? wanted : 0) - u.dot(axes[k])) / get_mobility(c, axes[k]);
    j.x() = std::max(0.0, j.x());
    const double sliding = j.tail<2>().norm(), most = 0.6 * j.x();
    if (sliding > most) j.tail<2>() *= most / sliding;
    push(c, to_world(c, j - impulses_[i]));
    const double change = (j - impulses_[i]).norm();
    impulses_[i] = j;
    return change;
  }

  Collider ground_, shape_;
  ContactScratch scratch_;
  ContactSet previous_;
  std::vector<Vec3> impulses_;
  std::vector<std::uint32_t> matches_;
};

Body make_body(const Vec3& size, const Pose& X) {
  const Vec3 q = size.cwiseProduct(size);
  return {X, Vec3::Zero(), Vec3::Zero(), 1, Vec3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()) / 12};
}

TEST(ContactSimulation, BoxFallsAndRests) {
  const Vec3 size(0.3, 0.2, 0.1);
  for (const Shape& shape : {Shape(Box{size}), Shape(share(make_mesh(Box{size})))}) {
    for (const bool is_open : {false, true}) {
      Simulation sim(share(make_plate(2, 0.2, 20, is_open)), shape,
                     make_body(size, Pose(so3::exp(Vec3(0.3, 0.2, 0.5)), Vec3(0.05, 0.02, 0.25))));
      for (int i = 0; i < 3000; ++i) sim.step(1e-3);
      const Pose rest = sim.body.X;
      // Flat, and neither sunk nor afloat.
      EXPECT_NEAR(rest.p.z(), 0.05, 1e-4);
      EXPECT_NEAR(rest.R.col(2).cwiseAbs().z(), 1, 1e-6);
      EXPECT_EQ(sim.contacts.contacts.size(), 4u);
      EXPECT_TRUE(testing::bears(sim.contacts, rest.p, 0));
      for (int i = 0; i < 1000; ++i) {
        sim.step(1e-3);
        ASSERT_LT(sim.body.v.norm() + sim.body.w.norm(), 1e-4) << i;
      }
      EXPECT_LT((sim.body.X.p - rest.p).norm(), 1e-5);
    }
  }
}

TEST(ContactSimulation, CarryingImpulsesOverSavesIterations) {
  const Vec3 size(0.3, 0.2, 0.1);
  int iterations[2];
  for (const int carries : {0, 1}) {
    Simulation sim(share(make_plate(2, 0.2, 20)), Box{size},
                   make_body(size, Pose::translation(0, 0, 0.0501)));
    sim.carries_over = carries != 0;
    for (int i = 0; i < 500; ++i) sim.step(1e-3);
    iterations[carries] = sim.iterations;
  }
  EXPECT_LT(2 * iterations[1], iterations[0]);
}

}  // namespace
}  // namespace geste
