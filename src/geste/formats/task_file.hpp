#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/formats/fields.hpp"
#include "geste/model/collision_spec.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

// A task file says which parts and actors there are and what is asked of them. Lengths in m, angles
// in rad unless a unit stands behind the number ("12 mm", "30 deg").

/// A part made by a generator instead of a file.
struct TaskGenerator {
  std::string kind;
  long long seed = 1;
  long long facets = 0;  ///< 0: the generator's own choice
};

struct TaskPart {
  std::string name;
  // Where its shape comes from: exactly one of these.
  std::string mesh;  ///< STL, OBJ, DAE, glTF/GLB or STEP file
  std::optional<Shape> shape;
  std::optional<TaskGenerator> generator;

  std::string unit;  ///< of the mesh file; empty: what the file says, else metres
  std::string up;    ///< "y" or "z": the mesh file's vertical; empty: what the format says, else z
  double deflection = 0.1e-3;  ///< STEP: how far triangles may cut inside curved surfaces, m
  Pose pose;
  bool movable = false;  ///< hangs on a free joint instead of being fixed
  double mass = 0;       ///< kg
  std::optional<Colour> colour;
  Source source;
};

struct TaskActor {
  std::string name;
  // Where it comes from: exactly one of these.
  std::string urdf;
  std::string bvh;
  std::string builtin;

  std::string srdf;
  Pose at;
  std::string root = "fixed";  ///< fixed, planar or free
  std::string on;              ///< body that carries the root; empty: the world
  std::string start;           ///< named configuration to begin with
  double bvh_unit = 0;         ///< BVH: metres per unit; 0: guessed from the skeleton's height
  Source source;
};

/// A unit that the file gives behind the value of a joint. Whether it suits the joint is known when
/// the scene is there.
struct JointUnit {
  std::string joint;
  int entry = 0;  ///< of the joint's values
  Dimension dimension = Dimension::none;
  Source source{};
};

struct TaskFile {
  std::string file;
  std::string sha256;            ///< of its text
  std::string base;              ///< of relative paths, as seen from the file; empty: its folder
  std::filesystem::path folder;  ///< relative paths start here
  std::vector<std::string> search_path;
  std::vector<TaskPart> parts;
  std::vector<TaskActor> actors;
  std::vector<AttachmentSpec> attachments;
  std::vector<LoopSpec> loops;
  std::vector<ConfigurationSpec> configurations;
  CollisionSpec collision;
  std::string kind;  ///< which task is asked for; empty when the file only describes a scene
  std::vector<JointUnit> joint_units;
  Notes notes;  ///< of what is odd in the file, but readable
};

/// A kind of task as far as its file form goes: `describe` reads its options.
struct TaskKindFields {
  std::string name;
  std::string help;
  std::function<void(FieldVisitor&)> describe;
};

/// Reads the text of a task file and, through `kinds`, the options of the task it asks for. The
/// error lists every unknown key (with the nearest valid one), wrong type, wrong unit and missing
/// value, with line and column.
Result<TaskFile> parse_task(std::string_view text, const std::string& file,
                            std::span<const TaskKindFields> kinds);
Result<TaskFile> load_task_file(const std::filesystem::path& path,
                                std::span<const TaskKindFields> kinds);

/// The form of a task file, for documentation.
void describe_task_file(FieldVisitor& visitor, TaskFile& task,
                        std::span<const TaskKindFields> kinds);

}  // namespace geste
