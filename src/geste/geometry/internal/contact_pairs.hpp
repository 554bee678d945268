#pragma once

#include "geste/geometry/contact_set.hpp"
#include "geste/geometry/internal/face_overlap.hpp"
#include "geste/geometry/internal/mesh_features.hpp"

namespace geste {

/// See ContactScratch.
struct ContactScratch::Memory {
  QueryScratch query;   ///< of walks
  QueryScratch points;  ///< of points asked for during a walk
  internal::SupportFeature feature_a, feature_b;
  internal::OverlapMemory overlap;
  std::vector<internal::OverlapCorner> corners;
  std::vector<std::uint32_t> triangles;
  /// Per vertex of each side: seen in query number `seen[v]`.
  std::vector<std::uint64_t> seen[2];
  /// Corners and triangles that were held against each other: a corner comes with every triangle at
  /// it. A slot serves several of them, the last one stays.
  struct Asked {
    std::uint64_t query = 0;
    std::uint64_t what = 0;
  };
  std::vector<Asked> asked;
  std::vector<std::uint32_t> waiting;
  std::uint64_t query_number = 0;
  std::uint64_t tests = 0;  ///< see ContactScratch::tests
  std::vector<std::uint32_t> group, chosen;
  std::vector<double> spread;
  std::vector<Contact> kept;
};

}  // namespace geste

/// One function per family of pairs; compute_contacts chooses, sorts and reduces.
namespace geste::internal {

/// Close to the deepest point where that is all there is to say, so that its depth does not jump
/// from step to step.
inline constexpr DepthOptions kExactDepth{.relative = 1e-6};

/// Takes contacts in the frame and order a pair is worked out in.
class ContactSink {
 public:
  ContactSink(double margin, bool wants_deepest, ContactSet& out)
      : margin_(margin), wants_deepest_(wants_deepest), out_(out) {}

  /// What follows is given in frame F and, when swapped, from b to a.
  void set_frame(const Pose& X_AF, bool is_swapped) {
    X_AF_ = X_AF;
    is_swapped_ = is_swapped;
  }
  [[nodiscard]] double margin() const { return margin_; }
  /// ContactOptions::find_deepest
  [[nodiscard]] bool wants_deepest() const { return wants_deepest_; }
  [[nodiscard]] double deepest() const { return deepest_; }
  [[nodiscard]] bool empty() const { return out_.contacts.empty(); }

  /// `normal` from first to second, unit; names of the features.
  void add(const Vec3& on_first, const Vec3& on_second, const Vec3& normal, double depth,
           std::uint32_t first, std::uint32_t second);

 private:
  double margin_;
  bool wants_deepest_;
  ContactSet& out_;
  Pose X_AF_;
  bool is_swapped_ = false;
  double deepest_ = -std::numeric_limits<double>::infinity();
};

void add_convex_contacts(const Collider& a, const Collider& b, const Pose& X_AB,
                         ContactScratch::Memory& memory, ContactSink& sink);
/// `torus` is one; the other is any primitive.
void add_torus_contacts(const Collider& torus, const Collider& other, const Pose& X_TO,
                        ContactScratch::Memory& memory, ContactSink& sink);
void add_mesh_contacts(const Collider& a, const Collider& b, const Pose& X_AB,
                       ContactScratch::Memory& memory, ContactSink& sink);
void add_mesh_primitive_contacts(const Collider& mesh, const Collider& primitive, const Pose& X_MP,
                                 ContactScratch::Memory& memory, ContactSink& sink);

/// Keeps few of those whose normals agree. Sorted by id before and after.
void reduce_contacts(double margin, const ContactOptions& options, ContactScratch::Memory& memory,
                     ContactSet& set);

}  // namespace geste::internal
