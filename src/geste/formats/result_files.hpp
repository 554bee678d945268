#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geste/formats/task_scene.hpp"
#include "geste/model/motion.hpp"

namespace geste {

/// One measured or computed value of a result.
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;  ///< "m", "rad", "s", "1"
};

/// What was proven of a motion as a whole, not only of its moments (GX-2). Parts are named.
struct Certificate {
  /// A stretch of time in which nothing comes nearer than `clearance`.
  struct Span {
    double begin = 0;      ///< s
    double end = 0;        ///< s
    double clearance = 0;  ///< m
    std::string a;         ///< the pair that comes nearest; empty: nothing is as near as that
    std::string b;
  };
  /// The first place that touches.
  struct Contact {
    double at = 0;  ///< s
    std::string a;
    std::string b;
    double distance = 0;  ///< m; negative: into each other
    Vec3 point = Vec3::Zero();
  };

  bool is_free = false;
  bool is_verified = false;   ///< by a second prover that shares no search and no bound
  double clearance = 0;       ///< m; of the whole motion, when free
  double touch = 0;           ///< m; what came nearer than its margin and this counted as touching
  std::size_t pairs = 0;      ///< pairs of bodies that were checked
  std::vector<Span> profile;  ///< without gaps, up to the contact
  std::optional<Contact> contact;
  /// Where it is tightest, measured: the bound of its stretch is this or a little less.
  struct Gap {
    double at = 0;  ///< s
    std::string a;
    std::string b;
    double distance = 0;  ///< m
    Vec3 on_a = Vec3::Zero();
    Vec3 on_b = Vec3::Zero();
  };
  std::optional<Gap> tightest;
  /// Where the motion leaves its mechanism, so that nothing is proven.
  struct Break {
    double at = 0;  ///< s
    std::string what;
  };
  std::optional<Break> broken;
  std::vector<StartContact> contacts{};  ///< that were taken as given
  double stray = 0;  ///< m; between frames closed mechanisms are elsewhere, by no more than this,
                     ///< which is taken off all clearances
};

/// Two that are in each other where a motion should begin or end.
struct Collision {
  std::string where;  ///< "start", "goal"
  std::string a;
  std::string b;
  double depth = 0;  ///< m; negative: apart, but nearer than their margin
  Vec3 point = Vec3::Zero();
};

/// How sure a statement about a search that found nothing is.
enum class Grade {
  proven,           ///< by an exact check or a proof: it holds whatever is searched
  found_by_search,  ///< a motion in a changed world was found and proven; here none was found
  suspected,        ///< only met often
};

/// "proven", "found by search", "suspected".
const char* to_text(Grade grade);

/// Why there is no motion, as far as it was found out (GX-3). Parts are named.
struct Reasons {
  /// "start", "goal" (not free), "limits" (the goal is beyond them), "keep" (contradicts the goal),
  /// "unreachable" (no configuration was found for the goal's pose), "time", "budget" (used up),
  /// "blocked" (proven), "late" (not by the time asked for), "others" (collide among themselves)
  std::string kind{};
  /// Of what `kind` says: proven, there is no motion at all; found by search, there may be one.
  Grade grade = Grade::found_by_search;
  /// Who has to do with it, each with how sure that is: walls of an enclosure, `without`, then
  /// those that stopped the search most often.
  struct Part {
    std::string name;
    Grade grade = Grade::suspected;
    double stops = 0;  ///< suspected: fraction of the stops of the search
  };
  std::vector<Part> parts{};
  /// Without these there is a motion, found and proven; with any one of them back none was found.
  std::vector<std::string> without{};
  /// What the goal asks for that it may not: beyond a limit, or off what is to be kept.
  struct Conflict {
    std::string what;  ///< a joint, or "body.roll" of `keep`
    double by = 0;     ///< m or rad
    bool is_angle = false;
  };
  std::vector<Conflict> conflicts{};
  /// How much is missing: were what moves thinner by this, or the gaps wider, it would come through
  /// on a way that was found and proven.
  struct Gap {
    double missing = 0;  ///< m
    std::string moved;   ///< what goes through
    std::vector<std::string> between;
    double depth = 0;  ///< m; how deep it is in the deepest of them on that way
    Vec3 on_moved = Vec3::Zero();
    Vec3 on_other = Vec3::Zero();
    double share = 0;  ///< of that way
  };
  std::optional<Gap> gap{};
  /// How far the search came: the place nearest to the goal.
  struct Approach {
    std::string moved;
    Vec3 position = Vec3::Zero();  ///< of its origin
    double left = 0;               ///< m to the nearest goal
  };
  std::optional<Approach> approach{};
  /// Proof that there is none: a ball inside what moves cannot get to where the goal has it.
  struct Enclosure {
    std::string moved;
    double radius = 0;  ///< m
    AxisBox box{};      ///< where the ball's centre stays
    std::vector<std::string> walls;
    bool needs_range = false;  ///< beside the walls its room, or the reach of its joints, holds it
    std::size_t cells = 0;     ///< that the proof was put together from
  };
  std::optional<Enclosure> enclosure{};
};

/// One part of a disassembly.
struct SequenceStep {
  std::string part;
  double begin = 0;      ///< s; of its own motion within the whole
  double end = 0;        ///< s
  double clearance = 0;  ///< m; proven
};

/// What a task brought about, as it is written to disk.
struct TaskResult {
  std::string task;     ///< kind
  bool found = false;   ///< there is a motion
  std::string verdict;  ///< one sentence for people
  /// What is proven of the motion; nothing: it was not checked, and result.json says so.
  std::optional<Certificate> certificate;
  std::vector<Collision> collisions;  ///< of the start and of the goal
  std::optional<Reasons> reasons;     ///< where there is no motion and they were looked for
  JointMotion motion;
  std::vector<SequenceStep> sequence{};  ///< of a disassembly: who goes first
  std::optional<TriangleMesh> swept;     ///< surface of the space that what moves passes through
  std::vector<Figure> figures;
  Notes notes;
  std::uint64_t seed = 0;
  InputFile task_file{};  ///< which asked for it; no name: none did
  std::vector<InputFile> inputs;
};

struct WriteOptions {
  double csv_step = 0;  ///< s; above 0: also motion_even.csv, with a row for each step
};

/// The files of a result: report.html, result.json, motion.glb; motion.csv where there is a motion,
/// not only the start;
/// swept.stl where there is a swept volume.
std::vector<std::string> list_result_files(const TaskResult& result,
                                           const WriteOptions& options = {});

/// Writes them into `folder` (made where missing): all of them or none, which is an error when it
/// was called off. Those of an earlier result that this one has not are removed. The same result
/// gives the same bytes.
Result<void> write_result(const std::filesystem::path& folder, const TaskScene& world,
                          const TaskResult& result, const CancelToken& cancel = {},
                          const WriteOptions& options = {});

/// The parts of it. result.json names its task file as seen from `folder`, so that both can move
/// together; without a folder as it was given.
std::string make_result_json(const Scene& scene, const TaskResult& result,
                             const std::filesystem::path& folder = {});
/// Those that a long motion makes long are empty when their budget ended before.
std::string make_motion_glb(const Scene& scene, const JointMotion& motion,
                            const Budget& budget = {});
/// One page with everything in it (GX-7): verdict, replay in 3D, plots, figures, and what it takes
/// to do it again. Opens from the file system, without a network.
std::string make_report(const TaskScene& world, const TaskResult& result,
                        const std::filesystem::path& folder = {}, const Budget& budget = {});

/// One diagnostic as a JSON object; fields that do not apply are left out.
std::string make_diagnostic_json(const Diagnostic& diagnostic);

/// An error as JSON: {"error": {code, message, file, line, column, element, remedy}, "also":
/// [...]}.
std::string make_error_json(const Error& error);

}  // namespace geste
