#include "geste/tasks/internal/recordings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "geste/core/files.hpp"
#include "geste/core/sha256.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/bvh.hpp"
#include "geste/formats/motion_csv.hpp"

namespace geste::internal {
namespace {

/// Where each entry of the skeleton's configuration goes in the scene's.
struct JointMap {
  int from = 0;
  int to = 0;
  int count = 0;
};

Result<std::vector<JointMap>> map_joints(const Scene& skeleton, const Scene& scene,
                                         const std::string& actor, const std::string& file,
                                         Notes& notes) {
  std::vector<JointMap> map;
  std::vector<Diagnostic> faults;
  std::vector<std::string> without_partner;
  for (const Joint& j : skeleton.joints()) {
    if (j.nq == 0) continue;
    const auto target = scene.find_joint(actor + "/" + j.name);
    if (!target) {
      without_partner.push_back(j.name);
      continue;
    }
    const Joint& to = scene.joint(*target);
    if (to.nq != j.nq || to.type != j.type) {
      faults.push_back({"replay.joint_type",
                        fmt::format("is {} in the recording and {} in the scene", to_string(j.type),
                                    to_string(to.type)),
                        file, 0, 0, fmt::format("joint '{}'", to.name),
                        "give the actor the skeleton of the recording (actors: bvh)"});
      continue;
    }
    map.push_back({j.q, to.q, j.nq});
  }
  if (map.empty() && faults.empty()) {
    faults.push_back(
        {"replay.no_joint",
         fmt::format("no joint of the recording has the name of a joint of actor '{}'", actor),
         file, 0, 0, "",
         "give the actor the skeleton of the recording (actors: bvh), or leave `actor` out"});
  }
  if (!faults.empty()) return make_error(std::move(faults));
  if (!without_partner.empty()) {
    notes.push_back({"replay.joints_left_out",
                     fmt::format("{} of its joints have no partner in actor '{}': {}",
                                 without_partner.size(), actor, fmt::join(without_partner, ", ")),
                     file, 0, 0, "", "give the actor the skeleton of the recording (actors: bvh)"});
  }
  return map;
}

}  // namespace

Result<void> add_input(const std::filesystem::path& path, const std::string& name,
                       std::vector<InputFile>& inputs) {
  const auto known = [&](const InputFile& input) { return input.file == name; };
  if (std::any_of(inputs.begin(), inputs.end(), known)) return {};
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  inputs.push_back({name, compute_sha256(*bytes)});
  return {};
}

Result<Recording> load_csv_recording(const std::filesystem::path& path,
                                     const ReplayOptions& options, const TaskRun& run) {
  Result<TaskScene> world = load_task_scene(run.file, run.progress, run.budget.cancel);
  if (!world) return world.error();
  Result<JointMotion> motion = load_motion_csv(path, world->scene, world->start);
  if (!motion) return motion.error();
  if (auto added = add_input(path, options.motion, world->inputs); !added) return added.error();
  return Recording{std::move(*world), std::move(*motion)};
}

TaskFile add_skeleton(TaskFile file, const std::filesystem::path& path,
                      const ReplayOptions& options, double metres_per_unit) {
  TaskActor skeleton;
  skeleton.name = path.stem().string();
  skeleton.bvh = options.motion;
  skeleton.bvh_unit = metres_per_unit;
  skeleton.source = {file.file, 0};
  file.actors.push_back(std::move(skeleton));
  return file;
}

double choose_bvh_unit(const ReplayOptions& options, const BvhFile& bvh) {
  return options.bvh_unit > 0 ? options.bvh_unit : guess_bvh_scale(bvh).metres_per_unit;
}

Result<Recording> load_bvh_recording(const std::filesystem::path& path,
                                     const ReplayOptions& options, const TaskRun& run) {
  const Result<BvhFile> bvh = load_bvh(path);
  if (!bvh) return bvh.error();
  BvhSceneOptions as_scene;
  const BvhScale guess = guess_bvh_scale(*bvh);
  as_scene.metres_per_unit = choose_bvh_unit(options, *bvh);

  TaskFile file = run.file;
  std::string actor = options.actor;
  if (actor.empty()) {
    actor = path.stem().string();
    file = add_skeleton(std::move(file), path, options, as_scene.metres_per_unit);
  }
  Result<TaskScene> world = load_task_scene(file, run.progress, run.budget.cancel);
  if (!world) return world.error();
  // The actor may have the same file as its skeleton, and the note with it.
  const bool told =
      std::find(world->notes.begin(), world->notes.end(), guess.note) != world->notes.end();
  if (options.bvh_unit <= 0 && !told) world->notes.push_back(guess.note);
  if (auto added = add_input(path, options.motion, world->inputs); !added) return added.error();

  const Result<Scene> alone = Scene::compile(make_bvh_scene(*bvh, as_scene));
  if (!alone) return alone.error();
  const Result<std::vector<JointMap>> map =
      map_joints(*alone, world->scene, actor, path.string(), world->notes);
  if (!map) return map.error();
  const MatX frames = make_bvh_motion(*bvh, as_scene);
  JointMotion motion;
  motion.q = world->start.replicate(1, frames.cols());
  for (Eigen::Index i = 0; i < frames.cols(); ++i) {
    motion.times.push_back(static_cast<double>(i) * bvh->frame_time);
    for (const JointMap& m : *map)
      motion.q.col(i).segment(m.to, m.count) = frames.col(i).segment(m.from, m.count);
  }
  return Recording{std::move(*world), std::move(motion)};
}

}  // namespace geste::internal
