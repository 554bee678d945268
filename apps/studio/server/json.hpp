#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "geste/core/error.hpp"
#include "geste/math/types.hpp"

namespace geste::studio {

using Json = nlohmann::ordered_json;

/// In one line; bytes that are not UTF-8 (names of files) become U+FFFD.
inline std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline Json to_json(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// {"code", "message", "remedy"}: the message names file and element where they are known.
Json to_json(const Error& error);

}  // namespace geste::studio
