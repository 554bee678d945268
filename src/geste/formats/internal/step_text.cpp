#include "geste/formats/internal/step_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "geste/core/text.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/step_scanner.hpp"

namespace geste {
namespace {

constexpr std::string_view kOpening = "ISO-10303-21";
constexpr std::string_view kClosing = "END-ISO-10303-21";

Diagnostic make_fault(const std::string& file, std::string code, std::string message,
                      std::string remedy, int line = 0) {
  return make_diagnostic(file, std::move(code), std::move(message), std::move(remedy), "", line);
}

bool looks_binary(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 512);
  return std::any_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f';
  });
}

/// An IGES file has lines of 80 columns with a section letter in column 73, "S" first.
bool looks_like_iges(std::string_view bytes) {
  return bytes.size() > 80 && bytes[72] == 'S' && bytes.substr(73, 7).find('1') < 7;
}

/// What a file that is not STEP seems to be.
Diagnostic explain_not_step(std::string_view bytes, const std::string& file) {
  const std::string head = to_lower(trim(bytes.substr(0, 256)));
  const auto starts = [&head](std::string_view text) { return head.rfind(text, 0) == 0; };
  if (bytes.rfind("PK\x03\x04", 0) == 0 || bytes.rfind("\x1f\x8b", 0) == 0) {
    return make_fault(file, "step.compressed", "this is a compressed file, not plain STEP",
                      "unpack it and load the .stp file inside");
  }
  std::string_view kind = "text of another kind";
  std::string_view remedy = "export the model as STEP (AP203, AP214 or AP242)";
  if (looks_like_iges(bytes)) {
    kind = "an IGES file";
  } else if (starts("<!doctype") || starts("<html")) {
    kind = "a web page";
    remedy = "download the file itself, not the page that shows it";
  } else if (starts("<?xml") || starts("<")) {
    kind = "XML";
    remedy = "export as STEP clear text (.stp); STEP in XML (.stpx) is not supported";
  } else if (starts("solid ")) {
    kind = "an STL file";
    remedy = "give it the ending .stl";
  } else if (starts("dbrep_drawable") || starts("casca")) {
    kind = "an OpenCASCADE BREP file";
  } else if (looks_binary(bytes)) {
    kind = "binary data";
  }
  return make_fault(
      file, "step.not_step",
      fmt::format("this is {}, not STEP: it does not start with '{};'", kind, kOpening),
      std::string(remedy), 1);
}

std::string first_string(std::string_view text) {
  const std::size_t open = text.find('\'');
  if (open == std::string_view::npos) return "";
  const std::size_t close = text.find('\'', open + 1);
  if (close == std::string_view::npos) return "";
  return std::string(trim(text.substr(open + 1, close - open - 1)));
}

/// "AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }" is AP214.
std::string name_schema(const std::string& text) {
  const std::string lower = to_lower(text);
  const auto starts = [&lower](std::string_view prefix) { return lower.rfind(prefix, 0) == 0; };
  if (starts("automotive_design")) return "AP214";
  if (starts("config_control_design") || starts("ap203")) return "AP203";
  if (starts("ap242")) return "AP242";
  return text;
}

/// One walk over all statements; remembers what must be compared at the end.
class OutlineCheck {
 public:
  OutlineCheck(std::string_view bytes, const std::string& file) : scanner_(bytes), file_(file) {}

  Result<StepOutline> run() {
    StepStatement statement;
    for (;;) {
      const StepScan end = scanner_.next(statement);
      if (end == StepScan::end_of_file) return explain_missing_end();
      if (end != StepScan::statement) return explain(end);
      if (is_word(statement.text, kClosing)) break;
      if (has_scope(statement.text)) return explain_scope(statement.line);
      if (has_empty_list(statement.text) && needs_items(statement.text))
        return explain_empty_list(statement);
      take(statement);
    }
    if (outline_.entities == 0) {
      return make_fault(file_, "step.no_shape", "the file's DATA section is empty",
                        "export the model again");
    }
    std::sort(defined_.begin(), defined_.end());
    const auto twice = std::adjacent_find(defined_.begin(), defined_.end());
    if (twice != defined_.end()) {
      return make_fault(file_, "step.duplicate_entity",
                        fmt::format("entity #{} is defined more than once", *twice),
                        "give each entity a number of its own, or export the model again");
    }
    note_dangling_references();
    return std::move(outline_);
  }

 private:
  static bool is_word(std::string_view statement, std::string_view word) {
    return to_lower(trim(statement.substr(0, word.size() + 8))) == to_lower(word);
  }

  /// "#1=&SCOPE ... ENDSCOPE ...", which edition 2 of ISO 10303-21 took out; the library breaks its
  /// memory there.
  static bool has_scope(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); at = skip_step_item(text, at)) {
      if (text[at] == '(') return false;  // it stands before the entity's own parentheses
      if (text[at] == '&') return true;
    }
    return false;
  }

  [[nodiscard]] Diagnostic explain_scope(int line) const {
    return make_fault(file_, "step.syntax",
                      "'&SCOPE' is not read: the standard dropped it in 2002, and no CAD system "
                      "writes it any more",
                      "export the model again, as AP203, AP214 or AP242", line);
  }

  /// Whether one of its parameters is "()".
  static bool has_empty_list(std::string_view text) {
    char before = ' ',
         open_after = ' ';  // the last signs but blanks; what stood before the last '('
    for (std::size_t at = 0; at < text.size(); at = skip_step_item(text, at)) {
      const char c = text[at];
      const bool is_comment = c == '/' && text.substr(at, 2) == "/*";
      if (is_comment || c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
      if (c == ')' && before == '(' && (open_after == ',' || open_after == '(')) return true;
      if (c == '(') open_after = before;
      before = c;
    }
    return false;
  }

  /// Kinds of entities whose lists the schema never leaves empty and for which the library follows
  /// a null pointer where one is.
  static bool needs_items(std::string_view text) {
    constexpr std::string_view kKinds[] = {"B_SPLINE",        "CURVE_BOUNDED_SURFACE",
                                           "CARTESIAN_POINT", "CONNECTED_EDGE_SET",
                                           "DERIVED_UNIT",    "DIRECTION",
                                           "EDGE_BASED",      "EDGE_LOOP",
                                           "FACE_BASED",      "INTERSECTION_CURVE",
                                           "SEAM_CURVE",      "SHELL_BASED",
                                           "SURFACE_CURVE",   "TRIMMED_CURVE"};
    std::string upper(text);
    for (char& c : upper)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return std::any_of(std::begin(kKinds), std::end(kKinds), [&](std::string_view kind) {
      return upper.find(kind) != std::string::npos;
    });
  }

  [[nodiscard]] Diagnostic explain_empty_list(const StepStatement& statement) const {
    const std::string_view text = statement.text;
    return make_diagnostic(file_, "step.entity", "has an empty list, which no shape can be made of",
                           "correct the entity, or export the model again",
                           fmt::format("entity {}", trim(text.substr(0, text.find('=')))),
                           statement.line);
  }

  void take(const StepStatement& statement) {
    const std::string_view text = statement.text;
    if (text.front() == '#' && !scanner_.references().empty()) {
      ++outline_.entities;
      defined_.push_back(scanner_.references().front());
      for (std::size_t i = 1; i < scanner_.references().size(); ++i) {
        used_.push_back({scanner_.references()[i], statement.line});
      }
      return;
    }
    if (to_lower(text.substr(0, 11)) == "file_schema") {
      outline_.schema_text = first_string(text);
      outline_.schema = name_schema(outline_.schema_text);
    }
  }

  Diagnostic explain(StepScan end) const {
    const int line = scanner_.fault_line();
    const std::string again = "export or download the file again";
    switch (end) {
      case StepScan::in_string:
        return make_fault(file_, "step.truncated",
                          "the file ends inside a text that opens with ' and never closes", again,
                          line);
      case StepScan::in_comment:
        return make_fault(file_, "step.truncated", "the file ends inside a comment", again, line);
      case StepScan::in_statement:
        return make_fault(file_, "step.truncated", "the file ends in the middle of a statement",
                          again, line);
      case StepScan::number:
        return make_fault(file_, "step.syntax", "an entity number is larger than 2147483647",
                          "renumber the entities, or " + again, line);
      default:
        return make_fault(file_, "step.syntax", "the parentheses of this statement do not match",
                          "correct the statement, or " + again, line);
    }
  }

  [[nodiscard]] Diagnostic explain_missing_end() const {
    return make_fault(file_, "step.truncated",
                      fmt::format("the file stops before its closing line '{};'", kClosing),
                      "export or download the file again", scanner_.line());
  }

  void note_dangling_references() {
    std::size_t missing = 0;
    const Use* first = nullptr;
    for (const Use& use : used_) {
      if (std::binary_search(defined_.begin(), defined_.end(), use.id)) continue;
      if (missing++ == 0) first = &use;
    }
    if (missing == 0) return;
    outline_.notes.push_back(
        make_fault(file_, "step.dangling_reference",
                   fmt::format("{} references name entities that the file does not hold, first #{}",
                               missing, first->id),
                   "export the model again if something is missing in it", first->line));
  }

  struct Use {
    std::uint32_t id;
    int line;
  };
  StepScanner scanner_;
  const std::string& file_;
  StepOutline outline_;
  std::vector<std::uint32_t> defined_;
  std::vector<Use> used_;
};

}  // namespace

Result<StepOutline> check_step_text(std::string_view bytes, const std::string& file_name) {
  const std::string_view text = trim(bytes);
  if (text.empty()) {
    return make_fault(file_name, "step.empty_file", "the file is empty",
                      "export the model again, or check the download");
  }
  // A comment may stand before the opening line.
  const std::string_view head = text.substr(0, 4096);
  const bool opens = text.rfind(kOpening, 0) == 0 ||
                     (text.rfind("/*", 0) == 0 && head.find(kOpening) != std::string_view::npos);
  if (!opens) return explain_not_step(bytes, file_name);
  return OutlineCheck(bytes, file_name).run();
}

}  // namespace geste
