#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace geste::bench {

const char* to_text(CaseKind kind) {
  constexpr const char* kNames[] = {"start", "goal", "limits",   "reach", "keep",    "one",
                                    "two",   "gap",  "enclosed", "time",  "feasible"};
  return kNames[static_cast<int>(kind)];
}

std::string TaskText::make(const std::vector<std::string>& without, long long search_with) const {
  std::string text = "geste: 1\nparts:\n";
  for (const Part& part : parts)
    if (std::find(without.begin(), without.end(), part.name) == without.end())
      text += fmt::format("  - {{name: {}, {}}}\n", part.name, part.yaml);
  return text + rest + fmt::format("task:\n  {}, samples: {}}}\n", task, search_with);
}

}  // namespace geste::bench
