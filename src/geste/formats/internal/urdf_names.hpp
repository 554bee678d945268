#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace geste {

/// Where each name stands in a list. Of equal names the first.
using NameIndex = std::unordered_map<std::string, int>;

template <class Items>
NameIndex index_by_name(const Items& items) {
  NameIndex index;
  for (std::size_t i = 0; i < items.size(); ++i) index.emplace(items[i].name, static_cast<int>(i));
  return index;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

}  // namespace geste
