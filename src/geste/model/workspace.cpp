#include "geste/model/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "geste/math/sincos.hpp"
#include "geste/model/internal/require.hpp"

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

void Workspace::throw_too_early(const char* first) {
  throw std::logic_error(fmt::format("Workspace: call {} first", first));
}

void internal::throw_bad_size(const char* what, std::ptrdiff_t has, std::ptrdiff_t needs) {
  throw std::invalid_argument(fmt::format("{}: {} are given, the scene has {}", what, has, needs));
}

}  // namespace geste
