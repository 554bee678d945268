#include "geste/formats/c3d.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <random>

#include "formats/mocap_reference.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::load_csv;
using testing::mocap;
using testing::number;
using testing::Row;

bool has_note(const C3dFile& c3d, const std::string& code, const std::string& element = "") {
  for (const Note& note : c3d.notes) {
    if (note.code == code && note.element.find(element) != std::string::npos) return true;
  }
  return false;
}

// CH-11
TEST(C3d, AgreesWithTheReference) {
  GESTE_NEEDS_DATA(mocap("c3d_reference.csv"));
  for (const Row& row : load_csv(mocap("c3d_reference.csv"))) {
    SCOPED_TRACE(row.at("file"));
    const Result<C3dFile> c3d = load_c3d(mocap(row.at("file")));
    ASSERT_TRUE(c3d) << to_text(c3d.error());
    EXPECT_EQ(to_string(c3d->processor), row.at("processor"));
    EXPECT_EQ(to_string(c3d->storage), row.at("storage"));
    EXPECT_NEAR(c3d->point_scale, number(row, "point_scale"), 1e-8);
    EXPECT_EQ(static_cast<double>(c3d->point_labels.size()), number(row, "points"));
    EXPECT_EQ(c3d->frames, number(row, "frames"));
    EXPECT_EQ(c3d->first_frame, number(row, "first_frame_in_header"));
    EXPECT_EQ(c3d->rate, number(row, "rate_hz"));
    EXPECT_EQ(c3d->point_units, row.at("units"));
    EXPECT_EQ(metres_per_unit(*c3d).value(), 0.001);
    EXPECT_EQ(static_cast<double>(c3d->channels.size()), number(row, "analog_channels"));
    EXPECT_EQ(c3d->samples_per_frame, number(row, "analog_samples_per_frame"));
    EXPECT_EQ(static_cast<double>(c3d->groups.size()), number(row, "parameter_groups"));
    double sum = 0;
    int invalid = 0;
    for (const C3dPoint& point : c3d->points) {
      if (point.valid()) sum += point.p.sum();
      invalid += point.valid() ? 0 : 1;
    }
    EXPECT_EQ(invalid, number(row, "invalid_point_samples"));
    EXPECT_NEAR(sum, number(row, "sum_of_all_valid_coordinates"), 1e-5);
    for (const double value : c3d->analog) ASSERT_TRUE(std::isfinite(value));
    // The gait file labels the joint centres it computed like the markers they come from.
    const bool repeats = row.at("file") == "BMC_Gait.c3d";
    EXPECT_EQ(c3d->notes.size(), repeats ? 1u : 0u);
    EXPECT_EQ(has_note(*c3d, "c3d.labels_repeated", "POINT:LABELS"), repeats);
  }
}

// CH-11
TEST(C3d, PlacesThePointsOfTheReference) {
  GESTE_NEEDS_DATA(mocap("c3d_reference_points.csv"));
  std::map<std::string, C3dFile> files;
  int rows = 0;
  for (const Row& row : load_csv(mocap("c3d_reference_points.csv"))) {
    const std::string& name = row.at("file");
    if (!files.count(name)) files[name] = load_c3d(mocap(name)).value();
    const C3dFile& c3d = files[name];
    const int index = static_cast<int>(number(row, "point_index_from_0"));
    const C3dPoint& point = c3d.point(static_cast<int>(number(row, "frame_index_from_0")), index);
    const Vec3 expected(number(row, "x"), number(row, "y"), number(row, "z"));
    EXPECT_LT((point.p - expected).cwiseAbs().maxCoeff(), 1e-6) << name << " " << index;
    EXPECT_EQ(point.valid(), row.at("valid") == "1");
    EXPECT_EQ(c3d.point_labels[index], row.at("label"));
    ++rows;
  }
  EXPECT_EQ(rows, 24);
}

/// A foot on a plate weighs what a person weighs. The plates are of type 4: the force is the
/// calibration matrix times the channels, and its largest term by far is the diagonal one.
TEST(C3d, ScalesAnalogChannels) {
  GESTE_NEEDS_DATA(mocap("BMC_Gait.c3d"));
  const C3dFile c3d = load_c3d(mocap("BMC_Gait.c3d")).value();
  const C3dParameter* matrix = find_parameter(c3d, "FORCE_PLATFORM", "CAL_MATRIX");
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->dims, (std::vector<int>{6, 6, 2}));
  for (const int plate : {0, 1}) {
    double smallest = 0;
    double largest = 0;
    for (int frame = 0; frame < c3d.frames; ++frame) {
      for (int k = 0; k < c3d.samples_per_frame; ++k) {
        const double force = matrix->numbers[36 * plate + 14] * c3d.sample(frame, k, 6 * plate + 2);
        smallest = std::min(smallest, force);
        largest = std::max(largest, force);
      }
    }
    EXPECT_EQ(c3d.channels[6 * plate + 2].label, plate == 0 ? "F1Z" : "F2Z");
    EXPECT_EQ(c3d.channels[6 * plate + 2].unit, "N");
    EXPECT_NEAR(smallest, -830, 40);  // pushed down
    EXPECT_LT(largest, 30);
  }
}

/// Writes numbers the way one of the three processors stored them.
class Encoder {
 public:
  explicit Encoder(C3dProcessor processor) : processor_(processor) {}

  void u8(int value) { bytes += static_cast<char>(value); }
  void i16(int value) {
    const auto word = static_cast<std::uint16_t>(value);
    if (processor_ == C3dProcessor::sgi) {
      u8(word >> 8);
      u8(word & 0xFF);
    } else {
      u8(word & 0xFF);
      u8(word >> 8);
    }
  }
  void real(double value) {
    if (processor_ == C3dProcessor::dec) {
      const std::uint32_t bits = vax_bits(value);
      i16(static_cast<int>(bits >> 16));
      i16(static_cast<int>(bits & 0xFFFF));
    } else {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      const bool big = processor_ == C3dProcessor::sgi;
      i16(static_cast<int>(big ? bits >> 16 : bits & 0xFFFF));
      i16(static_cast<int>(big ? bits & 0xFFFF : bits >> 16));
    }
  }
  void text(const std::string& value) { bytes += value; }
  void pad_to(std::size_t size) { bytes.resize(std::max(size, bytes.size()), '\0'); }
  void pad_block() { pad_to((bytes.size() + 511) / 512 * 512); }

  std::string bytes;

 private:
  /// F_floating by its definition: +-0.1fff (binary) times 2 to the (exponent - 128).
  static std::uint32_t vax_bits(double value) {
    if (value == 0) return 0;
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(value), &exponent);
    auto fraction = static_cast<std::uint32_t>(std::llround(std::ldexp(mantissa, 24)));
    if (fraction == 1u << 24) {
      fraction >>= 1;
      ++exponent;
    }
    return (value < 0 ? 1u << 31 : 0u) | static_cast<std::uint32_t>(exponent + 128) << 23 |
           (fraction & 0x7FFFFFu);
  }

  C3dProcessor processor_;
};

/// What to write. Header figures follow the parameters unless given.
struct Capture {
  C3dProcessor processor = C3dProcessor::intel;
  bool real = true;
  int points = 3;
  int channels = 2;
  int samples = 4;
  int frames = 5;
  int parameter_block = 2;
  double scale = 0.05;
  int labels_per_parameter = 255;
  bool parameters_before_groups = false;
  bool locked = false;
  bool unsigned_analog = false;
  bool events = false;
  int header_events = 0;
  std::optional<int> header_points, header_last, header_data, data_start, frames_word;
  std::optional<double> header_scale, long_frames, first_field, last_field;
  std::string units = "mm";

  std::vector<std::array<double, 4>> point_values;  ///< x, y, z and the fourth word
  std::vector<double> analog_values;                ///< as stored
};

class CaptureWriter {
 public:
  explicit CaptureWriter(const Capture& capture) : c_(capture) {}

  std::string write() {
    Encoder parameters = encode_parameters(0);
    const std::size_t blocks = parameters.bytes.size() / 512;
    const int data_block = c_.parameter_block + static_cast<int>(blocks);
    parameters = encode_parameters(c_.data_start.value_or(data_block));
    Encoder out = encode_header(c_.header_data.value_or(data_block));
    out.pad_to(static_cast<std::size_t>(c_.parameter_block - 1) * 512);
    out.bytes += parameters.bytes;
    encode_data(out);
    return out.bytes;
  }

 private:
  double stored_scale() const { return c_.real ? -c_.scale : c_.scale; }

  Encoder encode_header(int data_block) const {
    Encoder out(c_.processor);
    out.u8(c_.parameter_block);
    out.u8(0x50);
    out.i16(c_.header_points.value_or(c_.points));
    out.i16(c_.channels * c_.samples);
    out.i16(1);
    out.i16(c_.header_last.value_or(std::min(c_.frames, 65535)));
    out.i16(10);
    out.real(c_.header_scale.value_or(stored_scale()));
    out.i16(data_block);
    out.i16(c_.samples);
    out.real(100);
    out.pad_to(298);
    out.i16(0x3039);
    out.i16(c_.header_events);
    out.pad_to(304);
    for (int i = 0; i < c_.header_events; ++i) out.real(0.25 * i);
    out.pad_to(396);
    for (int i = 0; i < c_.header_events; ++i) out.text(fmt::format("E{:<3}", i));
    out.pad_to(512);
    return out;
  }

  void record(Encoder& out, const std::string& name, int id, const std::string& body) const {
    out.u8(static_cast<int>(name.size()) * (c_.locked ? -1 : 1));
    out.u8(id);
    out.text(name);
    out.i16(static_cast<int>(body.size()) + 2);
    out.text(body);
  }
  void group(Encoder& out, const std::string& name, int id) const {
    record(out, name, -id, std::string(1, '\4') + "what");
  }
  void numbers(Encoder& out, int id, const std::string& name, int type,
               const std::vector<double>& values, std::vector<int> dims = {}) const {
    Encoder body(c_.processor);
    body.u8(type);
    if (values.size() != 1 && dims.empty()) dims = {static_cast<int>(values.size())};
    body.u8(static_cast<int>(dims.size()));
    for (const int dim : dims) body.u8(dim);
    for (const double value : values) {
      if (type == 2) body.i16(static_cast<int>(value));
      if (type == 4) body.real(value);
    }
    body.u8(0);
    record(out, name, id, body.bytes);
  }
  void texts(Encoder& out, int id, const std::string& name,
             const std::vector<std::string>& values) const {
    constexpr std::size_t kLength = 12;
    Encoder body(c_.processor);
    body.u8(-1);
    body.u8(2);
    body.u8(kLength);
    body.u8(static_cast<int>(values.size()));
    for (std::string value : values) {
      value.resize(kLength, ' ');
      body.text(value);
    }
    body.u8(5);
    body.text("hello");
    record(out, name, id, body.bytes);
  }
  void labels(Encoder& out, int id, const std::string& stem, int count) const {
    for (int begin = 0, part = 1; begin < count; begin += c_.labels_per_parameter, ++part) {
      std::vector<std::string> values;
      for (int i = begin; i < std::min(count, begin + c_.labels_per_parameter); ++i) {
        values.push_back(fmt::format("{}{}", stem, i));
      }
      texts(out, id, part == 1 ? "LABELS" : fmt::format("LABELS{}", part), values);
    }
  }

  void groups(Encoder& out) const {
    group(out, "POINT", 7);
    group(out, "ANALOG", 1);
    if (c_.events) group(out, "EVENT", 40);
    if (c_.first_field) group(out, "TRIAL", 3);
  }

  Encoder encode_parameters(int data_start) const {
    Encoder out(c_.processor);
    out.u8(1);
    out.u8(0x50);
    out.u8(0);
    out.u8(84 + static_cast<int>(c_.processor));
    if (!c_.parameters_before_groups) groups(out);
    numbers(out, 7, "USED", 2, {double(c_.points)});
    numbers(out, 7, "FRAMES", 2, {double(c_.frames_word.value_or(std::min(c_.frames, 65535)))});
    numbers(out, 7, "SCALE", 4, {stored_scale()});
    numbers(out, 7, "RATE", 4, {100});
    numbers(out, 7, "DATA_START", 2, {double(data_start)});
    if (c_.long_frames) numbers(out, 7, "LONG_FRAMES", 4, {*c_.long_frames});
    texts(out, 7, "UNITS", {c_.units});
    labels(out, 7, "M", c_.points);
    numbers(out, 1, "USED", 2, {double(c_.channels)});
    numbers(out, 1, "RATE", 4, {100.0 * c_.samples});
    numbers(out, 1, "GEN_SCALE", 4, {0.5});
    std::vector<double> scales, offsets;
    for (int i = 0; i < c_.channels; ++i) scales.push_back(0.25 * (i + 1));
    for (int i = 0; i < c_.channels; ++i)
      offsets.push_back(c_.unsigned_analog ? 32768 + i : 10 * i);
    numbers(out, 1, "SCALE", 4, scales);
    numbers(out, 1, "OFFSET", 2, offsets);
    if (c_.unsigned_analog) texts(out, 1, "FORMAT", {"UNSIGNED"});
    texts(out, 1, "UNITS", std::vector<std::string>(c_.channels, "N"));
    labels(out, 1, "A", c_.channels);
    if (c_.events) {
      numbers(out, 40, "USED", 2, {2});
      numbers(out, 40, "TIMES", 4, {0, 1.5, 2, 3.25}, {2, 2});
      texts(out, 40, "LABELS", {"Foot Strike", "Foot Off"});
      texts(out, 40, "CONTEXTS", {"Left", "Right"});
    }
    if (c_.first_field) {
      const auto words = [](double value) {
        const auto whole = static_cast<std::uint32_t>(value);
        return std::vector<double>{double(whole & 0xFFFF), double(whole >> 16)};
      };
      numbers(out, 3, "ACTUAL_START_FIELD", 2, words(*c_.first_field));
      numbers(out, 3, "ACTUAL_END_FIELD", 2, words(*c_.last_field));
    }
    if (c_.parameters_before_groups) groups(out);
    out.u8(0);
    out.pad_block();
    out.bytes[2] = static_cast<char>(out.bytes.size() / 512);
    return out;
  }

  void encode_data(Encoder& out) const {
    const auto value = [&](double v) {
      if (c_.real) {
        out.real(v);
      } else {
        out.i16(static_cast<int>(v));
      }
    };
    std::size_t point = 0;
    std::size_t sample = 0;
    for (int frame = 0; frame < c_.frames; ++frame) {
      for (int i = 0; i < c_.points; ++i, ++point) {
        for (const double v : c_.point_values[point]) value(v);
      }
      for (int i = 0; i < c_.channels * c_.samples; ++i) value(c_.analog_values[sample++]);
    }
    out.pad_block();
  }

  const Capture& c_;
};

std::string write(const Capture& capture) { return CaptureWriter(capture).write(); }

/// Values a processor can store: whole numbers for integers, 24 bits for floats.
void fill(Capture& capture, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> word(-32768, 32767);
  std::uniform_real_distribution<float> metre(-2000, 2000);
  const auto real = [&] { return static_cast<double>(metre(random)); };
  capture.point_values.clear();
  capture.analog_values.clear();
  for (int i = 0; i < capture.frames * capture.points; ++i) {
    std::array<double, 4> values{};
    for (int k = 0; k < 3; ++k) values[k] = capture.real ? real() : word(random);
    values[3] = random() % 4 == 0 ? -1 : static_cast<double>(random() % 32768);
    capture.point_values.push_back(values);
  }
  for (int i = 0; i < capture.frames * capture.channels * capture.samples; ++i) {
    const double integer = word(random) + (capture.unsigned_analog ? 32768 : 0);
    capture.analog_values.push_back(capture.real ? real() : integer);
  }
}

/// The file read back equals what was written, exactly: no step loses a bit that was stored.
void expect_same(const Capture& capture, const C3dFile& c3d) {
  ASSERT_EQ(c3d.frames, capture.frames);
  ASSERT_EQ(static_cast<int>(c3d.point_labels.size()), capture.points);
  ASSERT_EQ(static_cast<int>(c3d.channels.size()), capture.channels);
  ASSERT_EQ(c3d.points.size(), capture.point_values.size());
  ASSERT_EQ(c3d.analog.size(), capture.analog_values.size());
  const double scale = c3d.point_scale;
  EXPECT_NEAR(std::abs(scale), capture.scale, 1e-8);
  for (std::size_t i = 0; i < c3d.points.size(); ++i) {
    const auto& [x, y, z, word] = capture.point_values[i];
    const Vec3 stored(x, y, z);
    ASSERT_EQ(c3d.points[i].p, capture.real ? stored : Vec3(stored * scale)) << i;
    ASSERT_EQ(c3d.points[i].valid(), word >= 0);
    if (word < 0) continue;
    ASSERT_EQ(c3d.points[i].cameras, static_cast<int>(word) / 256);
    ASSERT_FLOAT_EQ(c3d.points[i].residual,
                    static_cast<float>(static_cast<int>(word) % 256 * std::abs(scale)));
  }
  for (std::size_t i = 0; i < c3d.analog.size(); ++i) {
    const int channel = static_cast<int>(i) % capture.channels;
    const double offset = capture.unsigned_analog ? 32768 + channel : 10 * channel;
    ASSERT_EQ(c3d.analog[i], (capture.analog_values[i] - offset) * 0.5 * 0.25 * (channel + 1)) << i;
  }
  for (int i = 0; i < capture.points; ++i) EXPECT_EQ(c3d.point_labels[i], fmt::format("M{}", i));
  for (int i = 0; i < capture.channels; ++i)
    EXPECT_EQ(c3d.channels[i].label, fmt::format("A{}", i));
}

C3dFile read_back(const Capture& capture) {
  const Result<C3dFile> c3d = parse_c3d(write(capture), "made.c3d");
  EXPECT_TRUE(c3d) << to_text(c3d.error());
  return c3d ? *c3d : C3dFile();
}

TEST(C3d, ReadsWhatEachProcessorWrites) {
  unsigned seed = 1;
  for (const C3dProcessor processor : {C3dProcessor::intel, C3dProcessor::dec, C3dProcessor::sgi}) {
    for (const bool real : {false, true}) {
      for (const bool odd : {false, true}) {
        Capture capture;
        capture.processor = processor;
        capture.real = real;
        capture.parameter_block = odd ? 4 : 2;
        capture.parameters_before_groups = odd;
        capture.locked = odd;
        capture.unsigned_analog = odd;
        capture.points = odd ? 7 : 3;
        capture.frames = 40;
        fill(capture, ++seed);
        SCOPED_TRACE(fmt::format("{} {} {}", to_string(processor), real, odd));
        const C3dFile c3d = read_back(capture);
        EXPECT_EQ(c3d.processor, processor);
        EXPECT_EQ(c3d.storage, real ? C3dStorage::real : C3dStorage::int16);
        EXPECT_TRUE(c3d.notes.empty()) << to_text(c3d.notes.front());
        expect_same(capture, c3d);
        const C3dParameter* units = find_parameter(c3d, "POINT", "UNITS");
        ASSERT_TRUE(units);
        EXPECT_EQ(units->locked, odd);
        EXPECT_EQ(units->description, "hello");
        EXPECT_EQ(c3d.groups[0].name, "POINT");
        EXPECT_EQ(c3d.groups[0].description, "what");
      }
    }
  }
}

TEST(C3d, KnownBytesOfVaxFloats) {
  // Figures of DEC's handbook: 1.0 is 40 80 00 00 by words, -1.0 is C0 80.
  Capture capture;
  capture.processor = C3dProcessor::dec;
  capture.points = 1;
  capture.channels = 0;
  capture.samples = 0;
  capture.frames = 1;
  capture.point_values = {{1, -1, 0.5, 0}};
  const std::string bytes = write(capture);
  const std::string expected("\x80\x40\0\0\x80\xC0\0\0\0\x40\0\0\0\0\0\0", 16);
  EXPECT_NE(bytes.find(expected), std::string::npos);
  const C3dFile c3d = read_back(capture);
  EXPECT_EQ(c3d.points[0].p, Vec3(1, -1, 0.5));
  EXPECT_EQ(c3d.points[0].residual, 0);
}

TEST(C3d, ListsThatOutgrewOneParameter) {
  Capture capture;
  capture.points = 600;
  capture.labels_per_parameter = 250;
  capture.frames = 2;
  fill(capture, 5);
  const C3dFile c3d = read_back(capture);
  expect_same(capture, c3d);
  EXPECT_TRUE(find_parameter(c3d, "POINT", "LABELS3"));
}

TEST(C3d, RecordingsBeyond16Bits) {
  for (const int kind : {0, 1, 2}) {
    Capture capture;
    capture.points = 1;
    capture.channels = 0;
    capture.samples = 0;
    capture.real = false;
    capture.frames = 70000;
    if (kind == 0) capture.long_frames = 70000;
    if (kind > 0) {
      capture.first_field = 101;
      capture.last_field = 70100;
    }
    if (kind == 2) capture.frames_word = 70000 - 65536;  // wrapped instead of saturated
    fill(capture, 6);
    const C3dFile c3d = read_back(capture);
    expect_same(capture, c3d);
    EXPECT_EQ(c3d.first_frame, kind == 0 ? 1 : 101);
  }
  // 40000 frames fit 16 bits only without a sign.
  Capture capture;
  capture.points = 1;
  capture.channels = 0;
  capture.samples = 0;
  capture.frames = 40000;
  fill(capture, 7);
  expect_same(capture, read_back(capture));
}

TEST(C3d, ParametersWinOverTheHeader) {
  Capture capture;
  fill(capture, 8);
  capture.header_points = 9;
  capture.header_last = 77;
  capture.header_scale = 3;
  capture.header_data = 60;
  const C3dFile c3d = read_back(capture);
  expect_same(capture, c3d);
  for (const char* name : {"POINT:USED", "POINT:FRAMES", "POINT:SCALE", "POINT:DATA_START"}) {
    EXPECT_TRUE(has_note(c3d, "c3d.header_disagrees", name)) << name;
  }
  // A start that leaves no room for the data gives way to the header's.
  Capture wrong;
  fill(wrong, 9);
  wrong.data_start = 200;
  const C3dFile other = read_back(wrong);
  expect_same(wrong, other);
  EXPECT_TRUE(has_note(other, "c3d.header_disagrees", "POINT:DATA_START"));
}

TEST(C3d, Events) {
  Capture capture;
  capture.header_events = 3;
  fill(capture, 10);
  C3dFile c3d = read_back(capture);
  ASSERT_EQ(c3d.events.size(), 3u);
  EXPECT_EQ(c3d.events[2].label, "E2");
  EXPECT_EQ(c3d.events[2].time, 0.5);
  capture.events = true;
  c3d = read_back(capture);
  ASSERT_EQ(c3d.events.size(), 2u);
  EXPECT_EQ(c3d.events[1].label, "Foot Off");
  EXPECT_EQ(c3d.events[1].context, "Right");
  EXPECT_EQ(c3d.events[1].time, 123.25);
}

TEST(C3d, NumbersThatAreNone) {
  Capture capture;
  fill(capture, 11);
  capture.point_values[0] = {NAN, 1, 2, 0};
  capture.point_values[1] = {NAN, NAN, NAN, -1};
  capture.point_values[2] = {1, 2, 3, NAN};
  capture.analog_values[1] = INFINITY;
  const C3dFile c3d = read_back(capture);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(c3d.points[i].valid());
    EXPECT_TRUE(c3d.points[i].p.allFinite());
  }
  EXPECT_EQ(c3d.analog[1], 0);
  ASSERT_EQ(c3d.notes.size(), 2u);
  EXPECT_EQ(c3d.notes[0].message.substr(0, 8), "1 points");
  EXPECT_EQ(c3d.notes[1].element, "analog channel 'A1'");
}

TEST(C3d, Units) {
  C3dFile c3d;
  for (const auto& [name, metres] :
       std::vector<std::pair<std::string, double>>{{"mm", 0.001},
                                                   {"MM ", 0.001},
                                                   {"m", 1},
                                                   {"cm", 0.01},
                                                   {"Meters", 1},
                                                   {"inches", 0.0254}}) {
    c3d.point_units = name;
    EXPECT_EQ(metres_per_unit(c3d).value(), metres) << name;
  }
  c3d.point_units = "furlong";
  EXPECT_EQ(metres_per_unit(c3d).error().code, "c3d.unit_unknown");
  c3d.point_units = "";
  EXPECT_NE(metres_per_unit(c3d).error().message.find("no unit"), std::string::npos);
}

struct BadCase {
  const char* name;
  std::string bytes;
  const char* code;
  const char* message;
};

std::string made(const std::function<void(Capture&)>& change = [](Capture&) {}) {
  Capture capture;
  change(capture);
  fill(capture, 12);
  return write(capture);
}

std::string with_byte(std::string bytes, std::size_t at, int value) {
  bytes[at] = static_cast<char>(value);
  return bytes;
}

class C3dBadInput : public ::testing::TestWithParam<BadCase> {};

TEST_P(C3dBadInput, IsRefusedWithCauseAndRemedy) {
  const BadCase& bad = GetParam();
  const Result<C3dFile> c3d = parse_c3d(bad.bytes, "bad.c3d");
  ASSERT_FALSE(c3d);
  EXPECT_EQ(c3d.error().code, bad.code) << to_text(c3d.error());
  EXPECT_EQ(c3d.error().file, "bad.c3d");
  EXPECT_NE(c3d.error().message.find(bad.message), std::string::npos) << c3d.error().message;
  EXPECT_FALSE(c3d.error().remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, C3dBadInput,
    ::testing::Values(
        BadCase{"empty", "", "c3d.not_c3d", "has 0 bytes"},
        BadCase{"other_format", std::string(2000, 'x'), "c3d.not_c3d", "0x78"},
        BadCase{"header_only", made().substr(0, 512), "c3d.parameters_missing", "block 2"},
        BadCase{"block_zero", with_byte(made(), 0, 0), "c3d.parameters_missing", "block 0"},
        BadCase{"block_far", with_byte(made(), 0, 255), "c3d.parameters_missing", "block 255"},
        BadCase{"processor", with_byte(made(), 512 + 3, 0), "c3d.processor", "type 0"},
        // 5 frames of 3 points and 8 samples as floats: 80 bytes each.
        BadCase{"truncated", made([](Capture& c) { c.frames = 50; }).substr(0, 512 * 4 + 3 * 80),
                "c3d.truncated", "states 50 frames of 80 bytes"},
        BadCase{"scale_zero", made([](Capture& c) { c.real = false, c.scale = 0; }),
                "c3d.point_scale", "is 0"},
        BadCase{"frames_claimed", made([](Capture& c) { c.long_frames = 4e9; }), "c3d.count",
                "not a plausible number of frames"},
        BadCase{"frames_too_many", made([](Capture& c) { c.long_frames = 2e9; }), "c3d.truncated",
                "states 2000000000 frames"}),
    [](const auto& test) { return test.param.name; });

TEST(C3d, TruncationTellsHowManyFramesAreThere) {
  Capture capture;
  capture.frames = 50;
  fill(capture, 13);
  const std::string bytes = write(capture);
  const std::size_t data = bytes.size() - (50 * 80 + 511) / 512 * 512;
  const Result<C3dFile> c3d = parse_c3d(bytes.substr(0, data + 7 * 80 + 3), "cut.c3d");
  ASSERT_FALSE(c3d);
  EXPECT_NE(c3d.error().message.find("but holds 7 "), std::string::npos) << c3d.error().message;
}

TEST(C3d, CutAndDamagedFilesNeverCrash) {
  std::mt19937 random(14);
  for (const C3dProcessor processor : {C3dProcessor::intel, C3dProcessor::dec, C3dProcessor::sgi}) {
    Capture capture;
    capture.processor = processor;
    capture.real = processor != C3dProcessor::dec;
    capture.events = true;
    fill(capture, 15);
    const std::string bytes = write(capture);
    const C3dFile whole = parse_c3d(bytes, "whole.c3d").value();
    for (std::size_t size = 0; size + 512 < bytes.size(); size += 7) {
      EXPECT_FALSE(parse_c3d(std::string_view(bytes).substr(0, size), "cut.c3d")) << size;
    }
    for (int round = 0; round < 3000; ++round) {
      std::string damaged = bytes;
      for (int k = 0; k < 6; ++k) {
        // Mostly header and parameters, where the counts are.
        damaged[random() % std::min<std::size_t>(bytes.size(), 1800)] = static_cast<char>(random());
      }
      damaged[1] = 0x50;
      const Result<C3dFile> c3d = parse_c3d(damaged, "damaged.c3d");
      if (!c3d) continue;
      ASSERT_LE(c3d->points.size() * 8, damaged.size());
      ASSERT_LE(c3d->analog.size() * 2, damaged.size());
      for (const C3dPoint& point : c3d->points) ASSERT_TRUE(point.p.allFinite());
      for (const double value : c3d->analog) ASSERT_TRUE(std::isfinite(value));
    }
  }
}

TEST(C3d, NamesAreMadeWhereThereAreNone) {
  Capture capture;
  capture.points = 4;
  capture.labels_per_parameter = 2;
  fill(capture, 16);
  std::string bytes = write(capture);
  bytes[bytes.find("LABELS2") + 6] = 'X';
  const C3dFile c3d = parse_c3d(bytes, "made.c3d").value();
  EXPECT_EQ(c3d.point_labels, (std::vector<std::string>{"M0", "M1", "point_3", "point_4"}));
  EXPECT_TRUE(has_note(c3d, "c3d.labels_missing", "POINT:LABELS"));
}

}  // namespace
}  // namespace geste
