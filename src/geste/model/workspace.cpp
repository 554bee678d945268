#include "geste/model/workspace.hpp"

#include <algorithm>

#include "geste/math/sincos.hpp"

namespace geste {

Workspace::Workspace(const Scene& scene)
    : X_WM_(scene.movers().size() + 1),  // one more: see turn() in kinematics.cpp

      V_WM_(scene.movers().size()),
      columns_(Mat6X::Zero(6, scene.nv())),
      angles_((scene.angles().size() + kSincosLanes - 1) / kSincosLanes * kSincosLanes, 0.0),
      sines_(angles_.size()),
      cosines_(angles_.size()),
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
