#include "geste/formats/task_scene.hpp"

#include <fmt/format.h>

#include <iterator>

#include "geste/core/files.hpp"
#include "geste/core/quantity.hpp"
#include "geste/core/sha256.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/bvh.hpp"
#include "geste/formats/internal/length_units.hpp"
#include "geste/formats/internal/urdf_mesh.hpp"
#include "geste/formats/load_asset.hpp"
#include "geste/formats/part.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/geometry/generate.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mechanisms.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;

std::optional<UpAxis> up_axis(const std::string& up) {
  if (up == "y") return UpAxis::y;
  if (up == "z") return UpAxis::z;
  return std::nullopt;
}

JointType root_joint(const std::string& root) {
  return root == "free" ? JointType::free : root == "planar" ? JointType::planar : JointType::fixed;
}

/// What the entries of a joint are measured in.
Dimension find_dimension(JointType type, int entry) {
  switch (type) {
    case JointType::prismatic:
      return Dimension::length;
    case JointType::revolute:
    case JointType::continuous:
    case JointType::universal:
      return Dimension::angle;
    case JointType::planar:
      return entry < 2 ? Dimension::length : Dimension::angle;
    case JointType::free:
      return entry < 3 ? Dimension::length : Dimension::none;
    case JointType::spherical:
    case JointType::fixed:
      break;
  }
  return Dimension::none;
}

/// A joint as task files name it: whole, or without its actor where that is clear.
const Joint* find_named_joint(const TaskFile& task, const Scene& scene, const std::string& name) {
  std::optional<JointId> id = scene.find_joint(name);
  for (const TaskActor& actor : task.actors)
    if (!id) id = scene.find_joint(actor.name + "/" + name);
  return id ? &scene.joint(*id) : nullptr;
}

/// Units of angles behind values of slides, or of lengths behind those of hinges.
std::vector<Diagnostic> find_wrong_units(const TaskFile& task, const Scene& scene) {
  std::vector<Diagnostic> faults;
  for (const JointUnit& unit : task.joint_units) {
    const Joint* joint = find_named_joint(task, scene, unit.joint);
    if (joint == nullptr || unit.entry >= joint->nq) continue;  // told by who uses it
    const Dimension own = find_dimension(joint->type, unit.entry);
    if (own == unit.dimension) continue;
    const char* what = own == Dimension::length  ? "a length in m"
                       : own == Dimension::angle ? "an angle in rad"
                                                 : "a plain number";
    faults.push_back(
        {.code = "task.wrong_unit",
         .message = fmt::format("value {} of this {} joint is {}, not {}", unit.entry + 1,
                                to_string(joint->type), what,
                                unit.dimension == Dimension::angle ? "an angle" : "a length"),
         .file = unit.source.file,
         .line = unit.source.line,
         .element = fmt::format("joint '{}'", unit.joint),
         .remedy = own == Dimension::none ? "write the number alone"
                                          : "use a unit of that kind, or none"});
  }
  return faults;
}

/// Loads one thing after the other into a world, and goes on after faults to find them all.
class SceneLoader {
 public:
  SceneLoader(const TaskFile& task, const CancelToken& cancel) : task_(task), cancel_(cancel) {
    world_.name = fs::path(task.file).stem().string();
    world_.notes = task.notes;
    for (const std::string& folder : task.search_path)
      search_path_.folders.push_back(task.folder / folder);
  }

  void add_part(const TaskPart& part) {
    Result<SceneSpec> mechanism = part.generator ? generate(part)
                                  : part.shape   ? make_primitive(part)
                                                 : load_mesh(part);
    if (!mechanism) return add_faults(mechanism.error(), part.source);
    for (BodySpec& body : mechanism->bodies) body.source = part.source;
    PlaceOptions options;
    options.name = part.name;
    options.keep_names = true;
    options.kind = "part";
    options.X_WA = part.pose;
    options.root = part.movable ? JointType::free : JointType::fixed;
    place(world_, *mechanism, options);
  }

  void add_actor(const TaskActor& actor) {
    Result<SceneSpec> mechanism = !actor.urdf.empty()  ? load_robot(actor)
                                  : !actor.bvh.empty() ? load_skeleton(actor)
                                                       : make_builtin(actor);
    if (!mechanism) return add_faults(mechanism.error(), actor.source);
    PlaceOptions options;
    options.name = actor.name;
    options.kind = actor.bvh.empty() ? "robot" : "person";
    options.X_WA = actor.at;
    options.root = root_joint(actor.root);
    options.parent = actor.on;
    place(world_, *mechanism, options);
  }

  Result<TaskScene> finish() {
    if (!faults_.empty()) return make_error(std::move(faults_));
    world_.loops.insert(world_.loops.end(), task_.loops.begin(), task_.loops.end());
    world_.configurations.insert(world_.configurations.end(), task_.configurations.begin(),
                                 task_.configurations.end());
    Notes notes = world_.notes;
    Result<Scene> scene = Scene::compile(std::move(world_));
    if (!scene) return with_file(scene.error());
    TaskScene loaded{
        std::move(*scene), {}, std::move(inputs_), std::move(notes), std::move(assemblies_)};
    if (std::vector<Diagnostic> wrong = find_wrong_units(task_, loaded.scene); !wrong.empty())
      return make_error(std::move(wrong));
    if (Result<void> started = set_start(loaded); !started) return started.error();
    // Whoever carries something took it where both are at the start.
    for (const AttachmentSpec& a : task_.attachments) {
      Result<Scene> carrying = attach(loaded.scene, loaded.start, a.body, a.carrier);
      if (!carrying) return with_file(carrying.error());
      loaded.scene = std::move(*carrying);
    }
    return loaded;
  }

 private:
  /// Faults of things that have no place of their own are the task file's.
  Error with_file(Error error) const {
    if (error.file.empty()) error.file = task_.file;
    for (Diagnostic& d : error.also) {
      if (d.file.empty()) d.file = task_.file;
    }
    return error;
  }

  void add_faults(const Error& error, const Source& source) {
    Diagnostic first = error;
    if (first.file.empty()) {
      first.file = source.file;
      first.line = source.line;
    }
    faults_.push_back(std::move(first));
    faults_.insert(faults_.end(), error.also.begin(), error.also.end());
  }

  /// The file that the task names, as a path that exists; its hash goes to the inputs.
  Result<fs::path> find_input(const std::string& name, const char* what, const Source& source) {
    const FileSearch search = find_file(name, task_.folder, search_path_);
    if (!search.found) {
      Diagnostic missing = make_not_found("task.file_missing", what, name, search);
      missing.file = source.file;
      missing.line = source.line;
      return missing;
    }
    if (Result<void> added = add_input(name, *search.found); !added) return added.error();
    return *search.found;
  }

  Result<void> add_input(const std::string& name, const fs::path& path) {
    const Result<std::string> bytes = load_file(path);
    if (!bytes) return bytes.error();
    inputs_.push_back({name, compute_sha256(*bytes)});
    return {};
  }

  Result<SceneSpec> load_mesh(const TaskPart& part) {
    const Result<fs::path> path = find_input(part.mesh, "mesh", part.source);
    if (!path) return path.error();
    AssetOptions reading;
    reading.step.linear_deflection = part.deflection;
    reading.step.cancelled = [this] { return cancel_.requested(); };
    Result<Asset> asset = load_asset(*path, reading);
    if (!asset) return asset.error();
    if (part.unit.empty()) {
      if (auto doubt = find_unit_doubt(*asset)) asset->notes.push_back(std::move(*doubt));
    }
    PartOptions options;
    options.name = part.name;
    if (const LengthUnit* unit = find_length_unit(part.unit))
      options.metres_per_unit = unit->metres;
    options.up = up_axis(part.up);
    options.colour = part.colour;
    options.mass = part.mass;
    add_assemblies(*asset, part.name, assemblies_);
    return make_part(*asset, options);
  }

  Result<SceneSpec> make_primitive(const TaskPart& part) {
    PartOptions options;
    options.name = part.name;
    options.colour = part.colour;
    options.mass = part.mass;
    return make_part(*part.shape, options);
  }

  Result<SceneSpec> generate(const TaskPart& part) {
    WorldOptions options;
    options.seed = static_cast<std::uint64_t>(part.generator->seed);
    options.facets = static_cast<std::size_t>(part.generator->facets);
    const Result<GeneratedWorld> world = generate_world(part.generator->kind, options);
    if (!world) return world.error();
    return make_part(*world, part.name);
  }

  Result<SceneSpec> load_robot(const TaskActor& actor) {
    const Result<fs::path> path = find_input(actor.urdf, "robot description", actor.source);
    if (!path) return path.error();
    UrdfOptions options;
    options.search_path = search_path_;
    std::vector<fs::path> meshes;
    options.load_mesh = [&](const fs::path& mesh, Notes& notes) {
      meshes.push_back(mesh);
      return load_urdf_mesh(mesh, notes);
    };
    Result<SceneSpec> robot = load_urdf(*path, options);
    if (!robot) return robot.error();
    for (const fs::path& mesh : meshes) {
      const fs::path name = mesh.lexically_proximate(path->parent_path());
      const std::string shown = fmt::format("{}: {}", actor.urdf, name.generic_string());
      if (Result<void> added = add_input(shown, mesh); !added) return added.error();
    }
    robot->actors.clear();
    if (!actor.srdf.empty()) {
      const Result<fs::path> srdf = find_input(actor.srdf, "SRDF file", actor.source);
      if (!srdf) return srdf.error();
      if (Result<void> applied = load_srdf(*srdf, *robot); !applied) return applied.error();
    }
    return robot;
  }

  Result<SceneSpec> load_skeleton(const TaskActor& actor) {
    const Result<fs::path> path = find_input(actor.bvh, "BVH file", actor.source);
    if (!path) return path.error();
    const Result<BvhFile> bvh = load_bvh(*path);
    if (!bvh) return bvh.error();
    const BvhScale guess = guess_bvh_scale(*bvh);
    const bool guessed = actor.bvh_unit <= 0;
    BvhSceneOptions options;
    options.metres_per_unit = guessed ? guess.metres_per_unit : actor.bvh_unit;
    SceneSpec skeleton = make_bvh_scene(*bvh, options);
    skeleton.actors.clear();
    if (guessed) skeleton.notes.push_back(guess.note);
    return skeleton;
  }

  Result<SceneSpec> make_builtin(const TaskActor& actor) {
    const std::string kinds[] = {"dumbbell"};
    if (actor.builtin == "dumbbell")
      return make_dumbbell_carriers(DumbbellClosure::explicit_formula);
    return Diagnostic{.code = "task.unknown_builtin",
                      .message = fmt::format("there is no built-in mechanism '{}'", actor.builtin),
                      .element = fmt::format("actor '{}'", actor.name),
                      .remedy = suggest_name(actor.builtin, kinds)};
  }

  /// Neutral, with the actors' start configurations laid over it and loops closed.
  Result<void> set_start(TaskScene& loaded) const {
    const Scene& scene = loaded.scene;
    loaded.start = make_neutral(scene);
    std::vector<std::string> names;
    for (const NamedConfiguration& c : scene.configurations()) names.push_back(c.name);
    for (const TaskActor& actor : task_.actors) {
      if (actor.start.empty()) continue;
      const NamedConfiguration* start = scene.find_configuration(actor.name + "/" + actor.start);
      if (!start) start = scene.find_configuration(actor.start);
      if (!start) {
        return Diagnostic{.code = "task.unknown_configuration",
                          .message = fmt::format("there is no configuration '{}'", actor.start),
                          .file = actor.source.file,
                          .line = actor.source.line,
                          .element = fmt::format("actor '{}'", actor.name),
                          .remedy = names.empty() ? "name some: add `srdf:` to the actor, or "
                                                    "`configurations:` to the task file"
                                                  : suggest_name(actor.start, names)};
      }
      apply(scene, *start, loaded.start);
    }
    Workspace workspace(scene);
    const ProjectionReport report = project_to_loops(scene, loaded.start, workspace);
    if (!report.closed) {
      loaded.notes.push_back(
          {"scene.loop_open",
           fmt::format("the closed chains are open at the start by {} (m and rad)",
                       format_number(report.residual, 3)),
           task_.file, 0, 0, "", "give a start configuration near one that closes them"});
    }
    return {};
  }

  const TaskFile& task_;
  const CancelToken& cancel_;
  SceneSpec world_;
  SearchPath search_path_;
  std::vector<InputFile> inputs_;
  BodyAssemblies assemblies_;
  std::vector<Diagnostic> faults_;
};

}  // namespace

Result<TaskScene> load_task_scene(const TaskFile& task, ProgressSink& progress,
                                  const CancelToken& cancel) {
  SceneLoader loader(task, cancel);
  ProgressScope stage(progress, "loading", task.parts.size() + task.actors.size());
  for (const TaskPart& part : task.parts) {
    loader.add_part(part);
    stage.advance(1, part.name);
    if (cancel.requested()) break;
  }
  for (const TaskActor& actor : task.actors) {
    if (cancel.requested()) break;
    loader.add_actor(actor);
    stage.advance(1, actor.name);
  }
  if (cancel.requested())
    return Diagnostic{.code = "cancelled", .message = "cancelled while loading", .file = task.file};
  return loader.finish();
}

}  // namespace geste
