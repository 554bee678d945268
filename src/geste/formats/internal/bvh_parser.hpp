#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geste/formats/bvh.hpp"
#include "geste/formats/internal/bvh_scanner.hpp"

namespace geste::bvh_internal {

/// Beyond this a coordinate or angle is a damaged file, and sums of a few would lose all meaning.
inline constexpr double kLargestNumber = 1e12;
/// A file that is wrong in every row is not worth a report for every row.
inline constexpr std::size_t kMostFaults = 20;

/// What both halves of the reader write to.
struct Parse {
  Scanner scanner;
  BvhFile bvh;
  std::vector<Diagnostic> faults;

  Parse(std::string_view bytes, const std::string& file_name) : scanner(bytes) {
    bvh.file = file_name;
  }
  /// Adds a fault at `where` and returns false, for `return fault(...)`.
  bool fault(const char* code, const Word& where, std::string message, std::string element,
             std::string remedy);
  [[nodiscard]] bool has_too_many_faults() const { return faults.size() >= kMostFaults; }
  void note(const char* code, int line, std::string message, std::string element,
            std::string remedy);
};

/// `text` for a message: cut when long, bytes that are not printable shown as '?'.
std::string quote(std::string_view text);
/// A finite number no larger than kLargestNumber that fills all of `text`.
std::optional<double> parse_number(std::string_view text);
/// Why `text` is no number and what to do about it.
std::string number_remedy(std::string_view text);

/// HIERARCHY up to and with MOTION. False when the structure is too broken to go on.
bool parse_hierarchy(Parse& parse);
/// Frames, frame time and the rows.
void parse_motion(Parse& parse);

}  // namespace geste::bvh_internal
