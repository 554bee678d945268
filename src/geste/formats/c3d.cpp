#include "geste/formats/c3d.hpp"

#include <fmt/format.h>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/c3d_parser.hpp"
#include "geste/formats/internal/length_units.hpp"

namespace geste {
namespace c3d_internal {

bool Parse::fault(const char* code, std::string message, std::string element, std::string remedy) {
  faults.push_back(
      {code, std::move(message), c3d.file, 0, 0, std::move(element), std::move(remedy)});
  return false;
}

void Parse::note(const char* code, std::string message, std::string element, std::string remedy) {
  if (c3d.notes.size() >= kMostNotes) return;
  c3d.notes.push_back(
      {code, std::move(message), c3d.file, 0, 0, std::move(element), std::move(remedy)});
}

namespace {

Diagnostic not_c3d(const std::string& file_name, std::string message) {
  Diagnostic fault;
  fault.code = "c3d.not_c3d";
  fault.message = std::move(message);
  fault.file = file_name;
  fault.remedy = "check that this is a C3D motion capture file";
  return fault;
}

/// Where the parameters begin. The first byte counts blocks from 1; the second marks the format.
Result<std::size_t> find_parameters(std::string_view data, const std::string& file_name) {
  if (data.size() < kBlock) {
    return not_c3d(file_name,
                   fmt::format("has {} bytes; a C3D header alone takes 512", data.size()));
  }
  if (static_cast<unsigned char>(data[1]) != 0x50) {
    return not_c3d(file_name, fmt::format("the second byte is 0x{:02x}, not the 0x50 of C3D",
                                          static_cast<unsigned char>(data[1])));
  }
  const auto block = static_cast<unsigned char>(data[0]);
  const std::size_t begin = (block - std::size_t{1}) * kBlock;
  if (block >= 2 && begin + 4 <= data.size()) return begin;
  Diagnostic fault = not_c3d(
      file_name, fmt::format("the parameters should begin at block {}, which is not in the file "
                             "of {} bytes",
                             block, data.size()));
  fault.code = "c3d.parameters_missing";
  fault.remedy = "copy or export the file again";
  return fault;
}

Result<C3dProcessor> find_processor(std::string_view data, std::size_t begin,
                                    const std::string& file_name) {
  const auto number = static_cast<unsigned char>(data[begin + 3]);
  if (number >= 84 && number <= 86) return static_cast<C3dProcessor>(number - 84);
  Diagnostic fault = not_c3d(
      file_name, fmt::format("byte {} names processor type {}; 84 (Intel), 85 (DEC) and 86 (SGI) "
                             "are known",
                             begin + 3, number));
  fault.code = "c3d.processor";
  return fault;
}

Header read_header(const Bytes& bytes, std::size_t parameter_begin) {
  Header header;
  header.parameter_begin = parameter_begin;
  header.points = bytes.u16(2);
  header.analog_per_frame = bytes.u16(4);
  header.first_frame = bytes.u16(6);
  header.last_frame = bytes.u16(8);
  header.scale = bytes.real(12);
  header.data_block = bytes.u16(16);
  header.samples_per_frame = bytes.u16(18);
  header.rate = bytes.real(20);
  return header;
}

}  // namespace
}  // namespace c3d_internal

const char* to_string(C3dProcessor processor) {
  constexpr const char* kNames[] = {"Intel", "DEC", "SGI"};
  return kNames[static_cast<int>(processor)];
}

const char* to_string(C3dStorage storage) {
  return storage == C3dStorage::int16 ? "int16" : "float";
}

Result<C3dFile> parse_c3d(std::string_view data, const std::string& file_name) {
  using namespace c3d_internal;
  const Result<std::size_t> begin = find_parameters(data, file_name);
  if (!begin) return begin.error();
  const Result<C3dProcessor> processor = find_processor(data, *begin, file_name);
  if (!processor) return processor.error();

  const Bytes bytes(data, *processor);
  Parse parse{bytes, read_header(bytes, *begin), {}, {}};
  parse.c3d.file = file_name;
  parse.c3d.processor = *processor;
  parse_parameters(parse);
  Layout layout;
  if (!resolve_layout(parse, layout)) return make_error(std::move(parse.faults));
  read_data(parse, layout);
  read_events(parse);
  return std::move(parse.c3d);
}

Result<C3dFile> load_c3d(const std::filesystem::path& path) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return parse_c3d(*bytes, path.string());
}

Result<double> metres_per_unit(const C3dFile& c3d) {
  if (const LengthUnit* unit = find_length_unit(c3d.point_units)) return unit->metres;
  Error error;
  error.code = "c3d.unit_unknown";
  error.file = c3d.file;
  error.element = "parameter 'POINT:UNITS'";
  error.message = c3d.point_units.empty()
                      ? "the file states no unit for its points"
                      : fmt::format("'{}' is not a length known here", c3d.point_units);
  error.remedy = "give the metres per unit yourself; most captures are in mm (0.001)";
  return error;
}

}  // namespace geste
