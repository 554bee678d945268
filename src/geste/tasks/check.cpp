#include "geste/tasks/check.hpp"

#include <fmt/format.h>

#include "geste/core/text.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/loops.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/validator.hpp"
#include "geste/tasks/internal/facts.hpp"
#include "geste/tasks/task.hpp"

namespace geste {
namespace {

using internal::Facts;

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

/// "arm/link5", and the geometry where it has a name of its own.
std::string name_of(const Scene& scene, const CollisionModel& model, int object) {
  const CollisionObject& o = model.objects()[static_cast<std::size_t>(object)];
  const std::string& body = scene.body(o.body).name;
  const std::string& geometry = scene.geometry()[static_cast<std::size_t>(o.geometry)].name;
  std::string name = geometry == body ? body : fmt::format("{} ({})", body, geometry);
  if (o.pieces > 1) name += fmt::format(" [piece {} of {}]", o.piece + 1, o.pieces);
  return name;
}

Facts to_facts(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

Facts to_facts(const Scene& scene, const CollisionModel& model, const PairClearance& pair) {
  const Separation& s = pair.separation;
  return {{"a", scene.body(pair.a).name},
          {"b", scene.body(pair.b).name},
          {"object_a", name_of(scene, model, pair.object_a)},
          {"object_b", name_of(scene, model, pair.object_b)},
          {"clearance_m", s.distance},
          {"error_m", s.error},
          {"margin_m", pair.margin},
          {"point", to_facts((s.on_a + s.on_b) / 2)},
          {"normal", to_facts(s.normal)}};
}

/// "in each other by 3.21 mm", "apart by 2 mm (margin 5 mm)".
std::string describe(const PairClearance& pair) {
  const double distance = pair.separation.distance;
  std::string text =
      distance < 0 ? fmt::format("{:.4g} mm deep", -1e3 * distance)
                   : (distance > 0 ? fmt::format("{:.4g} mm apart", 1e3 * distance) : "touching");
  constexpr double kVisible = 2e-6;
  if (distance < 0 && pair.separation.error > std::max(0.01 * -distance, kVisible))
    text += fmt::format(" (or up to {:.4g})", 1e3 * (pair.separation.error - distance));
  if (pair.margin > 0) text += fmt::format(", margin {:.4g} mm", 1e3 * pair.margin);
  return text;
}

class Writer {
 public:
  Writer(const Scene& scene, const CollisionModel& model) : scene_(scene), model_(model) {}

  CheckReport write(const std::string& file, const std::string& state,
                    const std::vector<PairClearance>& colliding,
                    const std::optional<PairClearance>& nearest, bool list_dropped,
                    const std::vector<std::pair<BodyId, BodyId>>& never) {
    report_.free = colliding.empty();
    facts_["file"] = file;
    facts_["state"] = state;
    facts_["free"] = report_.free;
    line("{}, state {}: {}", file, state,
         report_.free ? "free of collisions"
                      : fmt::format("{} collide{}", count(colliding.size(), "pair"),
                                    colliding.size() == 1 ? "s" : ""));
    facts_["colliding"] = Facts::array();
    for (const PairClearance& pair : colliding) {
      write_pair(pair);
      facts_["colliding"].push_back(to_facts(scene_, model_, pair));
    }
    facts_["nearest"] = nearest ? to_facts(scene_, model_, *nearest) : Facts(nullptr);
    if (nearest && report_.free) {
      line("nearest:");
      write_pair(*nearest);
    }
    write_surveys();
    write_rules(list_dropped);
    if (list_dropped) write_never(never);
    report_.json = facts_.dump(2) + "\n";
    return std::move(report_);
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> form, T&&... values) {
    report_.text += fmt::format(form, std::forward<T>(values)...) + "\n";
  }
  static std::string count(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  }

  void write_pair(const PairClearance& pair) {
    const Vec3 at = (pair.separation.on_a + pair.separation.on_b) / 2;
    line("  {} - {}: {}, at {:.4f} {:.4f} {:.4f} m", name_of(scene_, model_, pair.object_a),
         name_of(scene_, model_, pair.object_b), describe(pair), at.x(), at.y(), at.z());
  }

  void write_surveys() {
    facts_["surveys"] = Facts::array();
    for (const Survey& s : model_.surveys()) {
      const std::string& actor = scene_.actor(s.actor).name;
      facts_["surveys"].push_back({{"actor", actor},
                                   {"samples", s.samples},
                                   {"adjacent", s.adjacent},
                                   {"always", s.always},
                                   {"never", s.never},
                                   {"sometimes", s.sometimes},
                                   {"confidence", s.confidence},
                                   {"share", s.share}});
      line(
          "{} has no list of allowed pairs: of its own, in {} random configurations, {} touched "
          "always, {} at times, {} never",
          actor, s.samples, s.always, s.sometimes, s.never);
      if (s.always > 0)
        line("  with {:g} % confidence those are apart in less than {:.2g} % of all configurations",
             100 * s.confidence, 100 * s.share);
    }
  }

  void write_rules(bool list_dropped) {
    std::map<PairRule, std::vector<RuledPair>> by_rule;
    for (const RuledPair& p : model_.list_pairs()) by_rule[p.rule].push_back(p);
    facts_["checked_pairs"] = by_rule[PairRule::checked].size();
    std::string left_out;
    Facts dropped = Facts::object();
    for (const auto& [rule, pairs] : by_rule) {
      if (rule == PairRule::checked) continue;
      left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", pairs.size(), to_text(rule));
      Facts names = Facts::array();
      for (const RuledPair& p : pairs) names.push_back({name(p.a), name(p.b)});
      dropped[to_text(rule)] = std::move(names);
    }
    facts_["left_out"] = std::move(dropped);
    line("{} checked{}{}", count(by_rule[PairRule::checked].size(), "pair"),
         model_.checks_fixed() ? ", and all that are fixed to each other" : "",
         left_out.empty() ? "" : fmt::format("; left out: {}", left_out));
    for (const auto& [rule, pairs] : by_rule) {
      if (!list_dropped || rule == PairRule::checked) continue;
      for (const RuledPair& p : pairs) line("  {} - {}: {}", name(p.a), name(p.b), to_text(rule));
    }
  }

  void write_never(const std::vector<std::pair<BodyId, BodyId>>& never) {
    Facts names = Facts::array();
    for (const auto& [a, b] : never) {
      names.push_back({name(a), name(b)});
      line("  {} - {}: never, proven for all joint values, not checked along motions", name(a),
           name(b));
    }
    facts_["never_colliding"] = std::move(names);
  }

  [[nodiscard]] const std::string& name(BodyId body) const { return scene_.body(body).name; }

  const Scene& scene_;
  const CollisionModel& model_;
  Facts facts_ = Facts::object();
  CheckReport report_;
};

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
  return Note{
      .code = "check.loop_open",
      .message = fmt::format("a closed chain stays open by {:.3g} in this state", report.residual),
      .remedy = "check the joint values of the state"};
}

/// Beyond its limits a joint reaches what its limits rule out.
std::optional<Note> find_broken_limit(const Scene& scene, const VecX& q) {
  const LimitViolation worst = find_limit_violation(scene, q);
  constexpr double kRounding = 1e-9;
  if (!worst.joint.valid() || worst.excess <= kRounding) return std::nullopt;
  return Note{
      .code = "check.limit",
      .message = fmt::format("is {:.4g} beyond its limits in this state; pairs out of reach "
                             "within the limits were looked at too",
                             worst.excess),
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

}  // namespace

Result<CheckReport> check_scene(const std::filesystem::path& task_file, const CheckOptions& options,
                                ProgressSink& progress, const CancelToken& cancel) {
  const Result<LoadedTask> loaded = load_task(task_file);
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
  const Result<CollisionModel> model = CollisionModel::make(scene, collision);
  if (!model) {
    Error error = model.error();
    if (error.file.empty()) error.file = file.file;
    return error;
  }
  CollisionWorkspace memory(*model);
  DepthOptions depth;
  depth.max_points = 100'000;  // one look, not thousands
  const std::vector<PairClearance> colliding = find_collisions(*model, workspace, memory, depth);
  const auto nearest = find_nearest_pair(*model, workspace, memory);
  std::vector<std::pair<BodyId, BodyId>> never;
  if (options.list_dropped)
    never = Validator(scene, *model, {.threads = options.threads}).list_never_colliding();
  CheckReport report =
      Writer(scene, *model)
          .write(file.file, options.state, colliding, nearest, options.list_dropped, never);
  add_open_meshes(scene, *model, notes);
  report.notes = std::move(notes);
  return report;
}

}  // namespace geste
