#include "proximity/agreement.hpp"

#include <fmt/format.h>

#include <iostream>

#include "geste/geometry/mesh_pair.hpp"

#include "proximity/fcl_peer.hpp"

namespace geste::bench {
namespace {

constexpr double kContact = 1e-9;

/// Whether a step of that size in some direction changes geste's answer: then the pose is at
/// contact.
bool is_at_contact(const MeshTree& a, const MeshTree& b, const Pose& X_BA, QueryScratch& scratch) {
  const double gap = compute_distance(b, a, X_BA, scratch).distance;
  if (gap > 0) return gap <= kContact;
  for (int k = 0; k < 6; ++k) {
    Pose moved = X_BA;
    moved.p[k / 2] += k % 2 == 0 ? kContact : -kContact;
    if (!touches(b, a, moved, scratch)) return true;
  }
  return false;
}

}  // namespace

long compare_touch(const std::vector<MeshCase>& cases, long poses) {
  long asked = 0, touching = 0, differing = 0, unexplained = 0;
  Rng rng(19);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const MeshTree a(cases[c].a), b(cases[c].b);
    const FclMesh fcl_a(*cases[c].a), fcl_b(*cases[c].b);
    QueryScratch scratch;
    const long count = static_cast<long>(cases.size()), share = (poses + count - 1) / count;
    const long begin = asked;
    for (const bool near : {true, false}) {
      const auto sampled =
          sample_poses(a, b, near, static_cast<int>((share + 1) / 2), rng.split(asked));
      for (const Pose& X : sampled) {
        const bool hit = touches(b, a, X, scratch);
        ++asked;
        touching += hit;
        if (hit == fcl_b.touches(fcl_a, to_fcl(X))) continue;
        ++differing;
        unexplained += !is_at_contact(a, b, X, scratch);
      }
    }
    std::cout << fmt::format("{:<40} {:>9} poses\n", cases[c].name, asked - begin);
  }
  std::cout << fmt::format("{} poses, {} touching, {} answers differ, {} of them unexplained\n",
                           asked, touching, differing, unexplained);
  return unexplained;
}

}  // namespace geste::bench
