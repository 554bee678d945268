#include "geste/geometry/internal/polytope.hpp"

#include <algorithm>
#include <limits>

#include "geste/geometry/internal/exact_side.hpp"

namespace geste::internal {

void Polytope::start(const SupportPoint corner[4], double tolerance) {
  tolerance_ = tolerance;
  std::copy(corner, corner + 4, vertices_);
  vertex_count_ = 4;
  face_count_ = heap_size_ = 0;
  ceiling_ = std::numeric_limits<double>::infinity();
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
  const PolytopeFace& face = faces_[f];
  if (tolerance_ > 0) return face.normal.dot(point) - face.height > tolerance_;
  const std::uint16_t* v = face.vertex;
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
  if (face.height < ceiling_) {
    heap_[heap_size_++] = static_cast<std::uint16_t>(face_count_);
    std::push_heap(heap_, heap_ + heap_size_,
                   [this](int f, int g) { return faces_[f].height > faces_[g].height; });
  }
  ++face_count_;
}

bool Polytope::remove_seen(const Vec3& point, int f) {
  horizon_size_ = 0;
  seen_size_ = 0;
  seen_[seen_size_++] = static_cast<std::uint16_t>(f);
  faces_[f].is_removed = true;
  for (int next = 0; next < seen_size_; ++next) {
    const PolytopeFace& seen = faces_[seen_[next]];
    for (int i = 0; i < 3; ++i) {
      const std::uint16_t g = seen.beyond[i];
      if (faces_[g].is_removed) continue;
      if (sees(point, g)) {
        faces_[g].is_removed = true;
        seen_[seen_size_++] = g;
      } else {
        if (horizon_size_ == kMaxVertices) return false;
        horizon_[horizon_size_++] = {seen.vertex[i], seen.vertex[(i + 1) % 3], g};
      }
    }
  }
  return true;
}

bool Polytope::is_rim_simple() {
  for (int e = 0; e < horizon_size_; ++e) {
    edge_from_[horizon_[e].from] = static_cast<std::uint16_t>(e);
  }
  int length = 0;
  std::uint16_t v = horizon_[0].from;
  do {
    const Edge& edge = horizon_[edge_from_[v]];
    if (edge.from != v) return false;
    v = edge.to;
    ++length;
  } while (v != horizon_[0].from && length <= horizon_size_);
  return length == horizon_size_;
}

Polytope::Growth Polytope::expand(int f, const SupportPoint& point) {
  if (!sees(point.w, f)) return Growth::done;
  // The rim runs through each vertex once at most: so many faces come new.
  if (vertex_count_ == kMaxVertices || face_count_ + vertex_count_ > kMaxFaces) {
    return Growth::no_room;
  }
  if (!remove_seen(point.w, f) || horizon_size_ < 3 || !is_rim_simple()) {
    for (int i = 0; i < seen_size_; ++i) faces_[seen_[i]].is_removed = false;
    return Growth::torn;
  }
  const auto apex = static_cast<std::uint16_t>(vertex_count_++);
  vertices_[apex] = point;
  const int first = face_count_;
  std::uint16_t v = horizon_[0].from;
  for (int e = 0; e < horizon_size_; ++e) {
    const Edge& edge = horizon_[edge_from_[v]];
    const auto face = static_cast<std::uint16_t>(face_count_);
    PolytopeFace& other = faces_[edge.beyond];
    for (int i = 0; i < 3; ++i) {
      if (other.vertex[i] == edge.to) other.beyond[i] = face;
    }
    faces_[face].beyond[0] = edge.beyond;
    faces_[face].beyond[1] = static_cast<std::uint16_t>(e + 1 < horizon_size_ ? face + 1 : first);
    faces_[face].beyond[2] =
        static_cast<std::uint16_t>(e > 0 ? face - 1 : first + horizon_size_ - 1);
    add_face(edge.from, edge.to, apex);
    v = edge.to;
  }
  return Growth::done;
}

}  // namespace geste::internal
