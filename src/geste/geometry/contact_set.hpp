#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "geste/geometry/collider.hpp"
#include "geste/geometry/shape_pair.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// Where two shapes touch, or nearly: one row of a contact problem. In A's frame.
/// on_a - on_b = depth * normal, except at concave edges, where on_b or on_a is in the face's
/// plane.
struct Contact {
  Vec3 point = Vec3::Zero();  ///< midway between on_a and on_b
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();   ///< unit, from a to b: moving b along it takes the points apart
  Vec3 tangent = Vec3::UnitX();  ///< unit, across the normal; the other one is normal x tangent
  double depth = 0;              ///< m; negative: the gap
  std::uint64_t id = 0;          ///< feature of a (high half), feature of b (low half)
};

/// The same contact seen from b has this id.
constexpr std::uint64_t swapped_id(std::uint64_t id) { return id << 32 | id >> 32; }

/// A unit vector across a unit normal: what a fixed one becomes in the shortest turn that takes a
/// fixed direction to the normal. Continuous but at that direction's opposite, (-0.6, -0.48,
/// -0.64), where no choice could be (hairy ball).
Vec3 compute_tangent(const Vec3& normal);

struct ContactOptions {
  /// How many are kept of those whose normals agree; 0: all. The most outlying first, so that what
  /// they can bear is kept, and the deepest always (within 1e-4 of the margin).
  int max_points = 4;
  double normal_angle = 0.35;  ///< rad; normals closer than this to the first of a group agree
  /// Look for the deepest point where solids overlap and no corner or edge says so. That takes
  /// milliseconds; without it such an overlap is not seen.
  bool find_deepest = true;
};

/// By ascending id; no id twice.
struct ContactSet {
  std::vector<Contact> contacts;
};

/// Memory of the search, one per thread; after some queries nothing is allocated any more.
class ContactScratch {
 public:
  ContactScratch();
  ~ContactScratch();
  ContactScratch(const ContactScratch&) = delete;
  ContactScratch& operator=(const ContactScratch&) = delete;

  struct Memory;
  [[nodiscard]] Memory& memory() { return *memory_; }
  /// Triangles looked at so far, in pairs or beside a primitive, and corners inside: what the time
  /// goes into, the same on any machine.
  [[nodiscard]] std::uint64_t tests() const;

 private:
  std::unique_ptr<Memory> memory_;
};

/// Every contact of two shapes whose gap is below `margin`, in A's frame; `out` is overwritten.
/// margin < 0, or a pose that is not finite, throws std::invalid_argument.
///
/// Two convex primitives: the normal is the separation's (convex_pair.hpp). Along it each shape
/// shows a face, a line or a point; the corners of where these overlap, seen along the normal, are
/// the contacts: corners of one over the face of the other, and crossings of edges. The deepest has
/// the depth of the separation. Round rims are lattices of 16 points fixed to the shape and the
/// point that is farthest along the normal.
///
/// A torus: 32 balls around its circle, and the local minima between them.
///
/// A mesh, with a mesh or a primitive, has local contacts. Its features are facets (triangles in
/// one plane, however many), convex edges between facets (straight ones as one) and their corners.
/// - A corner over a facet, edge or corner of the other, in whose Voronoi region it lies, gap below
///   the margin; both must face each other (within 60 degrees, or in the corner's own cone).
/// - A corner inside the other solid, however deep: to the nearest surface; at a concave edge to
///   both its facets.
/// - Two convex edges that cross, seen along their common perpendicular, which must lie between the
///   facets of each (within 0.1 rad); in depth too, where each reaches into the other.
/// - Where solids overlap and nothing of the above says so (a spike through a plate, one solid deep
///   in another): the deepest point of compute_separation, with an id of its own. This case
///   allocates.
/// What rests on facets therefore has the corners of the common area, whatever the tessellation.
///
/// A mesh that is not closed is a surface with a front, by its orientation: what is behind it by
/// less than the margin is in it, what is farther behind is not seen.
///
/// Ids: features keep their number while the shape lives, so a contact keeps its id as long as it
/// is between the same two. They do not depend on poses or the order of search. Swapping the shapes
/// mirrors them (swapped_id), ties apart: equal faces that lie exactly on each other, and corners
/// of an overlap with a curved rim that are within the accuracy of its normal.
///
/// Exact to rounding between polyhedra and spheres. Where a cylinder or cone takes part normals are
/// good to 1e-5 and points to 3e-5 of the size (convex_pair.hpp), and depths to 1e-3 of the margin.
///
/// Cost: a pair of primitives 2 to 10 microseconds; with meshes some tenths of a microsecond for
/// each pair of triangles within the margin, and one or two for each corner inside and each convex
/// edge near a primitive.
void compute_contacts(const Collider& a, const Collider& b, const Pose& X_AB, double margin,
                      ContactScratch& scratch, ContactSet& out, const ContactOptions& options = {});

/// For each current contact the previous one of the same id, or kNoContact: what a solver carries
/// over. Linear. `matches` is overwritten.
inline constexpr std::uint32_t kNoContact = 0xffffffffu;
void find_matching(const ContactSet& previous, const ContactSet& current,
                   std::vector<std::uint32_t>& matches);

}  // namespace geste
