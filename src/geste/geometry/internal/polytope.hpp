#pragma once

#include <cstdint>

#include "geste/geometry/internal/support.hpp"

namespace geste::internal {

struct PolytopeFace {
  Vec3 normal;    ///< unit, outwards
  double height;  ///< of its plane above the origin
  std::uint16_t vertex[3];
  std::uint16_t beyond[3];  ///< the face across the edge from vertex[i] to vertex[i + 1]
  bool is_removed;
};

/// The hull of the points given so far, its faces in a heap by height. Lives on the stack, about
/// 160 kB, of which a query touches what it needs.
class Polytope {
 public:
  static constexpr int kMaxVertices = 384;
  static constexpr int kMaxFaces = 2048;  ///< ever made; removed ones keep their place

  /// From four points that are not in one plane.
  void start(const SupportPoint corner[4]);
  /// The face of least height that was not given yet; -1 when there is none.
  int pop_nearest();
  /// Removed ones included.
  [[nodiscard]] int face_count() const { return face_count_; }
  [[nodiscard]] const PolytopeFace& face(int f) const { return faces_[f]; }
  [[nodiscard]] const SupportPoint& vertex(int v) const { return vertices_[v]; }
  /// Adds a point above face f. One that is not, by the exact side, changes nothing. False when
  /// there is no room.
  bool expand(int f, const SupportPoint& point);

 private:
  struct Edge {
    std::uint16_t from, to, beyond;
  };

  [[nodiscard]] bool sees(const Vec3& point, int f) const;
  void add_face(std::uint16_t a, std::uint16_t b, std::uint16_t c);
  void remove_seen(const Vec3& point, int f);

  SupportPoint vertices_[kMaxVertices];
  PolytopeFace faces_[kMaxFaces];
  std::uint16_t heap_[kMaxFaces];
  std::uint16_t stack_[kMaxFaces];
  Edge horizon_[kMaxVertices];
  std::uint16_t face_from_[kMaxVertices];
  int vertex_count_ = 0, face_count_ = 0, heap_size_ = 0, horizon_size_ = 0;
};

}  // namespace geste::internal
