#include "geste/formats/result_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "geste/core/files.hpp"

namespace geste {
namespace {

using nlohmann::json;

Diagnostic explain_syntax(std::string_view text, const std::string& file,
                          const json::parse_error& fault) {
  const std::string_view before = text.substr(0, std::min(fault.byte, text.size()));
  return {.code = "result.json",
          .message = "is no JSON here",
          .file = file,
          .line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          .remedy = "take the file as geste wrote it, or run the task again"};
}

/// Takes fields out of one document and collects what is wrong with them.
class ResultReader {
 public:
  ResultReader(const json& document, const std::string& file) : root_(document), file_(file) {}

  Result<StoredResult> read() {
    StoredResult out;
    if (!root_.is_object()) {
      fault("", "is no result: the document is not an object");
      return make_error(std::move(faults_));
    }
    out.found = get_text(root_, "outcome", "outcome") == "found";
    if (const json* task = find(root_, "task_file"); task && !task->is_null())
      out.task_file = get_input(*task, "task_file");
    read_motion(out);
    if (const json* certificate = find(root_, "certificate")) read_certificate(*certificate, out);
    read_inputs(out);
    if (!faults_.empty()) return make_error(std::move(faults_));
    return out;
  }

 private:
  void fault(std::string element, std::string message) {
    constexpr std::size_t kMostFaults = 20;
    if (faults_.size() == kMostFaults) return;
    faults_.push_back({.code = "result.field",
                       .message = std::move(message),
                       .file = file_,
                       .element = std::move(element),
                       .remedy = "take the file as geste wrote it, or run the task again"});
  }

  /// Null where it is absent, or `object` is none.
  static const json* find(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  std::string get_text(const json& object, const char* key, const std::string& element) {
    const json* value = find(object, key);
    if (value && value->is_string()) return value->get<std::string>();
    fault(element, value ? "is not a text" : "is missing");
    return {};
  }

  InputFile get_input(const json& object, const std::string& element) {
    return {get_text(object, "file", element + ", file"),
            get_text(object, "sha256", element + ", sha256")};
  }

  void read_motion(StoredResult& out) {
    const json* motion = find(root_, "motion");
    if (!motion || !motion->is_object()) return fault("motion", "is missing");
    const json* frames = find(*motion, "frames");
    if (frames && frames->is_number_unsigned()) {
      out.frames = frames->get<std::size_t>();
    } else {
      fault("motion, frames", "is not a count");
    }
    if (!find(*motion, "course")) return;  // of an older version, which knew straight ways only
    const std::string course = get_text(*motion, "course", "motion, course");
    if (course == to_string(Course::screw)) {
      out.course = Course::screw;
    } else if (course != to_string(Course::straight)) {
      fault("motion, course", "is neither straight nor screw");
    }
  }

  void read_certificate(const json& certificate, StoredResult& out) {
    const json* clearance = find(certificate, "clearance_m");
    if (!clearance || clearance->is_null()) return;
    if (clearance->is_number() && clearance->get<double>() >= 0 &&
        std::isfinite(clearance->get<double>())) {
      out.clearance = clearance->get<double>();
    } else {
      fault("certificate, clearance_m", "is not a distance");
    }
  }

  void read_inputs(StoredResult& out) {
    const json* inputs = find(root_, "inputs");
    if (!inputs || !inputs->is_array()) return fault("inputs", "is missing");
    for (std::size_t i = 0; i < inputs->size(); ++i)
      out.inputs.push_back(get_input((*inputs)[i], fmt::format("input {}", i + 1)));
  }

  const json& root_;
  const std::string& file_;
  std::vector<Diagnostic> faults_;
};

}  // namespace

Result<StoredResult> parse_result_json(std::string_view text, const std::string& file) {
  try {
    const json document = json::parse(text.begin(), text.end());
    return ResultReader(document, file).read();
  } catch (const json::parse_error& fault) {
    return explain_syntax(text, file, fault);
  } catch (const json::out_of_range&) {  // a number that no double holds
    return Diagnostic{.code = "result.json",
                      .message = "holds a number that is too large",
                      .file = file,
                      .remedy = "take the file as geste wrote it, or run the task again"};
  }
}

Result<StoredResult> load_result_json(const std::filesystem::path& path) {
  const Result<std::string> text = load_file(path);
  if (!text) return text.error();
  return parse_result_json(*text, path.string());
}

}  // namespace geste
