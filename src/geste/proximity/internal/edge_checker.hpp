#pragma once

#include "geste/proximity/internal/lane_builder.hpp"
#include "geste/proximity/internal/lane_inputs.hpp"
#include "geste/proximity/internal/leg_prover.hpp"
#include "geste/proximity/validator.hpp"

namespace geste {

/// What all threads of a validator share.
struct ValidatorScene {
  const Scene& scene;
  const CollisionModel& model;
  ValidatorOptions options;
  LaneStore store;
  ProofScene proof;
  LaneModel lanes;
  /// Two that collide wherever the joints are, where that is asked for (CollisionOptions).
  std::optional<std::pair<int, int>> rigid_hit;
};

/// One thread's work: a rake at a time, then the exact stage.
class EdgeChecker {
 public:
  explicit EdgeChecker(const ValidatorScene& world);
  [[nodiscard]] const ValidatorScene& world() const { return world_; }

  EdgeAnswer check_edge(ConstVecRef q0, ConstVecRef q1, Course course, EdgeBegin begin);
  /// Up to kRake columns from `first` on.
  void check(const Validator::Columns& q, Eigen::Index first,
             std::span<ConfigurationAnswer> answers);
  /// From now on; null: none.
  void set_trace(EdgeTrace* trace);

 private:
  using Part = PairTable::Part;

  EdgeAnswer find_answer(ConstVecRef q0, ConstVecRef q1, Course course, EdgeBegin begin);
  EdgeAnswer check_straying(ConstVecRef q0, ConstVecRef q1, Course course);

  // These return false when the edge touches: the answer is made.
  /// The only body that moves, among obstacles at some places of the way.
  bool passes_looks(const LaneModel::Cluster& cluster);
  bool is_clear_of_obstacles(const LaneModel::Cluster& cluster, double s);
  /// One or two parts in one rake. What stays open is cut smaller next time, or else set aside.
  bool prove_parts(std::span<const Part> parts, int cut);
  bool prove_undecided();
  bool prove_exactly(const Part& part, std::span<const ProofPair> pairs);
  bool prove_by_tables();
  [[nodiscard]] PairTable::Line make_line(const PairTable& table) const;
  bool begins_outside();
  [[nodiscard]] bool is_little_work() const;
  bool answer(double s, const ProofPair& pair);

  void set_aside(const Part& part, std::span<const ProofPair> pairs);
  void place(double s);
  void run_rake(bool keep);
  void find_targets(int cluster);
  [[nodiscard]] bool is_open() const;
  /// What moves on the leg, where that is one body and no more.
  [[nodiscard]] const LaneModel::Cluster* find_only_mover() const;
  void add_pairs(const internal::LaneFinding& finding);
  void collect_pairs(unsigned lanes);
  void answer_hit(const internal::LaneFinding& hit, double s);
  ConfigurationAnswer judge(int lane, ConstVecRef q);
  bool collide(const ProofPair& pair, std::span<const Pose> X_WM);
  bool is_hidden(int lane, ConstVecRef q);
  bool is_hidden(const HidingPlace& place, int lane, ConstVecRef q, bool& is_placed);
  [[nodiscard]] Vec3 get_centre(int cluster, int lane) const;
  [[nodiscard]] bool may_hide(const HidingPlace& place, int lane) const;

  [[nodiscard]] const CollisionObject& object(int i) const {
    return world_.model.objects()[static_cast<std::size_t>(i)];
  }

  const ValidatorScene& world_;
  LaneInputs inputs_;
  LegProver prover_;
  bool is_prover_set_ = false;
  EdgeBegin begin_ = EdgeBegin::unknown;
  VecX q0_, q1_, q_;
  Course course_ = Course::straight;
  internal::Rake rake_;
  internal::RakeMemory memory_;
  internal::Row s_{};
  double lane_at_[internal::kRake] = {};
  std::vector<Part> open_, next_;
  std::vector<ProofPair> pairs_;
  struct Undecided {
    Part part;
    std::size_t first, last;  ///< in undecided_pairs_
  };
  std::vector<Undecided> undecided_;
  std::vector<ProofPair> undecided_pairs_;
  std::vector<double> siblings_;  ///< by object: how many its cluster has
  std::vector<internal::LaneTarget> targets_;
  AabbTree::Stack stack_;
  Workspace workspace_;
  QueryScratch scratch_;
  EdgeAnswer answer_;
  EdgeTrace* trace_ = nullptr;
};

}  // namespace geste
