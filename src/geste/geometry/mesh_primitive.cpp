#include "geste/geometry/mesh_primitive.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/convex_pair.hpp"
#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/core_depth.hpp"
#include "geste/geometry/internal/key_heap.hpp"
#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/torus_pair.hpp"

namespace geste {
namespace {

using namespace internal;
using Entry = QueryScratch::Entry;

/// The primitive against one triangle after the other.
class Walk {
 public:
  Walk(const MeshTree& mesh, const PrimitiveShape& primitive, const Pose& X_MP,
       QueryScratch& scratch)
      : mesh_(mesh), primitive_(primitive), X_MP_(X_MP), entries_(scratch.entries) {
    if (!X_MP.p.allFinite() || !X_MP.R.allFinite())
      throw std::invalid_argument("mesh query: the pose is not finite");
    const AxisBox box =
        std::visit([](const auto& shape) { return compute_box(Shape(shape)); }, primitive);
    box_ = fix(box, X_MP.inverse(), mesh.boxes().scale);
  }

  bool find_touch() {
    entries_.assign(1, {0, 0, 0, 0, 0});
    while (!entries_.empty()) {
      const std::uint32_t ref = entries_.back().node_a;
      entries_.pop_back();
      if (ref & kLeafBit) {
        const TriangleLeaf& leaf = mesh_.boxes().leaves[ref & ~kLeafBit];
        for (std::uint32_t k = 0; k < leaf.count; ++k) {
          if (touches_triangle(leaf.triangle[k])) return true;
        }
        continue;
      }
      const BoxNode& n = mesh_.boxes().nodes[ref];
      Float8 key;
      for (unsigned open = find_meeting(box_, n, key); open != 0; open &= open - 1)
        entries_.push_back({0, n.child[std::countr_zero(open)], 0, 0, 0});
    }
    return false;
  }

  /// The least separation from any triangle; what is deeper than contact is of no interest here.
  Separation find_nearest_triangle(double farthest) {
    Separation best;
    best.distance = std::numeric_limits<double>::infinity();
    entries_.assign(1, {-1, 0, 0, 0, 0});
    while (!entries_.empty() && best.distance > 0) {
      const Entry e = pop_by_key(entries_);
      if (e.key >= std::min(best.distance, farthest)) break;
      if (e.node_a & kLeafBit) {
        const TriangleLeaf& leaf = mesh_.boxes().leaves[e.node_a & ~kLeafBit];
        for (std::uint32_t k = 0; k < leaf.count; ++k) {
          const Separation s = separate_triangle(leaf.triangle[k]);
          if (s.distance < best.distance) best = s;
        }
        continue;
      }
      const BoxNode& n = mesh_.boxes().nodes[e.node_a];
      const float limit = round_up(std::min(best.distance, farthest));
      Float8 key;
      for (unsigned open = find_nearer(box_, n, limit, key); open != 0; open &= open - 1) {
        const int lane = std::countr_zero(open);
        push_by_key(entries_, {key[lane], n.child[lane], 0, 0, 0});
      }
    }
    return best;
  }

 private:
  [[nodiscard]] ConvexShape triangle(std::uint32_t t) const {
    const Triangle& v = mesh_.mesh().triangles[t];
    const auto& p = mesh_.mesh().vertices;
    return {p[v[0]], p[v[1]], p[v[2]]};
  }

  [[nodiscard]] bool touches_triangle(std::uint32_t t) const {
    return std::visit(
        Overloaded{
            [&](const Torus& torus) { return touches_torus(torus, triangle(t), X_MP_.inverse()); },
            [&](const HullShape& hull) {
              return touches_convex(triangle(t), ConvexShape(*hull), X_MP_);
            },
            [&](const auto& s) { return touches_convex(triangle(t), ConvexShape(s), X_MP_); }},
        primitive_);
  }

  [[nodiscard]] Separation separate_triangle(std::uint32_t t) const {
    return std::visit(
        Overloaded{[&](const Torus& torus) {
                     const Separation s =
                         compute_torus_separation(torus, triangle(t), X_MP_.inverse());
                     return swapped(s, X_MP_);
                   },
                   [&](const HullShape& hull) {
                     return compute_convex_separation(triangle(t), ConvexShape(*hull), X_MP_);
                   },
                   [&](const auto& s) {
                     return compute_convex_separation(triangle(t), ConvexShape(s), X_MP_);
                   }},
        primitive_);
  }

  const MeshTree& mesh_;
  const PrimitiveShape& primitive_;
  const Pose& X_MP_;
  std::vector<Entry>& entries_;
  FixedBox box_;
};

/// A point of the primitive.
Vec3 find_inner_point(const PrimitiveShape& primitive) {
  return std::visit(Overloaded{[](const Torus& t) { return Vec3(t.radius, 0, 0); },
                               [](const HullShape& h) { return h->centre; },
                               [](const auto&) { return Vec3(Vec3::Zero()); }},
                    primitive);
}

std::optional<RoundCore> find_core(const PrimitiveShape& primitive, const Pose& X_MP) {
  using Core = std::optional<RoundCore>;
  return std::visit(
      Overloaded{[&](const Sphere& s) {
                   return Core({RoundCore::Kind::point, X_MP, 0, s.radius});
                 },
                 [&](const Capsule& s) {
                   return Core({RoundCore::Kind::segment, X_MP, s.length / 2, s.radius});
                 },
                 [&](const Torus& s) {
                   return Core({RoundCore::Kind::circle, X_MP, s.radius, s.tube_radius});
                 },
                 [](const auto&) { return Core(); }},
      primitive);
}

}  // namespace

bool touches(const MeshTree& mesh, const PrimitiveShape& primitive, const Pose& X_MP,
             QueryScratch& scratch) {
  return Walk(mesh, primitive, X_MP, scratch).find_touch() ||
         (mesh.is_closed() && is_inside(mesh, X_MP * find_inner_point(primitive), scratch));
}

Separation compute_separation(const MeshTree& mesh, const PrimitiveShape& primitive,
                              const MeshTree* surface, const Pose& X_MP, QueryScratch& scratch,
                              const DepthOptions& options) {
  const bool in = mesh.is_closed() && is_inside(mesh, X_MP * find_inner_point(primitive), scratch);
  if (!in) {
    const Separation s = Walk(mesh, primitive, X_MP, scratch).find_nearest_triangle(options.limit);
    if (s.distance > 0) return s;
  }
  if (const auto core = find_core(primitive, X_MP))
    return compute_core_depth(mesh, *core, scratch, options);
  Separation s = compute_separation(mesh, *surface, X_MP, scratch, nullptr, options);
  // The triangles of a round primitive may be short of the contact that the solid has.
  s.distance = std::min(s.distance, 0.0);
  s.error += surface->mesh().deflection;
  return s;
}

}  // namespace geste
