#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "geste/core/text.hpp"
#include "geste/formats/internal/bvh_parser.hpp"

namespace geste::bvh_internal {
namespace {

class MotionParser {
 public:
  explicit MotionParser(Parse& parse) : parse_(parse), scanner_(parse.scanner) {}

  void run() {
    if (!read_header()) return;
    BvhFile& bvh = parse_.bvh;
    if (bvh.channels == 0) {
      if (frames_ > 0) {
        parse_.note(
            "bvh.no_channels", scanner_.line(),
            fmt::format("no joint has channels, so the {} frames stated hold nothing", frames_), "",
            "export the file again, with its motion");
      }
      return;
    }
    // A number takes two bytes at least: what the header claims beyond that is not there.
    const auto most = static_cast<std::size_t>(scanner_.end() - scanner_.at() + 1) / 2;
    const auto row = static_cast<std::size_t>(bvh.channels);
    bvh.values.reserve(static_cast<std::size_t>(frames_) > most / row ? most : frames_ * row);
    read_rows();
    if (parse_.faults.empty()) bvh.frames = static_cast<int>(frames_);
  }

 private:
  /// "Frames: 317" and "Frame Time: 0.008333", in either order and any spacing.
  bool read_header() {
    bool has_frames = false;
    bool has_time = false;
    while (!has_frames || !has_time) {
      if (!has_frames && scanner_.skip_label("frames")) {
        has_frames = true;
        read_frame_count();
      } else if (!has_time && scanner_.skip_label("frametime")) {
        has_time = true;
        read_frame_time();
      } else {
        const Word word = scanner_.next();
        return parse_.fault("bvh.motion_header", word,
                            fmt::format("expected '{}', not '{}'",
                                        has_frames ? "Frame Time:" : "Frames:", quote(word.text)),
                            "", "after MOTION write 'Frames: count' and 'Frame Time: seconds'");
      }
    }
    return parse_.faults.empty();
  }

  void read_frame_count() {
    const Word word = scanner_.rest_of_line();
    const std::optional<long long> count = parse_integer(word.text);
    if (!count || *count < 0 || *count > std::numeric_limits<int>::max()) {
      parse_.fault("bvh.frame_count", word,
                   fmt::format("'{}' is not a number of frames", quote(word.text)), "",
                   "write a whole number after 'Frames:'");
      return;
    }
    frames_ = *count;
  }

  void read_frame_time() {
    const Word word = scanner_.rest_of_line();
    const std::optional<double> seconds = parse_number(word.text);
    if (!seconds || *seconds <= 0) {
      parse_.fault("bvh.frame_time", word,
                   fmt::format("'{}' is not a time between frames", quote(word.text)), "",
                   "write seconds above 0 after 'Frame Time:', such as 0.0083333");
      return;
    }
    parse_.bvh.frame_time = *seconds;
  }

  void read_rows() {
    long long rows = 0;
    for (; rows < frames_ && !parse_.has_too_many_faults(); ++rows) {
      scanner_.skip_space();
      if (scanner_.at_end()) break;
      read_row(rows);
    }
    if (parse_.has_too_many_faults()) return;
    scanner_.skip_space();
    if (rows < frames_) {
      too_few_rows(rows);
    } else if (!scanner_.at_end()) {
      too_many_rows();
    }
  }

  void read_row(long long row) {
    const Word begin = scanner_.word(scanner_.at(), scanner_.at());
    int count = 0;
    for (; !scanner_.at_line_end(); ++count) {
      double number = 0;
      if (!read_number(number) && !not_a_number(row, count)) return;
      if (count < parse_.bvh.channels) parse_.bvh.values.push_back(number);
      scanner_.skip_blanks();
    }
    if (count == parse_.bvh.channels) return;
    parse_.fault("bvh.row_length", begin,
                 fmt::format("row {} has {} numbers where the channels ask for {}", row + 1, count,
                             parse_.bvh.channels),
                 "", "write one line per frame with one number per channel");
  }

  /// The hot loop: the number at the current place. Stays there when there is none.
  bool read_number(double& number) {
    const char* begin = scanner_.at();
    if (*begin == '+' && begin + 1 < scanner_.end() && begin[1] != '-') ++begin;
    const auto [end, fault] = std::from_chars(begin, scanner_.end(), number);
    const bool whole = end == scanner_.end() || is_blank(*end) || is_line_end(*end);
    if (fault != std::errc() || !whole || !(std::abs(number) <= kLargestNumber)) return false;
    scanner_.move_to(end);
    return true;
  }

  /// Reports the word and steps over it. False when the rest of the row is not worth reading.
  bool not_a_number(long long row, int column) {
    const char* begin = scanner_.at();
    const char* end = begin;
    while (end < scanner_.end() && !is_blank(*end) && !is_line_end(*end)) ++end;
    const Word word = scanner_.word(begin, end);
    parse_.fault("bvh.not_a_number", word,
                 fmt::format("'{}' is not a number (row {}, channel {})", quote(word.text), row + 1,
                             column + 1),
                 "", number_remedy(word.text));
    scanner_.move_to(end);
    if (!parse_.has_too_many_faults()) return true;
    scanner_.skip_line();
    return false;
  }

  void too_few_rows(long long rows) {
    parse_.fault(
        "bvh.rows_missing", scanner_.word(scanner_.at(), scanner_.at()),
        fmt::format("'Frames:' states {} frames, but the file ends after {}", frames_, rows), "",
        fmt::format("export the file again, or write 'Frames: {}'", rows));
  }

  void too_many_rows() {
    const Word first = scanner_.word(scanner_.at(), scanner_.at());
    long long rows = frames_;
    while (!scanner_.at_end()) {
      ++rows;
      scanner_.skip_line();
      scanner_.skip_space();
    }
    parse_.fault("bvh.rows_extra", first,
                 fmt::format("'Frames:' states {} frames, but {} rows follow", frames_, rows), "",
                 fmt::format("write 'Frames: {}', or remove what follows the last frame", rows));
  }

  Parse& parse_;
  Scanner& scanner_;
  long long frames_ = 0;
};

}  // namespace

void parse_motion(Parse& parse) { MotionParser(parse).run(); }

}  // namespace geste::bvh_internal
