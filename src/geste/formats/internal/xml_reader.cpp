#include "geste/formats/internal/xml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/text.hpp"

namespace geste {
namespace {

constexpr std::size_t kMostNotes = 500;
/// Pairs of letters that suggestions may compare in one file; a fraction of a second.
constexpr std::size_t kMostLettersCompared = 100'000'000;

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Extensions of other tools carry a prefix ("drake:") and are theirs to check.
bool has_prefix(std::string_view word) { return word.find(':') != std::string_view::npos; }

int line_of(const XmlElement& element, const char* attribute) {
  const tinyxml2::XMLAttribute* found = element.FindAttribute(attribute);
  return found == nullptr ? element.GetLineNum() : found->GetLineNum();
}

/// The first element of the macro language; depth-first, so the first in the file.
const XmlElement* find_xacro(const XmlElement& element) {
  if (std::string_view(element.Name()).starts_with("xacro:")) return &element;
  for (const XmlElement* child : children(element)) {
    if (const XmlElement* found = find_xacro(*child)) return found;
  }
  return nullptr;
}

}  // namespace

Diagnostic XmlReader::make(int line, std::string_view code, std::string who, std::string message,
                           std::string remedy) const {
  Diagnostic d;
  d.code = fmt::format("{}.{}", room_, code);
  d.file = file_;
  d.line = line;
  d.element = std::move(who);
  d.message = std::move(message);
  d.remedy = std::move(remedy);
  return d;
}

void XmlReader::fault(int line, std::string_view code, std::string who, std::string message,
                      std::string remedy) {
  fault(make(line, code, std::move(who), std::move(message), std::move(remedy)));
}

void XmlReader::fault(Diagnostic diagnostic) {
  // A broken file of a million lines must not become a million messages.
  constexpr std::size_t kMostFaults = 200;
  if (faults_.size() < kMostFaults) {
    faults_.push_back(std::move(diagnostic));
  } else {
    ++faults_left_out_;
  }
}

void XmlReader::note(int line, std::string_view code, std::string who, std::string message,
                     std::string remedy) {
  if (notes_.size() < kMostNotes) {
    notes_.push_back(make(line, code, std::move(who), std::move(message), std::move(remedy)));
  } else {
    ++notes_left_out_;
  }
}

std::string XmlReader::suggest(std::string_view name, std::span<const std::string> candidates) {
  std::size_t letters = 0;
  for (const std::string& candidate : candidates) letters += candidate.size();
  letters_compared_ += letters * std::min<std::size_t>(name.size(), 200);
  if (letters_compared_ > kMostLettersCompared) return "check the spelling";
  return suggest_name(name, candidates);
}

bool XmlReader::check_robot(const XmlElement& root) {
  if (const XmlElement* macro = find_xacro(root)) {
    fault(macro->GetLineNum(), "xacro", "",
          fmt::format("the file holds xacro macros (<{}>)", clipped(macro->Name())),
          fmt::format("run 'xacro {} > robot.{}' first and give its output", file_, room_));
  } else if (std::string_view(root.Name()) != "robot") {
    fault(root.GetLineNum(), "root", "",
          fmt::format("the root element is <{}>, not <robot>", clipped(root.Name())),
          fmt::format("give a file of kind .{}", room_));
  }
  return !failed();
}

void XmlReader::check_words(const XmlElement& element, const std::string& who,
                            const XmlVocabulary& vocabulary) {
  for (auto* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
    if (contains(vocabulary.attributes, a->Name()) || has_prefix(a->Name())) continue;
    if (std::string_view(a->Name()) == "xmlns") continue;
    note(a->GetLineNum(), "unknown_attribute", who,
         fmt::format("'{}' is not an attribute of <{}> and was left out", clipped(a->Name()),
                     element.Name()),
         suggest(a->Name(), vocabulary.attributes));
  }
  for (const XmlElement* child : children(element)) {
    const char* name = child->Name();
    if (contains(vocabulary.children, name) || contains(vocabulary.ignored, name)) continue;
    if (has_prefix(name)) continue;
    note(child->GetLineNum(), "unknown_element", who,
         fmt::format("<{}> is not an element of <{}> and was left out", clipped(name),
                     element.Name()),
         suggest(name, vocabulary.children));
  }
}

const XmlElement* XmlReader::find_child(const XmlElement& parent, const char* name,
                                        const std::string& who) {
  const XmlElement* first = parent.FirstChildElement(name);
  const XmlElement* second = first == nullptr ? nullptr : first->NextSiblingElement(name);
  if (second != nullptr) {
    fault(second->GetLineNum(), "repeated", who,
          fmt::format("a second <{}> stands in <{}>; the first is at line {}", name, parent.Name(),
                      first->GetLineNum()),
          "keep one of them");
  }
  return first;
}

std::optional<std::string> XmlReader::find_text(const XmlElement& element, const char* attribute,
                                                const std::string& who) {
  const char* value = element.Attribute(attribute);
  if (value == nullptr || *value == '\0') return std::nullopt;
  // The bytes of the file are UTF-8, but &#xD800; and its like decode to what is none.
  if (!is_valid_utf8(value)) {
    fault(line_of(element, attribute), "text", who,
          fmt::format("'{}' of <{}> names a character that does not exist", attribute,
                      element.Name()),
          "write the text without &#...; references");
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> XmlReader::read_text(const XmlElement& element, const char* attribute,
                                                const std::string& who) {
  const char* value = element.Attribute(attribute);
  if (value != nullptr && *value != '\0') return find_text(element, attribute, who);
  fault(element.GetLineNum(), "missing_attribute", who,
        fmt::format("<{}> has no '{}'", element.Name(), attribute),
        fmt::format("write <{} {}=\"...\">", element.Name(), attribute));
  return std::nullopt;
}

void XmlReader::fault_number(const XmlElement& element, const char* attribute,
                             const std::string& who, const std::string& text, std::string message) {
  const bool is_macro = text.find("${") != std::string::npos;
  fault(line_of(element, attribute), "number", who,
        fmt::format("{}=\"{}\" of <{}> {}", attribute, clipped(text), element.Name(), message),
        is_macro ? "run xacro on the file first and give its output"
                 : "write decimal numbers separated by blanks, such as 0.25 or -1e-3");
}

std::optional<double> XmlReader::read_number(const XmlElement& element, const char* attribute,
                                             const std::string& who, std::optional<double> fallback,
                                             bool may_be_infinite) {
  const char* written = element.Attribute(attribute);
  if (fallback && (written == nullptr || *written == '\0')) {
    if (written != nullptr) {
      note(line_of(element, attribute), "empty_attribute", who,
           fmt::format("'{}' of <{}> is empty and was left out", attribute, element.Name()),
           "give a number, or remove it");
    }
    return fallback;
  }
  const std::optional<std::string> text = read_text(element, attribute, who);
  if (!text) return std::nullopt;
  const std::optional<double> value = parse_double(*text);
  if (!value) {
    fault_number(element, attribute, who, *text, "is not a number");
    return std::nullopt;
  }
  if (!may_be_infinite && !std::isfinite(*value)) {
    fault_number(element, attribute, who, *text, "is not finite");
    return std::nullopt;
  }
  return value;
}

std::optional<double> XmlReader::read_positive(const XmlElement& element, const char* attribute,
                                               const std::string& who) {
  const std::optional<double> value = read_number(element, attribute, who);
  if (value && *value <= 0) {
    note(line_of(element, attribute), "size", who,
         fmt::format("{} of <{}> is {}: it was left out", attribute, element.Name(), *value),
         "give a size above zero, in metres");
    return std::nullopt;
  }
  return value;
}

std::optional<std::vector<double>> XmlReader::find_numbers(const XmlElement& element,
                                                           const char* attribute, std::size_t count,
                                                           const std::string& who) {
  const char* text = element.Attribute(attribute);
  if (text == nullptr) return std::nullopt;
  const std::optional<std::string> valid = find_text(element, attribute, who);
  if (!valid && *text != '\0') return std::nullopt;
  std::optional<std::vector<double>> values = parse_doubles(text);
  if (!values) {
    fault_number(element, attribute, who, *valid, "holds a word that is not a number");
    return std::nullopt;
  }
  if (values->size() != count) {
    fault_number(element, attribute, who, text,
                 fmt::format("has {} numbers instead of {}", values->size(), count));
    return std::nullopt;
  }
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(values->begin(), values->end(), is_finite)) {
    fault_number(element, attribute, who, text, "is not finite");
    return std::nullopt;
  }
  return values;
}

std::optional<Vec3> XmlReader::read_vec3(const XmlElement& element, const char* attribute,
                                         const std::string& who, std::optional<Vec3> fallback) {
  if (element.Attribute(attribute) == nullptr) {
    if (fallback) return fallback;
    (void)read_text(element, attribute, who);
    return std::nullopt;
  }
  const auto values = find_numbers(element, attribute, 3, who);
  if (!values) return std::nullopt;
  return Vec3((*values)[0], (*values)[1], (*values)[2]);
}

Error XmlReader::take_error() {
  const auto by_line = [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; };
  std::stable_sort(faults_.begin(), faults_.end(), by_line);
  if (faults_left_out_ > 0) {
    faults_.push_back(make(0, "more", "", fmt::format("{} more faults", faults_left_out_),
                           "repair the ones above first"));
  }
  return make_error(std::move(faults_));
}

Notes XmlReader::take_notes() {
  const auto by_line = [](const Note& a, const Note& b) { return a.line < b.line; };
  std::stable_sort(notes_.begin(), notes_.end(), by_line);
  if (notes_left_out_ > 0) {
    notes_.push_back(make(0, "more", "", fmt::format("{} more notes", notes_left_out_), ""));
  }
  return std::move(notes_);
}

}  // namespace geste
