#pragma once

#include "common/fcl_world.hpp"
#include "motions/edge_checker.hpp"

namespace geste::bench {

/// The judge of edges that are called free: FCL at every 3200th of the way, in double precision on
/// the meshes as they are. For arms on straight edges.
class DenseJudge {
 public:
  static constexpr int kSteps = 3200;

  DenseJudge(const Scene& scene, FclWorld& world);

  /// Looks at every sample; the share of the first that collides, or none.
  std::optional<double> find_hit(const Edges& edges, int k);
  /// The same samples, but for those of a pair that cannot touch there: from FCL's distance of the
  /// two, and how fast they can come nearer to each other.
  std::optional<double> find_hit_skipping(const Edges& edges, int k);

 private:
  struct Pair {
    const fcl::CollisionObjectd* a;
    const fcl::CollisionObjectd* b;
    int mover_a;
    int mover_b;  ///< 0: b is fixed
    double radius_a;
    double radius_b;
    double speed;  ///< m per sample, at most
    int due;       ///< next sample to look at
  };
  /// m per edge, at most, of points within `radius` of a mover's origin, as seen from `base`.
  double bound_speed(const Edges& edges, int k, int mover, int base, double radius) const;
  int find_common_mover(int a, int b) const;
  static int count_safe_samples(const Pair& pair);

  const Scene& scene_;
  FclWorld& world_;
  Workspace workspace_;
  VecX q_;
  std::vector<double> shares_;
  std::vector<Pair> pairs_;
};

}  // namespace geste::bench
