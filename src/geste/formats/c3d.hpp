#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/math/types.hpp"

namespace geste {

// C3D: marker trajectories and synchronous analog channels of a capture, binary.
//
// After the C3D User Guide (Motion Lab Systems, c3d.org). A file is written in the number format of
// one of three processors, with data as 16-bit integers or 32-bit floats, and says most things
// twice, in its header and in its parameters. Where these disagree the parameters win and a note
// tells; the data's start falls back to the header's where only that one fits the file.

enum class C3dProcessor { intel, dec, sgi };
enum class C3dStorage { int16, real };
enum class C3dType { text, byte, integer, real };

const char* to_string(C3dProcessor processor);
const char* to_string(C3dStorage storage);

struct C3dParameter {
  std::string name;  ///< upper case
  std::string description;
  C3dType type = C3dType::real;
  bool locked = false;
  /// Empty for a scalar. The first index runs fastest (FORTRAN order).
  std::vector<int> dims;
  /// Of byte, integer and real parameters, in storage order. Integers are as signed as stored.
  std::vector<double> numbers;
  /// Of text parameters: without the first dimension, which is their length; blanks at the end
  /// removed.
  std::vector<std::string> texts;
};

struct C3dGroup {
  std::string name;  ///< upper case
  std::string description;
  bool locked = false;
  std::vector<C3dParameter> parameters;
};

/// A marker in one frame.
struct C3dPoint {
  Vec3 p = Vec3::Zero();     ///< in point_units. Means nothing when not valid
  float residual = -1;       ///< in point_units; 0: filled or filtered; negative: not seen
  std::uint8_t cameras = 0;  ///< bit i: camera i + 1 saw it

  [[nodiscard]] bool valid() const { return residual >= 0; }
};

/// value = (stored - offset) * scale
struct C3dChannel {
  std::string label;
  std::string unit;
  double scale = 1;  ///< ANALOG:SCALE times ANALOG:GEN_SCALE
  double offset = 0;
};

struct C3dEvent {
  std::string label;
  std::string context;  ///< "Left", "Right", "General"; empty in the header's events
  double time = 0;      ///< s
};

struct C3dFile {
  std::string file;
  C3dProcessor processor = C3dProcessor::intel;
  C3dStorage storage = C3dStorage::real;

  int frames = 0;
  int first_frame = 1;      ///< number of the first frame in the original capture
  double rate = 0;          ///< Hz; 0 where the file does not state it
  double point_scale = 0;   ///< POINT:SCALE, negative for float storage
  std::string point_units;  ///< as written: "mm"
  std::vector<std::string> point_labels;
  std::vector<C3dPoint> points;  ///< frames x point_labels, frame by frame

  std::vector<C3dChannel> channels;
  int samples_per_frame = 0;  ///< of each channel
  /// Values in the channels' units: frames x samples x channels, the channel running fastest.
  std::vector<double> analog;

  std::vector<C3dGroup> groups;  ///< in the order of the file
  std::vector<C3dEvent> events;  ///< of the EVENT group, else of the header
  Notes notes;

  [[nodiscard]] const C3dPoint& point(int frame, int index) const {
    return points[static_cast<std::size_t>(frame) * point_labels.size() + index];
  }
  [[nodiscard]] double sample(int frame, int sample, int channel) const {
    const auto row = static_cast<std::size_t>(frame) * samples_per_frame + sample;
    return analog[row * channels.size() + channel];
  }
};

Result<C3dFile> parse_c3d(std::string_view bytes, const std::string& file_name);
Result<C3dFile> load_c3d(const std::filesystem::path& path);

/// Names in upper case; null when there is none.
const C3dParameter* find_parameter(const C3dFile& c3d, std::string_view group,
                                   std::string_view name);

/// Metres in one unit of the points. An error where the file states no unit or one that is not a
/// length known here ("m", "dm", "cm", "mm", "um", "in", "ft" and their names).
Result<double> metres_per_unit(const C3dFile& c3d);

}  // namespace geste
