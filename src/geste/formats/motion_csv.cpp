#include "geste/formats/motion_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "geste/core/files.hpp"
#include "geste/core/quantity.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/byte_order_mark.hpp"
#include "geste/formats/internal/csv_columns.hpp"
#include "geste/formats/units.hpp"
#include "geste/model/configuration.hpp"

namespace geste {
namespace {

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

  /// A column of the file: which entry of q its numbers are for, in which unit.
  struct Column {
    int entry = -1;  ///< of q; -1: the time
    double to_si = 1;
  };

  bool read_header(std::string_view line) {
    const std::vector<CsvColumn> known = list_read_columns(scene_);
    std::unordered_map<std::string_view, const CsvColumn*> by_name;
    for (const CsvColumn& column : known) by_name.emplace(column.name, &column);
    seen_.assign(static_cast<std::size_t>(scene_.nq()), 0);
    as_pose_.assign(scene_.joints().size(), 0);
    int number = 0;
    for (std::string_view cell : split_cells(line)) {
      if (faults_.size() >= kMostFaults) return false;
      ++number;
      const auto [name, unit] = split_unit(cell, by_name.contains(cell));
      if (number == 1) {
        if (name != "time")
          faults_.push_back(fault(
              "csv.no_time", fmt::format("the first column is '{}', not 'time'", clipped(name)), 1,
              "put the time in s first"));
        columns_.push_back({-1, read_unit(unit, Dimension::time, number)});
        continue;
      }
      const auto found = by_name.find(name);
      if (found == by_name.end()) {
        faults_.push_back(fault("csv.unknown_column",
                                fmt::format("no joint of the scene is called '{}'", clipped(name)),
                                number, suggest_name(name, list_names(known))));
        continue;
      }
      take_column(*found->second, unit, number);
    }
    check_whole_joints(known);
    return faults_.empty();
  }

  static std::vector<std::string> list_names(const std::vector<CsvColumn>& columns) {
    std::vector<std::string> names;
    names.reserve(columns.size());
    for (const CsvColumn& column : columns) names.push_back(column.name);
    return names;
  }

  /// "crate:pose.x [m]" as name and unit. A joint may have brackets in its own name.
  static std::pair<std::string_view, std::string_view> split_unit(std::string_view cell,
                                                                  bool is_name) {
    const std::size_t open = cell.rfind('[');
    if (is_name || !cell.ends_with(']') || open == std::string_view::npos) return {cell, {}};
    return {trim(cell.substr(0, open)), trim(cell.substr(open + 1, cell.size() - open - 2))};
  }

  /// How much of the SI unit it is; what has none is in SI.
  double read_unit(std::string_view unit, Dimension dimension, int number) {
    if (unit.empty() || (unit == "1" && dimension == Dimension::none)) return 1;
    const std::vector<MeasureUnit> units = list_units(dimension);
    std::string valid;
    for (const MeasureUnit& u : units) {
      if (u.symbol == unit) return u.to_si;
      valid += (valid.empty() ? "use one of " : ", ") + u.symbol;
    }
    faults_.push_back(fault("csv.unknown_unit",
                            fmt::format("'{}' is no unit of this column", clipped(unit)), number,
                            valid.empty() ? "leave the unit out" : valid));
    return 1;
  }

  void take_column(const CsvColumn& column, std::string_view unit, int number) {
    const Joint& joint = scene_.joints()[static_cast<std::size_t>(column.joint)];
    const int entry = joint.q + column.entry;
    char& form = as_pose_[static_cast<std::size_t>(column.joint)];
    const char own = column.is_pose ? kPose : kEntries;
    if (form != 0 && form != own) {
      faults_.push_back(fault("csv.mixed_columns",
                              fmt::format("'{}' is given as a pose and by its joint '{}' at once",
                                          scene_.body(joint.child).name, joint.name),
                              number, "keep the columns of one of the two"));
    } else if (seen_[static_cast<std::size_t>(entry)]++) {
      faults_.push_back(fault("csv.duplicate_column",
                              fmt::format("'{}' is given twice", column.name), number,
                              "remove one of the two"));
    }
    form = own;
    columns_.push_back({entry, read_unit(unit, column.dimension, number)});
  }

  /// A joint with several entries comes whole or not at all.
  void check_whole_joints(const std::vector<CsvColumn>& known) {
    int told = -1;  // the joint
    for (const CsvColumn& column : known) {
      const Joint& joint = scene_.joints()[static_cast<std::size_t>(column.joint)];
      const char form = as_pose_[static_cast<std::size_t>(column.joint)];
      const bool is_missing = form == (column.is_pose ? kPose : kEntries) &&
                              !seen_[static_cast<std::size_t>(joint.q + column.entry)];
      if (!is_missing || std::exchange(told, column.joint) == column.joint) continue;
      faults_.push_back(fault("csv.missing_column",
                              fmt::format("joint '{}' has no column '{}'", joint.name, column.name),
                              0, "give all entries of a joint, or none"));
    }
  }

  void read_row(std::string_view line) {
    const std::vector<std::string_view> cells = split_cells(line);
    if (cells.size() != columns_.size()) {
      faults_.push_back(
          fault("csv.cell_count",
                fmt::format("the row has {} cells, the header {}", cells.size(), columns_.size()),
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
      const Column& column = columns_[i];
      (column.entry < 0 ? time : q[column.entry]) = *value * column.to_si;
    }
    if (!times_.empty() && !(time > times_.back())) {
      faults_.push_back(fault(
          "csv.time_order", fmt::format("the time {} does not come after {}", time, times_.back()),
          1, "sort the rows by time"));
      return;
    }
    if (!normalise_rotations(q)) return;
    for (std::size_t j = 0; j < as_pose_.size(); ++j) {
      const Joint& joint = scene_.joints()[j];
      if (as_pose_[j] == kPose) make_joint_entries(joint, q.data() + joint.q);
    }
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
        faults_.push_back(fault(
            "csv.bad_quaternion",
            fmt::format("the quaternion of joint '{}' has norm {}", j.name, format_number(norm)), 0,
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
  static constexpr char kEntries = 1, kPose = 2;
  std::vector<Column> columns_;
  std::vector<char> seen_;     ///< by entry of q
  std::vector<char> as_pose_;  ///< by joint: 0 not given, kEntries, kPose
  std::vector<double> times_;
  std::vector<double> values_;
  static constexpr std::size_t kMostFaults = 20;
  std::vector<Diagnostic> faults_;
};

/// Rows behind a header.
class CsvWriter {
 public:
  CsvWriter(const Scene& scene, const Budget& budget)
      : scene_(scene), columns_(list_written_columns(scene)), meter_(budget) {
    for (const CsvColumn& column : columns_) (out_ += ',') += make_header(column);
    out_ += '\n';
    for (const CsvColumn& column : columns_)
      if (column.is_pose && column.entry == 0) poses_.push_back(column.joint);
  }

  /// False when the budget ended.
  bool add(double time, VecX q) {
    if (!meter_.spend()) return false;
    for (const int j : poses_) {
      const Joint& joint = scene_.joints()[static_cast<std::size_t>(j)];
      make_world_pose(joint, q.data() + joint.q);
    }
    fmt::format_to(std::back_inserter(out_), "{}", time);
    for (const CsvColumn& column : columns_) {
      const int entry = scene_.joints()[static_cast<std::size_t>(column.joint)].q + column.entry;
      fmt::format_to(std::back_inserter(out_), ",{}", q[entry]);
    }
    out_ += '\n';
    return true;
  }

  std::string take() { return std::move(out_); }

 private:
  const Scene& scene_;
  std::vector<CsvColumn> columns_;
  std::vector<int> poses_;  ///< joints of free bodies
  BudgetMeter meter_;
  std::string out_ = "time [s]";
};

}  // namespace

std::string write_motion_csv(const Scene& scene, const JointMotion& motion, const Budget& budget) {
  CsvWriter writer(scene, budget);
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    if (!writer.add(motion.times[i], motion.q.col(static_cast<Eigen::Index>(i)))) return {};
  }
  return writer.take();
}

std::string write_even_csv(const Scene& scene, const JointMotion& motion, double step,
                           const Budget& budget) {
  if (!(step > 0)) throw std::invalid_argument("write_even_csv: the step must be above 0");
  CsvWriter writer(scene, budget);
  const double begin = motion.times.empty() ? 0 : motion.times.front();
  const double duration = motion.times.empty() ? 0 : motion.times.back() - begin;
  // A duration of a whole number of steps, give or take rounding, gets no row more.
  const auto steps = static_cast<long long>(std::ceil(duration / step - 1e-9));
  VecX q(scene.nq());
  for (long long i = 0; i <= steps && !motion.times.empty(); ++i) {
    const double time = static_cast<double>(i) * step;
    interpolate(scene, motion, begin + time, q);
    if (!writer.add(begin + time, q)) return {};
  }
  return writer.take();
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
