#include "geste/geometry/internal/polytope.hpp"

#include <algorithm>
#include <limits>

#include "geste/geometry/internal/exact_side.hpp"

namespace geste::internal {

void Polytope::start(const SupportPoint corner[4]) {
  std::copy(corner, corner + 4, vertices_);
  vertex_count_ = 4;
  face_count_ = heap_size_ = 0;
  if (compute_side(corner[0].w, corner[1].w, corner[2].w, corner[3].w) > 0) {
    std::swap(vertices_[1], vertices_[2]);
  }
  add_face(0, 1, 2);
  add_face(2, 1, 3);
  add_face(0, 2, 3);
  add_face(1, 0, 3);
  constexpr std::uint16_t kBeyond[4][3] = {{3, 1, 2}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  for (int f = 0; f < 4; ++f) std::copy(kBeyond[f], kBeyond[f] + 3, faces_[f].beyond);
}

int Polytope::pop_nearest() {
  const auto is_higher = [this](int f, int g) { return faces_[f].height > faces_[g].height; };
  while (heap_size_ > 0) {
    std::pop_heap(heap_, heap_ + heap_size_, is_higher);
    const int f = heap_[--heap_size_];
    if (!faces_[f].is_removed) return f;
  }
  return -1;
}

bool Polytope::sees(const Vec3& point, int f) const {
  const std::uint16_t* v = faces_[f].vertex;
  return compute_side(vertices_[v[0]].w, vertices_[v[1]].w, vertices_[v[2]].w, point) > 0;
}

void Polytope::add_face(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  PolytopeFace& face = faces_[face_count_];
  const Vec3 &p = vertices_[a].w, &q = vertices_[b].w, &r = vertices_[c].w;
  const Vec3 n = (q - p).cross(r - p);
  const double norm = n.norm();
  // A face without area has fatter neighbours that say more.
  face.normal = norm > 0 ? Vec3(n / norm) : Vec3(Vec3::UnitZ());
  face.height = norm > 0 ? face.normal.dot(p) : std::numeric_limits<double>::infinity();
  face.vertex[0] = a;
  face.vertex[1] = b;
  face.vertex[2] = c;
  face.is_removed = false;
  if (norm > 0) {
    heap_[heap_size_++] = static_cast<std::uint16_t>(face_count_);
    std::push_heap(heap_, heap_ + heap_size_,
                   [this](int f, int g) { return faces_[f].height > faces_[g].height; });
  }
  ++face_count_;
}

void Polytope::remove_seen(const Vec3& point, int f) {
  horizon_size_ = 0;
  int stack_size = 0;
  stack_[stack_size++] = static_cast<std::uint16_t>(f);
  faces_[f].is_removed = true;
  while (stack_size > 0) {
    const PolytopeFace& seen = faces_[stack_[--stack_size]];
    for (int i = 0; i < 3; ++i) {
      const std::uint16_t g = seen.beyond[i];
      if (faces_[g].is_removed) continue;
      if (sees(point, g)) {
        faces_[g].is_removed = true;
        stack_[stack_size++] = g;
      } else if (horizon_size_ < kMaxVertices) {
        horizon_[horizon_size_++] = {seen.vertex[i], seen.vertex[(i + 1) % 3], g};
      }
    }
  }
}

bool Polytope::expand(int f, const SupportPoint& point) {
  if (!sees(point.w, f)) return true;
  // The horizon runs through each vertex once at most: so many faces come new.
  if (vertex_count_ == kMaxVertices || face_count_ + vertex_count_ > kMaxFaces) return false;
  const auto apex = static_cast<std::uint16_t>(vertex_count_++);
  vertices_[apex] = point;
  remove_seen(point.w, f);
  const int first = face_count_;
  for (int e = 0; e < horizon_size_; ++e) {
    const Edge& edge = horizon_[e];
    face_from_[edge.from] = static_cast<std::uint16_t>(face_count_);
    faces_[face_count_].beyond[0] = edge.beyond;
    PolytopeFace& other = faces_[edge.beyond];
    for (int i = 0; i < 3; ++i) {
      if (other.vertex[i] == edge.to) other.beyond[i] = static_cast<std::uint16_t>(face_count_);
    }
    add_face(edge.from, edge.to, apex);
  }
  for (int g = first; g < face_count_; ++g) {
    const std::uint16_t next = face_from_[faces_[g].vertex[1]];
    faces_[g].beyond[1] = next;
    faces_[next].beyond[2] = static_cast<std::uint16_t>(g);
  }
  return true;
}

}  // namespace geste::internal
