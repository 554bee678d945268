#include "geste/formats/internal/dae_xml.hpp"

#include <fmt/format.h>

#include <cstring>

#include "geste/core/text.hpp"

namespace geste {

using tinyxml2::XMLElement;

Diagnostic DaeLog::make(const char* code, const XMLElement& at, std::string message,
                        std::string remedy) const {
  Diagnostic d;
  d.code = code;
  d.file = file_;
  d.line = at.GetLineNum();
  d.element = fmt::format("<{}>", std::string_view(at.Name()).substr(0, 40));
  for (const char* key : {"name", "id", "url"}) {
    const char* value = at.Attribute(key);
    if (!value) continue;
    d.element = fmt::format("<{} {}=\"{}\">", std::string_view(at.Name()).substr(0, 40), key,
                            std::string_view(value).substr(0, 80));
    break;
  }
  d.message = std::move(message);
  d.remedy = std::move(remedy);
  return d;
}

void DaeLog::fault(const char* code, const XMLElement& at, std::string message,
                   std::string remedy) {
  constexpr std::size_t kMostFaults = 20;
  if (faults_.size() < kMostFaults)
    faults_.push_back(make(code, at, std::move(message), std::move(remedy)));
}

std::size_t DaeLog::read_count(const XMLElement& at, const char* attribute, std::size_t fallback) {
  const char* text = at.Attribute(attribute);
  if (!text) return fallback;
  const auto number = parse_integer(text);
  if (number && *number >= 0 && *number <= kDaeMostCount) return static_cast<std::size_t>(*number);
  fault("dae.number", at,
        fmt::format("{}=\"{}\" is no count", attribute, std::string_view(text).substr(0, 40)),
        "write a whole number");
  return fallback;
}

std::string_view dae_attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value ? value : std::string_view();
}

std::string dae_target(const XMLElement& element, const char* attribute) {
  const std::string_view url = dae_attribute(element, attribute);
  return std::string(url.starts_with('#') ? url.substr(1) : std::string_view());
}

std::size_t dae_text_bytes(const XMLElement& element) {
  std::size_t bytes = 0;
  for (const tinyxml2::XMLNode* c = element.FirstChild(); c; c = c->NextSibling()) {
    if (c->ToText())
      bytes += std::strlen(c->Value());
    else if (c->ToElement())
      bytes += dae_text_bytes(*c->ToElement());
  }
  return bytes;
}

}  // namespace geste
