#pragma once

#include "geste/planning/local_planner.hpp"
#include "geste/proximity/scene_contacts.hpp"

namespace geste {

struct SlideOptions {
  double step = 0.1;      ///< beside something, at most, in the space's metric
  int most_steps = 60;    ///< of one way
  double keep = 0.02;     ///< gap to keep where there is room for it, as a share of a step's length
  bool proves = true;     ///< else legs are looked at where they end and once on the way
  double progress = 0.1;  ///< a step that brings it less of its own length nearer ends the way
};

/// Goes towards a point as far as what is in the way lets it: where something is near, the step is
/// the one nearest to the wanted one that no contact forbids, so that bodies slide along walls,
/// turn into openings and follow passages that are hardly wider than they are (B. Faverjon,
/// P. Tournassoud, "A local based approach for path planning of manipulators with a high number of
/// degrees of freedom", ICRA 1987; here with all contacts of the meshes). Every step is proven as a
/// leg. Cost of a step: the contacts within a step's length, some tens of microseconds, and a
/// proof.
///
/// For spaces whose joints move by themselves, and steering that lets any leg be gone. One per
/// thread.
class Slider {
 public:
  /// Whether it can be used there.
  static bool fits(const PlanningWorld& world);

  Slider(LocalPlanner& local, const SlideOptions& options);

  /// From a, which is free, towards b. `way` holds a and what was reached; every leg is proven.
  LocalPlanner::Reached slide(ConstVecRef a, ConstVecRef b, Way& way);

  /// Brings a point that collides to a free one nearby, by what its contacts ask for (retraction:
  /// L. Zhang, D. Manocha, "An efficient retraction-based RRT planner", ICRA 2008). False where
  /// that takes more than a few steps, or no contact tells which way.
  bool retract(VecRef x);

  /// Moves a free point away from what is nearer than is kept, as far as there is room: proofs need
  /// some, and retraction leaves none. Whether it moved; it is free then too.
  bool settle(VecRef x);

  /// Where contacts leave x the most freedom: points `far` from it both ways along the directions
  /// that they resist least, one column each. In a passage the first two lead along it.
  /// `translation`: among those that do not turn it; for one free body.
  enum class Freedom { all, translation };
  void find_freest(ConstVecRef x, double far, Eigen::Ref<MatX> out, Freedom freedom = Freedom::all);
  /// A point `far` from x in the direction from a to b, turned to where the contacts at x leave it
  /// the most freedom: along a passage and around its bends.
  void find_onward(ConstVecRef x, ConstVecRef a, ConstVecRef b, double far, VecRef out);

  /// Whether hardly any place around is free: beside a wall half of them are.
  bool is_narrow(ConstVecRef x, Rng& rng);

  /// A measure of its work that is the same on any machine: some thirty microseconds each.
  [[nodiscard]] std::uint64_t work() const { return work_ + scratch_.tests() / kTestsPerWork; }
  /// How long steps beside something are now: as options ask for, or shorter where so many
  /// triangles are that near that looking at them takes long.
  [[nodiscard]] double step() const { return short_step_; }

 private:
  static constexpr std::uint64_t kTestsPerWork = 64;

  enum class Purpose { slide, retract };
  /// m; the gap to keep.
  [[nodiscard]] double keep() const { return options_.keep * short_step_ * length_; }
  /// What contacts within `margin` ask of a step u: row * u >= least.
  void find_constraints(ConstVecRef x, double margin, Purpose purpose);
  /// How much the constraints resist motion: the sum of the squares of their unit rows.
  [[nodiscard]] MatX sum_resistance() const;
  /// Steps become shorter where a look takes that many tests, and longer again where it does not.
  void adapt(std::uint64_t tests);
  void add_constraint(const ObjectContacts& pair, const Contact& contact, Purpose purpose);
  void add_motion(int mover, const Vec3& p_W, const Vec3& n, double sign, double* row) const;
  /// Puts what leads from x to b, `most` long at most, into wanted_.
  void want(ConstVecRef x, ConstVecRef b, double most);
  /// Puts the step nearest to wanted_ that keeps the constraints into step_, as far as they can be
  /// kept.
  void solve();
  /// From here_ to point_.
  bool is_leg_free();
  /// x moved by a share of step_, within the limits.
  void move(ConstVecRef x, double share, VecRef out) const;

  LocalPlanner& local_;
  const PlanningSpace& space_;
  const CollisionModel& model_;
  SlideOptions options_;
  double short_step_;
  double length_;           ///< m that a point moves at most for one unit of the metric
  std::vector<int> entry_;  ///< by degree of freedom of the scene: entry of a step, or -1
  VecX scale_;              ///< by entry of a step: rad or m for one unit of the metric
  VecX q_, here_, point_, settled_, end_;
  Workspace workspace_;
  CollisionWorkspace collision_;
  ContactScratch scratch_;
  SceneContacts contacts_;
  MatX looks_, around_;
  MatX rows_;  ///< one column per constraint
  std::vector<double> least_, squared_, force_;
  double nearest_ = kInfinity;  ///< m; gap of the nearest contact, beyond its margin
  std::size_t count_ = 0;
  std::uint64_t work_ = 0;
  VecX wanted_, step_;
};

}  // namespace geste
