#include "geste/core/fold_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace geste {
namespace {

/// "link 'base'" as its kind and its name; no kind where it is written in another way.
std::pair<std::string, std::string> split_element(const std::string& element) {
  const std::size_t quote = element.find(" '");
  if (quote == std::string::npos || !element.ends_with('\'')) return {"", element};
  return {element.substr(0, quote), element.substr(quote + 1)};
}

/// "20 links ('a', 'b', 'c' and 17 more)"; empty where the notes name no elements.
std::string list_elements(const Notes& notes) {
  constexpr std::size_t kShown = 3;
  const std::string kind = split_element(notes.front().element).first;
  std::vector<std::string> names;
  bool of_one_kind = !kind.empty();
  for (const Note& note : notes) {
    if (note.element.empty()) continue;
    auto [own, name] = split_element(note.element);
    of_one_kind = of_one_kind && own == kind;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "";
  if (names.size() == 1) return notes.front().element;
  if (!of_one_kind) {
    names.clear();
    for (const Note& note : notes)
      if (std::find(names.begin(), names.end(), note.element) == names.end())
        names.push_back(note.element);
  }
  const std::size_t shown = std::min(kShown, names.size());
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    list += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
  }
  if (names.size() > shown) list += fmt::format(" and {} more", names.size() - shown);
  return of_one_kind ? fmt::format("{} {}s ({})", names.size(), kind, list) : list;
}

/// One note that stands for all of them.
Note merge(const Notes& notes) {
  Note merged = notes.front();
  if (notes.size() == 1) return merged;
  merged.element = list_elements(notes);
  const auto all = [&](auto same) { return std::all_of(notes.begin(), notes.end(), same); };
  if (!all([&](const Note& n) { return n.file == merged.file; })) merged.file.clear();
  if (!all([&](const Note& n) { return n.line == merged.line; })) merged.line = merged.column = 0;
  if (!all([&](const Note& n) { return n.remedy == merged.remedy; }))
    merged.remedy = notes.front().remedy;
  if (!all([&](const Note& n) { return n.message == merged.message; })) {
    merged.message =
        fmt::format("{}{} (and {} more like it)",
                    notes.front().element.empty() || notes.front().element == merged.element
                        ? ""
                        : fmt::format("{}: ", split_element(notes.front().element).second),
                    notes.front().message, notes.size() - 1);
  }
  return merged;
}

}  // namespace

Notes fold_notes(const Notes& notes) {
  std::vector<Notes> groups;
  for (const Note& note : notes) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Notes& g) { return g.front().code == note.code; });
    if (group == groups.end()) group = groups.insert(groups.end(), Notes{});
    if (std::find(group->begin(), group->end(), note) == group->end()) group->push_back(note);
  }
  Notes folded;
  for (const Notes& group : groups) folded.push_back(merge(group));
  return folded;
}

}  // namespace geste
