#include "geste/formats/motion_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/byte_order_mark.hpp"
#include "geste/model/configuration.hpp"

namespace geste {
namespace {

std::span<const char* const> entry_names(JointType type) {
  static constexpr const char* kFree[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
  static constexpr const char* kSpherical[] = {"qx", "qy", "qz", "qw"};
  static constexpr const char* kPlanar[] = {"x", "y", "angle"};
  static constexpr const char* kUniversal[] = {"1", "2"};
  switch (type) {
    case JointType::free:
      return kFree;
    case JointType::spherical:
      return kSpherical;
    case JointType::planar:
      return kPlanar;
    case JointType::universal:
      return kUniversal;
    default:
      return {};
  }
}

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = line.find(',', begin);
    cells.push_back(trim(line.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return cells;
    begin = end + 1;
  }
}

/// As much of a cell as a message can hold.
std::string_view clipped(std::string_view cell) { return cell.substr(0, 40); }

/// One pass over the file: header, then rows into a growing table.
class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file, const Scene& scene, const VecX& q0)
      : text_(without_byte_order_mark(text)), file_(file), scene_(scene), q0_(q0) {}

  Result<JointMotion> read() {
    std::string_view line;
    while (next_line(line) && trim(line).empty()) {
    }
    if (trim(line).empty())
      return fault("csv.empty", "holds nothing", 0,
                   "the first line names the columns: time, joint, ...");
    if (line.substr(0, line.find(',')).find(';') != std::string_view::npos)
      return fault("csv.separator", "the columns are separated by ';'", 0,
                   "separate them with commas, and write numbers with a decimal point");
    if (!read_header(line)) return make_error(std::move(faults_));
    while (next_line(line)) {
      if (!trim(line).empty()) read_row(line);
      if (faults_.size() >= kMostFaults) break;
    }
    if (times_.empty() && faults_.empty()) {
      return fault("csv.no_rows", "has column names but no rows", 0, "add one row for each moment");
    }
    if (!faults_.empty()) return make_error(std::move(faults_));
    JointMotion motion;
    motion.times = std::move(times_);
    motion.q = Eigen::Map<const MatX>(values_.data(), scene_.nq(),
                                      static_cast<Eigen::Index>(motion.times.size()));
    return motion;
  }

 private:
  bool next_line(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }

  Diagnostic fault(const char* code, std::string message, int column, std::string remedy) const {
    return {code,
            std::move(message),
            file_,
            line_,
            column,
            column > 0 ? fmt::format("column {}", column) : "",
            std::move(remedy)};
  }

  bool read_header(std::string_view line) {
    const std::vector<std::string> known = make_column_names(scene_);
    std::unordered_map<std::string_view, int> entry;
    for (std::size_t i = 0; i < known.size(); ++i) entry.emplace(known[i], static_cast<int>(i));
    std::vector<char> seen(known.size(), 0);
    int column = 0;
    for (std::string_view name : split_cells(line)) {
      if (faults_.size() >= kMostFaults) return false;
      ++column;
      const auto found = entry.find(name);
      if (column == 1) {
        if (name != "time")
          faults_.push_back(fault(
              "csv.no_time", fmt::format("the first column is '{}', not 'time'", clipped(name)), 1,
              "put the time in s first"));
        entries_.push_back(-1);
        continue;
      }
      if (found == entry.end()) {
        faults_.push_back(fault("csv.unknown_column",
                                fmt::format("no joint of the scene is called '{}'", clipped(name)),
                                column, suggest_name(name, known)));
        continue;
      }
      if (seen[static_cast<std::size_t>(found->second)]++) {
        faults_.push_back(fault("csv.duplicate_column", fmt::format("'{}' is given twice", name),
                                column, "remove one of the two"));
      }
      entries_.push_back(found->second);
    }
    check_whole_joints(known, seen);
    return faults_.empty();
  }

  /// A joint with several entries comes whole or not at all.
  void check_whole_joints(const std::vector<std::string>& known, const std::vector<char>& seen) {
    for (const Joint& j : scene_.joints()) {
      const auto begin = seen.begin() + j.q;
      const auto given = std::count_if(begin, begin + j.nq, [](char s) { return s != 0; });
      if (given == 0 || given == j.nq) continue;
      const auto missing =
          static_cast<std::size_t>(std::find(begin, begin + j.nq, 0) - seen.begin());
      faults_.push_back(fault("csv.missing_column",
                              fmt::format("joint '{}' has no column '{}'", j.name, known[missing]),
                              0, "give all entries of a joint, or none"));
    }
  }

  void read_row(std::string_view line) {
    const std::vector<std::string_view> cells = split_cells(line);
    if (cells.size() != entries_.size()) {
      faults_.push_back(
          fault("csv.cell_count",
                fmt::format("the row has {} cells, the header {}", cells.size(), entries_.size()),
                0, "give one number for each column"));
      return;
    }
    VecX q = q0_;
    double time = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto value = parse_double(cells[i]);
      if (!value || !std::isfinite(*value)) {
        faults_.push_back(fault("csv.not_a_number",
                                fmt::format("'{}' is not a finite number", clipped(cells[i])),
                                static_cast<int>(i) + 1, "write numbers with a decimal point"));
        return;
      }
      (entries_[i] < 0 ? time : q[entries_[i]]) = *value;
    }
    if (!times_.empty() && !(time > times_.back())) {
      faults_.push_back(
          fault("csv.time_order",
                fmt::format("the time {:g} does not come after {:g}", time, times_.back()), 1,
                "sort the rows by time"));
      return;
    }
    if (!normalise_rotations(q)) return;
    times_.push_back(time);
    values_.insert(values_.end(), q.data(), q.data() + q.size());
  }

  bool normalise_rotations(VecX& q) {
    for (const Joint& j : scene_.joints()) {
      const int offset = j.type == JointType::spherical ? 0 : j.type == JointType::free ? 3 : -1;
      if (offset < 0) continue;
      auto rotation = q.segment<4>(j.q + offset);
      const double norm = rotation.norm();
      if (!(std::abs(norm - 1) < 1e-2)) {
        faults_.push_back(
            fault("csv.bad_quaternion",
                  fmt::format("the quaternion of joint '{}' has norm {:g}", j.name, norm), 0,
                  "give a unit quaternion qx, qy, qz, qw"));
        return false;
      }
      rotation /= norm;
    }
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  const Scene& scene_;
  const VecX& q0_;
  std::size_t at_ = 0;
  int line_ = 0;
  std::vector<int> entries_;  ///< of q for each column; -1: the time
  std::vector<double> times_;
  std::vector<double> values_;
  static constexpr std::size_t kMostFaults = 20;
  std::vector<Diagnostic> faults_;
};

}  // namespace

std::vector<std::string> make_column_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Joint& j : scene.joints()) {
    if (j.nq == 1) names.push_back(j.name);
    for (const char* entry : entry_names(j.type))
      names.push_back(fmt::format("{}:{}", j.name, entry));
  }
  return names;
}

std::string write_motion_csv(const Scene& scene, const JointMotion& motion, const Budget& budget) {
  BudgetMeter meter(budget);
  std::string out = "time";
  for (const std::string& name : make_column_names(scene)) out += "," + name;
  out += '\n';
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    if (!meter.spend()) return {};
    fmt::format_to(std::back_inserter(out), "{}", motion.times[i]);
    for (int k = 0; k < scene.nq(); ++k) {
      fmt::format_to(std::back_inserter(out), ",{}", motion.q(k, static_cast<Eigen::Index>(i)));
    }
    out += '\n';
  }
  return out;
}

Result<JointMotion> parse_motion_csv(std::string_view text, const std::string& file,
                                     const Scene& scene, const VecX& q0) {
  return CsvReader(text, file, scene, q0).read();
}

Result<JointMotion> load_motion_csv(const std::filesystem::path& path, const Scene& scene,
                                    const VecX& q0) {
  const Result<std::string> text = load_file(path);
  if (!text) return text.error();
  return parse_motion_csv(*text, path.string(), scene, q0);
}

}  // namespace geste
