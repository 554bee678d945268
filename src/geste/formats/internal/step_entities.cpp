#include "geste/formats/internal/step_entities.hpp"

#include <Interface_Check.hxx>
#include <StepGeom_CartesianPoint.hxx>
#include <StepGeom_Curve.hxx>
#include <StepGeom_Pcurve.hxx>
#include <StepRepr_DefinitionalRepresentation.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepShape_VertexPoint.hxx>
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/step_repairs.hpp"

namespace geste {
namespace {

bool has_any(std::string_view type, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [type](std::string_view word) {
    return type.find(word) != std::string_view::npos;
  });
}

/// Geometry, topology, products and units: entities that shapes are made of. Tolerances,
/// dimensions, annotations, categories, people and dates are not, and many valid files have some
/// that the library cannot fill.
bool makes_shapes(std::string_view type) {
  if (has_any(type, {"Dimension", "Tolerance", "Qualif", "Limits", "Angular", "Category"}))
    return false;
  if (type.starts_with("StepGeom_") || type.starts_with("StepShape_")) return true;
  if (type.starts_with("StepBasic_")) return has_any(type, {"Unit", "Product"});
  return type.starts_with("StepRepr_") &&
         has_any(type, {"RepresentationRelationship", "Transformation", "Assembly", "Map",
                        "ProductDefinitionShape"});
}

/// Entities that colours are made of.
bool makes_colours(std::string_view type) {
  return type.starts_with("StepVisual_") &&
         has_any(type, {"Colour", "Surface", "Fill", "StyledItem", "PresentationStyle"});
}

/// Allowed by the schema, but the library takes another kind of entity for granted.
const char* find_unexpected_kind(const Handle(Standard_Transient) & entity) {
  const auto vertex = Handle(StepShape_VertexPoint)::DownCast(entity);
  if (!vertex.IsNull()) {
    const auto point = Handle(StepGeom_CartesianPoint)::DownCast(vertex->VertexGeometry());
    if (point.IsNull() || point->NbCoordinates() != 3) {
      return "the vertex is not at a CARTESIAN_POINT with three coordinates";
    }
  }
  const auto curve = Handle(StepGeom_Pcurve)::DownCast(entity);
  if (curve.IsNull()) return nullptr;
  const auto holder = curve->ReferenceToCurve();
  if (holder.IsNull() || holder->NbItems() < 1 ||
      Handle(StepGeom_Curve)::DownCast(holder->ItemsValue(1)).IsNull()) {
    return "the curve on the surface holds no curve";
  }
  return nullptr;
}

}  // namespace

EntityCheck check_step_entities(const Handle(StepData_StepModel) & model,
                                const std::string& file_name) {
  constexpr std::size_t kReported = 20;
  EntityCheck result;
  bool has_unread_units = false;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(Standard_Transient) entity = model->Value(i);
    const Handle(Interface_Check)& check = model->Check(i, Standard_True);
    const bool failed = !check.IsNull() && check->HasFailed();
    const char* reason = failed ? check->CFail(1) : find_unexpected_kind(entity);
    if (reason == nullptr) continue;
    const std::string_view type = entity->DynamicType()->Name();
    if (failed && fill_missing_texts(*check, entity)) {
      ++result.nameless;
      reason = find_unexpected_kind(entity);
    }
    if (reason == nullptr) continue;
    const bool is_context = entity->IsKind(STANDARD_TYPE(StepRepr_RepresentationContext));
    if (is_needless_unit(entity) || (is_context && misses_only_units(*check))) {
      has_unread_units = true;
      continue;
    }
    if (makes_colours(type)) result.broken_colours = true;
    if (!makes_shapes(type) || result.faults.size() == kReported) continue;
    result.faults.push_back(make_diagnostic(
        file_name, "step.entity", reason, "correct the entity, or export the model again",
        fmt::format("entity #{} ({})", model->IdentLabel(entity),
                    type.substr(type.find('_') + 1))));
  }
  if (has_unread_units) {
    UnitRepair repair = drop_unread_units(model, file_name);
    result.faults.insert(result.faults.end(), repair.faults.begin(), repair.faults.end());
    result.notes = std::move(repair.notes);
  }
  return result;
}

}  // namespace geste
