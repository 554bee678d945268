#include "studio/server/people.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace geste::studio {

int People::arrive(const std::string& key, const std::string& name, Time now) {
  expire(now);
  auto found = std::find_if(people_.begin(), people_.end(),
                            [&](const auto& entry) { return entry.second.key == key; });
  if (found == people_.end()) {
    forget_oldest();
    found = people_.emplace(next_, Person{key, fmt::format("Guest {}", next_)}).first;
    ++next_;
  }
  ++found->second.connections;
  if (!name.empty()) found->second.name = name;
  if (!guide_) set_guide(found->first);
  return found->first;
}

void People::leave(int person, Time now) {
  Person& p = people_.at(person);
  p.connections = std::max(0, p.connections - 1);
  p.left = now;
}

void People::rename(int person, const std::string& name) { people_.at(person).name = name; }

bool People::take(int person) {
  if (!guide_) set_guide(person);
  return guide_ == person;
}

bool People::ask(int person, Time now) {
  std::optional<Time>& asked = people_.at(person).asked;
  if (asked && now - *asked < kAskedFor) return false;
  asked = now;
  return true;
}

bool People::give(int to) {
  const auto found = people_.find(to);
  if (found == people_.end() || found->second.connections == 0) return false;
  set_guide(to);
  return true;
}

bool People::expire(Time now) {
  if (!guide_) return false;
  const Person& guide = people_.at(*guide_);
  if (guide.connections > 0 || now - guide.left < grace_) return false;
  set_guide(std::nullopt);
  return true;
}

/// What the last guide was asked, the next one was not.
void People::set_guide(std::optional<int> guide) {
  if (guide == guide_) return;
  guide_ = guide;
  for (auto& [id, person] : people_) person.asked.reset();
}

Json People::list() const {
  Json list = Json::array();
  for (const auto& [id, person] : people_)
    if (person.connections > 0) list.push_back({{"id", id}, {"name", person.name}});
  return list;
}

/// Names and numbers of those who left are kept for when they come back, but not without end.
void People::forget_oldest() {
  constexpr std::size_t kKept = 200;
  if (people_.size() < kKept) return;
  auto oldest = people_.end();
  for (auto it = people_.begin(); it != people_.end(); ++it) {
    if (it->second.connections > 0 || guide_ == it->first) continue;
    if (oldest == people_.end() || it->second.left < oldest->second.left) oldest = it;
  }
  if (oldest != people_.end()) people_.erase(oldest);
}

}  // namespace geste::studio
