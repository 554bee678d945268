#include "geste/formats/internal/shaded_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace geste {
namespace {

// A corner is 3 * triangle + place in the triangle.
using Corner = std::uint32_t;

struct Face {
  Triangle corners;
  Vec3 normal;
  double area;
};

std::vector<Face> make_faces(const TriangleMesh& mesh) {
  if (mesh.triangles.size() > std::numeric_limits<Corner>::max() / 3) {
    throw std::length_error("make_shaded_mesh: more triangles than 32-bit corners can number");
  }
  std::vector<Face> faces;
  faces.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3 e1 = mesh.vertices[t[1]] - mesh.vertices[t[0]];
    const Vec3 e2 = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    const Vec3 n = e1.cross(e2);
    const double length = n.norm();
    if (!std::isfinite(length)) {
      throw std::logic_error("make_shaded_mesh: the mesh is larger than float32 can say");
    }
    if (length > 0) faces.push_back({t, n / length, 0.5 * length});
  }
  return faces;
}

/// The corners at each vertex, one vertex after the other.
struct Incidence {
  std::vector<std::uint32_t> begin;  ///< per vertex, and one past the last
  std::vector<Corner> corners;
};

Incidence make_incidence(const std::vector<Face>& faces, std::size_t vertex_count) {
  Incidence incidence;
  incidence.begin.assign(vertex_count + 1, 0);
  for (const Face& face : faces) {
    for (const std::uint32_t v : face.corners) ++incidence.begin[v + 1];
  }
  std::partial_sum(incidence.begin.begin(), incidence.begin.end(), incidence.begin.begin());
  incidence.corners.resize(3 * faces.size());
  std::vector<std::uint32_t> next(incidence.begin.begin(), incidence.begin.end() - 1);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      incidence.corners[next[faces[f].corners[k]]++] = static_cast<Corner>(3 * f + k);
    }
  }
  return incidence;
}

double corner_angle(const TriangleMesh& mesh, const Triangle& t, std::size_t k) {
  const Vec3 a = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]];
  const Vec3 b = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[t[k]];
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

std::array<float, 3> to_float(const Vec3& v) {
  const std::array<float, 3> out = {static_cast<float>(v.x()), static_cast<float>(v.y()),
                                    static_cast<float>(v.z())};
  return out;
}

/// Splits the corners around one vertex into fans joined through smooth edges.
class FanSplitter {
 public:
  FanSplitter(const std::vector<Face>& faces, double crease_angle)
      : faces_(faces), min_cosine_(std::cos(crease_angle)) {}

  /// For each of `corners` the place of the first corner of its fan.
  const std::vector<std::uint32_t>& split(const Corner* corners, std::uint32_t count) {
    spokes_.clear();
    root_.resize(count);
    std::iota(root_.begin(), root_.end(), 0u);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Triangle& t = faces_[corners[i] / 3].corners;
      const std::uint32_t k = corners[i] % 3;
      spokes_.push_back({t[(k + 1) % 3], i});
      spokes_.push_back({t[(k + 2) % 3], i});
    }
    std::sort(spokes_.begin(), spokes_.end());
    // Where more than two triangles meet in an edge only neighbours in the list are compared.
    for (std::size_t s = 1; s < spokes_.size(); ++s) {
      if (spokes_[s].first != spokes_[s - 1].first) continue;
      const Vec3& n0 = faces_[corners[spokes_[s - 1].second] / 3].normal;
      const Vec3& n1 = faces_[corners[spokes_[s].second] / 3].normal;
      if (n0.dot(n1) > min_cosine_) join(spokes_[s - 1].second, spokes_[s].second);
    }
    for (std::uint32_t i = 0; i < count; ++i) root_[i] = find(i);
    return root_;
  }

 private:
  std::uint32_t find(std::uint32_t i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  // The smaller place is the root, so that the order of vertices does not depend on the joins.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    root_[std::max(a, b)] = std::min(a, b);
  }

  const std::vector<Face>& faces_;
  double min_cosine_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spokes_;  ///< far vertex, place of corner
  std::vector<std::uint32_t> root_;
};

AxisBox compute_box(const TriangleMesh& mesh, const std::vector<Face>& faces) {
  AxisBox box;
  for (const Face& face : faces) {
    for (const std::uint32_t v : face.corners) box.add(mesh.vertices[v]);
  }
  if (!box.empty() && box.extent() > std::numeric_limits<float>::max()) {
    throw std::logic_error("make_shaded_mesh: the mesh is larger than float32 can say");
  }
  return box;
}

}  // namespace

ShadedMesh make_shaded_mesh(const TriangleMesh& mesh, double crease_angle) {
  const std::vector<Face> faces = make_faces(mesh);
  ShadedMesh shaded;
  if (faces.empty()) return shaded;
  shaded.centre = compute_box(mesh, faces).centre();
  shaded.indices.resize(3 * faces.size());

  const Incidence incidence = make_incidence(faces, mesh.vertices.size());
  FanSplitter splitter(faces, crease_angle);
  std::vector<Vec3> sums;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Corner* corners = incidence.corners.data() + incidence.begin[v];
    const std::uint32_t count = incidence.begin[v + 1] - incidence.begin[v];
    const std::vector<std::uint32_t>& fan = splitter.split(corners, count);

    // Weights: area keeps large flat faces flat beside fillets, the angle makes the sum
    // independent of how a face was cut into triangles.
    sums.assign(count, Vec3::Zero());
    for (std::uint32_t i = 0; i < count; ++i) {
      const Face& face = faces[corners[i] / 3];
      sums[fan[i]] += face.normal * (face.area * corner_angle(mesh, face.corners, corners[i] % 3));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (fan[i] != i) {
        shaded.indices[corners[i]] = shaded.indices[corners[fan[i]]];
        continue;
      }
      const double length = sums[i].norm();
      const Vec3 normal = length > 0 ? Vec3(sums[i] / length) : faces[corners[i] / 3].normal;
      shaded.indices[corners[i]] = static_cast<std::uint32_t>(shaded.positions.size());
      shaded.positions.push_back(to_float(mesh.vertices[v] - shaded.centre));
      shaded.normals.push_back(to_float(normal));
    }
  }
  return shaded;
}

ShadedMesh make_shaded_mesh(const Shape& shape, int segments, double crease_angle) {
  if (const MeshShape* mesh = std::get_if<MeshShape>(&shape))
    return make_shaded_mesh(**mesh, crease_angle);
  return make_shaded_mesh(make_mesh(shape, segments), crease_angle);
}

}  // namespace geste
