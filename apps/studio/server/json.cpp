#include "studio/server/json.hpp"

#include <fmt/format.h>

namespace geste::studio {

Json to_json(const Error& error) {
  std::string message;
  if (!error.file.empty()) message += error.file;
  if (error.line > 0) message += fmt::format(":{}", error.line);
  if (!message.empty()) message += ": ";
  if (!error.element.empty()) message += error.element + ": ";
  message += error.message;
  if (!error.also.empty()) message += fmt::format(" (and {} more)", error.also.size());
  return {{"code", error.code}, {"message", message}, {"remedy", error.remedy}};
}

}  // namespace geste::studio
