#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "geste/core/text.hpp"
#include "geste/formats/internal/c3d_parser.hpp"

namespace geste::c3d_internal {
namespace {

/// The fourth word of a point: below 0 the point was not seen; else cameras in the high byte, the
/// residual over the scale in the low one. In float storage the word is written as a float.
void set_residual(C3dPoint& point, double word, double scale) {
  if (!(word >= 0)) return;
  const int bits = static_cast<int>(std::min(word, 32767.0));
  point.cameras = static_cast<std::uint8_t>(bits >> 8);
  constexpr double kLargest = std::numeric_limits<float>::max();
  point.residual = static_cast<float>(std::min((bits & 0xFF) * std::abs(scale), kLargest));
}

class DataReader {
 public:
  DataReader(Parse& parse, const Layout& layout)
      : parse_(parse), bytes_(parse.bytes), c3d_(parse.c3d), layout_(layout) {}

  void run() {
    c3d_.points.resize(layout_.frames * layout_.points);
    c3d_.analog.resize(layout_.frames * layout_.samples * layout_.channels);
    const bool is_real = c3d_.storage == C3dStorage::real;
    std::size_t at = layout_.begin;
    std::size_t point = 0;
    std::size_t sample = 0;
    for (std::size_t frame = 0; frame < layout_.frames; ++frame) {
      for (std::size_t i = 0; i < layout_.points; ++i, at += is_real ? 16 : 8) {
        c3d_.points[point++] = is_real ? read_real_point(at) : read_integer_point(at);
      }
      for (std::size_t k = 0; k < layout_.samples; ++k) {
        for (std::size_t i = 0; i < layout_.channels; ++i, at += is_real ? 4 : 2) {
          c3d_.analog[sample++] = read_sample(at, c3d_.channels[i], is_real);
        }
      }
    }
    note_not_finite();
  }

 private:
  C3dPoint read_integer_point(std::size_t at) const {
    C3dPoint point;
    for (int axis = 0; axis < 3; ++axis) {
      point.p[axis] = bytes_.i16(at + 2 * axis) * c3d_.point_scale;
    }
    set_residual(point, bytes_.i16(at + 6), c3d_.point_scale);
    return point;
  }

  /// Some writers put NaN where a marker was not seen. It never leaves this reader.
  C3dPoint read_real_point(std::size_t at) {
    C3dPoint point;
    for (int axis = 0; axis < 3; ++axis) point.p[axis] = bytes_.real(at + 4 * axis);
    set_residual(point, bytes_.real(at + 12), c3d_.point_scale);
    if (point.p.allFinite()) return point;
    if (point.valid()) ++bad_points_;
    return {};
  }

  double read_sample(std::size_t at, const C3dChannel& channel, bool is_real) {
    const double stored = is_real                   ? bytes_.real(at)
                          : layout_.unsigned_analog ? bytes_.u16(at)
                                                    : bytes_.i16(at);
    const double value = (stored - channel.offset) * channel.scale;
    if (std::isfinite(value)) return value;
    if (bad_samples_++ == 0) bad_channel_ = channel.label;
    return 0;
  }

  void note_not_finite() {
    if (bad_points_ > 0) {
      parse_.note("c3d.point_not_finite",
                  fmt::format("{} points have coordinates that are not numbers; they count as not "
                              "seen",
                              bad_points_),
                  "data section");
    }
    if (bad_samples_ > 0) {
      parse_.note("c3d.analog_not_finite",
                  fmt::format("{} analog samples are not numbers; 0 is taken", bad_samples_),
                  fmt::format("analog channel '{}'", bad_channel_),
                  "leave the channel out of what follows");
    }
  }

  Parse& parse_;
  const Bytes& bytes_;
  C3dFile& c3d_;
  const Layout& layout_;
  std::size_t bad_points_ = 0;
  std::size_t bad_samples_ = 0;
  std::string bad_channel_;
};

/// Word w of the header, counted from 1 as the User Guide does.
constexpr std::size_t word_at(std::size_t w) { return 2 * (w - 1); }

/// Up to 18 events of four letters.
void read_header_events(Parse& parse) {
  constexpr int kMostEvents = 18;
  const int count = std::clamp<int>(parse.bytes.i16(word_at(151)), 0, kMostEvents);
  for (int i = 0; i < count; ++i) {
    C3dEvent event;
    event.time = parse.bytes.real(word_at(153) + 4 * i);
    event.label = to_utf8(trim(parse.bytes.text(word_at(199) + 4 * i, 4)));
    event.label.erase(std::find(event.label.begin(), event.label.end(), '\0'), event.label.end());
    if (std::isfinite(event.time)) parse.c3d.events.push_back(std::move(event));
  }
}

}  // namespace

void read_data(Parse& parse, const Layout& layout) { DataReader(parse, layout).run(); }

void read_events(Parse& parse) {
  C3dFile& c3d = parse.c3d;
  if (!find_parameter(c3d, "EVENT", "TIMES")) {
    read_header_events(parse);
    return;
  }
  // Minutes and seconds of each event, two by two.
  const std::vector<double> times = collect_numbers(c3d, "EVENT", "TIMES");
  const std::vector<std::string> labels = collect_texts(c3d, "EVENT", "LABELS");
  const std::vector<std::string> contexts = collect_texts(c3d, "EVENT", "CONTEXTS");
  const double used = find_number(c3d, "EVENT", "USED").value_or(32767);
  for (std::size_t i = 0; 2 * i + 1 < times.size() && static_cast<double>(i) < used; ++i) {
    C3dEvent event;
    event.time = 60 * times[2 * i] + times[2 * i + 1];
    if (i < labels.size()) event.label = labels[i];
    if (i < contexts.size()) event.context = contexts[i];
    if (std::isfinite(event.time)) c3d.events.push_back(std::move(event));
  }
}

}  // namespace geste::c3d_internal
