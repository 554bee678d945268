#pragma once

#include <charconv>
#include <limits>
#include <string_view>

#include "geste/core/text.hpp"
#include "geste/formats/internal/byte_order_mark.hpp"
#include "geste/formats/internal/number.hpp"

namespace geste {

/// Walks over a text of one statement per line, as OBJ and MTL are: words and numbers within the
/// line, then the next line. A backslash at the end of a line joins the next one to it; '#' starts
/// a comment.
class LineReader {
 public:
  explicit LineReader(std::string_view text)
      : p_(without_byte_order_mark(text).data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool at_end() const { return p_ == end_; }
  [[nodiscard]] int line() const { return line_; }

  bool at_line_end() {
    skip_blanks();
    return p_ == end_ || is_line_end(*p_) || *p_ == '#';
  }

  /// The next word of this line; empty at its end.
  std::string_view next_word() {
    if (at_line_end()) return {};
    const char* begin = p_;
    while (!is_word_end(p_)) ++p_;
    return {begin, static_cast<std::size_t>(p_ - begin)};
  }

  /// Reads a number when the next word is one; stays where it is otherwise.
  bool next_number(double& value) {
    skip_blanks();
    const char* after = parse_number(p_, end_, value);
    if (after == nullptr || !is_word_end(after)) return false;
    p_ = after;
    return true;
  }

  /// Reads the vertex of a face's corner ("7", "7/1", "7//3", "7/1/3"); stays where it is when the
  /// next word is none.
  bool next_corner(long long& vertex) {
    skip_blanks();
    const auto [after, fault] = std::from_chars(p_, end_, vertex);
    if (fault != std::errc() || !(is_word_end(after) || *after == '/')) return false;
    p_ = after;
    while (!is_word_end(p_)) ++p_;
    return true;
  }

  /// What is left of the line, as a name: blanks inside stay, '#' too.
  std::string_view rest_of_line() {
    skip_blanks();
    const char* begin = p_;
    while (p_ < end_ && !is_line_end(*p_)) ++p_;
    return trim({begin, static_cast<std::size_t>(p_ - begin)});
  }

  /// To the start of the next statement.
  void next_line() {
    const bool comment = at_line_end() && p_ < end_ && *p_ == '#';
    while (p_ < end_ && !is_line_end(*p_)) {
      ++p_;
      // Comments do not continue: they may end in a backslash by chance, as paths do.
      if (!comment && p_ < end_ && *p_ == '\\') skip_continuation();
    }
    consume_line_end();
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
  static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

  [[nodiscard]] bool is_word_end(const char* p) const {
    return p == end_ || is_blank(*p) || is_line_end(*p) ||
           (*p == '\\' && p + 1 < end_ && is_line_end(p[1]));
  }

  void consume_line_end() {
    if (p_ == end_) return;
    if (*p_ == '\r' && p_ + 1 < end_ && p_[1] == '\n') ++p_;
    ++p_;
    if (line_ < std::numeric_limits<int>::max()) ++line_;
  }

  void skip_blanks() {
    while (p_ < end_ && (is_blank(*p_) || (*p_ == '\\' && skip_continuation()))) {
      if (is_blank(*p_)) ++p_;
    }
  }

  /// Steps over a backslash and the line end behind it, if there is one.
  bool skip_continuation() {
    if (p_ + 1 >= end_ || !is_line_end(p_[1])) return false;
    ++p_;
    consume_line_end();
    return p_ < end_;
  }

  const char* p_;
  const char* end_;
  int line_ = 1;
};

}  // namespace geste
