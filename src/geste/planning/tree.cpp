#include "geste/planning/tree.hpp"

#include <algorithm>

namespace geste {

int SearchTree::add(ConstVecRef x, int parent) {
  const int i = size();
  if (i == x_.cols()) x_.conservativeResize(Eigen::NoChange, 2 * i);
  x_.col(i) = x;
  parents_.push_back(parent);
  domains_.push_back(kInfinity);
  nearest_.add(x);
  return i;
}

int SearchTree::add(const Way& way, int parent) {
  for (int i = 1; i < way.count(); ++i) parent = add(way[i], parent);
  return parent;
}

std::vector<int> SearchTree::trace(int i) const {
  std::vector<int> points;
  for (; i >= 0; i = parent(i)) points.push_back(i);
  std::reverse(points.begin(), points.end());
  return points;
}

void SearchTree::clear() {
  parents_.clear();
  domains_.clear();
  nearest_.clear();
}

}  // namespace geste
