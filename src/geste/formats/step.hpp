#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

/// How finely exact surfaces are turned into triangles.
struct StepOptions {
  /// Metres. How far the triangles may stray from the exact surface. Smaller: more triangles.
  double linear_deflection = 0.1e-3;
  /// Radians. How far the direction may turn between neighbouring segments of a curved edge, so
  /// that small fillets stay round. On surfaces twice as much is allowed.
  double angular_deflection = 0.5;
  /// Asked now and then, also by other threads than the caller's; true ends the work with
  /// "step.cancelled". Big assemblies take minutes.
  std::function<bool()> cancelled;

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// One solid where it stands. Volume and area are those of the exact surfaces, not the triangles,
/// twice: by OpenCASCADE's integration of fixed order, to compare with other programs that print
/// it, and adaptively. The first is off by up to half a percent on solids with spline faces.
struct StepSolid {
  std::string path;  ///< root/instance/part/.../instance/part, as other viewers show it
  std::string part;  ///< the last name of the path
  int faces = 0;
  double volume = 0;           ///< mm^3, fixed order
  double area = 0;             ///< mm^2, fixed order
  double accurate_volume = 0;  ///< mm^3, to about 1e-5 of the value
  double accurate_area = 0;    ///< mm^2, to about 1e-5 of the value
};

/// Faces that enclose nothing: construction surfaces, or a solid that was exported open.
struct StepSheet {
  std::string path;
  std::string part;
  int faces = 0;
  double area = 0;  ///< mm^2
};

/// What a STEP file holds.
///
/// `asset` is in millimetres whatever the file declares. It has one mesh per distinct part (and one
/// more, "<part> sheets", where a part has both solids and sheets) and one instance per place where
/// the part stands. An instance's path keeps the names that the STEP library gives, also made-up
/// ones ("=>[0:1:1:2]", "SOLID"), so that it can be compared with other programs; its name is the
/// first telling one of: the instance's, the part's, those of the assemblies above, the file's.
///
/// `deflection` of each mesh is not the wish in StepOptions but what the triangles keep: every
/// point of every face of the part is within that distance of the triangles, and the wish is an
/// upper bound unless a note "step.deflection" says that it could not be met. See
/// docs/guide/step.md for what is proven and what is sampled.
///
/// Same bytes and options, same triangles in the same order.
struct StepFile {
  Asset asset;
  std::vector<StepSolid> solids;  ///< in the order of the assembly tree, depth first
  std::vector<StepSheet> sheets;
  std::string schema;                     ///< "AP203", "AP214", "AP242", or as the file says
  std::vector<std::string> length_units;  ///< of the geometry, as declared: "inch"
  std::vector<std::string> unused_units;  ///< declared, but no geometry is in them
};

/// Reads a STEP part or assembly (ISO 10303-21). Error codes:
/// step.options, step.not_step, step.compressed, step.empty_file, step.truncated, step.syntax,
/// step.schema, step.no_shape, step.too_many_instances, step.kernel, step.cancelled,
/// and those of load_file.
/// Any number of threads may read at once; the library underneath translates one file at a time.
Result<StepFile> load_step(const std::filesystem::path& path, const StepOptions& options = {});

/// The same for bytes in memory. References to other files are not followed.
Result<StepFile> parse_step(std::string_view bytes, const std::string& file_name,
                            const StepOptions& options = {});

}  // namespace geste
