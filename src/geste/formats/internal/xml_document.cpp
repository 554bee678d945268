#include "geste/formats/internal/xml_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/text.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"

namespace geste {
namespace {

/// tinyxml2 looks each attribute up among those before it; beyond this the time would show.
constexpr int kMostAttributes = 1000;

Diagnostic xml_fault(const char* code, const std::string& file, int line, std::string message,
                     std::string remedy) {
  return make_diagnostic(file, code, std::move(message), std::move(remedy), "", line);
}

int line_at(std::string_view bytes, std::size_t position) {
  return 1 + static_cast<int>(std::count(bytes.begin(), bytes.begin() + position, '\n'));
}

std::optional<Diagnostic> find_encoding_fault(std::string_view bytes, const std::string& file) {
  const char* convert = "save the file as UTF-8 text";
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return xml_fault("xml.encoding", file, 1, "the file is UTF-16 text", convert);
  }
  if (const std::size_t nul = bytes.find('\0'); nul != std::string_view::npos) {
    return xml_fault("xml.encoding", file, line_at(bytes, nul),
                     "the file holds a zero byte, so it is not XML text", convert);
  }
  // No UTF-8 character spans a line end: the first bad line is found line by line.
  int line = 1;
  for (std::size_t begin = 0; begin < bytes.size(); ++line) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    if (!is_valid_utf8(bytes.substr(begin, end - begin))) {
      return xml_fault("xml.encoding", file, line, "the line is not UTF-8 text", convert);
    }
    begin = end + 1;
  }
  return std::nullopt;
}

/// Whether the declaration says that each byte is one character of Latin-1.
bool is_declared_latin1(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return false;
  const std::string declaration = to_lower(bytes.substr(0, bytes.find("?>")));
  for (const char* name : {"iso-8859-1", "latin1", "latin-1"}) {
    for (const char quote : {'"', '\''}) {
      if (declaration.find(fmt::format("{}{}{}", quote, name, quote)) != std::string::npos)
        return true;
    }
  }
  return false;
}

/// The position behind the tag that opens at `begin`, or nothing when it has too many attributes.
std::optional<std::size_t> skip_tag(std::string_view bytes, std::size_t begin) {
  int attributes = 0;
  std::size_t i = begin + 1;
  while (i < bytes.size() && bytes[i] != '>') {
    const char c = bytes[i];
    if (c == '"' || c == '\'') {
      if (++attributes > kMostAttributes) return std::nullopt;
      i = std::min(bytes.find(c, i + 1), bytes.size());
    }
    ++i;
  }
  return i;
}

std::optional<Diagnostic> find_crowded_tag(std::string_view bytes, const std::string& file) {
  const auto behind = [&](std::size_t from, std::string_view mark) {
    return std::min(bytes.find(mark, from), bytes.size());
  };
  std::size_t i = behind(0, "<");
  while (i < bytes.size()) {
    const std::string_view rest = bytes.substr(i);
    if (rest.starts_with("<!--")) {
      i = behind(i, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      i = behind(i, "]]>");
    } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
      i = behind(i, ">");
    } else if (const auto next = skip_tag(bytes, i)) {
      i = *next;
    } else {
      return xml_fault("xml.attributes", file, line_at(bytes, i),
                       fmt::format("an element has more than {} attributes", kMostAttributes),
                       "check that the file is whole");
    }
    i = behind(std::min(i, bytes.size()), "<");
  }
  return std::nullopt;
}

}  // namespace

Diagnostic explain_xml_error(const tinyxml2::XMLDocument& document, const std::string& file) {
  const int line = document.ErrorLineNum();
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return xml_fault("xml.empty", file, line, "the file is empty", "give an XML file");
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return xml_fault(
          "xml.depth", file, line,
          fmt::format("elements are nested more than {} deep", TINYXML2_MAX_ELEMENT_DEPTH),
          "check that every element is closed");
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return xml_fault("xml.malformed", file, line, "the element that opens here is never closed",
                       "close it with </name>, or write <name/> when it holds nothing");
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return xml_fault("xml.malformed", file, line,
                       "an attribute is not of the form name=\"value\", or is written twice",
                       "write each attribute once, with its value in quotes");
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return xml_fault("xml.malformed", file, line, "the comment that opens here never ends",
                       "end it with -->");
    default:
      return xml_fault("xml.malformed", file, line, "the text is not well-formed XML",
                       "check the tag at this line");
  }
}

Result<XmlDocument> parse_xml(std::string_view bytes, const std::string& file_name) {
  std::string converted;
  if (is_declared_latin1(bytes)) bytes = converted = to_utf8(bytes);
  if (auto fault = find_encoding_fault(bytes, file_name)) return *fault;
  if (auto fault = find_crowded_tag(bytes, file_name)) return *fault;
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  document->Parse(bytes.data(), bytes.size());
  if (document->Error()) return explain_xml_error(*document, file_name);
  const XmlElement* root = document->RootElement();
  if (root == nullptr) {
    return xml_fault("xml.empty", file_name, 0, "the file holds no XML element",
                     "give an XML file");
  }
  if (const XmlElement* second = root->NextSiblingElement()) {
    return xml_fault("xml.malformed", file_name, second->GetLineNum(),
                     fmt::format("a second root element opens after </{}>", clipped(root->Name())),
                     "keep one root element");
  }
  return document;
}

std::string clipped(std::string_view text) {
  constexpr std::size_t kShown = 80;
  if (text.size() <= kShown) return std::string(text);
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::vector<const XmlElement*> children(const XmlElement& parent, const char* name) {
  std::vector<const XmlElement*> found;
  for (auto* e = parent.FirstChildElement(name); e != nullptr; e = e->NextSiblingElement(name)) {
    found.push_back(e);
  }
  return found;
}

std::vector<const XmlElement*> children(const XmlElement& parent) {
  return children(parent, nullptr);
}

}  // namespace geste
