#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "geste/core/text.hpp"
#include "geste/formats/internal/c3d_parser.hpp"

namespace geste {
namespace c3d_internal {
namespace {

std::string to_upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

/// Blanks and zero bytes at the end are padding.
std::string clean_text(std::string_view text) {
  const std::size_t last = text.find_last_not_of(std::string_view(" \t\r\n\0", 5));
  return to_utf8(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

/// Records follow one another, each pointing to the next; groups and parameters in any order, a
/// parameter perhaps before the group it belongs to.
class ParameterParser {
 public:
  explicit ParameterParser(Parse& parse) : parse_(parse), bytes_(parse.bytes) {}

  void run() {
    const std::size_t begin = parse_.header.parameter_begin;
    end_ = find_end(begin);
    std::size_t at = begin + 4;
    while (at + 2 <= end_ && bytes_.i8(at) != 0) {
      if (!read_record(at)) break;
    }
    assemble();
  }

 private:
  struct Group {
    C3dGroup group;
    bool named = false;
  };

  /// The section's own block count is one byte; where a section outgrew it, the header's start of
  /// the data is the better end.
  std::size_t find_end(std::size_t begin) const {
    std::size_t end = begin + kBlock * bytes_.u8(begin + 2);
    const std::size_t data = kBlock * (std::max(parse_.header.data_block, 1) - 1);
    if (data > end && data <= bytes_.size()) end = data;
    return std::min(end == begin ? bytes_.size() : end, bytes_.size());
  }

  /// Reads the record at `at` and moves to the next; false at the last one.
  bool read_record(std::size_t& at) {
    const int signed_length = bytes_.i8(at);
    const std::size_t length = std::abs(signed_length);
    const int id = bytes_.i8(at + 1);
    const std::size_t pointer = at + 2 + length;
    if (pointer + 3 > end_) return damaged(at, "is cut off");
    const std::string name = to_upper(clean_text(bytes_.text(at + 2, length)));
    const std::size_t step = bytes_.u16(pointer);
    // What the record may use; a last record has no pointer to a next one.
    const std::size_t next = step == 0 ? end_ : std::min(pointer + step, end_);
    if (id < 0) {
      read_group(pointer + 2, next, -id, name, signed_length < 0);
    } else if (id > 0) {
      read_parameter(at, pointer + 2, next, id, name, signed_length < 0);
    } else {
      damaged(at, "belongs to no group");
    }
    at = next;
    return step != 0;
  }

  bool damaged(std::size_t at, const char* what) {
    parse_.note("c3d.parameter_damaged",
                fmt::format("the parameter record at byte {} {} and is left out", at, what), "",
                "export the file again if something is missing");
    return false;
  }

  /// A byte with the length, then the text. Empty when it does not fit.
  std::string read_description(std::size_t at, std::size_t next) const {
    if (at >= next) return "";
    const std::size_t length = bytes_.u8(at);
    if (at + 1 + length > next) return "";
    return clean_text(bytes_.text(at + 1, length));
  }

  void read_group(std::size_t at, std::size_t next, int id, const std::string& name, bool locked) {
    Group& group = groups_[id];
    if (group.named) {
      parse_.note(
          "c3d.group_twice",
          fmt::format("a second group has the number {} of '{}'; their parameters are joined", id,
                      group.group.name),
          fmt::format("group '{}'", name));
      return;
    }
    group.named = true;
    group.group.name = name;
    group.group.description = read_description(at, next);
    group.group.locked = locked;
    order_.push_back(id);
  }

  void read_parameter(std::size_t record, std::size_t at, std::size_t next, int id,
                      std::string name, bool locked) {
    if (at + 2 > next) {
      damaged(record, "is cut off");
      return;
    }
    const int type = bytes_.i8(at);
    const std::size_t dim_count = bytes_.u8(at + 1);
    at += 2;
    if (type != -1 && type != 1 && type != 2 && type != 4) {
      damaged(record, "has an unknown type");
      return;
    }
    C3dParameter parameter;
    std::size_t bytes_needed = std::abs(type);
    for (std::size_t i = 0; i < dim_count && at + i < next; ++i) {
      parameter.dims.push_back(bytes_.u8(at + i));
      bytes_needed = std::min<std::size_t>(bytes_needed * bytes_.u8(at + i), 1 << 24);
    }
    at += dim_count;
    if (at > next || bytes_needed > next - at) {
      damaged(record, "claims more values than it has room for");
      return;
    }
    parameter.name = std::move(name);
    parameter.locked = locked;
    read_values(parameter, type, at, bytes_needed);
    parameter.description = read_description(at + bytes_needed, next);
    groups_[id].group.parameters.push_back(std::move(parameter));
  }

  void read_values(C3dParameter& parameter, int type, std::size_t at, std::size_t size) const {
    if (type == -1) {
      parameter.type = C3dType::text;
      const std::size_t length = parameter.dims.empty() ? 1 : parameter.dims.front();
      for (std::size_t i = 0; length > 0 && i + length <= size; i += length) {
        parameter.texts.push_back(clean_text(bytes_.text(at + i, length)));
      }
      return;
    }
    parameter.type = type == 1 ? C3dType::byte : type == 2 ? C3dType::integer : C3dType::real;
    for (std::size_t i = 0; i < size; i += type) {
      const std::size_t place = at + i;
      parameter.numbers.push_back(type == 1   ? bytes_.i8(place)
                                  : type == 2 ? bytes_.i16(place)
                                              : bytes_.real(place));
    }
  }

  void assemble() {
    for (int id = 1; id < static_cast<int>(groups_.size()); ++id) {
      Group& group = groups_[id];
      if (group.named || group.group.parameters.empty()) continue;
      group.group.name = fmt::format("GROUP_{}", id);
      order_.push_back(id);
      parse_.note("c3d.group_missing",
                  fmt::format("{} parameters belong to group number {}, which is not defined",
                              group.group.parameters.size(), id),
                  fmt::format("group '{}'", group.group.name));
    }
    for (const int id : order_) {
      note_repeated(groups_[id].group);
      parse_.c3d.groups.push_back(std::move(groups_[id].group));
    }
  }

  void note_repeated(const C3dGroup& group) {
    std::vector<std::string> names;
    for (const C3dParameter& parameter : group.parameters) names.push_back(parameter.name);
    std::sort(names.begin(), names.end());
    const auto repeated = std::adjacent_find(names.begin(), names.end());
    if (repeated == names.end()) return;
    parse_.note("c3d.parameter_twice", "appears more than once; the first one counts",
                fmt::format("parameter '{}:{}'", group.name, *repeated));
  }

  Parse& parse_;
  const Bytes& bytes_;
  std::size_t end_ = 0;
  std::array<Group, 129> groups_;  ///< by number
  std::vector<int> order_;
};

/// LABELS, LABELS2, ...: calls `visit` with each that exists.
template <class Visit>
void visit_list(const C3dFile& c3d, std::string_view group, std::string_view name, Visit visit) {
  std::unordered_map<std::string_view, const C3dParameter*> by_name;
  for (const C3dGroup& candidate : c3d.groups) {
    if (candidate.name != group) continue;
    for (const C3dParameter& parameter : candidate.parameters) {
      by_name.emplace(parameter.name, &parameter);
    }
  }
  for (int part = 1;; ++part) {
    const std::string full = part == 1 ? std::string(name) : fmt::format("{}{}", name, part);
    const auto found = by_name.find(full);
    if (found == by_name.end()) return;
    visit(*found->second);
  }
}

}  // namespace

void parse_parameters(Parse& parse) { ParameterParser(parse).run(); }

std::optional<double> find_number(const C3dFile& c3d, std::string_view group, std::string_view name,
                                  std::size_t index) {
  const C3dParameter* parameter = find_parameter(c3d, group, name);
  if (!parameter || index >= parameter->numbers.size()) return std::nullopt;
  const double number = parameter->numbers[index];
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::vector<std::string> collect_texts(const C3dFile& c3d, std::string_view group,
                                       std::string_view name) {
  std::vector<std::string> texts;
  visit_list(c3d, group, name, [&](const C3dParameter& part) {
    texts.insert(texts.end(), part.texts.begin(), part.texts.end());
  });
  return texts;
}

std::vector<double> collect_numbers(const C3dFile& c3d, std::string_view group,
                                    std::string_view name) {
  std::vector<double> numbers;
  visit_list(c3d, group, name, [&](const C3dParameter& part) {
    numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
  });
  return numbers;
}

}  // namespace c3d_internal

const C3dParameter* find_parameter(const C3dFile& c3d, std::string_view group,
                                   std::string_view name) {
  for (const C3dGroup& candidate : c3d.groups) {
    if (candidate.name != group) continue;
    for (const C3dParameter& parameter : candidate.parameters) {
      if (parameter.name == name) return &parameter;
    }
  }
  return nullptr;
}

}  // namespace geste
