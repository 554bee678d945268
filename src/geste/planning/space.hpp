#pragma once

#include <optional>
#include <span>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/core/rng.hpp"
#include "geste/model/motion.hpp"
#include "geste/model/workspace.hpp"
#include "geste/proximity/collision_model.hpp"

namespace geste {

/// Where things that no joint limits keep in place may be looked for.
struct Room {
  Vec3 low = Vec3::Constant(-kInfinity);  ///< m, of the origin of what moves, in its joint's frame
  Vec3 high = Vec3::Constant(kInfinity);
  /// The same in the frame of the joint's parent, for joints whose axes stand askew in it: there
  /// `low` and `high` hold more than it.
  std::optional<AxisBox> in_parent{};
};

/// The joints, and behind them those that general loops move with them (Scene::loops), in the order
/// of the scene.
std::vector<JointId> find_moved_joints(const Scene& scene, std::span<const JointId> joints);

/// The joints that planners move, as a space of its own: a point x holds the entries of these
/// joints, one joint after the other. Everything else stays as in `rest`, or follows.
///
/// Where planned joints move chains that are closed by projection (Scene::loops, MV-4) all joints
/// that these may move are part of the space, and a point stands for the closed configuration that
/// projection takes it to (model/loops.hpp). Points of samples and of ProjectedSteering are closed
/// themselves.
///
/// Distances are in radians: angles count as they are, and what slides counts by the length of what
/// it moves, so that one unit is as much motion either way and no unit of length is special.
class PlanningSpace {
 public:
  struct Item {
    Joint joint;                    ///< limits are those of the joint, within the room
    int x = 0;                      ///< first entry in a point
    double per_metre = 1;           ///< what sliding by a metre counts
    std::optional<AxisBox> room{};  ///< m; of its origin, in the parent's frame, beside the limits

    /// How far its entries are outside limits and room: rad or m; 0 or less when within.
    [[nodiscard]] double measure_excess(const double* q) const;
    void clamp(double* q) const;
    /// Uniform within the limits of `within`, which are not wider than its own, and the room.
    void sample(const Joint& within, Rng& rng, double* q) const;
  };

  /// `rest` is complete. The error names every joint that is not independent, or has a position
  /// without finite limits inside the room, or limits of its turning that the shorter way may
  /// leave, and every general loop that is open at rest, or singular. Joints that cannot move are
  /// left out; those that loops move too are added. The scene must outlive it.
  static Result<PlanningSpace> make(const Scene& scene, const CollisionModel& model,
                                    std::span<const JointId> joints, ConstVecRef rest,
                                    const Room& room = {});
  /// With a room for each of the joints, in its own frame; those that loops add have none.
  static Result<PlanningSpace> make(const Scene& scene, const CollisionModel& model,
                                    std::span<const JointId> joints, ConstVecRef rest,
                                    std::span<const Room> rooms);

  /// The space of some of its items alone; the others are of the rest.
  [[nodiscard]] PlanningSpace make_part(std::span<const int> items) const;

  [[nodiscard]] const Scene& scene() const { return *scene_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  /// Entries of a point.
  [[nodiscard]] int size() const { return size_; }
  /// Degrees of freedom.
  [[nodiscard]] int dimension() const { return dimension_; }
  /// No two points are farther apart.
  [[nodiscard]] double extent() const { return extent_; }
  /// Whether completing a point takes more than putting its entries in place.
  [[nodiscard]] bool has_dependents() const { return has_dependents_; }
  /// Whether its joints move this mover of the scene.
  [[nodiscard]] bool moves(int mover) const;
  /// Whether planned joints move chains that are closed by projection.
  [[nodiscard]] bool has_loops() const { return has_loops_; }
  [[nodiscard]] const VecX& rest() const { return rest_; }
  /// What is not planned stays like this from here on; complete.
  void set_rest(ConstVecRef rest) { rest_ = rest; }

  /// Uniform within the limits. In a space with loops brought to closed configurations within the
  /// limits; after many draws that could not be, to one within the limits that is open.
  void sample(Rng& rng, VecRef x) const;
  /// Normally distributed about `centre` with this deviation in each degree of freedom; what falls
  /// outside the limits is brought to them, then closed where loops are and can be.
  void sample_near(ConstVecRef centre, double deviation, Rng& rng, VecRef x) const;
  [[nodiscard]] double distance(ConstVecRef a, ConstVecRef b) const;
  void interpolate(ConstVecRef a, ConstVecRef b, Course course, double s, VecRef x) const;
  /// How far outside the limits the worst joint is: rad or m; 0 or less when within.
  [[nodiscard]] double measure_excess(ConstVecRef x) const;

  /// The entries of the space's joints in a configuration.
  void gather(ConstVecRef q, VecRef x) const;
  /// The complete configuration; false where a formula or projection cannot close its loop, or
  /// projection closes it only outside the limits. `workspace` holds its kinematics afterwards
  /// where the space has dependents or loops.
  [[nodiscard]] bool complete(ConstVecRef x, VecRef q, Workspace& workspace) const {
    return complete(x, rest_, q, workspace);
  }
  /// With the rest elsewhere.
  [[nodiscard]] bool complete(ConstVecRef x, ConstVecRef rest, VecRef q,
                              Workspace& workspace) const;
  /// Moves a point to the closed configuration that it stands for; false, and nothing moved, where
  /// it stands for none. Allocates where the space has loops.
  bool close(VecRef x) const;

 private:
  PlanningSpace() = default;
  void add(const Scene& scene, JointId id, double length, const Room& room,
           std::vector<Diagnostic>& faults);
  void measure_extent();
  bool close_loops(VecRef q, Workspace& workspace) const;
  void sample_closed(Rng& rng, VecRef x) const;

  const Scene* scene_ = nullptr;
  std::vector<Item> items_;
  int size_ = 0;
  int dimension_ = 0;
  double extent_ = 0;
  bool has_dependents_ = false;
  bool has_loops_ = false;
  VecX rest_;
};

}  // namespace geste
