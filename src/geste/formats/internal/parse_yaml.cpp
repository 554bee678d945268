#include <fmt/format.h>

#include "geste/core/text.hpp"
#include "geste/formats/internal/yaml_fields.hpp"

namespace geste::internal {

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
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.size() == 1) return documents.front();
    d.message = documents.empty() ? "is empty" : "holds more than one document";
    d.remedy = "keep one document with the keys geste, parts, actors, task";
  } catch (const YAML::Exception& e) {
    d.message = e.msg.empty() ? "is not valid YAML" : e.msg;
    d.line = e.mark.line + 1;
    d.column = e.mark.column + 1;
  }
  return d;
}

}  // namespace geste::internal
