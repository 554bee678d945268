#include "geste/formats/internal/step_normalise.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "geste/core/text.hpp"
#include "geste/formats/internal/step_scanner.hpp"

namespace geste {
namespace {

constexpr std::array<std::string_view, 5> kSectionWords = {"ISO-10303-21", "HEADER", "DATA",
                                                           "ENDSEC", "END-ISO-10303-21"};

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
char capital_of(char c) { return is_small_letter(c) ? static_cast<char>(c - 'a' + 'A') : c; }

bool is_step_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\0';
}

bool opens_text(std::string_view text, std::size_t at) {
  return text[at] == '\'' || (text[at] == '/' && at + 1 < text.size() && text[at + 1] == '*');
}

/// The first place from `at` on that is neither blank nor comment.
std::size_t skip_step_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_step_blank(text[at])) {
      ++at;
    } else if (text[at] == '/' && opens_text(text, at)) {
      at = skip_step_item(text, at);
    } else {
      break;
    }
  }
  return at;
}

/// In capitals outside strings and comments.
std::string capitalise(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < out.size();) {
    if (opens_text(text, at)) {
      at = skip_step_item(text, at);
    } else {
      out[at] = capital_of(out[at]);
      ++at;
    }
  }
  return out;
}

bool has_small_letter(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (opens_text(text, at)) {
      at = skip_step_item(text, at);
    } else if (is_small_letter(text[at++])) {
      return true;
    }
  }
  return false;
}

/// The keyword that a sub-entity begins with, in capitals.
std::string keyword_of(std::string_view sub_entity) {
  const std::size_t end = std::min(sub_entity.find_first_of(" \t\r\n(/"), sub_entity.size());
  std::string word(sub_entity.substr(0, end));
  std::transform(word.begin(), word.end(), word.begin(), capital_of);
  return word;
}

/// "A(..) B(..)" of a complex entity "(A(..) B(..))" whose '(' is at `open`; empty where it is
/// written in another way.
std::vector<std::string_view> split_complex(std::string_view text, std::size_t open) {
  std::vector<std::string_view> parts;
  std::size_t at = skip_step_blanks(text, open + 1);
  while (at < text.size() && text[at] != ')') {
    const std::size_t begin = at;
    int depth = 0;
    do {
      if (text[at] == '(') ++depth;
      if (text[at] == ')') --depth;
      const bool closes = text[at] == ')' && depth == 0;
      at = skip_step_item(text, at);
      if (closes) break;
    } while (at < text.size() && depth >= 0);
    if (depth != 0 || text[at - 1] != ')') return {};
    parts.push_back(text.substr(begin, at - begin));
    at = skip_step_blanks(text, at);
  }
  return parts;
}

bool comes_before(std::string_view a, std::string_view b) { return keyword_of(a) < keyword_of(b); }

/// "#12=..." as OpenCASCADE reads it; nothing where it is so already.
std::optional<std::string> normalise_entity(std::string_view text) {
  std::size_t number_end = 1;
  while (number_end < text.size() && is_decimal(text[number_end])) ++number_end;
  const std::size_t equals = skip_step_blanks(text, number_end);
  if (equals >= text.size() || text[equals] != '=') return std::nullopt;
  const std::string_view between = text.substr(number_end, equals - number_end);
  const bool is_plain = between.find_first_not_of(" \t") == std::string_view::npos;

  const std::size_t value = skip_step_blanks(text, equals + 1);
  std::vector<std::string_view> parts;
  if (value < text.size() && text[value] == '(') parts = split_complex(text, value);
  const bool is_sorted = std::is_sorted(parts.begin(), parts.end(), comes_before);
  const bool is_capital = !has_small_letter(text);
  if (is_plain && is_sorted && is_capital) return std::nullopt;

  std::string out(text.substr(0, number_end));
  out += '=';
  if (is_sorted) {
    out += text.substr(value);
  } else {
    std::stable_sort(parts.begin(), parts.end(), comes_before);
    out += '(';
    for (const std::string_view part : parts) (out += part) += ' ';
    out += ')';
  }
  return is_capital ? out : capitalise(out);
}

/// A line that opens or closes a section; nothing for all others, and where it is plain already.
std::optional<std::string> normalise_section(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n\f/("), text.size());
  std::string word(text.substr(0, end));
  std::transform(word.begin(), word.end(), word.begin(), capital_of);
  const bool is_known =
      std::find(kSectionWords.begin(), kSectionWords.end(), word) != kSectionWords.end();
  if (!is_known || word == text) return std::nullopt;
  const std::size_t rest = skip_step_blanks(text, end);
  if (rest < text.size() && !(word == "DATA" && text[rest] == '(')) return std::nullopt;
  return word;
}

}  // namespace

std::optional<std::string> normalise_step(std::string_view bytes) {
  std::string out;
  std::size_t copied = 0;  // of `bytes`
  StepScanner scanner(bytes);
  StepStatement statement;
  while (scanner.next(statement) == StepScan::statement) {
    const std::string_view text = statement.text;
    if (text.empty()) continue;
    const auto changed = text.front() == '#' ? normalise_entity(text) : normalise_section(text);
    if (!changed) continue;
    const auto begin = static_cast<std::size_t>(text.data() - bytes.data());
    out += bytes.substr(copied, begin - copied);
    out += *changed;
    copied = begin + text.size();
  }
  if (copied == 0) return std::nullopt;
  out += bytes.substr(copied);
  return out;
}

}  // namespace geste
