#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "geste/geometry/contact_set.hpp"

#include "random_meshes.hpp"

/// Shapes for contacts, and what every set must satisfy.
namespace geste::testing {

inline HullShape make_box_hull(const Vec3& size) {
  return std::make_shared<const ConvexHull>(
      make_convex_hull(make_mesh(Box{size}).vertices).value());
}

/// A block with top at z = 0, its upper and lower face of n x n squares.
inline TriangleMesh make_plate(double width, double thickness, int n, bool is_open = false) {
  TriangleMesh mesh;
  const auto count = static_cast<std::uint32_t>(n + 1);
  for (int layer = 0; layer < (is_open ? 1 : 2); ++layer) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i)
        mesh.vertices.emplace_back(width * (i / double(n) - 0.5), width * (j / double(n) - 0.5),
                                   -layer * thickness);
    }
  }
  const auto at = [&](std::uint32_t layer, std::uint32_t i, std::uint32_t j) {
    return layer * count * count + j * count + i;
  };
  const std::uint32_t last = count - 1;
  const auto add_quad = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
    mesh.triangles.push_back({p, q, r});
    mesh.triangles.push_back({p, r, s});
  };
  for (std::uint32_t j = 0; j < last; ++j) {
    for (std::uint32_t i = 0; i < last; ++i) {
      add_quad(at(0, i, j), at(0, i + 1, j), at(0, i + 1, j + 1), at(0, i, j + 1));
      if (!is_open) add_quad(at(1, i, j), at(1, i, j + 1), at(1, i + 1, j + 1), at(1, i + 1, j));
    }
  }
  for (std::uint32_t i = 0; i < last && !is_open; ++i) {
    add_quad(at(0, i + 1, 0), at(0, i, 0), at(1, i, 0), at(1, i + 1, 0));
    add_quad(at(0, i, last), at(0, i + 1, last), at(1, i + 1, last), at(1, i, last));
    add_quad(at(0, 0, i), at(0, 0, i + 1), at(1, 0, i + 1), at(1, 0, i));
    add_quad(at(0, last, i + 1), at(0, last, i), at(1, last, i), at(1, last, i + 1));
  }
  return mesh;
}

/// A square block with a round hole along z.
inline TriangleMesh make_bore(double radius, double width, double length, int segments) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(segments);
  for (const double z : {-length / 2, length / 2}) {
    for (std::uint32_t k = 0; k < 2 * n; ++k) {
      const double angle = 2 * std::numbers::pi * (k % n) / n;
      const Vec3 d(std::cos(angle), std::sin(angle), 0);
      const double r = k < n ? radius : width / 2 / d.cwiseAbs().maxCoeff();
      mesh.vertices.push_back(r * d + Vec3(0, 0, z));
    }
  }
  const auto add_quad = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
    mesh.triangles.push_back({p, q, r});
    mesh.triangles.push_back({p, r, s});
  };
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t m = (k + 1) % n, top = 2 * n;
    add_quad(k, k + top, m + top, m);                      // the hole, seen from its axis
    add_quad(k + n, m + n, m + n + top, k + n + top);      // outside
    add_quad(k + top, k + n + top, m + n + top, m + top);  // above
    add_quad(k, m, m + n, k + n);                          // below
  }
  return mesh;
}

class ContactTest : public ::testing::Test {
 protected:
  ContactSet find(const Shape& a, const Shape& b, const Pose& X_AB, double margin,
                  const ContactOptions& options = {}) {
    return find(Collider(a), Collider(b), X_AB, margin, options);
  }
  ContactSet find(const Collider& a, const Collider& b, const Pose& X_AB, double margin,
                  const ContactOptions& options = {}) {
    ContactSet set;
    compute_contacts(a, b, X_AB, margin, scratch, set, options);
    return set;
  }
  ContactScratch scratch;
  QueryScratch query;
};

inline double get_deepest(const ContactSet& set) {
  double depth = -std::numeric_limits<double>::infinity();
  for (const Contact& c : set.contacts) depth = std::max(depth, c.depth);
  return depth;
}

/// Whether p, seen along z, lies in the convex hull of the contact points: no line through p has
/// them all on one side.
inline bool bears(const ContactSet& set, const Vec3& p, double slack) {
  for (int k = 0; k < 720; ++k) {
    const double angle = k * std::numbers::pi / 360;
    const Vec3 d(std::cos(angle), std::sin(angle), 0);
    double reach = -1e9;
    for (const Contact& c : set.contacts) reach = std::max(reach, d.dot(c.point - p));
    if (reach < -slack) return false;
  }
  return !set.contacts.empty();
}

inline void expect_sound(const ContactSet& set, double margin) {
  for (std::size_t i = 0; i < set.contacts.size(); ++i) {
    const Contact& c = set.contacts[i];
    EXPECT_NEAR(c.normal.norm(), 1, 1e-9);
    EXPECT_NEAR(c.tangent.norm(), 1, 1e-9);
    EXPECT_NEAR(c.normal.dot(c.tangent), 0, 1e-9);
    EXPECT_GT(c.depth, -margin);
    EXPECT_LT((c.point - 0.5 * (c.on_a + c.on_b)).norm(), 1e-12);
    // Moving b by the depth takes the two points together.
    EXPECT_LT((c.on_b + c.depth * c.normal - c.on_a).norm(), 1e-6) << c.depth;
    if (i > 0) {
      EXPECT_LT(set.contacts[i - 1].id, c.id);
    }
  }
}

}  // namespace geste::testing
