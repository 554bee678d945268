#include "geste/geometry/internal/tree_pair.hpp"

#include <stdexcept>

namespace geste::internal {
TreePair::TreePair(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch)
    : a_(a),
      b_(b),
      X_AB_(X_AB),
      ab_(make_relative(X_AB)),
      ba_(make_relative(X_AB.inverse())),
      pad_(1e-6f *
           (a.boxes().scale + b.boxes().scale + static_cast<float>(X_AB.p.cwiseAbs().maxCoeff()))),
      entries_(scratch.entries) {
  if (!X_AB.p.allFinite() || !X_AB.R.allFinite())
    throw std::invalid_argument("mesh query: the pose is not finite");
  entries_.clear();
}

Triangle3 TreePair::triangle_a(std::uint32_t t) const { return get_corners(a_.mesh(), t); }

Triangle3 TreePair::triangle_b(std::uint32_t t) const {
  Triangle3 triangle = get_corners(b_.mesh(), t);
  for (Vec3& p : triangle.p) p = X_AB_ * p;
  return triangle;
}

}  // namespace geste::internal
