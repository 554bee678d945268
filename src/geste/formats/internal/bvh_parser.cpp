#include "geste/formats/internal/bvh_parser.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/text.hpp"

namespace geste {
namespace bvh_internal {

bool Parse::fault(const char* code, const Word& where, std::string message, std::string element,
                  std::string remedy) {
  faults.push_back({code, std::move(message), bvh.file, where.line, where.column,
                    std::move(element), std::move(remedy)});
  return false;
}

void Parse::note(const char* code, int line, std::string message, std::string element,
                 std::string remedy) {
  bvh.notes.push_back(
      {code, std::move(message), bvh.file, line, 0, std::move(element), std::move(remedy)});
}

std::string quote(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (!is_valid_utf8(text) || text.size() > kShown) {
    const bool cut = text.size() > kShown;
    std::string shown(text.substr(0, kShown));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return cut ? shown + "..." : shown;
  }
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c >= 0 && c < ' '; }, '?');
  return shown;
}

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> number = parse_double(text);
  if (!number || !(std::abs(*number) <= kLargestNumber)) return std::nullopt;
  return number;
}

std::string number_remedy(std::string_view text) {
  if (text.find(',') != std::string_view::npos) return "write decimals with a point, not a comma";
  if (parse_double(text)) return "numbers must be finite and below 1e12; export the file again";
  return "replace it by a number, or export the file again";
}

}  // namespace bvh_internal

Result<BvhFile> parse_bvh(std::string_view bytes, const std::string& file_name) {
  bvh_internal::Parse parse(bytes, file_name);
  if (bvh_internal::parse_hierarchy(parse)) bvh_internal::parse_motion(parse);
  if (!parse.faults.empty()) return make_error(std::move(parse.faults));
  return std::move(parse.bvh);
}

}  // namespace geste
