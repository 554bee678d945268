#pragma once

#include <TopoDS_Shape.hxx>

#include <functional>
#include <vector>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// Exact figures of one body of a part, in the unit of the shape.
struct StepBody {
  int faces = 0;
  double area = 0;
  double volume = 0;  ///< 0 for sheets
  double accurate_area = 0;
  double accurate_volume = 0;
};

/// One part turned into triangles.
struct StepPart {
  TriangleMesh solids;  ///< all solids of the part, outside outwards
  TriangleMesh sheets;  ///< faces that belong to no solid
  std::vector<StepBody> solid_bodies;
  std::vector<StepBody> sheet_bodies;
  int faces_without_triangles = 0;
  int inverted_solids = 0;  ///< had their outside inside; turned
  int loose_curves = 0;     ///< edges of no face: construction, annotation
  int loose_points = 0;
  double sag = 0;             ///< bound of the worst face, equal to the larger mesh deflection
  double edge_tolerance = 0;  ///< how far the file's own edges may lie off its faces
  bool cancelled = false;
};

/// Exact figures and triangles of a part. `linear` in the unit of the shape, `angular` in radians.
/// The mesher takes the linear deflection as a hint and misses it on some surfaces, so the result
/// is measured (compute_sag_bound) and meshed more finely until it holds, a few times at most.
StepPart tessellate_part(const TopoDS_Shape& shape, double linear, double angular,
                         const std::function<bool()>& cancelled);

}  // namespace geste
