#pragma once

#include "geste/tasks/task.hpp"

namespace geste {

struct ExtractOptions {
  std::string part;                  ///< a part, or one of an assembly: "engine/piston"
  std::vector<std::string> carries;  ///< parts that come along; '*' stands for any letters
  std::vector<std::string> ignore;   ///< parts that it may go through; '*' as above
  /// m; what the part touches at the start is taken as given (StartContact): it may stay as deep as
  /// it is, and come deeper by this.
  double tolerance = 0;

  std::optional<Vec3> outside_low;   ///< m; it is out when whole outside this box, in the world;
  std::optional<Vec3> outside_high;  ///< without one: of the box of everything else
  std::optional<Vec3> direction;     ///< it must come out on this side; in the world
  std::optional<Vec3> room_low;      ///< m; where its middle may be, in the world
  std::optional<Vec3> room_high;
  long long samples = 30'000;  ///< to search with at most; 0: straight ways out alone
  double speed = 1;            ///< share of the speed limits
  bool shorten = true;
  bool sequence = false;  ///< others may have to go first: say which, in which order
  bool swept = false;     ///< the space that is passed through, as a mesh

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// Takes a part out of an assembly (MV-1, MV-10): alone, or with parts that it carries. The file
/// need not say that it is loose. Where it does not come out the task says why (GX-3): what it
/// touches at the start, which parts block it, how much is missing; and whether that is proven.
/// With `sequence` parts that are in the way are taken out before it, one after the other.
class Extract final : public Task {
 public:
  void describe(FieldVisitor& visitor) override;
  Result<TaskScene> load_scene(const TaskRun& run) override;
  Result<std::vector<MotionPiece>> split_motion(const TaskRun& run, const TaskScene& world,
                                                const JointMotion& motion) override;
  Result<TaskOutcome> run(const TaskRun& run) override;

 private:
  ExtractOptions options_;
};

}  // namespace geste
