#include "geste/formats/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "geste/core/files.hpp"
#include "geste/core/sha256.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/length_units.hpp"
#include "geste/formats/internal/yaml_fields.hpp"

namespace geste {
namespace {

const std::vector<std::string> kUnits = length_unit_symbols();
const std::string kUps[] = {"y", "z"};
const std::string kRoots[] = {"fixed", "planar", "free"};

/// Names become "actor/link" paths and file columns.
void check_name(FieldVisitor& v, const std::string& name) {
  const auto bad = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '/' || c == ',' || c == ':' || c == '"';
  };
  if (std::any_of(name.begin(), name.end(), bad)) {
    v.fault("name", "task.bad_name",
            fmt::format("the name '{}' holds a '/', ',', ':', quote or control character", name),
            "use letters, digits, '_', '-', '.' and blanks");
  }
}

void require_one(FieldVisitor& v, int given, const char* what, const char* of) {
  if (given == 1) return;
  v.fault("", given == 0 ? "task.no_shape" : "task.two_shapes",
          fmt::format(
              "{} {}", what,
              given == 0 ? "does not say where it comes from" : "comes from more than one place"),
          fmt::format("give exactly one of {}", of));
}

/// A length above zero; not a number where the file gives none that can be read.
double read_size(FieldVisitor& v, const Field& field) {
  double size = std::numeric_limits<double>::quiet_NaN();
  v.number(field, size, Dimension::length);
  if (size <= 0) {
    v.fault(field.key, "task.bad_value", fmt::format("'{}' must be above zero", field.key),
            "for example 50 mm");
  }
  return size;
}

/// Sizes of round shapes share two fields.
void describe_round(FieldVisitor& v, double& radius, double& length) {
  radius = read_size(v, {"radius", "radius", true});
  length = read_size(v, {"length", "full height along z", true});
}

/// The primitive shapes a part can have; returns how many were given.
int describe_shapes(FieldVisitor& v, TaskPart& part) {
  int given = 0;
  const auto take = [&](bool present, Shape shape) {
    given += present;
    if (present) part.shape = std::move(shape);
  };
  Vec3 box = Vec3::Ones();
  v.vector({"box", "a box: its full edge lengths"}, box, Dimension::length);
  if (!(box.minCoeff() > 0))
    v.fault("box", "task.bad_value", "the edges of 'box' must be above zero",
            "for example [0.2, 0.1, 50 mm]");
  take(v.has("box"), Box{box});
  const double sphere = read_size(v, {"sphere", "a sphere: its radius"});
  take(v.has("sphere"), Sphere{sphere});
  bool present = false;
  double radius = 0, length = 0;
  const auto round = [&](FieldVisitor& inner) { describe_round(inner, radius, length); };
  v.group({"cylinder", "a cylinder about z"}, present, round);
  take(present, Cylinder{radius, length});
  v.group({"capsule", "a cylinder about z with round ends; length without them"}, present, round);
  take(present, Capsule{radius, length});
  v.group({"cone", "a cone about z, apex up"}, present, round);
  take(present, Cone{radius, length});
  double tube = 0;
  v.group({"torus", "a ring about z"}, present, [&](FieldVisitor& inner) {
    radius = read_size(inner, {"radius", "of the ring's centre line", true});
    tube = read_size(inner, {"tube_radius", "of the tube", true});
  });
  take(present, Torus{radius, tube});
  return given;
}

int describe_generator(FieldVisitor& v, TaskPart& part) {
  bool present = false;
  TaskGenerator g;
  v.group({"generate", "a generated world; `geste tasks` lists the kinds"}, present,
          [&](FieldVisitor& inner) {
            inner.text({"kind", "which generator", true}, g.kind);
            inner.integer({"seed", "same seed, same world"}, g.seed, 0);
            inner.integer({"facets", "number of triangles to aim at; 0: the generator's choice"},
                          g.facets, 0);
          });
  if (present) part.generator = g;
  return present;
}

void describe_part(FieldVisitor& v, TaskPart& part) {
  part.source.line = v.line();
  v.text({"name", "how results and messages call it", true}, part.name);
  v.file({"mesh", "STL, OBJ, DAE, glTF, GLB or STEP file"}, part.mesh);
  const int given = describe_shapes(v, part) + describe_generator(v, part) + v.has("mesh");
  v.choice({"unit", "length unit of the mesh file where it states none or lies"}, part.unit,
           kUnits);
  v.choice({"up", "vertical axis of the mesh file; default: y for glTF, as stated for DAE, else z"},
           part.up, kUps);
  v.number({"deflection", "STEP: how far triangles may cut inside curved surfaces"},
           part.deflection, Dimension::length);
  v.pose({"pose", "where it stands in the world"}, part.pose);
  v.boolean({"movable", "may be moved and carried; otherwise fixed"}, part.movable);
  v.number({"mass", "its mass"}, part.mass, Dimension::mass);
  std::vector<double> colour;
  v.numbers({"colour", "red, green, blue and optionally opacity, 0 to 1"}, colour, Dimension::none);
  if (!colour.empty()) {
    const bool fine =
        (colour.size() == 3 || colour.size() == 4) &&
        std::all_of(colour.begin(), colour.end(), [](double c) { return c >= 0 && c <= 1; });
    if (!fine)
      v.fault("colour", "task.bad_colour", "a colour has 3 or 4 numbers from 0 to 1",
              "for example [0.8, 0.4, 0.1]");
    if (fine)
      part.colour = Colour{colour[0], colour[1], colour[2], colour.size() == 4 ? colour[3] : 1};
  }
  if (!(part.deflection > 0)) {
    v.fault("deflection", "task.bad_value", "the deflection must be positive",
            "for example 0.1 mm");
  }
  if (part.mass < 0)
    v.fault("mass", "task.bad_value", "the mass must not be negative", "leave it out when unknown");
  check_name(v, part.name);
  require_one(v, given, "the part", "mesh, box, sphere, cylinder, capsule, cone, torus, generate");
}

void describe_actor(FieldVisitor& v, TaskActor& actor) {
  actor.source.line = v.line();
  v.text({"name", "how results and messages call it", true}, actor.name);
  v.file({"urdf", "robot description"}, actor.urdf);
  v.file({"bvh", "skeleton of a motion capture file"}, actor.bvh);
  v.text({"builtin", "mechanism that comes with geste: dumbbell"}, actor.builtin);
  v.file({"srdf", "groups, named configurations and allowed pairs of the robot"}, actor.srdf);
  v.pose({"at", "where its root stands"}, actor.at);
  v.choice({"root", "how its root may move"}, actor.root, kRoots);
  v.text({"on", "body that carries its root, as actor/link; default: the world"}, actor.on);
  v.text({"start", "named configuration to begin with"}, actor.start);
  v.number({"bvh_unit", "BVH: length of one unit of the file; 0: guessed"}, actor.bvh_unit,
           Dimension::length);
  check_name(v, actor.name);
  require_one(v, v.has("urdf") + v.has("bvh") + v.has("builtin"), "the actor",
              "urdf, bvh, builtin");
}

void describe_loop_end(FieldVisitor& v, const char* key, std::string& body, Pose& pose) {
  bool present = false;
  v.group({key, "one end of the loop", true}, present, [&](FieldVisitor& inner) {
    inner.text({"body", "actor/link; left out: the world"}, body);
    inner.pose({"pose", "the frame on that body"}, pose);
  });
}

void describe_loop(FieldVisitor& v, LoopSpec& loop) {
  static constexpr const char* kComponents[] = {"x", "y", "z", "rx", "ry", "rz"};
  v.text({"name", "how messages call it", true}, loop.name);
  describe_loop_end(v, "a", loop.body_a, loop.X_A);
  describe_loop_end(v, "b", loop.body_b, loop.X_B);
  std::vector<std::string> free;
  v.texts({"free", "components that stay free, seen from end a: x, y, z, rx, ry, rz"}, free);
  for (const std::string& name : free) {
    const auto* found = std::find(std::begin(kComponents), std::end(kComponents), name);
    if (found == std::end(kComponents)) {
      v.fault("free", "task.unknown_choice", fmt::format("'{}' is no component of a loop", name),
              "use x, y, z, rx, ry, rz");
    } else {
      loop.constrained[static_cast<std::size_t>(found - kComponents)] = false;
    }
  }
  v.texts({"joints", "joints that closing it may move; default: all between its ends"},
          loop.joints);
}

/// One or two names.
void describe_pair(FieldVisitor& v, const Field& field, std::size_t least, std::string& a,
                   std::string& b) {
  std::vector<std::string> names;
  v.texts(field, names);
  if (v.has(field.key) && (names.size() < least || names.size() > 2)) {
    v.fault(field.key, "task.pair", fmt::format("has {} names", names.size()),
            least == 2 ? "give two bodies or actors" : "give one or two bodies or actors");
    return;
  }
  if (!names.empty()) a = names[0];
  if (names.size() == 2) b = names[1];
}

void describe_collision(FieldVisitor& v, const std::string& file, CollisionSpec& collision) {
  v.number({"margin", "who comes nearer than this counts as colliding"}, collision.margin,
           Dimension::length);
  v.list({"margins", "margins of some"}, [&](FieldVisitor& item) {
    PairMargin& m = collision.margins.emplace_back();
    m.source = {file, item.line()};
    describe_pair(item, {"between", "two bodies or actors; one: with everything else", true}, 1,
                  m.a, m.b);
    item.number({"margin", "the larger of several counts", true}, m.margin, Dimension::length);
  });
  v.list({"allowed", "who may touch"}, [&](FieldVisitor& item) {
    PairAllowance& p = collision.allowed.emplace_back();
    p.source = {file, item.line()};
    describe_pair(item, {"between", "two bodies or actors", true}, 2, p.a, p.b);
  });
  v.list({"areas", "where movers stay: obstacles outside are left out"}, [&](FieldVisitor& item) {
    MotionArea& area = collision.areas.emplace_back();
    area.source = {file, item.line()};
    item.text({"mover", "a body or actor; left out: everything that moves"}, area.mover);
    area.box = {Vec3::Zero(), Vec3::Zero()};
    item.vector({"low", "lower corner in the world", true}, area.box.min, Dimension::length);
    item.vector({"high", "upper corner in the world", true}, area.box.max, Dimension::length);
  });
}

/// The task itself: a mapping with one key, the kind.
void describe_kinds(FieldVisitor& v, TaskFile& task, std::span<const TaskKindFields> kinds) {
  bool present = false;
  v.group({"task", "what is asked; without it the file only describes a scene"}, present,
          [&](FieldVisitor& inner) {
            int given = 0;
            for (const TaskKindFields& kind : kinds) {
              bool chosen = false;
              inner.group({kind.name.c_str(), kind.help.c_str()}, chosen, kind.describe);
              given += chosen;
              if (chosen) task.kind = kind.name;
            }
            if (given > 1)
              inner.fault("", "task.two_tasks", "asks for more than one task",
                          "keep one; a file holds one task");
            if (given == 0)
              inner.fault("", "task.no_kind", "names no kind of task",
                          "`geste tasks` lists the kinds");
          });
}

/// Two things of one name cannot be told apart in results.
void check_names(const TaskFile& task, std::vector<Diagnostic>& faults) {
  std::vector<std::pair<std::string, int>> names;
  for (const TaskPart& p : task.parts) names.emplace_back(p.name, p.source.line);
  for (const TaskActor& a : task.actors) names.emplace_back(a.name, a.source.line);
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i].first.empty() || names[i].first != names[i - 1].first) continue;
    faults.push_back({"task.duplicate_name",
                      fmt::format("the name '{}' is used twice", names[i].first), task.file,
                      names[i].second, 0, "", "rename one of the two"});
  }
}

}  // namespace

void describe_task_file(FieldVisitor& v, TaskFile& task, std::span<const TaskKindFields> kinds) {
  long long version = 0;
  v.integer({"geste", "version of the file form: 1", true}, version, 1);
  if (version > 1)
    v.fault("geste", "task.version",
            fmt::format("the file form {} is newer than this geste reads", version),
            "use geste: 1");
  v.file({"base", "folder where relative paths start; default: that of this file"}, task.base);
  v.texts({"search_path", "folders to look for meshes and packages"}, task.search_path);
  v.list({"parts", "things that stand or lie there"},
         [&](FieldVisitor& item) { describe_part(item, task.parts.emplace_back()); });
  v.list({"actors", "robots, people, cranes"},
         [&](FieldVisitor& item) { describe_actor(item, task.actors.emplace_back()); });
  v.list({"attachments", "who carries what from the start"}, [&](FieldVisitor& item) {
    AttachmentSpec& a = task.attachments.emplace_back();
    item.text({"body", "a movable part", true}, a.body);
    item.text({"carrier", "the body that carries it, as actor/link", true}, a.carrier);
  });
  v.list({"loops", "closed kinematic chains"},
         [&](FieldVisitor& item) { describe_loop(item, task.loops.emplace_back()); });
  v.list({"configurations", "named joint values"}, [&](FieldVisitor& item) {
    ConfigurationSpec& c = task.configurations.emplace_back();
    c.source = {task.file, item.line()};
    item.text({"name", "how tasks call it", true}, c.name);
    item.joint_values({"joints", "values by joint, as actor/joint", true}, c.values);
  });
  bool has_collision = false;
  v.group({"collision", "margins, and who may touch"}, has_collision,
          [&](FieldVisitor& inner) { describe_collision(inner, task.file, task.collision); });
  describe_kinds(v, task, kinds);
}

Result<TaskFile> parse_task(std::string_view text, const std::string& file,
                            std::span<const TaskKindFields> kinds) {
  const Result<YAML::Node> document = internal::parse_yaml(text, file);
  if (!document) return document.error();
  if (!document->IsMap()) {
    return Diagnostic{.code = "task.not_a_mapping",
                      .message = "is no task file: the document is not a mapping",
                      .file = file,
                      .line = 1,
                      .remedy = "begin with `geste: 1`, then parts, actors and task"};
  }
  TaskFile task;
  task.file = file;
  task.sha256 = compute_sha256(text);
  task.folder = std::filesystem::path(file).parent_path();
  internal::YamlLog log;
  std::vector<Diagnostic>& faults = log.faults;
  try {
    internal::YamlFields fields(*document, file, "", log);
    describe_task_file(fields, task, kinds);
    fields.finish();
  } catch (const YAML::Exception& e) {
    faults.push_back({"yaml.syntax", e.msg, file, e.mark.line + 1, e.mark.column + 1, "",
                      "check the YAML there"});
  }
  // By name alone: the file's own folder need not be there yet.
  if (!task.base.empty()) task.folder = (task.folder / task.base).lexically_normal();
  for (TaskPart& p : task.parts) p.source.file = file;
  for (TaskActor& a : task.actors) a.source.file = file;
  check_names(task, faults);
  if (!faults.empty()) return make_error(std::move(faults));
  task.notes = std::move(log.notes);
  task.joint_units = std::move(log.joint_units);
  return task;
}

Result<TaskFile> load_task_file(const std::filesystem::path& path,
                                std::span<const TaskKindFields> kinds) {
  const Result<std::string> text = load_file(path);
  if (!text) return text.error();
  return parse_task(*text, path.string(), kinds);
}

}  // namespace geste
