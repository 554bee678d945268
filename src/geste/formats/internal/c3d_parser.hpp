#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geste/formats/c3d.hpp"
#include "geste/formats/internal/c3d_bytes.hpp"

namespace geste::c3d_internal {

/// A file with an oddity in every record is not worth a note for every record.
inline constexpr std::size_t kMostNotes = 50;

/// The first block, in numbers.
struct Header {
  std::size_t parameter_begin = 0;  ///< byte
  int points = 0;
  int analog_per_frame = 0;  ///< channels times samples
  int first_frame = 0;
  int last_frame = 0;
  double scale = 0;
  int data_block = 0;  ///< from 1
  int samples_per_frame = 0;
  double rate = 0;
};

/// How the data section is laid out, once header and parameters have been heard.
struct Layout {
  std::size_t points = 0;
  std::size_t channels = 0;
  std::size_t samples = 0;  ///< per channel and frame
  std::size_t frames = 0;
  std::size_t begin = 0;  ///< byte
  bool unsigned_analog = false;

  [[nodiscard]] std::size_t values_per_frame() const { return 4 * points + channels * samples; }
};

struct Parse {
  Bytes bytes;
  Header header;
  C3dFile c3d;
  std::vector<Diagnostic> faults;

  /// Adds a fault and returns false, for `return fault(...)`.
  bool fault(const char* code, std::string message, std::string element, std::string remedy);
  void note(const char* code, std::string message, std::string element, std::string remedy = "");
};

/// The parameter section into c3d.groups.
void parse_parameters(Parse& parse);
/// Reads counts, rates, scales and labels; false with faults when the data cannot be found.
bool resolve_layout(Parse& parse, Layout& layout);
/// Points and analog samples.
void read_data(Parse& parse, const Layout& layout);
void read_events(Parse& parse);

/// A number of the parameter, when it exists and is finite.
std::optional<double> find_number(const C3dFile& c3d, std::string_view group, std::string_view name,
                                  std::size_t index = 0);
/// NAME, then NAME2, NAME3, ... as long as they exist: a list that outgrew 255 entries.
std::vector<std::string> collect_texts(const C3dFile& c3d, std::string_view group,
                                       std::string_view name);
std::vector<double> collect_numbers(const C3dFile& c3d, std::string_view group,
                                    std::string_view name);

}  // namespace geste::c3d_internal
