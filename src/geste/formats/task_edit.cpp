#include "geste/formats/task_edit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

#include "geste/core/text.hpp"
#include "geste/formats/internal/yaml_fields.hpp"
#include "geste/formats/units.hpp"

namespace geste {
namespace {

/// Lines of a text, each with its line end.
std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// Of a block: lines [begin, end), from 0.
struct Lines {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_remark(const std::string& line) {
  const std::size_t at = line.find_first_not_of(" \t\r\n");
  return at == std::string::npos || line[at] == '#';
}

/// A task file as lines, with the places of its top-level keys.
class Editor {
 public:
  static Result<Editor> open(std::string_view text, const std::string& file) {
    const Result<YAML::Node> document = internal::parse_yaml(text, file);
    if (!document) return document.error();
    if (!document->IsMap() || document->Style() == YAML::EmitterStyle::Flow) {
      return Diagnostic{.code = "task.no_edit",
                        .message =
                            "cannot be changed line by line: it is not a mapping with one "
                            "key per line",
                        .file = file,
                        .remedy = "write its keys (geste, parts, ...) on lines of their own"};
    }
    return Editor(*document, split_lines(text));
  }

  [[nodiscard]] YAML::Node find(const char* key) const { return document_[key]; }

  /// The lines of a key and its value, without remarks that stand behind.
  [[nodiscard]] std::optional<Lines> find_block(const std::string& key) const {
    const auto found = std::find_if(keys_.begin(), keys_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found == keys_.end()) return std::nullopt;
    std::size_t end = lines_.size();
    for (const auto& [other, line] : keys_)
      if (line > found->second) end = std::min(end, line);
    return Lines{found->second, skip_remarks_back(found->second, end)};
  }

  /// Where a block's lines end when those of remarks at its end are left out.
  [[nodiscard]] std::size_t skip_remarks_back(std::size_t begin, std::size_t end) const {
    while (end > begin + 1 && (is_remark(lines_[end - 1]) || is_document_end(end - 1))) --end;
    return end;
  }

  void replace(Lines where, const std::vector<std::string>& with) {
    end_last_line(where.begin);
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(where.begin),
                 lines_.begin() + static_cast<std::ptrdiff_t>(where.end));
    std::vector<std::string> ended = with;
    for (std::string& line : ended) line += end_;
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(where.begin), ended.begin(),
                  ended.end());
  }

  void replace_or_append(const std::string& key, const std::vector<std::string>& with) {
    const std::size_t end = skip_remarks_back(0, lines_.size());
    replace(find_block(key).value_or(Lines{end, end}), with);
    reread();
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

  [[nodiscard]] const std::string& line(std::size_t i) const { return lines_[i]; }

 private:
  Editor(YAML::Node document, std::vector<std::string> lines)
      : document_(std::move(document)), lines_(std::move(lines)) {
    if (!lines_.empty() && lines_.front().ends_with("\r\n")) end_ = "\r\n";
    find_keys();
  }

  void find_keys() {
    keys_.clear();
    for (const auto& entry : document_) {
      keys_.emplace_back(entry.first.Scalar(), static_cast<std::size_t>(entry.first.Mark().line));
    }
  }

  void reread() {
    document_ = YAML::Load(text());
    lines_ = split_lines(text());
    find_keys();
  }

  [[nodiscard]] bool is_document_end(std::size_t i) const { return lines_[i].starts_with("..."); }

  /// A file whose last line has no end gets one before something is put behind it.
  void end_last_line(std::size_t at) {
    if (at > 0 && at == lines_.size() && !lines_.back().ends_with('\n')) lines_.back() += end_;
  }

  YAML::Node document_;
  std::vector<std::string> lines_;
  std::vector<std::pair<std::string, std::size_t>> keys_;
  std::string end_ = "\n";
};

/// As it is where YAML reads it back as the same text, else in quotes.
std::string write_name(const std::string& name) {
  const bool is_plain =
      !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
      std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '/' || c == '-' || c == '.';
      });
  static constexpr const char* kWords[] = {"true", "false", "yes", "no", "on",
                                           "off",  "null",  "y",   "n"};
  const std::string lower = to_lower(name);
  const bool is_word = std::any_of(std::begin(kWords), std::end(kWords),
                                   [&](const char* word) { return lower == word; });
  return is_plain && !is_word ? name : quote_json(name);
}

/// The lines of one configuration, each behind `indent`.
std::vector<std::string> write_configuration(const ConfigurationSpec& c,
                                             const std::string& indent) {
  constexpr std::size_t kWidth = 110;
  std::vector<std::string> lines{indent + "- name: " + write_name(c.name)};
  std::string line = indent + "  joints: {";
  const std::size_t hanging = line.size();
  bool is_first = true;
  for (const auto& [joint, values] : c.values) {
    std::string item = write_name(joint) + ": ";
    item += values.size() == 1 ? fmt::format("{}", values[0])
                               : fmt::format("[{}]", fmt::join(values, ", "));
    if (!is_first) line += ",";
    if (!is_first && line.size() + item.size() > kWidth) {
      lines.push_back(line);
      line = std::string(hanging, ' ') + item;
    } else {
      line += (is_first ? "" : " ") + item;
    }
    is_first = false;
  }
  lines.push_back(line + "}");
  return lines;
}

/// In SI, with or without a unit in the file.
double read_joint_value(const YAML::Node& node) {
  const auto read = node.IsScalar() ? parse_quantity(node.Scalar()) : std::nullopt;
  if (!read) throw YAML::RepresentationException(node.Mark(), "a value of a joint is no number");
  return read->value;
}

ConfigurationSpec read_configuration(const YAML::Node& node) {
  ConfigurationSpec c;
  c.name = node["name"].Scalar();
  for (const auto& entry : node["joints"]) {
    std::vector<double> values;
    if (entry.second.IsScalar()) values.push_back(read_joint_value(entry.second));
    for (const auto& value : entry.second) values.push_back(read_joint_value(value));
    c.values.emplace_back(entry.first.Scalar(), std::move(values));
  }
  return c;
}

/// Where an item of a sequence with one item per line lies, its dash included.
Lines find_item(const Editor& editor, const YAML::Node& items, std::size_t index, Lines block) {
  const auto line_of = [&](std::size_t i) {
    return static_cast<std::size_t>(items[i].Mark().line);
  };
  const std::size_t end = index + 1 < items.size() ? line_of(index + 1) : block.end;
  return {line_of(index), editor.skip_remarks_back(line_of(index), end)};
}

bool has_line_per_item(const Editor& editor, const YAML::Node& items, Lines block) {
  std::size_t last = block.begin;
  for (const auto& item : items) {
    const auto line = static_cast<std::size_t>(item.Mark().line);
    const std::size_t dash = editor.line(line).find_first_not_of(' ');
    if (line <= last || editor.line(line)[dash] != '-') return false;
    last = line;
  }
  return true;
}

using Json = nlohmann::ordered_json;

Json read_scalar(const std::string& scalar, bool is_quoted) {
  if (is_quoted) return scalar;
  if (scalar == "true" || scalar == "false") return scalar == "true";
  if (const auto whole = parse_integer(scalar)) return *whole;
  if (const auto number = parse_double(scalar); number && std::isfinite(*number)) return *number;
  return scalar;
}

/// `left`: how many nodes may still come; aliases can make a short file very long.
Json read_node(const YAML::Node& node, int& left) {
  if (--left < 0) return nullptr;
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return read_scalar(node.Scalar(), node.Tag() == "!");
    case YAML::NodeType::Sequence: {
      Json items = Json::array();
      for (const YAML::Node& item : node) items.push_back(read_node(item, left));
      return items;
    }
    case YAML::NodeType::Map: {
      Json entries = Json::object();
      for (const auto& entry : node) {
        if (entry.first.IsScalar()) entries[entry.first.Scalar()] = read_node(entry.second, left);
      }
      return entries;
    }
    default:
      return nullptr;
  }
}

}  // namespace

Result<EditedTask> set_configuration(std::string_view text, const std::string& file,
                                     const ConfigurationSpec& configuration) {
  Result<Editor> opened = Editor::open(text, file);
  if (!opened) return opened.error();
  Editor& editor = *opened;
  const YAML::Node items = editor.find("configurations");
  const std::optional<Lines> block = editor.find_block("configurations");
  if (block && items.IsSequence() && items.size() > 0 && has_line_per_item(editor, items, *block)) {
    const std::string& first = editor.line(static_cast<std::size_t>(items[0].Mark().line));
    const std::string indent = first.substr(0, first.find('-'));
    Lines where{block->end, block->end};
    for (std::size_t i = 0; i < items.size(); ++i) {
      const YAML::Node name = items[i].IsMap() ? items[i]["name"] : YAML::Node();
      if (name && name.IsScalar() && name.Scalar() == configuration.name)
        where = find_item(editor, items, i, *block);
    }
    editor.replace(where, write_configuration(configuration, indent));
    return EditedTask{editor.text(), static_cast<int>(where.begin) + 1};
  }

  // Absent, empty or in brackets: written anew.
  std::vector<std::string> lines{"configurations:"};
  const auto append = [&](const ConfigurationSpec& c) {
    for (std::string& line : write_configuration(c, "  ")) lines.push_back(std::move(line));
  };
  bool is_there = false;
  try {
    for (const auto& item : items) {
      const ConfigurationSpec old = read_configuration(item);
      append(old.name == configuration.name ? configuration : old);
      is_there |= old.name == configuration.name;
    }
  } catch (const YAML::Exception& e) {
    return Diagnostic{.code = "task.no_edit",
                      .message = "has configurations that cannot be read: " + e.msg,
                      .file = file,
                      .line = e.mark.line + 1,
                      .remedy = "write one configuration per line: - {name: ..., joints: {...}}"};
  }
  if (!is_there) append(configuration);
  editor.replace_or_append("configurations", lines);
  const std::optional<Lines> written = editor.find_block("configurations");
  if (!written) {
    return Diagnostic{.code = "task.no_edit",
                      .message = "is written in a way that cannot be added to",
                      .file = file,
                      .remedy = "begin its keys at the start of their lines"};
  }
  return EditedTask{editor.text(), static_cast<int>(written->begin) + 1};
}

Result<std::string> set_task(std::string_view text, const std::string& file,
                             const std::string& kind, const std::string& options_json,
                             const std::string& base) {
  Result<Editor> editor = Editor::open(text, file);
  if (!editor) return editor.error();
  if (!base.empty()) editor->replace_or_append("base", {"base: " + quote_json(base)});
  editor->replace_or_append("task",
                            {"task:", fmt::format("  {}: {}", write_name(kind), options_json)});
  return editor->text();
}

Result<std::string> get_task_options(std::string_view text, const std::string& file) {
  const Result<YAML::Node> document = internal::parse_yaml(text, file);
  if (!document) return document.error();
  Json options = Json::object();
  const YAML::Node task = document->IsMap() ? (*document)["task"] : YAML::Node();
  if (task && task.IsMap() && task.size() == 1 && task.begin()->second.IsMap()) {
    int left = 100'000;
    options = read_node(task.begin()->second, left);
    if (left < 0) options = Json::object();
  }
  return options.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace geste
