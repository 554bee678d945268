#include "geste/geometry/height_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geste {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("HeightField: " + why);
}

void require_frame(const HeightField& field) {
  if (field.nx < 2 || field.ny < 2)
    refuse(fmt::format("{} x {} points, at least 2 x 2 are needed", field.nx, field.ny));
  const auto count = static_cast<std::size_t>(field.nx) * static_cast<std::size_t>(field.ny);
  if (field.heights.size() != count)
    refuse(fmt::format("{} heights for {} x {} points", field.heights.size(), field.nx, field.ny));
  if (!field.origin.allFinite()) refuse("the origin is not finite");
  for (int axis = 0; axis < 2; ++axis) {
    const double spacing = field.spacing[axis];
    const double last = field.origin[axis] + (axis == 0 ? field.nx : field.ny) * spacing;
    if (!(spacing > 0) || !std::isfinite(last))
      refuse(fmt::format("the spacing {} along {} is not a positive length", spacing, "xy"[axis]));
    // Neighbours must stay apart where the coordinates are largest.
    const double largest = std::max(std::abs(field.origin[axis]), std::abs(last));
    if (!(spacing > 4e-16 * largest))
      refuse(fmt::format("the spacing {} along {} is lost beside coordinates of {}", spacing,
                         "xy"[axis], largest));
  }
}

double height_at(const HeightField& field, int i, int j) {
  return field.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(field.nx) +
                       static_cast<std::size_t>(i)];
}

/// Whether the cell is cut from (i, j) to (i + 1, j + 1), and not from (i + 1, j) to (i, j + 1).
bool is_cut_forwards(const HeightField& field, int i, int j) {
  const double a = height_at(field, i, j), b = height_at(field, i + 1, j),
               c = height_at(field, i + 1, j + 1), d = height_at(field, i, j + 1);
  const double forwards = std::abs(c - a), backwards = std::abs(d - b);
  return forwards != backwards ? forwards < backwards : a + c >= b + d;
}

/// Writes the solid: the field's points, then the same grid again at the base. A base of fewer
/// triangles would need slivers that reach across the whole field.
class SolidMaker {
 public:
  SolidMaker(const HeightField& field, double base) : field_(field), base_(base) {}

  TriangleMesh make() {
    add_points();
    add_surfaces();
    add_sides();
    return std::move(mesh_);
  }

 private:
  [[nodiscard]] std::uint32_t top(int i, int j) const {
    return static_cast<std::uint32_t>(j) * static_cast<std::uint32_t>(field_.nx) +
           static_cast<std::uint32_t>(i);
  }
  [[nodiscard]] std::uint32_t below(std::uint32_t top_point) const {
    return top_point + static_cast<std::uint32_t>(field_.heights.size());
  }
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.triangles.push_back({a, b, c});
  }

  void add_points() {
    mesh_.vertices.reserve(2 * field_.heights.size());
    for (const bool is_top : {true, false})
      for (int j = 0; j < field_.ny; ++j)
        for (int i = 0; i < field_.nx; ++i)
          mesh_.vertices.emplace_back(field_.origin.x() + i * field_.spacing.x(),
                                      field_.origin.y() + j * field_.spacing.y(),
                                      is_top ? height_at(field_, i, j) : base_);
  }

  void add_surfaces() {
    mesh_.triangles.reserve(4 * field_.heights.size());
    for (const bool is_top : {true, false})
      for (int j = 0; j + 1 < field_.ny; ++j)
        for (int i = 0; i + 1 < field_.nx; ++i) {
          const std::uint32_t a = top(i, j), b = top(i + 1, j), c = top(i + 1, j + 1),
                              d = top(i, j + 1);
          if (!is_top) {
            add(below(a), below(c), below(b));
            add(below(a), below(d), below(c));
          } else if (is_cut_forwards(field_, i, j)) {
            add(a, b, c);
            add(a, c, d);
          } else {
            add(a, b, d);
            add(b, c, d);
          }
        }
  }

  void add_sides() {
    const int nx = field_.nx, ny = field_.ny;
    for (int i = 0; i + 1 < nx; ++i) {
      add_side(top(i, 0), top(i + 1, 0));
      add_side(top(i + 1, ny - 1), top(i, ny - 1));
    }
    for (int j = 0; j + 1 < ny; ++j) {
      add_side(top(nx - 1, j), top(nx - 1, j + 1));
      add_side(top(0, j + 1), top(0, j));
    }
  }
  /// Outside is to the right of the way from a to b, seen from above.
  void add_side(std::uint32_t a, std::uint32_t b) {
    add(below(a), below(b), b);
    add(below(a), b, a);
  }

  const HeightField& field_;
  double base_;
  TriangleMesh mesh_;
};

/// Cell and place in it, 0 to 1, of a coordinate counted in cells.
struct Place {
  int cell;
  double within;
};

Place find_place(double x, double origin, double spacing, int points) {
  const double at = std::clamp((x - origin) / spacing, 0.0, static_cast<double>(points - 1));
  const int cell = std::min(static_cast<int>(at), points - 2);
  return {cell, at - cell};
}

}  // namespace

TriangleMesh make_height_field(const HeightField& field, double depth) {
  require_frame(field);
  if (field.heights.size() > 1'000'000'000) refuse("more points than a mesh can number");
  for (std::size_t k = 0; k < field.heights.size(); ++k)
    if (!std::isfinite(field.heights[k]))
      refuse(fmt::format("the height of point ({}, {}) is not finite",
                         k % static_cast<std::size_t>(field.nx),
                         k / static_cast<std::size_t>(field.nx)));
  const double lowest = *std::min_element(field.heights.begin(), field.heights.end());
  const double base = lowest - depth;
  if (!(depth > 0) || !std::isfinite(base) || !(base < lowest))
    refuse(fmt::format("the depth {} below {} is not a positive length", depth, lowest));
  return SolidMaker(field, base).make();
}

double compute_height(const HeightField& field, double x, double y) {
  require_frame(field);
  if (!std::isfinite(x) || !std::isfinite(y)) refuse("asked at a place that is not finite");
  const auto [i, u] = find_place(x, field.origin.x(), field.spacing.x(), field.nx);
  const auto [j, v] = find_place(y, field.origin.y(), field.spacing.y(), field.ny);
  const double a = height_at(field, i, j), b = height_at(field, i + 1, j),
               c = height_at(field, i + 1, j + 1), d = height_at(field, i, j + 1);
  // Each triangle as its corner weights, which are exact at the corners.
  if (is_cut_forwards(field, i, j))
    return u >= v ? (1 - u) * a + (u - v) * b + v * c : (1 - v) * a + (v - u) * d + u * c;
  return u + v <= 1 ? (1 - u - v) * a + u * b + v * d : (u + v - 1) * c + (1 - v) * b + (1 - u) * d;
}

}  // namespace geste
