#include "geste/formats/result_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/core/version.hpp"
#include "geste/formats/glb_writer.hpp"
#include "geste/formats/internal/json_text.hpp"
#include "geste/formats/internal/report_page.hpp"
#include "geste/formats/motion_csv.hpp"
#include "geste/formats/scene_pack.hpp"
#include "geste/formats/stl.hpp"
#include "geste/formats/track_pack.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

using Json = nlohmann::ordered_json;

Json joints_to_json(const Scene& scene) {
  Json joints = Json::array();
  for (const Joint& j : scene.joints()) {
    if (j.nv > 0)
      joints.push_back(
          {{"name", j.name}, {"type", to_string(j.type)}, {"role", to_string(j.role)}});
  }
  return joints;
}

/// As seen from the folder; whole where there is no way from there (another drive).
std::string make_path_from(const std::filesystem::path& folder, const std::string& file) {
  if (folder.empty()) return file;
  // The folder may not be there yet; from a relative one no way would be found then.
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(file);
  const std::filesystem::path path =
      std::filesystem::relative(whole, std::filesystem::absolute(folder), failed);
  return (failed || path.empty() ? whole : path).generic_string();
}

/// For a shell: in quotes where it would not stay one word.
std::string quote_word(const std::string& text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain && !text.empty()) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json gap_to_json(const Certificate::Gap& gap) {
  return {{"at_s", gap.at},
          {"a", gap.a},
          {"b", gap.b},
          {"distance_m", gap.distance},
          {"on_a", to_json(gap.on_a)},
          {"on_b", to_json(gap.on_b)}};
}

Json collisions_to_json(const std::vector<Collision>& collisions) {
  Json json = Json::array();
  for (const Collision& c : collisions) {
    json.push_back({{"where", c.where},
                    {"a", c.a},
                    {"b", c.b},
                    {"depth_m", c.depth},
                    {"point", to_json(c.point)}});
  }
  return json;
}

Json gap_to_json(const Reasons::Gap& gap) {
  return {{"missing_m", gap.missing},
          {"moved", gap.moved},
          {"between", gap.between},
          {"depth_m", gap.depth},
          {"on_moved", to_json(gap.on_moved)},
          {"on_other", to_json(gap.on_other)},
          {"share", gap.share},
          {"grade", to_text(Grade::found_by_search)}};
}

Json reasons_to_json(const Reasons& reasons) {
  Json json = {{"kind", reasons.kind},
               {"grade", to_text(reasons.grade)},
               {"proven", reasons.grade == Grade::proven}};
  if (!reasons.parts.empty()) json["parts"] = Json::array();
  for (const Reasons::Part& p : reasons.parts) {
    Json part = {{"name", p.name}, {"grade", to_text(p.grade)}};
    if (p.grade == Grade::suspected) part["stops"] = p.stops;
    json["parts"].push_back(std::move(part));
  }
  if (!reasons.without.empty()) json["without"] = reasons.without;
  if (!reasons.conflicts.empty()) json["conflicts"] = Json::array();
  for (const Reasons::Conflict& c : reasons.conflicts)
    json["conflicts"].push_back({{"what", c.what}, {c.is_angle ? "by_rad" : "by_m", c.by}});
  if (reasons.gap) json["gap"] = gap_to_json(*reasons.gap);
  if (const auto& a = reasons.approach)
    json["approach"] = {
        {"moved", a->moved}, {"position", to_json(a->position)}, {"left_m", a->left}};
  if (const auto& e = reasons.enclosure) {
    json["enclosure"] = {{"moved", e->moved},          {"ball_radius_m", e->radius},
                         {"low", to_json(e->box.min)}, {"high", to_json(e->box.max)},
                         {"walls", e->walls},          {"needs_range", e->needs_range},
                         {"cells", e->cells}};
  }
  return json;
}

const char* name_outcome(const TaskResult& result) {
  if (result.found) return "found";
  if (result.reasons && result.reasons->enclosure) return "proven blocked";
  return result.reasons && result.reasons->kind == "time" ? "out of time" : "not found";
}

Json contact_to_json(const StartContact& c) {
  Json json = {{"moved", c.moved},
               {"other", c.other},
               {"kind", c.is_fit ? "fit" : "seat"},
               {"depth_m", c.depth},
               {"point", to_json(c.point)}};
  if (!c.is_fit) json["bound_m"] = c.bound;
  if (c.axis) json["axis"] = to_json(*c.axis);
  if (c.is_fit) json["apart_at_s"] = c.apart_at;
  return json;
}

Json certificate_to_json(const std::optional<Certificate>& certificate) {
  if (!certificate) return {{"checked", false}};
  const Certificate& c = *certificate;
  Json json = {{"checked", true}, {"free", c.is_free}, {"pairs", c.pairs}, {"touch_m", c.touch}};
  json["verified"] = c.is_verified;
  if (c.is_free) json["clearance_m"] = c.clearance;
  if (c.stray > 0) json["stray_m"] = c.stray;
  for (const StartContact& contact : c.contacts)
    json["contacts"].push_back(contact_to_json(contact));
  if (c.tightest) json["tightest"] = gap_to_json(*c.tightest);
  if (c.broken) json["broken"] = {{"at_s", c.broken->at}, {"what", c.broken->what}};
  if (c.contact) {
    json["contact"] = {{"at_s", c.contact->at},
                       {"a", c.contact->a},
                       {"b", c.contact->b},
                       {"distance_m", c.contact->distance},
                       {"point", to_json(c.contact->point)}};
  }
  Json profile = Json::array();
  for (const Certificate::Span& s : c.profile) {
    Json span = {{"begin_s", s.begin}, {"end_s", s.end}, {"clearance_m", s.clearance}};
    if (!s.a.empty()) {
      span["a"] = s.a;
      span["b"] = s.b;
    }
    profile.push_back(std::move(span));
  }
  json["profile"] = std::move(profile);
  return json;
}

}  // namespace

const char* to_text(Grade grade) {
  switch (grade) {
    case Grade::proven:
      return "proven";
    case Grade::found_by_search:
      return "found by search";
    case Grade::suspected:
      return "suspected";
  }
  return "";
}

std::string make_result_json(const Scene& scene, const TaskResult& result,
                             const std::filesystem::path& folder) {
  Json figures = Json::object();
  for (const Figure& f : result.figures) figures[f.name] = {{"value", f.value}, {"unit", f.unit}};
  Json inputs = Json::array();
  for (const InputFile& i : result.inputs)
    inputs.push_back({{"file", i.file}, {"sha256", i.sha256}});
  Json notes = Json::array();
  for (const Note& n : result.notes) notes.push_back(internal::to_json(n));
  Json task_file = nullptr;
  if (!result.task_file.file.empty()) {
    task_file = {{"file", make_path_from(folder, result.task_file.file)},
                 {"sha256", result.task_file.sha256}};
  }
  Json json = {
      {"geste", kVersion},
      {"task", result.task},
      {"task_file", std::move(task_file)},
      {"outcome", name_outcome(result)},
      {"verdict", result.verdict},
      {"certificate", certificate_to_json(result.certificate)},
      {"collisions", collisions_to_json(result.collisions)},
      {"figures", std::move(figures)},
      {"motion",
       {{"frames", result.motion.times.size()},
        {"course", to_string(result.motion.course)},
        {"begin_s", result.motion.times.empty() ? 0.0 : result.motion.times.front()},
        {"end_s", result.motion.times.empty() ? 0.0 : result.motion.times.back()}}},
      {"scene",
       {{"name", scene.name()},
        {"degrees_of_freedom", scene.nv()},
        {"bodies", scene.bodies().size()},
        {"joints", joints_to_json(scene)}}},
      {"seed", result.seed},
      {"inputs", std::move(inputs)},
      {"notes", std::move(notes)},
  };
  for (const SequenceStep& s : result.sequence)
    json["sequence"].push_back(
        {{"part", s.part}, {"begin_s", s.begin}, {"end_s", s.end}, {"clearance_m", s.clearance}});
  if (result.reasons) json["reasons"] = reasons_to_json(*result.reasons);
  return internal::dump(json);
}

std::string make_motion_glb(const Scene& scene, const JointMotion& motion, const Budget& budget) {
  BudgetMeter meter(budget);
  GlbScene glb;
  glb.name = scene.name();
  // From 0: glTF has no earlier time, and keeps times as floats, too coarse for a date.
  for (const double t : motion.times) glb.times.push_back(t - motion.times.front());
  glb.bodies.resize(scene.bodies().size());
  for (std::size_t b = 0; b < glb.bodies.size(); ++b) {
    const Body& body = scene.bodies()[b];
    glb.bodies[b].name = body.name;
    for (int g : body.geometry) {
      const Geometry& geometry = scene.geometry()[static_cast<std::size_t>(g)];
      if (geometry.visual)
        glb.bodies[b].geometry.push_back(
            {geometry.name, geometry.shape, geometry.X_BG, geometry.colour});
    }
  }
  Workspace workspace(scene);
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    if (!meter.spend()) return {};
    compute_kinematics(scene, motion.q.col(static_cast<Eigen::Index>(i)), workspace);
    for (std::size_t b = 0; b < glb.bodies.size(); ++b) {
      const Body& body = scene.bodies()[b];
      if (body.mover == 0 && i > 0) continue;
      glb.bodies[b].X_WB.push_back(compute_pose(scene, workspace, BodyId(static_cast<int>(b))));
    }
  }
  return make_glb(glb, {}, meter.remaining());
}

std::string make_diagnostic_json(const Diagnostic& diagnostic) {
  return internal::dump(internal::to_json(diagnostic));
}

std::string make_error_json(const Error& error) {
  Json also = Json::array();
  for (const Diagnostic& d : error.also) also.push_back(internal::to_json(d));
  return internal::dump({{"error", internal::to_json(error)}, {"also", std::move(also)}});
}

namespace {

/// The space that is passed through, as a scene of one part.
std::string make_swept_pack(const TriangleMesh& swept) {
  SceneSpec spec;
  spec.name = "swept";
  BodySpec body{"space passed through"};
  body.geometry.emplace_back();
  body.geometry.back().shape = std::make_shared<const TriangleMesh>(swept);
  spec.bodies.push_back(std::move(body));
  const Scene scene = Scene::compile(std::move(spec)).value();
  return make_scene_pack(scene, make_neutral(scene));
}

}  // namespace

std::string make_report(const TaskScene& world, const TaskResult& result,
                        const std::filesystem::path& folder, const Budget& budget) {
  const bool moves = !result.motion.times.empty();
  ReportData data;
  data.title = world.scene.name();
  data.result = make_result_json(world.scene, result, folder);
  if (!result.task_file.file.empty())
    data.command =
        fmt::format("geste run {} --seed {} --out .",
                    quote_word(make_path_from(folder, result.task_file.file)), result.seed);
  data.scene = make_scene_pack(world.scene, moves ? VecX(result.motion.q.col(0)) : world.start,
                               world.assemblies);
  if (moves) data.track = make_track_pack(world.scene, result.motion, budget);
  if (moves && data.track.empty()) return {};
  if (result.swept) data.swept = make_swept_pack(*result.swept);
  return make_report_page(data);
}

namespace {

/// Tasks that find none leave the start as the only frame, for viewers.
bool has_motion(const TaskResult& result) {
  const std::size_t frames = result.motion.times.size();
  return frames > 1 || (frames == 1 && result.found && result.certificate);
}

}  // namespace

std::vector<std::string> list_result_files(const TaskResult& result, const WriteOptions& options) {
  std::vector<std::string> names{"report.html", "result.json"};
  if (has_motion(result)) {
    names.emplace_back("motion.csv");
    if (options.csv_step > 0) names.emplace_back("motion_even.csv");
  }
  names.emplace_back("motion.glb");
  if (result.swept) names.emplace_back("swept.stl");
  return names;
}

Result<void> write_result(const std::filesystem::path& folder, const TaskScene& world,
                          const TaskResult& result, const CancelToken& cancel,
                          const WriteOptions& options) {
  const Scene& scene = world.scene;
  FileBatch batch(folder);
  // Long motions take their time, and may be called off within a file too.
  Budget budget;
  budget.cancel = cancel;
  const std::pair<const char*, std::function<std::string()>> files[] = {
      {"result.json", [&] { return make_result_json(scene, result, folder); }},
      {"motion.csv", [&] { return write_motion_csv(scene, result.motion, budget); }},
      {"motion_even.csv",
       [&] { return write_even_csv(scene, result.motion, options.csv_step, budget); }},
      {"motion.glb", [&] { return make_motion_glb(scene, result.motion, budget); }},
      {"report.html", [&] { return make_report(world, result, folder, budget); }},
      {"swept.stl", [&] { return make_stl(*result.swept); }}};
  const std::vector<std::string> wanted = list_result_files(result, options);
  std::error_code ignored;
  const bool was_result = std::filesystem::exists(folder / "result.json", ignored);
  for (const auto& [name, make] : files) {
    if (cancel.requested()) break;
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      batch.add(name, make());
    } else if (was_result) {
      batch.remove(name);  // of an earlier run into the same folder
    }
  }
  if (!cancel.requested()) return batch.commit();
  return Diagnostic{.code = "task.cancelled",
                    .message = "was called off before its result was written",
                    .file = folder.string(),
                    .remedy = "run it again"};
}

}  // namespace geste
