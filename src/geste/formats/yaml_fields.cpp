#include "geste/formats/internal/yaml_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/text.hpp"
#include "geste/formats/units.hpp"

namespace geste::internal {
namespace {

const char* dimension_name(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      return "a plain number";
    case Dimension::length:
      return "a length in m";
    case Dimension::angle:
      return "an angle in rad";
    case Dimension::degrees:
      return "an angle in degrees";
    case Dimension::mass:
      return "a mass in kg";
    case Dimension::time:
      return "a time in s";
  }
  return "a number";
}

std::string list_names(const std::vector<MeasureUnit>& units) {
  std::string names;
  for (const MeasureUnit& unit : units) names += (names.empty() ? "" : ", ") + unit.symbol;
  return names;
}

/// Whether a text may be meant as a unit: no second number, no comma.
bool is_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalpha(c) != 0 || c == '/' || c == '%' || c >= 0x80;
  });
}

const char* node_kind(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Map:
      return "a mapping";
    case YAML::NodeType::Sequence:
      return "a sequence";
    case YAML::NodeType::Null:
      return "nothing";
    default:
      return "a value";
  }
}

std::string shown(const YAML::Node& node) {
  if (!node.IsScalar()) return node_kind(node);
  std::string text = node.Scalar();
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return fmt::format("'{}'", text);
}

}  // namespace

YamlFields::YamlFields(const YAML::Node& mapping, std::string file, std::string element,
                       YamlLog& log)
    : mapping_(mapping), file_(std::move(file)), element_(std::move(element)), log_(log) {}

int YamlFields::line() const { return mapping_.Mark().line + 1; }

bool YamlFields::has(const char* key) const {
  return std::any_of(mapping_.begin(), mapping_.end(), [&](const auto& entry) {
    return entry.first.IsScalar() && entry.first.Scalar() == key;
  });
}

void YamlFields::fault_at(const YAML::Mark& mark, const std::string& code,
                          const std::string& message, const std::string& remedy) {
  constexpr std::size_t kMostFaults = 200;
  std::vector<Diagnostic>& faults = log_.faults;
  if (faults.size() > kMostFaults) return;
  if (faults.size() == kMostFaults) {
    faults.push_back({"task.more_faults", "there are more faults than these", file_, 0, 0, "",
                      "correct these first"});
    return;
  }
  faults.push_back({code, message, file_, mark.line + 1, mark.column + 1, element_, remedy});
}

void YamlFields::fault(const std::string& key, const std::string& code, const std::string& message,
                       const std::string& remedy) {
  if (key.empty()) return whole_.push_back({"", code, message, remedy});
  for (const auto& entry : mapping_) {
    if (entry.first.IsScalar() && entry.first.Scalar() == key)
      return fault_at(entry.second.Mark(), code, message, remedy);
  }
  fault_at(mapping_.Mark(), code, message, remedy);
}

void YamlFields::wrong_type(const Field& field, const YAML::Node& node,
                            const std::string& expected) {
  fault_at(node.Mark(), "task.wrong_type",
           fmt::format("'{}' must be {}, not {}", field.key, expected, shown(node)),
           fmt::format("{}: {}", field.key, field.help));
}

std::optional<YAML::Node> YamlFields::find(const Field& field) {
  known_.emplace_back(field.key);
  std::optional<YAML::Node> found;
  for (const auto& entry : mapping_) {
    if (!entry.first.IsScalar() || entry.first.Scalar() != field.key) continue;
    if (found) {
      fault_at(entry.first.Mark(), "task.duplicate_key",
               fmt::format("'{}' is given twice", field.key), "remove one of the two");
      return std::nullopt;
    }
    found = entry.second;
  }
  if (!found && field.required) {
    whole_.push_back({field.key, "task.missing_key", fmt::format("'{}' is missing", field.key),
                      fmt::format("add `{}`: {}", field.key, field.help)});
  }
  return found;
}

std::optional<double> YamlFields::read_number(const Field& field, const YAML::Node& node,
                                              Dimension dimension) {
  const std::string expected = dimension_name(dimension);
  if (!node.IsScalar()) {
    wrong_type(field, node, expected);
    return std::nullopt;
  }
  const auto [digits, symbol] = split_quantity(node.Scalar());
  const auto value = parse_double(digits);
  const bool is_unit = symbol.empty() || is_word(symbol);
  if (!value || !std::isfinite(*value) || !is_unit) {
    wrong_type(field, node, expected);
    return std::nullopt;
  }
  if (symbol.empty()) return value;
  const std::vector<MeasureUnit> units = list_units(dimension);
  const auto unit =
      std::find_if(units.begin(), units.end(),
                   [symbol = symbol](const MeasureUnit& u) { return u.symbol == symbol; });
  if (unit == units.end()) {
    fault_at(node.Mark(), "task.wrong_unit",
             fmt::format("'{}' is {}; '{}' is no unit for it", field.key, expected, symbol),
             units.empty() ? "write the number alone"
                           : fmt::format("use one of: {}", list_names(units)));
    return std::nullopt;
  }
  return *value * unit->to_si;
}

std::optional<std::vector<double>> YamlFields::read_numbers(const Field& field,
                                                            const YAML::Node& node,
                                                            Dimension dimension,
                                                            std::size_t count) {
  const std::string expected =
      count > 0 ? fmt::format("a sequence of {} numbers", count) : "a sequence of numbers";
  if (!node.IsSequence() || (count > 0 && node.size() != count)) {
    const std::string found =
        node.IsSequence() ? fmt::format("{} of them", node.size()) : shown(node);
    fault_at(node.Mark(), "task.wrong_type",
             fmt::format("'{}' must be {}, not {}", field.key, expected, found),
             fmt::format("{}: {}", field.key, field.help));
    return std::nullopt;
  }
  std::vector<double> values;
  for (const YAML::Node& item : node) {
    const auto value = read_number(field, item, dimension);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<std::string> YamlFields::read_text(const Field& field, const YAML::Node& node) {
  if (!node.IsScalar() || node.Scalar().empty()) {
    wrong_type(field, node, "a text");
    return std::nullopt;
  }
  return node.Scalar();
}

void YamlFields::number(const Field& field, double& value, Dimension dimension) {
  const auto node = find(field);
  if (!node) return;
  if (const auto read = read_number(field, *node, dimension)) value = *read;
}

void YamlFields::integer(const Field& field, long long& value, long long least) {
  const auto node = find(field);
  if (!node) return;
  const auto read = node->IsScalar() ? parse_integer(node->Scalar()) : std::nullopt;
  if (!read || *read < least)
    return wrong_type(field, *node, fmt::format("a whole number from {}", least));
  value = *read;
}

void YamlFields::boolean(const Field& field, bool& value) {
  const auto node = find(field);
  if (!node) return;
  const std::string word = node->IsScalar() ? to_lower(node->Scalar()) : "";
  if (word != "true" && word != "false") return wrong_type(field, *node, "true or false");
  value = word == "true";
}

void YamlFields::text(const Field& field, std::string& value) {
  const auto node = find(field);
  if (!node) return;
  if (auto read = read_text(field, *node)) value = std::move(*read);
}

void YamlFields::file(const Field& field, std::string& value) { text(field, value); }

void YamlFields::choice(const Field& field, std::string& value,
                        std::span<const std::string> choices) {
  const auto node = find(field);
  if (!node) return;
  const auto read = read_text(field, *node);
  if (!read) return;
  if (std::find(choices.begin(), choices.end(), *read) == choices.end()) {
    return fault_at(node->Mark(), "task.unknown_choice",
                    fmt::format("'{}' cannot be '{}'", field.key, *read),
                    suggest_name(*read, choices));
  }
  value = *read;
}

void YamlFields::numbers(const Field& field, std::vector<double>& value, Dimension dimension) {
  const auto node = find(field);
  if (!node) return;
  if (auto read = read_numbers(field, *node, dimension, 0)) value = std::move(*read);
}

void YamlFields::vector(const Field& field, Vec3& value, Dimension dimension) {
  const auto node = find(field);
  if (!node) return;
  if (const auto read = read_numbers(field, *node, dimension, 3))
    value = Vec3((*read)[0], (*read)[1], (*read)[2]);
}

void YamlFields::texts(const Field& field, std::vector<std::string>& value) {
  const auto node = find(field);
  if (!node) return;
  if (!node->IsSequence()) return wrong_type(field, *node, "a sequence of texts");
  std::vector<std::string> read;
  for (const YAML::Node& item : *node) {
    auto word = read_text(field, item);
    if (!word) return;
    read.push_back(std::move(*word));
  }
  value = std::move(read);
}

void YamlFields::group(const Field& field, bool& present,
                       const std::function<void(FieldVisitor&)>& describe) {
  const auto node = find(field);
  present = node.has_value();
  if (!node) return;
  if (!node->IsMap()) return wrong_type(field, *node, "a mapping");
  const std::string element =
      element_.empty() ? field.key : fmt::format("{}, {}", element_, field.key);
  YamlFields inner(*node, file_, element, log_);
  describe(inner);
  inner.finish();
}

void YamlFields::do_list(const Field& field, std::size_t held,
                         const std::function<void(FieldVisitor&, std::size_t)>& describe) {
  const auto node = find(field);
  if (!node) return;
  if (!node->IsSequence()) return wrong_type(field, *node, "a sequence");
  int number = 0;
  for (const YAML::Node& item : *node) {
    ++number;
    if (!item.IsMap()) {
      wrong_type(field, item, "a sequence of mappings");
      continue;
    }
    std::string element = fmt::format("{} number {}", field.key, number);
    for (const auto& entry : item) {
      if (entry.first.IsScalar() && entry.first.Scalar() == "name" && entry.second.IsScalar()) {
        element = fmt::format("{}, '{}'", field.key, entry.second.Scalar());
      }
    }
    YamlFields inner(item, file_, element, log_);
    describe(inner, held);
    inner.finish();
  }
}

void YamlFields::table(const Field& field,
                       std::vector<std::pair<std::string, std::vector<double>>>& value) {
  const auto node = find(field);
  if (!node) return;
  if (!node->IsMap()) return wrong_type(field, *node, "a mapping from names to numbers");
  for (const auto& entry : *node) {
    if (!entry.first.IsScalar()) {
      wrong_type(field, entry.first, "a mapping from names to numbers");
      continue;
    }
    std::optional<std::vector<double>> values;
    if (entry.second.IsSequence()) {
      values = read_numbers(field, entry.second, Dimension::none, 0);
    } else if (const auto single = read_number(field, entry.second, Dimension::none)) {
      values = {*single};
    }
    if (values) value.emplace_back(entry.first.Scalar(), std::move(*values));
  }
}

void YamlFields::finish() {
  bool has_unknown = false;
  std::vector<std::string> meant;  // by the unknown keys, probably
  for (const auto& entry : mapping_) {
    if (!entry.first.IsScalar()) {
      fault_at(entry.first.Mark(), "task.bad_key", "a key must be a plain word",
               suggest_name("", known_));
      continue;
    }
    const std::string& key = entry.first.Scalar();
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    fault_at(entry.first.Mark(), "task.unknown_key", fmt::format("unknown key '{}'", key),
             suggest_name(key, known_));
    has_unknown = true;
    if (auto nearest = find_nearest_name(key, known_)) meant.push_back(std::move(*nearest));
  }
  for (const WholeFault& fault : whole_) {
    const bool explained = fault.missing_key.empty() ? has_unknown
                                                     : std::find(meant.begin(), meant.end(),
                                                                 fault.missing_key) != meant.end();
    if (!explained) fault_at(mapping_.Mark(), fault.code, fault.message, fault.remedy);
  }
}

}  // namespace geste::internal
