#pragma once

#include <functional>
#include <string>

#include "geste/formats/fields.hpp"

namespace geste {

/// The fields of an options struct as JSON, from which a page makes a form:
///   [{"key", "kind", "help", "required", "value", "unit", "choices", "fields"}]
/// where kind is number, integer, boolean, text, file, choice, numbers, vector, texts, pose, group,
/// list or table; value is what the field holds now (null: nothing finite), in SI units; unit is
/// there for numbers with one, choices for choices, fields for groups and lists.
std::string make_field_form(const std::function<void(FieldVisitor&)>& describe);

}  // namespace geste
