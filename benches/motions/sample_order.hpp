#pragma once

#include <deque>
#include <utility>
#include <vector>

namespace geste::bench {

/// Shares of the way at which a discrete check looks when it cuts the way into `steps`: the end,
/// then the middle of what is not looked at yet, as OMPL's motion validator goes. The beginning is
/// left out: it was checked as the end of the edge before.
inline std::vector<double> make_sample_order(int steps) {
  std::vector<double> order{1.0};
  std::deque<std::pair<int, int>> open{{1, steps - 1}};
  while (!open.empty()) {
    const auto [low, high] = open.front();
    open.pop_front();
    if (low > high) continue;
    const int middle = (low + high) / 2;
    order.push_back(static_cast<double>(middle) / steps);
    open.emplace_back(low, middle - 1);
    open.emplace_back(middle + 1, high);
  }
  return order;
}

}  // namespace geste::bench
