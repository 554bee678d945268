#include <fmt/format.h>

#include <algorithm>

#include "geste/core/fold_notes.hpp"
#include "geste/core/quantity.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {
namespace {

std::string to_cell(const Facts& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return format_number(value.get<double>(), 6);
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_array()) {
    std::string cells;
    for (const Facts& item : value) cells += (cells.empty() ? "" : " ") + to_cell(item);
    return cells;
  }
  return value.dump();
}

std::string to_title(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

/// Columns of a terminal; enough for names in UTF-8 without wide characters.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_table(const Facts& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const Facts& row) { return row.is_object(); });
}

Note to_note(const Facts& fact) {
  Note note;
  note.code = fact.value("code", "");
  note.message = fact.value("message", "");
  note.file = fact.value("file", "");
  note.line = fact.value("line", 0);
  note.element = fact.value("element", "");
  note.remedy = fact.value("remedy", "");
  return note;
}

class Renderer {
 public:
  explicit Renderer(std::size_t rows) : rows_(rows) {}

  std::string render(const Facts& facts) {
    file_ = facts.value("file", "");
    assemblies_ = facts.value("assemblies", Facts::array());
    for (const auto& [key, value] : facts.items()) add(key, value);
    return std::move(out_);
  }

 private:
  void add(const std::string& key, const Facts& value) {
    if (is_table(value)) {
      if (key == "notes") return add_notes(value);
      if (key == "assemblies") return;  // above their parts
      if (key == "instances" && !assemblies_.empty()) return add_tree(value);
      out_ += fmt::format("\n{} ({}):\n", to_title(key), value.size());
      return add_table(value);
    }
    if (value.is_array() && value.empty()) return;
    if (value.is_object()) {
      std::string parts;
      for (const auto& [name, part] : value.items())
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", to_title(name), to_cell(part));
      out_ += fmt::format("{:<20} {}\n", to_title(key) + ":", parts);
      return;
    }
    out_ += fmt::format("{:<20} {}\n", to_title(key) + ":", to_cell(value));
  }

  void add_notes(const Facts& facts) {
    Notes notes;
    for (const Facts& fact : facts) notes.push_back(to_note(fact));
    const Notes folded = fold_notes(notes);
    out_ += "\nwarnings and notes:\n";
    for (const Note& n : folded) {
      const std::string element = n.element.empty() ? "" : n.element + ": ";
      out_ += fmt::format("  {}{}{} [{}]\n", place_of(n), element, n.message, n.code);
      if (!n.remedy.empty()) out_ += fmt::format("    remedy: {}\n", n.remedy);
    }
    if (folded.size() < notes.size()) out_ += "  --json lists all of them\n";
  }

  /// The file asked about needs no name.
  [[nodiscard]] std::string place_of(const Note& note) const {
    const bool own = note.file.empty() || note.file == file_;
    if (note.line == 0) return own ? "" : note.file + ": ";
    return own ? fmt::format("line {}: ", note.line) : fmt::format("{}:{}: ", note.file, note.line);
  }

  /// Parts under their assemblies, by indentation.
  void add_tree(const Facts& parts) {
    out_ += fmt::format("\ntree ({} parts, {} {}):\n", parts.size(), assemblies_.size(),
                        assemblies_.size() == 1 ? "assembly" : "assemblies");
    std::vector<int> open;
    std::size_t lines = 0, shown = 0;
    for (const Facts& part : parts) {
      const std::vector<int> above = list_above(part["assembly"]);
      const auto differs = std::mismatch(above.begin(), above.end(), open.begin(), open.end());
      for (auto it = differs.first; it != above.end() && lines < rows_; ++it, ++lines) {
        const Facts& assembly = assemblies_[static_cast<std::size_t>(*it)];
        add_tree_line(
            static_cast<std::size_t>(it - above.begin()),
            fmt::format("{} ({} {})", to_cell(assembly["name"]), to_cell(assembly["parts"]),
                        assembly["parts"] == 1 ? "part" : "parts"));
      }
      open = above;
      if (lines++ >= rows_) break;
      ++shown;
      const bool has_own_name = part["mesh"] != part["name"];
      add_tree_line(above.size(),
                    to_cell(part["name"]) + (has_own_name ? ": " + to_cell(part["mesh"]) : ""));
    }
    if (shown < parts.size())
      out_ += fmt::format("  ... and {} more; --json lists all\n", parts.size() - shown);
  }

  /// The assemblies of a part, outermost first.
  [[nodiscard]] std::vector<int> list_above(const Facts& assembly) const {
    std::vector<int> above;
    for (Facts at = assembly; at.is_number();
         at = assemblies_[static_cast<std::size_t>(above.back())]["parent"]) {
      above.push_back(at.get<int>());
    }
    std::reverse(above.begin(), above.end());
    return above;
  }

  void add_tree_line(std::size_t depth, const std::string& text) {
    constexpr std::size_t kDeepest = 20;  // farther to the right nobody reads
    out_ += std::string(2 + 2 * std::min(depth, kDeepest), ' ') + text + "\n";
  }

  void add_table(const Facts& table) {
    const std::size_t shown = std::min(rows_, table.size());
    std::vector<std::vector<std::string>> rows(shown + 1);
    for (const auto& [key, value] : table.front().items()) rows[0].push_back(to_title(key));
    for (std::size_t i = 0; i < shown; ++i) {
      for (const auto& [key, value] : table[i].items()) rows[i + 1].push_back(to_cell(value));
    }
    std::vector<std::size_t> widths(rows[0].size(), 0);
    for (const auto& row : rows) {
      for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c)
        widths[c] = std::max(widths[c], width_of(row[c]));
    }
    for (const auto& row : rows) {
      std::string line = " ";
      for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c) {
        line += " " + row[c] + std::string(widths[c] - width_of(row[c]) + 1, ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out_ += line + "\n";
    }
    if (shown < table.size())
      out_ += fmt::format("  ... and {} more; --json lists all\n", table.size() - shown);
  }

  std::size_t rows_;
  std::string file_;
  Facts assemblies_;
  std::string out_;
};

}  // namespace

std::string render_facts(const Facts& facts, std::size_t rows) {
  return Renderer(rows).render(facts);
}

}  // namespace geste::internal
