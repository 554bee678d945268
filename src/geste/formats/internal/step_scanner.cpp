#include "geste/formats/internal/step_scanner.hpp"

#include <algorithm>
#include <charconv>

namespace geste {
namespace {

constexpr int kDeepestNesting = 200;

bool opens_comment(std::string_view text, std::size_t at) {
  return text[at] == '/' && at + 1 < text.size() && text[at + 1] == '*';
}

}  // namespace

StepScan StepScanner::next(StepStatement& statement) {
  references_.clear();
  skip_blanks();
  if (comment_open_) return StepScan::in_comment;
  if (at_ == bytes_.size()) return StepScan::end_of_file;
  const std::size_t begin = at_;
  statement.line = fault_line_ = line_;
  int depth = 0;
  while (at_ < bytes_.size()) {
    const char c = bytes_[at_];
    if (c == ';') {
      statement.text = bytes_.substr(begin, at_ - begin);
      ++at_;
      return depth == 0 ? StepScan::statement : StepScan::unbalanced;
    }
    if (c == '\'') {
      if (!skip_string()) return StepScan::in_string;
      continue;
    }
    if (opens_comment(bytes_, at_)) {
      if (!skip_comment()) return StepScan::in_comment;
      continue;
    }
    if (c == '#') {
      if (!read_reference()) return StepScan::number;
      continue;
    }
    if (c == '(' && ++depth > kDeepestNesting) return StepScan::unbalanced;
    if (c == ')' && --depth < 0) return StepScan::unbalanced;
    if (c == '\n') ++line_;
    ++at_;
  }
  return StepScan::in_statement;
}

void StepScanner::skip_blanks() {
  while (at_ < bytes_.size()) {
    const char c = bytes_[at_];
    if (opens_comment(bytes_, at_)) {
      if (!skip_comment()) {
        comment_open_ = true;
        return;
      }
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f' && c != '\0') return;
    if (c == '\n') ++line_;
    ++at_;
  }
}

bool StepScanner::skip_string() {
  fault_line_ = line_;
  for (++at_; at_ < bytes_.size(); ++at_) {
    if (bytes_[at_] == '\n') ++line_;
    if (bytes_[at_] == '\'') {
      ++at_;
      return true;  // a doubled quote opens the next string at once: the same text
    }
  }
  return false;
}

bool StepScanner::skip_comment() {
  fault_line_ = line_;
  const std::size_t end = bytes_.find("*/", at_ + 2);
  const std::size_t stop = end == std::string_view::npos ? bytes_.size() : end + 2;
  line_ += static_cast<int>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                       bytes_.begin() + static_cast<std::ptrdiff_t>(stop), '\n'));
  at_ = stop;
  return end != std::string_view::npos;
}

bool StepScanner::read_reference() {
  ++at_;
  std::uint32_t id = 0;
  const char* first = bytes_.data() + at_;
  const auto [end, fault] = std::from_chars(first, bytes_.data() + bytes_.size(), id);
  at_ += static_cast<std::size_t>(end - first);
  if (fault == std::errc::result_out_of_range || id > 0x7FFFFFFF) return false;
  if (fault == std::errc()) references_.push_back(id);
  return true;
}

std::size_t skip_step_item(std::string_view text, std::size_t at) {
  if (text[at] == '\'') {
    const std::size_t close = text.find('\'', at + 1);
    return close == std::string_view::npos ? text.size() : close + 1;
  }
  if (opens_comment(text, at)) {
    const std::size_t close = text.find("*/", at + 2);
    return close == std::string_view::npos ? text.size() : close + 2;
  }
  return at + 1;
}

}  // namespace geste
