#pragma once

#include <string_view>

#include "geste/formats/internal/byte_order_mark.hpp"

namespace geste::bvh_internal {

/// A word of the text and where it stands. Empty text: the end was reached.
struct Word {
  std::string_view text;
  int line = 0;
  int column = 0;
};

inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
inline bool is_brace(char c) { return c == '{' || c == '}'; }

/// Walks through the text once, counting lines. Lines end with LF, CRLF or CR, mixed at will.
class Scanner {
 public:
  explicit Scanner(std::string_view text)
      : at_(without_byte_order_mark(text).data()),
        end_(text.data() + text.size()),
        line_begin_(text.data()) {}

  /// The next word on this or a later line; a brace is a word of its own.
  Word next() {
    skip_space();
    const char* begin = at_;
    while (at_ < end_ && !is_blank(*at_) && !is_line_end(*at_) && !is_brace(*at_)) ++at_;
    if (at_ == begin && at_ < end_) ++at_;
    return word(begin, at_);
  }

  Word peek() const { return Scanner(*this).next(); }

  /// What is left of this line, without blanks around it, up to a brace.
  Word rest_of_line() {
    skip_blanks();
    const char* begin = at_;
    while (at_ < end_ && !is_line_end(*at_) && !is_brace(*at_)) ++at_;
    const char* last = at_;
    while (last > begin && is_blank(last[-1])) --last;
    return word(begin, last);
  }

  /// Steps over `label` (lower case, no blanks) in any letter case and spacing, and over a colon
  /// after it: "Frame  Time :" matches "frametime". Stays where it is when it does not match.
  bool skip_label(std::string_view label) {
    skip_space();
    const char* p = at_;
    for (const char letter : label) {
      while (p < end_ && is_blank(*p)) ++p;
      if (p == end_ || (*p | 0x20) != letter) return false;
      ++p;
    }
    at_ = p;
    skip_blanks();
    if (at_ < end_ && *at_ == ':') ++at_;
    return true;
  }

  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_)) ++at_;
  }
  /// Blanks and line ends.
  void skip_space() {
    while (at_ < end_) {
      if (is_line_end(*at_)) {
        skip_line_end();
      } else if (is_blank(*at_)) {
        ++at_;
      } else {
        break;
      }
    }
  }
  void skip_line() {
    while (at_ < end_ && !is_line_end(*at_)) ++at_;
  }

  [[nodiscard]] bool at_line_end() const { return at_ == end_ || is_line_end(*at_); }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] const char* end() const { return end_; }
  /// `p` lies on the current line.
  void move_to(const char* p) { at_ = p; }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] Word word(const char* begin, const char* end) const {
    return {std::string_view(begin, static_cast<std::size_t>(end - begin)), line_,
            static_cast<int>(begin - line_begin_) + 1};
  }

 private:
  void skip_line_end() {
    if (*at_ == '\r' && at_ + 1 < end_ && at_[1] == '\n') ++at_;
    ++at_;
    ++line_;
    line_begin_ = at_;
  }

  const char* at_;
  const char* end_;
  const char* line_begin_;
  int line_ = 1;
};

}  // namespace geste::bvh_internal
