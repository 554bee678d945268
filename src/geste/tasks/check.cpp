#include "geste/tasks/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "geste/core/quantity.hpp"
#include "geste/core/text.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/loops.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/static_clash.hpp"
#include "geste/proximity/validator.hpp"
#include "geste/tasks/internal/check_writer.hpp"
#include "geste/tasks/task.hpp"

namespace geste {
namespace {

Result<VecX> find_state(const TaskScene& world, const std::string& name, const std::string& file) {
  VecX q = world.start;
  if (const NamedConfiguration* found = world.scene.find_configuration(name)) {
    apply(world.scene, *found, q);
    return q;
  }
  if (name == "start") return q;
  std::vector<std::string> known{"start"};
  for (const NamedConfiguration& c : world.scene.configurations()) known.push_back(c.name);
  return Diagnostic{.code = "check.unknown_state",
                    .message = fmt::format("there is no state '{}'", name),
                    .file = file,
                    .remedy = suggest_name(name, known)};
}

CollisionOptions make_collision_options(const TaskFile& file, const CheckOptions& options,
                                        const CancelToken& cancel) {
  CollisionOptions collision;
  static_cast<CollisionSpec&>(collision) = file.collision;
  collision.check_fixed = options.fixed;
  collision.survey.samples = options.samples;
  collision.survey.seed = options.seed;
  collision.threads = options.threads;
  collision.cancel = cancel;
  return collision;
}

/// Closes the chains as far as they can be.
std::optional<Note> close_loops(const Scene& scene, VecX& q, Workspace& workspace) {
  const ProjectionReport report = project_to_loops(scene, q, workspace);
  if (report.closed) return std::nullopt;
  return Note{.code = "check.loop_open",
              .message = fmt::format("a closed chain stays open by {} in this state",
                                     format_number(report.residual, 3)),
              .remedy = "check the joint values of the state"};
}

/// Beyond its limits a joint reaches what its limits rule out.
std::optional<Note> find_broken_limit(const Scene& scene, const VecX& q) {
  const LimitViolation worst = find_limit_violation(scene, q);
  constexpr double kRounding = 1e-9;
  if (!worst.joint.valid() || worst.excess <= kRounding) return std::nullopt;
  return Note{.code = "check.limit",
              .message = fmt::format("is {} beyond its limits in this state; pairs out of reach "
                                     "within the limits were looked at too",
                                     format_number(worst.excess)),
              .element = fmt::format("joint '{}'", scene.joint(worst.joint).name),
              .remedy = "check the joint values of the state"};
}

/// What has no inside is said: depth there is not what people expect.
void add_open_meshes(const Scene& scene, const CollisionModel& model, Notes& notes) {
  int last = -1;
  for (const CollisionObject& o : model.objects()) {
    if (!o.collider.mesh() || o.collider.mesh()->is_closed() || o.geometry == last) continue;
    last = o.geometry;
    notes.push_back({.code = "check.open_mesh",
                     .message = "its mesh is not closed and has no inside: it is a surface without "
                                "depth",
                     .element = fmt::format("body '{}'", scene.body(o.body).name),
                     .remedy = "close the mesh where depth matters"});
  }
}

/// A CAD file stands for a scene of its parts.
Result<LoadedTask> load_scene_or_asset(const std::filesystem::path& path) {
  static constexpr std::array kAssets = {".step", ".stp", ".gltf", ".glb", ".obj", ".stl", ".dae"};
  const std::string extension = to_lower(path.extension().string());
  if (std::find(kAssets.begin(), kAssets.end(), extension) == kAssets.end()) return load_task(path);
  const std::string text = fmt::format("geste: 1\nparts:\n  - {{name: assembly, mesh: {}}}\n",
                                       quote_json(path.filename().string()));
  return parse_task_with_kinds(text, path.string());
}

bool checks_some_pair(const CollisionModel& model) {
  const std::vector<RuledPair> pairs = model.list_pairs();
  return std::any_of(pairs.begin(), pairs.end(),
                     [](const RuledPair& p) { return p.rule == PairRule::checked; });
}

/// Where nothing moves against anything, what is fixed to each other is all there is to check.
Result<CollisionModel> make_check_model(const Scene& scene, CollisionOptions options) {
  Result<CollisionModel> model = CollisionModel::make(scene, options);
  if (!model || options.check_fixed || checks_some_pair(*model)) return model;
  options.check_fixed = true;
  return CollisionModel::make(scene, options, &*model);
}

}  // namespace

Result<CheckReport> check_scene(const std::filesystem::path& path, const CheckOptions& options,
                                ProgressSink& progress, const CancelToken& cancel) {
  const Result<LoadedTask> loaded = load_scene_or_asset(path);
  if (!loaded) return loaded.error();
  const TaskFile& file = loaded->file;
  const Result<TaskScene> world = load_task_scene(file, progress, cancel);
  if (!world) return world.error();
  const Scene& scene = world->scene;
  Result<VecX> q = find_state(*world, options.state, file.file);
  if (!q) return q.error();

  ProgressScope stage(progress, "checking");
  Workspace workspace(scene);
  Notes notes = world->notes;
  CollisionOptions collision = make_collision_options(file, options, cancel);
  if (const auto note = close_loops(scene, *q, workspace)) notes.push_back(*note);
  if (const auto note = find_broken_limit(scene, *q)) {
    notes.push_back(*note);
    collision.use_reach = false;
  }
  for (std::size_t i = world->notes.size(); i < notes.size(); ++i) notes[i].file = file.file;
  const Result<CollisionModel> model = make_check_model(scene, collision);
  if (!model) {
    Error error = model.error();
    if (error.file.empty()) error.file = file.file;
    return error;
  }
  StaticClashOptions asked;
  asked.tolerance = std::max(options.tolerance, model->largest_margin());
  asked.resolution = options.resolution;
  asked.threads = options.threads;
  asked.cancel = cancel;
  StaticClashes clashes = find_static_clashes(*model, workspace, asked);
  if (!clashes.complete)
    return Diagnostic{.code = "cancelled", .message = "the check was cancelled"};
  // Margins are of pairs, the search was for the largest of them.
  std::erase_if(clashes.pairs, [&](const StaticClash& c) {
    return c.kind == ClashKind::near &&
           c.separation.distance > std::max(options.tolerance, model->margin(c.a, c.b));
  });
  std::optional<PairClearance> nearest;
  if (clashes.pairs.empty() && clashes.checked > 0) {
    CollisionWorkspace memory(*model);
    nearest = find_nearest_pair(*model, workspace, memory);
  }
  std::vector<std::pair<BodyId, BodyId>> never;
  if (options.list_dropped)
    never = Validator(scene, *model, {.threads = options.threads}).list_never_colliding();
  CheckReport report =
      internal::write_check_report(scene, *model, file.file, options, {clashes, nearest, never});
  add_open_meshes(scene, *model, notes);
  report.notes = std::move(notes);
  return report;
}

}  // namespace geste
