#pragma once

#include <cstdint>
#include <limits>

#include "geste/geometry/internal/support.hpp"

namespace geste::internal {

struct PolytopeFace {
  Vec3 normal;    ///< unit, outwards
  double height;  ///< of its plane above the origin
  std::uint16_t vertex[3];
  std::uint16_t beyond[3];  ///< the face across the edge from vertex[i] to vertex[i + 1]
  bool is_removed;
};

/// A convex polytope that grows point by point, its faces in a heap by height. A point sees the
/// faces whose planes it is more than `tolerance` above, so that flat sides, which are many in A -
/// B, do not break into slivers; rounding may then tear what it sees, which is noticed. A tolerance
/// of 0 asks the exact side instead: never torn, the right way with curves, slow where much is
/// flat. Lives on the stack, about 90 kB, of which a query touches what it needs.
class Polytope {
 public:
  static constexpr int kMaxVertices = 192;
  static constexpr int kMaxFaces = 1024;  ///< ever made; removed ones keep their place

  /// From four points that are not in one plane.
  void start(const SupportPoint corner[4], double tolerance);
  /// Faces at least this high need not be given any more.
  void set_ceiling(double height) { ceiling_ = height; }
  /// The face of least height that was not given yet; -1 when there is none.
  int pop_nearest();
  /// Removed ones included.
  [[nodiscard]] int face_count() const { return face_count_; }
  [[nodiscard]] const PolytopeFace& face(int f) const { return faces_[f]; }
  [[nodiscard]] const SupportPoint& vertex(int v) const { return vertices_[v]; }
  enum class Growth : std::uint8_t { done, no_room, torn };
  /// Adds a point above face f. One that is not above it changes nothing and is done; no room or a
  /// torn rim changes nothing either.
  Growth expand(int f, const SupportPoint& point);

 private:
  struct Edge {
    std::uint16_t from, to, beyond;
  };

  [[nodiscard]] bool sees(const Vec3& point, int f) const;
  void add_face(std::uint16_t a, std::uint16_t b, std::uint16_t c);
  /// Marks what the point sees as removed and lists its rim. False when there are too many edges.
  bool remove_seen(const Vec3& point, int f);
  /// Whether the rim is one closed line that meets no vertex twice.
  [[nodiscard]] bool is_rim_simple();

  SupportPoint vertices_[kMaxVertices];
  PolytopeFace faces_[kMaxFaces];
  std::uint16_t heap_[kMaxFaces];
  std::uint16_t seen_[kMaxFaces];
  Edge horizon_[kMaxVertices];
  std::uint16_t edge_from_[kMaxVertices];  ///< the rim's edge that starts at a vertex
  double tolerance_ = 0, ceiling_ = std::numeric_limits<double>::infinity();
  int vertex_count_ = 0, face_count_ = 0, heap_size_ = 0, horizon_size_ = 0, seen_size_ = 0;
};

}  // namespace geste::internal
