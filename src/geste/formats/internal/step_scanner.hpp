#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace geste {

/// One statement of a STEP file, up to its ';'. `text` still has its comments and strings.
struct StepStatement {
  std::string_view text;
  int line = 0;
};

enum class StepScan {
  statement,
  end_of_file,
  in_string,
  in_comment,
  in_statement,
  unbalanced,
  number
};

/// Cuts the file into statements, and collects the entity numbers each names.
class StepScanner {
 public:
  explicit StepScanner(std::string_view bytes) : bytes_(bytes) {}

  StepScan next(StepStatement& statement);

  /// Line where the thing that has gone wrong began.
  [[nodiscard]] int fault_line() const { return fault_line_; }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] const std::vector<std::uint32_t>& references() const { return references_; }

 private:
  void skip_blanks();
  bool skip_string();
  bool skip_comment();
  /// False for numbers beyond 31 bits, which the library cannot hold.
  bool read_reference();

  std::string_view bytes_;
  std::size_t at_ = 0;
  int line_ = 1;
  int fault_line_ = 1;
  bool comment_open_ = false;
  std::vector<std::uint32_t> references_;
};

/// Behind the string, comment or single character that begins at `at`: what stands in strings and
/// comments is no syntax. The end of the text where one is not closed.
std::size_t skip_step_item(std::string_view text, std::size_t at);

}  // namespace geste
