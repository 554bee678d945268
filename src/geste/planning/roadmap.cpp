#include "geste/planning/roadmap.hpp"

#include <algorithm>
#include <queue>

#include "geste/core/index.hpp"

namespace geste {

int Roadmap::component(int i) const {
  while (parent_[at(i)] != i) i = parent_[at(i)];
  return i;
}

int Roadmap::add(ConstVecRef x) {
  const int i = size();
  if (i == x_.cols()) x_.conservativeResize(Eigen::NoChange, 2 * i);
  x_.col(i) = x;
  nearest_.add(x);
  links_.emplace_back();
  parent_.push_back(i);
  ++components_;
  return i;
}

void Roadmap::join(int a, int b, double length, bool is_proven) {
  links_[at(a)].push_back({b, length, is_proven});
  links_[at(b)].push_back({a, length, is_proven});
  ++count_links_;
  unite(a, b);
}

void Roadmap::unite(int a, int b) {
  const int low = std::min(component(a), component(b)), high = std::max(component(a), component(b));
  if (low == high) return;
  parent_[at(high)] = low;
  --components_;
}

void Roadmap::settle(int a, int b, bool is_free) {
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    std::vector<Link>& own = links_[at(from)];
    for (Link& link : own)
      if (link.to == to) link.is_proven = true;
    if (!is_free) std::erase_if(own, [to = to](const Link& link) { return link.to == to; });
  }
  if (is_free) return;
  --count_links_;
  components_ = size();
  for (int i = 0; i < size(); ++i) parent_[at(i)] = i;
  for (int i = 0; i < size(); ++i)
    for (const Link& link : links(i)) unite(i, link.to);
}

const Roadmap::Link& Roadmap::link(int a, int b) const {
  const std::vector<Link>& own = links(a);
  return *std::find_if(own.begin(), own.end(), [&](const Link& link) { return link.to == b; });
}

std::vector<int> Roadmap::find_path(int a, int b) const {
  if (component(a) != component(b)) return {};
  std::vector<double> lengths(at(size()), kInfinity);
  std::vector<int> before(at(size()), -1);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  lengths[at(a)] = 0;
  open.emplace(0, a);
  while (!open.empty()) {
    const auto [length, i] = open.top();
    open.pop();
    if (i == b) break;
    if (length > lengths[at(i)]) continue;
    for (const Link& link : links(i)) {
      const double there = length + link.length;
      if (there >= lengths[at(link.to)]) continue;
      lengths[at(link.to)] = there;
      before[at(link.to)] = i;
      open.emplace(there, link.to);
    }
  }
  std::vector<int> path;
  for (int i = b; i >= 0; i = before[at(i)]) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace geste
