#pragma once

#include "geste/tasks/task.hpp"

namespace geste {

struct ReplayOptions {
  std::string motion;         ///< CSV (see formats/motion_csv.hpp) or BVH
  std::string actor;          ///< BVH: the actor that moves; empty: the skeleton joins the scene
  double rate = 0;            ///< frames per second of the result; 0: those of the file
  double begin = -kInfinity;  ///< s in the recording; earlier frames are left out
  double end = kInfinity;     ///< s in the recording; later frames are left out
  double bvh_unit = 0;        ///< m per unit of the BVH file; 0: guessed from the skeleton's height
  bool check = true;          ///< prove that nothing collides, between the frames too

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// Plays a recording in the scene: followers, closed chains and carried parts are completed in
/// every frame, joint limits are watched, and the motion is proven free of collisions or its first
/// contact is named. Nothing is searched.
class Replay final : public Task {
 public:
  void describe(FieldVisitor& visitor) override;
  Result<TaskScene> load_scene(const TaskRun& run) override;
  Result<TaskOutcome> run(const TaskRun& run) override;

 private:
  ReplayOptions options_;
};

}  // namespace geste
