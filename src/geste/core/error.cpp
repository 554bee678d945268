#include "geste/core/error.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

namespace geste {

Error make_error(std::vector<Diagnostic> faults) {
  if (faults.empty()) throw std::logic_error("make_error: no faults given");
  Error error(std::move(faults.front()));
  error.also.assign(std::make_move_iterator(faults.begin() + 1),
                    std::make_move_iterator(faults.end()));
  return error;
}

std::string to_text(const Diagnostic& d) {
  std::string text;
  if (!d.file.empty()) {
    text += d.file;
    if (d.line > 0) text += fmt::format(":{}", d.line);
    if (d.line > 0 && d.column > 0) text += fmt::format(":{}", d.column);
    text += ": ";
  }
  if (!d.element.empty()) text += d.element + ": ";
  text += d.message;
  if (!d.code.empty()) text += fmt::format(" [{}]", d.code);
  if (!d.remedy.empty()) text += "\n  remedy: " + d.remedy;
  return text;
}

std::string to_text(const Error& error) {
  std::string text = to_text(static_cast<const Diagnostic&>(error));
  for (const Diagnostic& other : error.also) text += "\n" + to_text(other);
  return text;
}

}  // namespace geste
