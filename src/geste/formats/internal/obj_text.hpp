#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/error.hpp"
#include "geste/formats/internal/fault_list.hpp"
#include "geste/math/types.hpp"

namespace geste {

/// From polygon `first_polygon` on, until the next of its kind, this name holds.
struct ObjSpan {
  std::string name;
  std::size_t first_polygon = 0;
};

struct ObjPolygon {
  std::uint32_t corners = 0;
  int line = 0;
};

/// The statements of an OBJ file that matter, as they stand there.
struct ObjText {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> corners;  ///< of all polygons; all below vertices.size()
  std::vector<ObjPolygon> polygons;
  std::vector<ObjSpan> objects, groups, materials;
  std::vector<std::string> material_files;
  Notes notes;
};

/// Faults go to `faults`; what is returned is usable only when there are none.
ObjText read_obj_text(std::string_view text, const std::string& file, FaultList& faults);

}  // namespace geste
