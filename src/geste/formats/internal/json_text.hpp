#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "geste/core/error.hpp"

namespace geste::internal {

/// Fields that do not apply are left out.
inline nlohmann::ordered_json to_json(const Diagnostic& d) {
  nlohmann::ordered_json json = {{"code", d.code}, {"message", d.message}};
  if (!d.file.empty()) json["file"] = d.file;
  if (d.line > 0) json["line"] = d.line;
  if (d.column > 0) json["column"] = d.column;
  if (!d.element.empty()) json["element"] = d.element;
  if (!d.remedy.empty()) json["remedy"] = d.remedy;
  return json;
}

/// Two blanks of indentation, a line end at the end; bytes that are not UTF-8 become U+FFFD.
inline std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace geste::internal
