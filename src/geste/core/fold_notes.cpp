#include "geste/core/fold_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace geste {

Notes fold_notes(const Notes& notes) {
  constexpr std::size_t kShown = 3;
  struct Group {
    Notes shown;
    std::size_t hidden = 0;
  };
  std::vector<Group> groups;
  for (const Note& note : notes) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.shown.front().code == note.code; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{});
    Notes& shown = group->shown;
    if (std::find(shown.begin(), shown.end(), note) != shown.end()) continue;
    if (shown.size() < kShown) {
      shown.push_back(note);
    } else {
      ++group->hidden;
    }
  }
  Notes folded;
  for (const Group& group : groups) {
    folded.insert(folded.end(), group.shown.begin(), group.shown.end());
    if (group.hidden == 0) continue;
    Note rest;
    rest.code = group.shown.front().code;
    rest.message = fmt::format("and {} more like it", group.hidden);
    folded.push_back(std::move(rest));
  }
  return folded;
}

}  // namespace geste
