#include "geste/geometry/swept_volume.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "geste/geometry/internal/closest.hpp"

namespace geste {

SweptVolume::SweptVolume(const AxisBox& box, double cell) : cell_(cell) {
  if (!(cell > 0)) throw std::invalid_argument("cells of a swept volume have no size");
  if (box.empty()) return;
  // One cell around it, from which all that is not enclosed is reached.
  low_ = box.min - Vec3::Constant(cell);
  count_ = ((box.size() / cell).array().ceil() + 2).cast<int>();
  taken_.assign(static_cast<std::size_t>(count_.x()) * static_cast<std::size_t>(count_.y()) *
                    static_cast<std::size_t>(count_.z()),
                0);
}

SweptVolume::Cell SweptVolume::find_cell(const Vec3& p) const {
  return ((p - low_) / cell_).array().floor().cast<int>();
}

void SweptVolume::add(const TriangleMesh& mesh, const Pose& X_WM, double reach) {
  // Of a cell with a point that near the centre is no farther than this.
  const double limit = reach + mesh.deflection + cell_ * std::sqrt(3.0) / 2;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = X_WM * mesh.vertices[t[0]], b = X_WM * mesh.vertices[t[1]],
               c = X_WM * mesh.vertices[t[2]];
    const Cell from = find_cell(a.cwiseMin(b).cwiseMin(c) - Vec3::Constant(limit)).cwiseMax(0);
    const Cell to = find_cell(a.cwiseMax(b).cwiseMax(c) + Vec3::Constant(limit))
                        .cwiseMin(count_ - Cell::Ones());
    for (int z = from.z(); z <= to.z(); ++z)
      for (int y = from.y(); y <= to.y(); ++y)
        for (int x = from.x(); x <= to.x(); ++x) {
          std::uint8_t& taken = taken_[index({x, y, z})];
          if (taken) continue;
          const Vec3 centre = low_ + cell_ * (Vec3(x, y, z) + Vec3::Constant(0.5));
          const Vec3 near = internal::compute_closest_on_triangle(centre, a, b, c);
          taken = (centre - near).squaredNorm() <= limit * limit;
        }
  }
}

void SweptVolume::fill() {
  if (taken_.empty()) return;
  constexpr std::uint8_t kOutside = 2;
  std::vector<Cell> open;
  const auto reach = [&](const Cell& c) {
    if (!is_inside(c) || taken_[index(c)] != 0) return;
    taken_[index(c)] = kOutside;
    open.push_back(c);
  };
  // Cells at the border of the grid may be taken, so all of them are tried.
  for (int z = 0; z < count_.z(); ++z)
    for (int y = 0; y < count_.y(); ++y)
      for (int x = 0; x < count_.x(); ++x)
        if (x == 0 || y == 0 || z == 0 || x == count_.x() - 1 || y == count_.y() - 1 ||
            z == count_.z() - 1)
          reach({x, y, z});
  while (!open.empty()) {
    const Cell c = open.back();
    open.pop_back();
    for (int k = 0; k < 3; ++k) {
      reach(c + Cell::Unit(k));
      reach(c - Cell::Unit(k));
    }
  }
  for (std::uint8_t& taken : taken_) taken = taken != kOutside;
}

bool SweptVolume::contains(const Vec3& p) const { return is_taken(find_cell(p)); }

double SweptVolume::volume() const {
  return static_cast<double>(std::count(taken_.begin(), taken_.end(), 1)) * cell_ * cell_ * cell_;
}

TriangleMesh SweptVolume::make_surface() const {
  TriangleMesh mesh;
  std::map<std::size_t, std::uint32_t> corners;
  const auto add_corner = [&](const Cell& c) {
    const auto row = static_cast<std::size_t>(count_.x() + 1),
               layer = row * static_cast<std::size_t>(count_.y() + 1);
    const std::size_t key = static_cast<std::size_t>(c.z()) * layer +
                            static_cast<std::size_t>(c.y()) * row + static_cast<std::size_t>(c.x());
    const auto [found, is_new] =
        corners.emplace(key, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) mesh.vertices.emplace_back(low_ + cell_ * c.cast<double>());
    return found->second;
  };
  const auto add_face = [&](const Cell& c, int k, bool is_upper) {
    const Cell u = Cell::Unit((k + 1) % 3), v = Cell::Unit((k + 2) % 3);
    const Cell base = is_upper ? Cell(c + Cell::Unit(k)) : c;
    const std::uint32_t p[] = {add_corner(base), add_corner(base + u), add_corner(base + u + v),
                               add_corner(base + v)};
    const std::size_t second = is_upper ? 1 : 3, fourth = is_upper ? 3 : 1;
    mesh.triangles.push_back({p[0], p[second], p[2]});
    mesh.triangles.push_back({p[0], p[2], p[fourth]});
  };
  for (int z = 0; z < count_.z(); ++z)
    for (int y = 0; y < count_.y(); ++y)
      for (int x = 0; x < count_.x(); ++x) {
        const Cell c(x, y, z);
        if (!is_taken(c)) continue;
        for (int k = 0; k < 3; ++k) {
          if (!is_taken(c - Cell::Unit(k))) add_face(c, k, false);
          if (!is_taken(c + Cell::Unit(k))) add_face(c, k, true);
        }
      }
  return mesh;
}

}  // namespace geste
