#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "geste/core/text.hpp"
#include "geste/formats/internal/c3d_parser.hpp"

namespace geste::c3d_internal {
namespace {

/// Points, channels or samples beyond this are damage; it also keeps the products below in range.
constexpr double kLargestCount = 1e7;
constexpr double kLargestFrameCount = std::numeric_limits<int>::max();
/// POINT:FRAMES is an unsigned 16-bit number; this value says "look elsewhere".
constexpr double kFramesOverflow = 65535;

class LayoutResolver {
 public:
  LayoutResolver(Parse& parse, Layout& layout)
      : parse_(parse), header_(parse.header), c3d_(parse.c3d), layout_(layout) {}

  bool run() {
    resolve_rate();
    layout_.points = resolve_count("POINT", "USED", header_.points);
    resolve_scale();
    resolve_analog_counts();
    resolve_frames();
    if (!parse_.faults.empty() || !resolve_begin()) return false;
    c3d_.frames = static_cast<int>(layout_.frames);
    read_point_names();
    read_channels();
    return parse_.faults.empty();
  }

 private:
  void note_disagreement(const char* parameter, double header, double taken) {
    parse_.note("c3d.header_disagrees",
                fmt::format("the header says {:.9g}, the parameter {:.9g}; the parameter counts",
                            header, taken),
                fmt::format("parameter '{}'", parameter));
  }

  /// A count stored as an integer is unsigned, whatever the format once said: 40000 points are
  /// written as -25536.
  std::optional<double> find_count(const char* group, const char* name) {
    const std::optional<double> number = find_number(c3d_, group, name);
    if (!number || *number >= 0) return number;
    const C3dType type = find_parameter(c3d_, group, name)->type;
    return type == C3dType::integer ? *number + 65536 : type == C3dType::byte ? *number + 256 : 0;
  }

  std::size_t resolve_count(const char* group, const char* name, int header) {
    const std::optional<double> count = find_count(group, name);
    const std::string element = fmt::format("{}:{}", group, name);
    if (!count) {
      if (header > 0) {
        parse_.note("c3d.parameter_missing", fmt::format("is missing; the header says {}", header),
                    fmt::format("parameter '{}'", element));
      }
      return header;
    }
    if (*count > kLargestCount) {
      parse_.fault("c3d.count", fmt::format("{:.9g} is not a plausible count", *count),
                   fmt::format("parameter '{}'", element), "export the file again");
      return 0;
    }
    if (*count != header) note_disagreement(element.c_str(), header, *count);
    return static_cast<std::size_t>(*count);
  }

  void resolve_rate() {
    const std::optional<double> rate = find_number(c3d_, "POINT", "RATE");
    c3d_.rate = rate.value_or(header_.rate);
    if (!(c3d_.rate > 0) || !std::isfinite(c3d_.rate)) {
      c3d_.rate = 0;
      parse_.note("c3d.rate_missing", "the file states no frame rate", "parameter 'POINT:RATE'",
                  "give the rate where times are needed");
    } else if (rate && std::abs(*rate - header_.rate) > 1e-3 * *rate) {
      note_disagreement("POINT:RATE", header_.rate, *rate);
    }
  }

  /// Its size scales integers, its sign tells integers from floats.
  void resolve_scale() {
    const std::optional<double> scale = find_number(c3d_, "POINT", "SCALE");
    c3d_.point_scale = scale.value_or(header_.scale);
    if (!std::isfinite(c3d_.point_scale) || (c3d_.point_scale == 0 && layout_.points > 0)) {
      parse_.fault(
          "c3d.point_scale", fmt::format("the scale of the points is {}", c3d_.point_scale),
          "parameter 'POINT:SCALE'",
          "export the file again; the scale is positive for integers, negative for floats");
      return;
    }
    if (scale && std::abs(*scale - header_.scale) > 1e-6 * std::abs(*scale)) {
      note_disagreement("POINT:SCALE", header_.scale, *scale);
    }
    c3d_.storage = c3d_.point_scale < 0 ? C3dStorage::real : C3dStorage::int16;
  }

  void resolve_analog_counts() {
    const std::size_t from_header =
        header_.samples_per_frame > 0 ? header_.analog_per_frame / header_.samples_per_frame : 0;
    layout_.channels = resolve_count("ANALOG", "USED", static_cast<int>(from_header));
    if (layout_.channels == 0) return;
    layout_.samples = header_.samples_per_frame;
    const double ratio = find_number(c3d_, "ANALOG", "RATE").value_or(0) / c3d_.rate;
    const double samples = std::round(ratio);
    if (c3d_.rate > 0 && samples >= 1 && samples <= kLargestCount &&
        std::abs(ratio - samples) < 0.01 * samples) {
      layout_.samples = static_cast<std::size_t>(samples);
      if (samples != header_.samples_per_frame) {
        note_disagreement("ANALOG:RATE", header_.samples_per_frame, samples);
      }
    }
    if (layout_.samples == 0) {
      parse_.note("c3d.analog_empty",
                  fmt::format("{} channels are named but nothing tells how often they are sampled; "
                              "they are left out",
                              layout_.channels),
                  "parameter 'ANALOG:RATE'");
      layout_.channels = 0;
    }
  }

  /// First or last frame as TRIAL stores it: the low word, then the high word.
  std::optional<double> find_field(const char* name) {
    const std::optional<double> low = find_number(c3d_, "TRIAL", name, 0);
    if (!low) return std::nullopt;
    const double high = find_number(c3d_, "TRIAL", name, 1).value_or(0);
    const auto word = [](double number) { return number < 0 ? number + 65536 : number; };
    return word(*low) + 65536 * word(high);
  }

  /// POINT:FRAMES, unless the recording outgrew its 16 bits: then POINT:LONG_FRAMES or TRIAL.
  void resolve_frames() {
    const std::optional<double> first = find_field("ACTUAL_START_FIELD");
    const std::optional<double> last = find_field("ACTUAL_END_FIELD");
    const double in_header = header_.last_frame - header_.first_frame + 1;
    double frames = find_count("POINT", "FRAMES").value_or(std::max(in_header, 0.0));
    const bool from_parameter = find_parameter(c3d_, "POINT", "FRAMES") != nullptr;
    const std::optional<double> in_long = find_count("POINT", "LONG_FRAMES");
    const double in_trial = first && last ? *last - *first + 1 : 0;
    if (in_long && *in_long > 0) {
      frames = *in_long;
    } else if (in_trial > kFramesOverflow && (frames == kFramesOverflow || !from_parameter ||
                                              frames == std::fmod(in_trial, kFramesOverflow + 1))) {
      frames = in_trial;
    } else if (from_parameter && frames != in_header && frames < kFramesOverflow) {
      note_disagreement("POINT:FRAMES", in_header, frames);
    }
    if (!(frames <= kLargestFrameCount)) {
      parse_.fault("c3d.count", fmt::format("{:.9g} is not a plausible number of frames", frames),
                   "parameter 'POINT:FRAMES'", "export the file again");
      return;
    }
    layout_.frames = static_cast<std::size_t>(std::max(frames, 0.0));
    const double start = first.value_or(header_.first_frame);
    const bool plausible = start >= 0 && start <= kLargestFrameCount;
    c3d_.first_frame = plausible ? static_cast<int>(start) : 1;
  }

  std::size_t frame_size() const {
    return layout_.values_per_frame() * (c3d_.storage == C3dStorage::real ? 4 : 2);
  }

  /// Whole frames that the file holds from a block on (counted from 1).
  std::size_t count_frames_from(double block) const {
    const std::size_t size = parse_.bytes.size();
    if (!(block >= 2) || (block - 1) * kBlock > static_cast<double>(size)) return 0;
    return (size - static_cast<std::size_t>(block - 1) * kBlock) / frame_size();
  }

  bool resolve_begin() {
    if (frame_size() == 0) {
      if (layout_.frames > 0) {
        parse_.note("c3d.no_data", "the file has neither points nor analog channels", "");
      }
      layout_.frames = 0;
    }
    if (layout_.frames == 0) return true;
    const double in_header = header_.data_block;
    const double in_parameter = find_count("POINT", "DATA_START").value_or(in_header);
    double block = in_parameter;
    if (in_parameter != in_header) {
      const bool only_header_fits = count_frames_from(in_parameter) < layout_.frames &&
                                    count_frames_from(in_header) >= layout_.frames;
      if (only_header_fits) block = in_header;
      parse_.note(
          "c3d.header_disagrees",
          fmt::format("the header says {:.9g}, the parameter {:.9g}; {}", in_header, in_parameter,
                      only_header_fits ? "only the header's leaves room for the data"
                                       : "the parameter counts"),
          "parameter 'POINT:DATA_START'");
    }
    const std::size_t present = count_frames_from(block);
    if (present < layout_.frames) return truncated(block, present);
    layout_.begin = static_cast<std::size_t>(block - 1) * kBlock;
    return true;
  }

  bool truncated(double block, std::size_t present) {
    return parse_.fault(
        "c3d.truncated",
        fmt::format("the file states {} frames of {} bytes from block {:.9g} on, but holds {} "
                    "(it ends at byte {})",
                    layout_.frames, frame_size(), block, present, parse_.bytes.size()),
        "data section", "copy or export the file again");
  }

  void read_point_names() {
    const C3dParameter* units = find_parameter(c3d_, "POINT", "UNITS");
    if (units && !units->texts.empty()) c3d_.point_units = units->texts.front();
    c3d_.point_labels = collect_texts(c3d_, "POINT", "LABELS");
    complete_labels(c3d_.point_labels, layout_.points, "point", "POINT:LABELS");
  }

  /// As many labels as things. Names are made only for things whose data is in the file.
  void complete_labels(std::vector<std::string>& labels, std::size_t count, const char* kind,
                       const char* parameter) {
    labels.resize(layout_.frames > 0 ? count : std::min(labels.size(), count));
    std::size_t missing = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!labels[i].empty()) continue;
      labels[i] = fmt::format("{}_{}", kind, i + 1);
      ++missing;
    }
    if (missing > 0) {
      parse_.note("c3d.labels_missing",
                  fmt::format("{} of {} have no label and are named {}_1, {}_2, ... by their place",
                              missing, count, kind, kind),
                  fmt::format("parameter '{}'", parameter));
    }
    std::unordered_set<std::string_view> seen;
    for (const std::string& label : labels) {
      if (seen.insert(label).second) continue;
      parse_.note("c3d.labels_repeated", fmt::format("'{}' appears more than once", label),
                  fmt::format("parameter '{}'", parameter), "tell them apart by their index");
      break;
    }
  }

  void read_channels() {
    std::vector<std::string> labels = collect_texts(c3d_, "ANALOG", "LABELS");
    complete_labels(labels, layout_.channels, "channel", "ANALOG:LABELS");
    const std::vector<std::string> units = collect_texts(c3d_, "ANALOG", "UNITS");
    const std::vector<double> scales = collect_numbers(c3d_, "ANALOG", "SCALE");
    const std::vector<double> offsets = collect_numbers(c3d_, "ANALOG", "OFFSET");
    const double general = find_number(c3d_, "ANALOG", "GEN_SCALE").value_or(1);
    layout_.unsigned_analog = is_unsigned();
    c3d_.samples_per_frame = static_cast<int>(layout_.samples);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      C3dChannel channel;
      channel.label = std::move(labels[i]);
      if (i < units.size()) channel.unit = units[i];
      channel.scale = general * (i < scales.size() ? scales[i] : 1);
      channel.offset = i < offsets.size() ? offsets[i] : 0;
      if (layout_.unsigned_analog && channel.offset < 0) channel.offset += 65536;
      if (!std::isfinite(channel.scale) || !std::isfinite(channel.offset)) {
        parse_.fault("c3d.analog_scale", "its scale or offset is not a finite number",
                     fmt::format("analog channel '{}'", channel.label), "export the file again");
      }
      c3d_.channels.push_back(std::move(channel));
    }
    if (scales.size() < c3d_.channels.size()) {
      parse_.note("c3d.analog_unscaled",
                  fmt::format("{} of {} analog channels have no scale; 1 is taken",
                              c3d_.channels.size() - scales.size(), c3d_.channels.size()),
                  "parameter 'ANALOG:SCALE'");
    }
  }

  bool is_unsigned() const {
    const C3dParameter* format = find_parameter(c3d_, "ANALOG", "FORMAT");
    return format && !format->texts.empty() && to_lower(format->texts.front()) == "unsigned";
  }

  Parse& parse_;
  const Header& header_;
  C3dFile& c3d_;
  Layout& layout_;
};

}  // namespace

bool resolve_layout(Parse& parse, Layout& layout) { return LayoutResolver(parse, layout).run(); }

}  // namespace geste::c3d_internal
