#pragma once

#include <vector>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// Heights over a grid: ground, a scanned surface. Point (i, j) is at x = origin.x + i spacing.x,
/// y = origin.y + j spacing.y, z = heights[j nx + i].
///
/// Each cell is two triangles. They meet along the diagonal whose ends differ less in height; of
/// equal ones along the higher; then along that from (i, j) to (i + 1, j + 1). So ridges and
/// ditches are followed, not cut across, and a mirrored field has the mirrored surface.
struct HeightField {
  int nx = 0;  ///< points along x, at least 2
  int ny = 0;
  Vec2 spacing = Vec2::Ones();  ///< m, positive
  Vec2 origin = Vec2::Zero();
  std::vector<double> heights;  ///< m; nx * ny, x runs fastest
};

/// A closed solid: the field on top, upright sides, and a flat base `depth` below the lowest point,
/// cut into the same cells. Its first 2 (nx - 1) (ny - 1) triangles are the field, cell by cell, x
/// fastest. Every query of meshes is then exact for it. std::invalid_argument, saying what is
/// wrong: fewer than 2 x 2 points, another number of heights than nx * ny, a spacing or depth that
/// is not positive, anything that is not finite, points that the numbers cannot tell apart, more
/// points than a mesh can number.
TriangleMesh make_height_field(const HeightField& field, double depth = 1);

/// Height of the same triangles above (x, y); beyond the rim, of the nearest point of the rim.
/// Throws as above, and for coordinates that are not finite; checks sizes only, not every height.
double compute_height(const HeightField& field, double x, double y);

}  // namespace geste
