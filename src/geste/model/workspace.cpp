#include "geste/model/workspace.hpp"

#include <algorithm>

namespace geste {

Workspace::Workspace(const Scene& scene)
    : X_WM_(scene.movers().size()),
      V_WM_(scene.movers().size()),
      columns_(Mat6X::Zero(6, scene.nv())),
      subtree_mass_(scene.movers().size()),
      subtree_moment_(scene.movers().size()) {
  std::size_t leading = 0;
  std::size_t dependent = 0;
  for (const Follower& f : scene.followers()) leading = std::max(leading, f.leaders.size());
  for (const ExplicitLoop& loop : scene.explicit_loops()) {
    leading = std::max(leading, static_cast<std::size_t>(loop.nq_leading));
    dependent = std::max(dependent, static_cast<std::size_t>(loop.nq_dependent));
  }
  leading_.resize(leading);
  dependent_.resize(dependent);
}

}  // namespace geste
