#pragma once

#include <memory>
#include <unordered_map>

#include "geste/geometry/collider.hpp"
#include "geste/model/scene.hpp"
#include "geste/proximity/aabb_tree.hpp"
#include "geste/proximity/collision_options.hpp"

namespace geste {

/// A collision geometry of a scene, or a piece of one.
struct CollisionObject {
  int geometry = 0;  ///< index into Scene::geometry
  int piece = 0;     ///< of a mesh whose pieces lie apart (MV-8), from 0
  int pieces = 1;
  BodyId body;
  int mover = 0;  ///< whose frame it is fixed in; 0, the world, for all that cannot move
  Pose X_MO;
  Collider collider;
};

/// What is done about two bodies, and why.
enum class PairRule : std::uint8_t {
  checked,
  fixed,         ///< they never move against each other
  listed,        ///< allowed by the SRDF or the user
  adjacent,      ///< joined by a joint that slides, or by some that turn, with no geometry between
  always,        ///< touched in every sampled configuration, which were enough to tell
  never,         ///< touched in no sampled configuration
  beyond_reach,  ///< cannot meet within the joints' limits
  outside_area,  ///< the obstacle lies outside the area of the mover
  no_shape,      ///< one of them has no collision geometry
};

/// "checked", "fixed to each other", "allowed", "adjacent", ...
const char* to_text(PairRule rule);

struct RuledPair {
  BodyId a;
  BodyId b;
  PairRule rule;
};

/// What a survey of an actor's own pairs found (SurveyOptions).
struct Survey {
  ActorId actor;
  int samples = 0;
  double confidence = 0;
  int adjacent = 0;
  int always = 0;
  int never = 0;
  int sometimes = 0;
  /// With the confidence asked for, pairs that touched in none of the samples touch in less than
  /// this share of all configurations, and those that touched in all are apart in less.
  double share = 1;
};

struct PreparedMeshes;

/// A scene prepared for collision queries: shapes with their trees, and which pairs matter. Made
/// once, immutable, shared by all threads.
class CollisionModel {
 public:
  /// The error names every option that fits nothing in the scene. `previous` lends its shapes and
  /// surveys: after attach, detach or new options only pairs are worked out again.
  static Result<CollisionModel> make(const Scene& scene, const CollisionOptions& options = {},
                                     const CollisionModel* previous = nullptr);

  /// Objects of one body follow each other.
  [[nodiscard]] const std::vector<CollisionObject>& objects() const { return objects_; }
  /// Those that can move, by index.
  [[nodiscard]] const std::vector<int>& moving() const { return moving_; }
  /// The others, in the world; items are indices of objects.
  [[nodiscard]] const AabbTree& fixed() const { return fixed_; }

  /// An id of another scene throws std::out_of_range.
  [[nodiscard]] PairRule rule(BodyId a, BodyId b) const;
  /// m; whoever comes nearer collides. The general margin is between actors; their own bodies keep
  /// apart only as far as is said of them by name.
  [[nodiscard]] double margin(BodyId a, BodyId b) const;
  [[nodiscard]] double largest_margin() const { return largest_margin_ + options_.reserve; }
  [[nodiscard]] bool checks_fixed() const { return options_.check_fixed; }

  /// Pairs of bodies with collision geometry of which at least one moves, and what is done about
  /// them, but for those fixed to each other. MV-7's report of what was dropped and why.
  [[nodiscard]] std::vector<RuledPair> list_pairs() const;
  [[nodiscard]] const std::vector<Survey>& surveys() const { return surveys_; }
  /// What it was made with, but for who may call that off.
  [[nodiscard]] const CollisionOptions& options() const { return options_; }
  /// Tells models apart, for their memory.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  /// Number of poses in a workspace of the scene.
  [[nodiscard]] std::size_t workspace_size() const { return rigid_mover_.size() + 1; }
  /// The mover that a mover is rigid with: itself, or who carries it.
  [[nodiscard]] int rigid_mover(int mover) const {
    return rigid_mover_[static_cast<std::size_t>(mover)];
  }

 private:
  friend class CollisionModelBuilder;
  CollisionModel() = default;

  static std::uint64_t key(BodyId a, BodyId b) {
    const auto low = static_cast<std::uint32_t>(std::min(a, b).value());
    const auto high = static_cast<std::uint32_t>(std::max(a, b).value());
    return static_cast<std::uint64_t>(low) << 32 | high;
  }
  [[nodiscard]] bool is_fixed(BodyId a, BodyId b) const {
    return rigid_mover_of_body_.at(a.index()) == rigid_mover_of_body_.at(b.index());
  }

  CollisionOptions options_;
  std::vector<CollisionObject> objects_;
  std::vector<int> moving_;
  AabbTree fixed_;
  std::vector<int> rigid_mover_;
  std::vector<int> rigid_mover_of_body_;
  // Rules of pairs with a body that moves: one row for each such body, one column for each body.
  std::vector<int> row_of_body_;  ///< -1: does not move
  std::vector<PairRule> rules_;
  std::unordered_map<std::uint64_t, PairRule> fixed_rules_;  ///< of pairs that do not move
  std::unordered_map<std::uint64_t, double> margins_;
  std::vector<ActorId> actor_of_body_;
  double largest_margin_ = 0;
  std::vector<Survey> surveys_;
  std::vector<RuledPair> surveyed_;  ///< always and never
  /// By actor: what its survey depended on.
  std::unordered_map<int, std::uint64_t> survey_signatures_;
  std::shared_ptr<const PreparedMeshes> prepared_;
  std::uint64_t serial_ = 0;
};

}  // namespace geste
