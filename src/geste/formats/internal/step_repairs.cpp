#include "geste/formats/internal/step_repairs.hpp"

#include <StepBasic_ApplicationContextElement.hxx>
#include <StepBasic_ConversionBasedUnit.hxx>
#include <StepBasic_DerivedUnit.hxx>
#include <StepBasic_DerivedUnitElement.hxx>
#include <StepBasic_HArray1OfNamedUnit.hxx>
#include <StepBasic_HArray1OfUncertaintyMeasureWithUnit.hxx>
#include <StepBasic_Product.hxx>
#include <StepBasic_ProductCategory.hxx>
#include <StepBasic_ProductContext.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionContext.hxx>
#include <StepBasic_ProductDefinitionFormation.hxx>
#include <StepBasic_ProductDefinitionRelationship.hxx>
#include <StepBasic_SiUnit.hxx>
#include <StepBasic_UncertaintyMeasureWithUnit.hxx>
#include <StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx.hxx>
#include <StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext.hxx>
#include <StepRepr_GlobalUncertaintyAssignedContext.hxx>
#include <StepRepr_GlobalUnitAssignedContext.hxx>
#include <StepRepr_ItemDefinedTransformation.hxx>
#include <StepRepr_PropertyDefinition.hxx>
#include <StepRepr_Representation.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepRepr_RepresentationRelationship.hxx>
#include <TCollection_HAsciiString.hxx>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "geste/formats/internal/make_diagnostic.hpp"

namespace geste {
namespace {

using Text = Handle(TCollection_HAsciiString);

Text or_empty(const Text& text) { return text.IsNull() ? new TCollection_HAsciiString("") : text; }

template <class Test>
bool each_fail(const Interface_Check& check, const Test& holds) {
  for (Standard_Integer i = 1; i <= check.NbFails(); ++i) {
    if (!holds(std::string_view(check.CFail(i)))) return false;
  }
  return check.NbFails() > 0;
}

bool contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool misses_only_texts(const Interface_Check& check) {
  return each_fail(check, [](std::string_view fail) { return contains(fail, "quoted String"); });
}

template <class Named>
bool fill_name(const Handle(Standard_Transient) & entity) {
  const auto named = Handle(Named)::DownCast(entity);
  if (named.IsNull()) return false;
  named->SetName(or_empty(named->Name()));
  return true;
}

template <class WithId>
bool fill_id(const Handle(Standard_Transient) & entity) {
  const auto with_id = Handle(WithId)::DownCast(entity);
  if (with_id.IsNull()) return false;
  with_id->SetId(or_empty(with_id->Id()));
  return true;
}

bool fill_context(const Handle(Standard_Transient) & entity) {
  const auto context = Handle(StepRepr_RepresentationContext)::DownCast(entity);
  if (context.IsNull()) return false;
  context->SetContextIdentifier(or_empty(context->ContextIdentifier()));
  context->SetContextType(or_empty(context->ContextType()));
  return true;
}

/// Contexts of products have one more text beside their name.
void fill_product_context(const Handle(Standard_Transient) & entity) {
  if (const auto stage = Handle(StepBasic_ProductDefinitionContext)::DownCast(entity);
      !stage.IsNull()) {
    stage->SetLifeCycleStage(or_empty(stage->LifeCycleStage()));
  }
  if (const auto product = Handle(StepBasic_ProductContext)::DownCast(entity); !product.IsNull())
    product->SetDisciplineType(or_empty(product->DisciplineType()));
}

std::string name_entity(const Handle(StepData_StepModel) & model,
                        const Handle(Standard_Transient) & entity) {
  const std::string_view type = entity->DynamicType()->Name();
  return fmt::format("entity #{} ({})", model->IdentLabel(entity), type.substr(type.find('_') + 1));
}

bool measures(const Handle(StepBasic_NamedUnit) & unit, std::string_view what,
              StepBasic_SiUnitName si_name) {
  if (contains(unit->DynamicType()->Name(), what)) return true;
  const auto si = Handle(StepBasic_SiUnit)::DownCast(unit);  // one alone, without its kind
  return !si.IsNull() && si->DynamicType() == STANDARD_TYPE(StepBasic_SiUnit) &&
         si->Name() == si_name;
}

/// Rebuilds the lists of one context after another.
class ContextRepair {
 public:
  ContextRepair(const Handle(StepData_StepModel) & model, const std::string& file_name)
      : model_(model), file_(file_name) {}

  UnitRepair run() {
    for (Standard_Integer i = 1; i <= model_->NbEntities(); ++i) {
      const Handle(Standard_Transient) entity = model_->Value(i);
      if (const auto whole = Handle(
              StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx)::DownCast(entity);
          !whole.IsNull()) {
        repair_units(entity, whole->GlobalUnitAssignedContext());
        repair_accuracies(whole->GlobalUncertaintyAssignedContext());
      } else if (const auto plain =
                     Handle(StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext)::
                         DownCast(entity);
                 !plain.IsNull()) {
        repair_units(entity, plain->GlobalUnitAssignedContext());
      } else {
        repair_units(entity, Handle(StepRepr_GlobalUnitAssignedContext)::DownCast(entity));
        repair_accuracies(Handle(StepRepr_GlobalUncertaintyAssignedContext)::DownCast(entity));
      }
    }
    return std::move(result_);
  }

 private:
  bool is_broken(const Handle(Standard_Transient) & entity) const {
    if (entity.IsNull()) return true;
    const Handle(Interface_Check)& check = model_->Check(model_->Number(entity), Standard_True);
    return !check.IsNull() && check->HasFailed() && !misses_only_texts(*check);
  }

  /// A list without what is broken in it; null where nothing is left.
  template <class Array>
  Handle(Array) keep_sound(const Handle(Array) & all, std::size_t& dropped) const {
    std::vector<typename Array::value_type> kept;
    dropped = 0;
    for (Standard_Integer i = all->Lower(); i <= all->Upper(); ++i) {
      if (is_broken(all->Value(i))) {
        ++dropped;
      } else {
        kept.push_back(all->Value(i));
      }
    }
    if (kept.empty()) return {};
    const Handle(Array) sound = new Array(1, static_cast<Standard_Integer>(kept.size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
      sound->SetValue(static_cast<Standard_Integer>(i) + 1, kept[i]);
    return sound;
  }

  void repair_units(const Handle(Standard_Transient) & context,
                    const Handle(StepRepr_GlobalUnitAssignedContext) & units) {
    if (units.IsNull() || units->Units().IsNull()) return;
    std::size_t dropped = 0;
    const auto sound = keep_sound(units->Units(), dropped);
    if (dropped == 0) return;
    bool has_length = false, has_angle = false;
    for (Standard_Integer i = 1; !sound.IsNull() && i <= sound->Length(); ++i) {
      has_length |= measures(sound->Value(i), "LengthUnit", StepBasic_sunMetre);
      has_angle |= measures(sound->Value(i), "PlaneAngleUnit", StepBasic_sunRadian);
    }
    if (!has_length || !has_angle) {
      result_.faults.push_back(make_diagnostic(
          file_, "step.entity",
          fmt::format("its unit of {} cannot be read", has_length ? "angles" : "lengths"),
          "correct the units, or export the model again", name_entity(model_, context)));
      return;
    }
    units->SetUnits(sound);
    result_.notes.push_back(make_diagnostic(
        file_, "step.unit_skipped",
        fmt::format("{} of its units cannot be read; no length or angle is in {}, so {} left out",
                    dropped, dropped == 1 ? "it" : "them", dropped == 1 ? "it is" : "they are"),
        "", name_entity(model_, context)));
  }

  void repair_accuracies(const Handle(StepRepr_GlobalUncertaintyAssignedContext) & context) {
    if (context.IsNull() || context->Uncertainty().IsNull()) return;
    std::size_t dropped = 0;
    const auto sound = keep_sound(context->Uncertainty(), dropped);
    if (dropped > 0) context->SetUncertainty(sound);
  }

  const Handle(StepData_StepModel) & model_;
  const std::string& file_;
  UnitRepair result_;
};

}  // namespace

bool fill_missing_texts(const Interface_Check& check, const Handle(Standard_Transient) & entity) {
  if (!misses_only_texts(check)) return false;
  fill_product_context(entity);
  // Products and their relations have both an id and a name.
  const bool has_id = fill_id<StepBasic_Product>(entity) ||
                      fill_id<StepBasic_ProductDefinition>(entity) ||
                      fill_id<StepBasic_ProductDefinitionFormation>(entity) ||
                      fill_id<StepBasic_ProductDefinitionRelationship>(entity);
  const bool has_name = fill_name<StepRepr_RepresentationItem>(entity) ||
                        fill_name<StepRepr_Representation>(entity) ||
                        fill_name<StepRepr_RepresentationRelationship>(entity) ||
                        fill_name<StepRepr_ItemDefinedTransformation>(entity) ||
                        fill_name<StepRepr_PropertyDefinition>(entity) ||
                        fill_name<StepBasic_ApplicationContextElement>(entity) ||
                        fill_name<StepBasic_Product>(entity) ||
                        fill_name<StepBasic_ProductCategory>(entity) ||
                        fill_name<StepBasic_ProductDefinitionRelationship>(entity) ||
                        fill_name<StepBasic_ConversionBasedUnit>(entity) ||
                        fill_name<StepBasic_UncertaintyMeasureWithUnit>(entity);
  return fill_context(entity) || has_id || has_name;
}

bool is_needless_unit(const Handle(Standard_Transient) & entity) {
  if (entity->IsKind(STANDARD_TYPE(StepBasic_UncertaintyMeasureWithUnit)) ||
      entity->IsKind(STANDARD_TYPE(StepBasic_DerivedUnit)) ||
      entity->IsKind(STANDARD_TYPE(StepBasic_DerivedUnitElement))) {
    return true;
  }
  const std::string_view type = entity->DynamicType()->Name();
  if (type == "StepBasic_NamedUnit") return true;  // of no kind: contexts are asked for the rest
  constexpr std::string_view kNeedless[] = {"SolidAngle", "Area",  "Volume",     "Mass",
                                            "Time",       "Ratio", "Temperature"};
  return contains(type, "Unit") && std::any_of(std::begin(kNeedless), std::end(kNeedless),
                                               [&](auto word) { return contains(type, word); });
}

bool misses_only_units(const Interface_Check& check) {
  return each_fail(check, [](std::string_view fail) {
    return contains(fail, "(unit) : Entity has illegal type") ||
           contains(fail, "(uncertainty_measure_with_unit) : Entity has illegal type");
  });
}

UnitRepair drop_unread_units(const Handle(StepData_StepModel) & model,
                             const std::string& file_name) {
  return ContextRepair(model, file_name).run();
}

}  // namespace geste
