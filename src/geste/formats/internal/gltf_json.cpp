#include "geste/formats/internal/gltf_json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace geste {
namespace {

using nlohmann::json;

constexpr double kMostExact = 9007199254740992.0;  // 2^53
const json& empty_object() {
  static const json empty = json::object();
  return empty;
}

}  // namespace

Diagnostic GltfLog::make(const char* code, std::string element, std::string message,
                         std::string remedy) const {
  Diagnostic d;
  d.code = code;
  d.file = file_;
  d.element = std::move(element);
  d.message = std::move(message);
  d.remedy = std::move(remedy);
  return d;
}

void GltfLog::fault(const char* code, std::string element, std::string message,
                    std::string remedy) {
  fault(make(code, std::move(element), std::move(message), std::move(remedy)));
}

void GltfLog::fault(Diagnostic diagnostic) {
  constexpr std::size_t kMostFaults = 20;
  diagnostic.file = file_;
  if (faults_.size() == kMostFaults) {
    ++unsaid_faults_;
  } else {
    faults_.push_back(std::move(diagnostic));
  }
}

void GltfLog::note(const char* code, std::string element, std::string message, std::string remedy) {
  CountedNote& counted = notes_[code];
  if (counted.count++ > 0) return;
  counted.note = make(code, std::move(element), std::move(message), std::move(remedy));
}

Error GltfLog::take_error() {
  if (unsaid_faults_ > 0) {
    faults_.push_back(make("gltf.more_faults", "", fmt::format("{} more faults", unsaid_faults_),
                           "mend the ones above first"));
  }
  return make_error(std::move(faults_));
}

Notes GltfLog::take_notes() {
  Notes notes;
  for (auto& [code, counted] : notes_) {
    if (counted.count > 1) {
      counted.note.message += fmt::format(" (and {} more like it)", counted.count - 1);
    }
    notes.push_back(std::move(counted.note));
  }
  return notes;
}

std::string GltfPlace::to_text() const {
  if (*kind == '\0') return {};
  std::string text = fmt::format("{} {}", kind, index);
  if (!name.empty()) text += fmt::format(" '{}'", name.substr(0, 200));
  if (primitive) text += fmt::format(", primitive {}", *primitive);
  return text;
}

GltfObject::GltfObject(const json& value, GltfPlace place, GltfLog& log)
    : value_(&value), place_(place), log_(&log) {
  if (value.is_object()) return;
  fault("gltf.wrong_type", fmt::format("is {} where an object belongs", value.type_name()),
        kGltfExportAgain);
  value_ = &empty_object();
}

void GltfObject::fault(const char* code, std::string message, std::string remedy) const {
  log_->fault(code, place_.to_text(), std::move(message), std::move(remedy));
}

void GltfObject::note(const char* code, std::string message, std::string remedy) const {
  log_->note(code, place_.to_text(), std::move(message), std::move(remedy));
}

void GltfObject::wrong_type(const char* key, const char* expected, const json& value) const {
  fault("gltf.wrong_type", fmt::format("'{}' must be {}, not {}", key, expected, value.type_name()),
        kGltfExportAgain);
}

void GltfObject::missing(const char* key) const {
  fault("gltf.missing_key", fmt::format("'{}' is missing", key), kGltfExportAgain);
}

const json* GltfObject::find(const char* key) const {
  const auto it = value_->find(key);
  return it == value_->end() ? nullptr : &*it;
}

const json* GltfObject::find_object(const char* key) const {
  const json* value = find(key);
  if (!value || value->is_object()) return value;
  wrong_type(key, "an object", *value);
  return nullptr;
}

const json* GltfObject::find_array(const char* key) const {
  const json* value = find(key);
  if (!value || value->is_array()) return value;
  wrong_type(key, "an array", *value);
  return nullptr;
}

std::string_view GltfObject::find_string(const char* key) const {
  const json* value = find(key);
  if (!value) return {};
  if (value->is_string()) return value->get_ref<const std::string&>();
  wrong_type(key, "a string", *value);
  return {};
}

bool GltfObject::find_flag(const char* key) const {
  const json* value = find(key);
  if (!value) return false;
  if (value->is_boolean()) return value->get<bool>();
  wrong_type(key, "true or false", *value);
  return false;
}

std::string_view find_gltf_name(const json& object) {
  if (!object.is_object()) return {};
  const auto it = object.find("name");
  return it != object.end() && it->is_string() ? std::string_view(it->get_ref<const std::string&>())
                                               : std::string_view();
}

std::optional<std::size_t> find_whole_number(const json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  if (!(number >= 0 && number <= kMostExact) || std::floor(number) != number) return std::nullopt;
  return static_cast<std::size_t>(number);
}

std::optional<std::size_t> GltfObject::find_size(const char* key) const {
  const json* value = find(key);
  if (!value) return std::nullopt;
  const auto number = find_whole_number(*value);
  if (!number) wrong_type(key, "a whole number, 0 or more", *value);
  return number;
}

std::optional<std::size_t> GltfObject::require_size(const char* key) const {
  if (find(key)) return find_size(key);
  missing(key);
  return std::nullopt;
}

std::optional<std::size_t> GltfObject::find_reference(const char* key, const char* kind,
                                                      std::size_t count) const {
  const auto index = find_size(key);
  if (!index || *index < count) return index;
  fault("gltf.no_such_item",
        fmt::format("'{}' names {} {}, but the file has {}", key, kind, *index, count),
        kGltfExportAgain);
  return std::nullopt;
}

std::optional<std::size_t> GltfObject::require_reference(const char* key, const char* kind,
                                                         std::size_t count) const {
  if (find(key)) return find_reference(key, kind, count);
  missing(key);
  return std::nullopt;
}

bool GltfObject::read_numbers(const char* key, double* numbers, std::size_t count) const {
  const json* value = find(key);
  if (!value) return false;
  bool good = value->is_array() && value->size() == count;
  for (std::size_t i = 0; good && i < count; ++i) {
    good = (*value)[i].is_number();
    if (good) numbers[i] = (*value)[i].get<double>();
  }
  if (!good) {
    fault("gltf.wrong_type", fmt::format("'{}' must be an array of {} numbers", key, count),
          kGltfExportAgain);
  }
  return good;
}

const json* GltfObject::find_extension(const char* name) const {
  const json* extensions = find_object("extensions");
  if (!extensions) return nullptr;
  const auto it = extensions->find(name);
  return it != extensions->end() && it->is_object() ? &*it : nullptr;
}

}  // namespace geste
