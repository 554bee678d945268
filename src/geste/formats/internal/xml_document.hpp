#pragma once

#include <tinyxml2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"

namespace geste {

using XmlElement = tinyxml2::XMLElement;
using XmlDocument = std::unique_ptr<tinyxml2::XMLDocument>;

/// A well-formed document with exactly one root element, nested at most 100 deep; in UTF-8, or in
/// Latin-1 where its first line declares that. Entities declared by the document are never
/// expanded, so a small file stays small.
Result<XmlDocument> parse_xml(std::string_view bytes, const std::string& file_name);

/// Why tinyxml2 gave up on `document`, for people: "xml.malformed" and its like.
Diagnostic explain_xml_error(const tinyxml2::XMLDocument& document, const std::string& file_name);

/// A word of the file for a message: cut after 80 bytes, between characters.
std::string clipped(std::string_view text);

/// The child elements called `name`, in file order.
std::vector<const XmlElement*> children(const XmlElement& parent, const char* name);
/// All child elements, in file order.
std::vector<const XmlElement*> children(const XmlElement& parent);

}  // namespace geste
