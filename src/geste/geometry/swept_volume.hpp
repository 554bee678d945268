#pragma once

#include <cstdint>
#include <vector>

#include "geste/geometry/box.hpp"
#include "geste/geometry/mesh.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// The space that moving surfaces pass through and what they enclose, from outside: cells of a
/// grid. Every point of a surface that was added lies in it, and no point of it that is not
/// enclosed lies farther from one than the reach it was added with and a cell's diagonal.
class SweptVolume {
 public:
  /// Cubes of edge `cell` that cover the box. No box, no cells; a cell of 0 throws
  /// std::invalid_argument.
  SweptVolume(const AxisBox& box, double cell);

  /// Takes all cells that hold a point no farther than `reach` from the surface at X_WM: with the
  /// way that its points may go until the next place, nothing between is left out.
  void add(const TriangleMesh& mesh, const Pose& X_WM, double reach);

  /// Fills what is enclosed. To be called after the last surface.
  void fill();

  [[nodiscard]] bool contains(const Vec3& p) const;
  [[nodiscard]] double cell() const { return cell_; }
  /// m3.
  [[nodiscard]] double volume() const;
  /// Its closed surface, outwards.
  [[nodiscard]] TriangleMesh make_surface() const;

 private:
  using Cell = Eigen::Vector3i;

  [[nodiscard]] Cell find_cell(const Vec3& p) const;
  [[nodiscard]] bool is_inside(const Cell& c) const {
    return (c.array() >= 0).all() && (c.array() < count_.array()).all();
  }
  [[nodiscard]] std::size_t index(const Cell& c) const {
    return (static_cast<std::size_t>(c.z()) * static_cast<std::size_t>(count_.y()) +
            static_cast<std::size_t>(c.y())) *
               static_cast<std::size_t>(count_.x()) +
           static_cast<std::size_t>(c.x());
  }
  [[nodiscard]] bool is_taken(const Cell& c) const { return is_inside(c) && taken_[index(c)] != 0; }

  double cell_;
  Vec3 low_ = Vec3::Zero();
  Cell count_ = Cell::Zero();
  std::vector<std::uint8_t> taken_;
};

}  // namespace geste
