#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/contact_pairs.hpp"
#include "geste/geometry/internal/surface_probe.hpp"
#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/mesh_primitive.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/point_distance.hpp"
#include "geste/geometry/torus_pair.hpp"

// Contacts of a mesh and a primitive, in the mesh's frame: what the primitive shows to each facet,
// corners of the mesh by their exact distance, edges of the mesh as convex shapes.

namespace geste::internal {
namespace {

constexpr double kFlatEnough = 1 - 1e-9;

class MeshPrimitiveContacts {
 public:
  MeshPrimitiveContacts(const Collider& mesh, const Collider& primitive, const Pose& X_MP,
                        ContactScratch::Memory& memory, ContactSink& sink)
      : probe_(mesh, sink.margin(), memory.points),
        tree_(*mesh.mesh()),
        primitive_(primitive),
        X_MP_(X_MP),
        X_PM_(X_MP.inverse()),
        memory_(memory),
        sink_(sink),
        unimportant_(1e-3 * sink.margin() + 1e-9 * primitive.box().extent()) {}

  void run() {
    collect();
    auto& triangles = memory_.triangles;
    const auto& facet = probe_.features().facet;
    std::erase_if(triangles, [&](std::uint32_t t) { return facet[t] == MeshFeatures::kNone; });
    std::sort(triangles.begin(), triangles.end(), [&](std::uint32_t s, std::uint32_t t) {
      return std::tie(facet[s], s) < std::tie(facet[t], t);
    });
    for (std::size_t i = 0; i < triangles.size();) {
      std::size_t end = i + 1;
      while (end < triangles.size() && facet[triangles[end]] == facet[triangles[i]]) ++end;
      press(std::span(triangles).subspan(i, end - i));
      i = end;
    }
    if (primitive_.faces() && sink_.deepest() > sink_.margin()) sound_deep();
    ++memory_.query_number;
    memory_.tests += triangles.size();
    auto& seen = memory_.seen[0];
    if (seen.size() < probe_.mesh().vertices.size()) seen.resize(probe_.mesh().vertices.size(), 0);
    for (const std::uint32_t t : triangles) {
      for (std::uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
        touch_corner(probe_.get_corner(h));
        if (probe_.is_exposed(h)) touch_edge(h);
      }
    }
  }

 private:
  /// Triangles whose boxes come within the margin of the primitive's box.
  void collect() {
    const FixedBox fixed =
        fix(inflate(primitive_.box(), sink_.margin()), X_PM_, tree_.boxes().scale);
    auto& entries = memory_.query.entries;
    memory_.triangles.clear();
    entries.assign(1, {0, 0, 0, 0, 0});
    while (!entries.empty()) {
      const std::uint32_t ref = entries.back().node_a;
      entries.pop_back();
      if (ref & kLeafBit) {
        const TriangleLeaf& leaf = tree_.boxes().leaves[ref & ~kLeafBit];
        memory_.triangles.insert(memory_.triangles.end(), leaf.triangle,
                                 leaf.triangle + leaf.count);
        continue;
      }
      const BoxNode& n = tree_.boxes().nodes[ref];
      Float8 key;
      for (unsigned open = find_meeting(fixed, n, key); open != 0; open &= open - 1)
        entries.push_back({0, n.child[std::countr_zero(open)], 0, 0, 0});
    }
  }

  /// What the primitive shows to a facet, point by point against its triangles.
  void press(std::span<const std::uint32_t> triangles) {
    const Vec3& n = probe_.features().normal[triangles[0]];
    SupportFeature& shown = memory_.feature_a;
    compute_support_feature(primitive_, -(X_PM_.R * n), unimportant_, shown);
    transform(X_MP_, shown);
    const double plane = n.dot(probe_.at(3 * triangles[0]));
    for (const auto& corner : shown.corners) {
      const double height = n.dot(corner.p) - plane;
      if (height >= sink_.margin()) continue;
      if (height < 0) {
        sound(corner, probe_.features().facet[triangles[0]]);
        continue;
      }
      for (const std::uint32_t t : triangles) {
        SurfaceProbe::Hit hit;
        if (probe_.look(corner.p, t, hit) != SurfaceProbe::Side::near || !hit.is_face) continue;
        sink_.add(hit.on, corner.p, n, hit.depth, hit.name, corner.vertex);
        break;
      }
    }
  }

  /// A point that goes with the direction is only this facet's.
  void sound(const SupportFeature::Corner& corner, std::uint32_t facet) {
    const bool is_moving = corner.vertex >= kMoving || is_round();
    probe_.sound(corner.p, [&](const SurfaceProbe::Hit& hit) {
      if (is_moving && hit.name != name_face(facet)) return;
      if (!does_primitive_face(corner.vertex, hit.normal)) return;
      sink_.add(hit.on, corner.p, hit.normal, hit.depth, hit.name, corner.vertex);
    });
  }

  /// Corners of a box or hull so deep that the facet they leave by is not near the primitive.
  void sound_deep() {
    const TriangleMesh& solid = primitive_.surface()->mesh();
    const MeshFeatures& features = *primitive_.features();
    for (std::uint32_t v = 0; v < solid.vertices.size(); ++v) {
      if (!features.is_corner[v]) continue;
      const Vec3 p = X_MP_ * solid.vertices[v];
      probe_.sound(p, [&](const SurfaceProbe::Hit& hit) {
        if (does_primitive_face(v, hit.normal))
          sink_.add(hit.on, p, hit.normal, hit.depth, hit.name, name_vertex(v));
      });
    }
  }

  /// Whether a corner of a box or hull looks against a normal of the mesh.
  [[nodiscard]] bool does_primitive_face(std::uint32_t v, const Vec3& normal) const {
    if (!primitive_.faces()) return true;
    return does_face(primitive_.surface()->mesh(), *primitive_.features(), true, v,
                     -(X_PM_.R * normal), false);
  }

  /// Spheres, capsules and tori: points of them go with the direction.
  [[nodiscard]] bool is_round() const { return primitive_.surface() == nullptr; }

  void touch_corner(std::uint32_t v) {
    if (!probe_.features().is_corner[v]) return;
    std::uint64_t& seen = memory_.seen[0][v];
    if (seen == memory_.query_number) return;
    seen = memory_.query_number;
    const Vec3& p = probe_.mesh().vertices[v];
    const PointSeparation s = compute_point_separation(*primitive_.primitive(), X_PM_ * p);
    if (!(s.distance < sink_.margin())) return;
    SupportFeature& shown = memory_.feature_a;
    compute_support_feature(primitive_, s.normal, unimportant_, shown);
    const bool is_flat =
        !is_round() && shown.is_polygon() && shown.normal.dot(s.normal) > kFlatEnough;
    const Vec3 normal = -(X_MP_.R * s.normal);
    if (!probe_.faces(v, normal, !is_flat)) return;
    sink_.add(p, X_MP_ * s.nearest, normal, -s.distance, name_vertex(v), shown.face);
  }

  [[nodiscard]] Separation separate(const ConvexShape& edge) const {
    return std::visit(
        Overloaded{
            [&](const Torus& torus) {
              return swapped(compute_torus_separation(torus, edge, X_PM_), X_MP_);
            },
            [&](const HullShape& hull) {
              return compute_convex_separation(edge, ConvexShape(*hull), X_MP_);
            },
            [&](const auto& c) { return compute_convex_separation(edge, ConvexShape(c), X_MP_); }},
        *primitive_.primitive());
  }

  void touch_edge(std::uint32_t h) {
    const Vec3 p = probe_.at(h), q = probe_.get_end(h);
    const Separation s = separate(ConvexShape(p, q, q));
    if (!(s.distance < sink_.margin())) return;
    SupportFeature& shown = memory_.feature_b;
    compute_support_feature(primitive_, -(X_PM_.R * s.normal), unimportant_, shown);
    const bool is_flat = !is_round() && shown.is_polygon();
    if (!probe_.is_between(h, s.normal, is_flat ? 0.1 : 0.02)) return;
    transform(X_MP_, shown);
    const std::uint32_t name = name_edge(probe_.features().edge[h]);
    memory_.corners.clear();
    if (!is_round()) {
      SupportFeature& line = memory_.feature_a;
      line.corners.assign({{p, 0, name}, {q, 0, name}});
      compute_overlap(line, shown, s.normal, probe_.flush(), memory_.overlap, memory_.corners);
    }
    add_between(p, q, name, s, shown.name());
  }

  /// Overlaps of an edge, but for its ends: they are corners of the mesh, and were asked already.
  void add_between(const Vec3& p, const Vec3& q, std::uint32_t name, const Separation& s,
                   std::uint32_t other) {
    // The search along a curve does not find an end more exactly.
    const double end = is_round() || primitive_.faces() ? 1e-6 : 1e-3;
    const auto is_within = [&](const Vec3& x) {
      const double along = (x - p).dot(q - p) / (q - p).squaredNorm();
      return along > end && along < 1 - end;
    };
    const double reach = 0.1 * primitive_.box().extent();
    if (is_within(s.on_a)) include_deepest(s, unimportant_, reach, name, other, memory_.corners);
    for (const OverlapCorner& c : memory_.corners) {
      if (c.a == name && is_within(c.on_a))
        sink_.add(c.on_a, c.on_b, s.normal, s.normal.dot(c.on_a - c.on_b), c.a, c.b);
    }
  }

  SurfaceProbe probe_;
  const MeshTree& tree_;
  const Collider& primitive_;
  Pose X_MP_, X_PM_;
  ContactScratch::Memory& memory_;
  ContactSink& sink_;
  double unimportant_;
};

Vec3 find_inner_point(const PrimitiveShape& primitive) {
  return std::visit(Overloaded{[](const Torus& t) { return Vec3(t.radius, 0, 0); },
                               [](const HullShape& h) { return h->centre; },
                               [](const auto&) { return Vec3(Vec3::Zero()); }},
                    primitive);
}

}  // namespace

void add_mesh_primitive_contacts(const Collider& mesh, const Collider& primitive, const Pose& X_MP,
                                 ContactScratch::Memory& memory, ContactSink& sink) {
  const MeshTree& tree = *mesh.mesh();
  if (tree.mesh().triangles.empty()) return;
  MeshPrimitiveContacts(mesh, primitive, X_MP, memory, sink).run();
  if (sink.deepest() >= 0 || !sink.wants_deepest()) return;
  const PrimitiveShape& shape = *primitive.primitive();
  const bool is_in =
      (sink.empty() && touches(tree, shape, X_MP, memory.query)) ||
      (tree.is_closed() && is_inside(tree, X_MP * find_inner_point(shape), memory.query));
  if (!is_in) return;
  const Separation s =
      compute_separation(tree, shape, primitive.surface(), X_MP, memory.query, kExactDepth);
  sink.add(s.on_a, s.on_b, s.normal, -s.distance, kDeepest, kDeepest);
}

}  // namespace geste::internal
