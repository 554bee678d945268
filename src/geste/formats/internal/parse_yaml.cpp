#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <sstream>

#include "geste/core/text.hpp"
#include "geste/formats/internal/yaml_fields.hpp"

namespace geste::internal {
namespace {

/// Listens only to where documents begin.
class DocumentStarts final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { last = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  YAML::Mark last;
};

/// Where something follows the first document. (YAML::LoadAll never ends on text that begins with a
/// stray comma or bracket: the parser finds one empty document after the other there.)
std::optional<YAML::Mark> find_second_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  DocumentStarts starts;
  parser.HandleNextDocument(starts);
  if (!parser.HandleNextDocument(starts)) return std::nullopt;
  return starts.last;
}

}  // namespace

Result<YAML::Node> parse_yaml(std::string_view text, const std::string& file) {
  constexpr std::size_t kMostBytes = 16u << 20;
  Diagnostic d;
  d.file = file;
  d.code = "yaml.syntax";
  d.remedy = "check indentation, brackets and quotes there";
  if (text.size() > kMostBytes) {
    d.message = fmt::format("has {} bytes; a task file of more than {} is not read", text.size(),
                            kMostBytes);
    d.remedy = "put geometry and motions into files of their own";
    return d;
  }
  if (!is_valid_utf8(text) || text.find('\0') != std::string_view::npos) {
    d.message = "is not UTF-8 text";
    d.remedy = "save it as UTF-8";
    return d;
  }
  try {
    const std::string whole(text);
    const YAML::Node document = YAML::Load(whole);
    const std::optional<YAML::Mark> second = find_second_document(whole);
    if (!second && !document.IsNull()) return document;
    d.message = second ? "holds more than one document" : "is empty";
    d.remedy = "keep one document with the keys geste, parts, actors, task";
    if (second) {
      d.line = second->line + 1;
      d.column = second->column + 1;
    }
  } catch (const YAML::Exception& e) {
    d.message = e.msg.empty() ? "is not valid YAML" : e.msg;
    d.line = e.mark.line + 1;
    d.column = e.mark.column + 1;
  }
  return d;
}

}  // namespace geste::internal
