#include "geste/formats/step.hpp"

#include <TDF_LabelMapHasher.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "geste/core/files.hpp"
#include "geste/core/quantity.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/byte_order_mark.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/step_normalise.hpp"
#include "geste/formats/internal/step_session.hpp"
#include "geste/formats/internal/step_tessellate.hpp"
#include "geste/formats/internal/step_text.hpp"
#include "geste/formats/internal/step_tree.hpp"

namespace geste {
namespace {

constexpr double kMillimetresPerMetre = 1000;

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// A part as it goes into the asset: which meshes it has, and its exact figures.
struct BuiltPart {
  int solid_mesh = -1;
  int sheet_mesh = -1;
  std::vector<StepBody> solids;
  std::vector<StepBody> sheets;
};

/// Turns places into meshes, instances, figures and notes.
class StepBuilder {
 public:
  StepBuilder(const std::string& file_name, const StepOptions& options, const StepTree& tree)
      : options_(options), linear_(options.linear_deflection * kMillimetresPerMetre) {
    file_.asset.file = file_name;
    file_.asset.format = "STEP";
    file_.asset.unit = "mm";
    file_.asset.metres_per_unit = 1 / kMillimetresPerMetre;
    file_.asset.assemblies = tree.assemblies;
    for (const StepPlace& place : tree.places) mesh_names_.reserve(place.mesh_name);
  }

  /// False when cancelled.
  bool add(const StepPlace& place) {
    const auto entry = parts_.find(place.part);
    const BuiltPart* part = entry != parts_.end() ? &entry->second : build_part(place);
    if (part == nullptr) return false;
    add_instance(place, part->solid_mesh);
    add_instance(place, part->sheet_mesh);
    // Lengths, areas and volumes of a placed part; STEP placements may scale.
    const double scale = std::abs(place.X_WP.ScaleFactor());
    const double scale2 = scale * scale, scale3 = scale2 * scale;
    for (const StepBody& body : part->solids) {
      file_.solids.push_back({place.path, place.part_name, body.faces, body.volume * scale3,
                              body.area * scale2, body.accurate_volume * scale3,
                              body.accurate_area * scale2});
    }
    for (const StepBody& body : part->sheets) {
      file_.sheets.push_back(
          {place.path, place.part_name, body.faces, body.accurate_area * scale2});
    }
    return true;
  }

  Result<StepFile> finish(StepOutline outline, StepDocument& document) {
    file_.schema = std::move(outline.schema);
    file_.length_units = std::move(document.length_units);
    file_.unused_units = std::move(document.unused_units);
    Notes& notes = file_.asset.notes;
    notes.insert(notes.begin(), document.notes.begin(), document.notes.end());
    notes.insert(notes.begin(), outline.notes.begin(), outline.notes.end());
    add_closing_notes();
    if (file_.asset.meshes.empty()) return explain_no_shape();
    Result<Asset> finished = finish_asset(std::move(file_.asset));
    if (!finished) return finished.error();
    file_.asset = std::move(*finished);
    return std::move(file_);
  }

 private:
  struct LabelHash {
    std::size_t operator()(const TDF_Label& label) const {
      return static_cast<std::size_t>(TDF_LabelMapHasher::HashCode(label, IntegerLast()));
    }
  };

  const BuiltPart* build_part(const StepPlace& place) {
    StepPart part;
    const Result<void> ran = guard_kernel(file_.asset.file, [&] {
      part = tessellate_part(XCAFDoc_ShapeTool::GetShape(place.part), linear_,
                             options_.angular_deflection, options_.cancelled);
    });
    if (!ran) {  // one bad part does not stop the others
      Note note = ran.error();
      note.element = fmt::format("part '{}'", place.mesh_name);
      note.message += ": it is left out";
      file_.asset.notes.push_back(std::move(note));
      return &parts_.emplace(place.part, BuiltPart()).first->second;
    }
    if (part.cancelled) return nullptr;
    note_part(place, part);
    BuiltPart built;
    const bool both = !part.solid_bodies.empty() && !part.sheet_bodies.empty();
    built.solid_mesh = add_mesh(place.mesh_name, std::move(part.solids), place.colour);
    built.sheet_mesh =
        add_mesh(place.mesh_name + (both ? " sheets" : ""), std::move(part.sheets), place.colour);
    built.solids = std::move(part.solid_bodies);
    built.sheets = std::move(part.sheet_bodies);
    return &parts_.emplace(place.part, std::move(built)).first->second;
  }

  int add_mesh(const std::string& name, TriangleMesh mesh, const std::optional<Colour>& colour) {
    if (mesh.triangles.empty()) return -1;
    largest_deflection_ = std::max(largest_deflection_, mesh.deflection);
    file_.asset.meshes.push_back(
        make_asset_mesh(mesh_names_.make_unique(name), std::move(mesh), colour));
    return static_cast<int>(file_.asset.meshes.size()) - 1;
  }

  void add_instance(const StepPlace& place, int mesh) {
    if (mesh < 0) return;
    AssetInstance instance;
    instance.name = place.name;
    instance.path = place.path;
    instance.mesh = mesh;
    instance.assembly = place.assembly;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        instance.A(row, column) = place.X_WP.Value(row + 1, column + 1);
      }
      instance.t(row) = place.X_WP.Value(row + 1, 4);
    }
    file_.asset.instances.push_back(std::move(instance));
  }

  void note_part(const StepPlace& place, const StepPart& part) {
    const std::string& file = file_.asset.file;
    const std::string element = fmt::format("part '{}'", place.mesh_name);
    Notes& notes = file_.asset.notes;
    curves_ += static_cast<std::size_t>(part.loose_curves);
    points_ += static_cast<std::size_t>(part.loose_points);
    const bool has_faces = !part.solid_bodies.empty() || !part.sheet_bodies.empty();
    if (has_faces && part.solids.triangles.empty() && part.sheets.triangles.empty()) {
      notes.push_back(
          make_diagnostic(file, "step.no_triangles",
                          "none of its faces could be turned into triangles: it is left out",
                          "check and heal the part in a CAD system", element));
    } else if (part.faces_without_triangles > 0) {
      notes.push_back(make_diagnostic(
          file, "step.face_without_triangles",
          fmt::format(
              "{} could not be turned into triangles: the mesh has a hole there",
              plural(static_cast<std::size_t>(part.faces_without_triangles), "face", "faces")),
          "check and heal the part in a CAD system, or change the deflection", element));
    }
    if (part.inverted_solids > 0) {
      notes.push_back(make_diagnostic(
          file, "step.inverted_solid",
          fmt::format("{} had the outside inside and was turned",
                      plural(static_cast<std::size_t>(part.inverted_solids), "solid", "solids")),
          "", element));
    }
    if (part.sag > linear_) {
      notes.push_back(make_diagnostic(
          file, "step.deflection",
          fmt::format(
              "its triangles deviate up to {} mm from the exact surface, more than the {} mm "
              "asked for; the mesh carries the larger value (the file's own edges are up to {} "
              "mm off its faces)",
              format_number(part.sag), format_number(linear_),
              format_number(part.edge_tolerance, 2)),
          "heal the part in a CAD system if that is too coarse, or ask for a smaller deflection",
          element));
    }
  }

  void add_closing_notes() {
    const std::string& file = file_.asset.file;
    Notes& notes = file_.asset.notes;
    notes.push_back(make_diagnostic(
        file, "step.tessellated",
        fmt::format("exact surfaces became triangles with a linear deflection of {} mm and an "
                    "angular one of {} rad; no surface is farther than {} mm from them",
                    format_number(linear_), format_number(options_.angular_deflection),
                    format_number(largest_deflection_))));
    if (!file_.sheets.empty()) {
      notes.push_back(make_diagnostic(
          file, "step.sheets",
          fmt::format("{} of no solid were kept as open surfaces, first in '{}'",
                      plural(file_.sheets.size(), "sheet", "sheets"), file_.sheets.front().path),
          "hide construction surfaces before exporting if they are not part of the product"));
    }
    if (curves_ + points_ > 0) {
      notes.push_back(make_diagnostic(
          file, "step.curves_skipped",
          fmt::format("{} and {} of no face were left out (sketches, "
                      "construction, annotations)",
                      plural(curves_, "curve", "curves"), plural(points_, "point", "points"))));
    }
  }

  [[nodiscard]] Diagnostic explain_no_shape() const {
    std::string message = "the file holds no solid and no surface";
    if (curves_ + points_ > 0) message += ", only curves and points";
    return make_diagnostic(file_.asset.file, "step.no_shape", message,
                           "export the model with its solids");
  }

  const StepOptions& options_;
  double linear_;  ///< mm
  StepFile file_;
  std::unordered_map<TDF_Label, BuiltPart, LabelHash> parts_;
  NameRegistry mesh_names_;
  std::size_t curves_ = 0;
  std::size_t points_ = 0;
  double largest_deflection_ = 0;
};

Result<StepFile> read_step(std::string_view bytes, const std::string& file_name,
                           const std::string& location, const StepOptions& options) {
  if (std::vector<Diagnostic> faults = options.faults(); !faults.empty()) {
    return make_error(std::move(faults));
  }
  bytes = without_byte_order_mark(bytes);
  Result<StepOutline> outline = check_step_text(bytes, file_name);
  if (!outline) return outline.error();
  const std::optional<std::string> normalised = normalise_step(bytes);
  Result<StepDocument> document =
      translate_step(normalised ? *normalised : bytes, file_name, location, options.cancelled);
  if (!document) return document.error();

  std::optional<Result<StepFile>> result;
  const Result<void> ran = guard_kernel(file_name, [&] {
    const Result<StepTree> tree = list_places(document->document, file_name);
    if (!tree) {
      result = tree.error();
      return;
    }
    StepBuilder builder(file_name, options, *tree);
    for (const StepPlace& place : tree->places) {
      if (!builder.add(place)) {
        result = make_cancelled(file_name);
        return;
      }
    }
    result = builder.finish(std::move(*outline), *document);
  });
  if (!ran) return ran.error();
  return std::move(*result);
}

}  // namespace

std::vector<Diagnostic> StepOptions::faults() const {
  std::vector<Diagnostic> faults;
  const auto add = [&faults](std::string element, std::string message, std::string remedy) {
    Diagnostic fault;
    fault.code = "step.options";
    fault.element = std::move(element);
    fault.message = std::move(message);
    fault.remedy = std::move(remedy);
    faults.push_back(std::move(fault));
  };
  if (!(linear_deflection >= 1e-7 && linear_deflection <= 1)) {
    add("linear_deflection", fmt::format("{} m is not between 1e-7 m and 1 m", linear_deflection),
        "give metres: 0.0001 is a tenth of a millimetre");
  }
  if (!(angular_deflection >= 0.01 && angular_deflection <= 1.5)) {
    add("angular_deflection",
        fmt::format("{} rad is not between 0.01 and 1.5 rad", angular_deflection),
        "give radians: 0.5 is usual");
  }
  return faults;
}

Result<StepFile> parse_step(std::string_view bytes, const std::string& file_name,
                            const StepOptions& options) {
  return read_step(bytes, file_name, "", options);
}

Result<StepFile> load_step(const std::filesystem::path& path, const StepOptions& options) {
  Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return read_step(*bytes, path.string(), path.string(), options);
}

}  // namespace geste
