#include "studio/server/watcher.hpp"

#include <fmt/format.h>

#include <optional>

#include "geste/core/log.hpp"
#include "geste/core/text.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/static_clash.hpp"

namespace geste::studio {
namespace {

Json make_clearance_event(const Scene& scene, std::uint64_t seq,
                          const std::optional<PairClearance>& nearest,
                          const std::vector<PairClearance>& colliding) {
  Json event = {{"event", "clearance"}, {"seq", seq}, {"nearest", nullptr}};
  if (nearest) {
    const Separation& s = nearest->separation;
    event["nearest"] = {{"a", scene.body(nearest->a).name},
                        {"b", scene.body(nearest->b).name},
                        {"distance", s.distance},
                        {"on_a", to_json(s.on_a)},
                        {"on_b", to_json(s.on_b)}};
  }
  Json touching = Json::array();
  for (const PairClearance& pair : colliding) {
    const Separation& s = pair.separation;
    touching.push_back({{"a", scene.body(pair.a).name},
                        {"b", scene.body(pair.b).name},
                        {"depth", -s.distance},
                        {"point", to_json(Vec3((s.on_a + s.on_b) / 2))}});
  }
  event["touching"] = std::move(touching);
  return event;
}

Json make_clashes(const Scene& scene, const StaticClashes& found) {
  // More than anybody clicks through, and a message that every client takes.
  constexpr std::size_t kMostPairs = 3000;
  Json pairs = Json::array();
  for (const StaticClash& c : found.pairs) {
    if (pairs.size() == kMostPairs) break;
    const bool has_depth = c.kind != ClashKind::crossing;
    pairs.push_back({{"a", scene.body(c.a).name},
                     {"b", scene.body(c.b).name},
                     {"kind", to_text(c.kind)},
                     {"distance", has_depth ? Json(c.separation.distance) : Json(nullptr)},
                     {"deflection", c.deflection},
                     {"point", to_json(c.point())},
                     {"on_a", to_json(c.separation.on_a)},
                     {"on_b", to_json(c.separation.on_b)}});
  }
  return {{"pairs", std::move(pairs)}, {"found", found.pairs.size()}, {"checked", found.checked}};
}

Json make_distance(double distance, const Vec3& on_a, const Vec3& on_b) {
  return {{"distance", distance}, {"on_a", to_json(on_a)}, {"on_b", to_json(on_b)}};
}

Diagnostic make_shapeless(const std::string& body) {
  return {.code = "studio.no_shape",
          .message = fmt::format("body '{}' has no shape to measure", body),
          .remedy = "measure to a body with collision geometry"};
}

}  // namespace

/// What the thread computes with.
struct Watcher::Tools {
  Tools(const Scene& s, CollisionModel m, CancelToken c)
      : scene(s), model(std::move(m)), workspace(s), memory(model), cancel(std::move(c)) {
    for (const RuledPair& pair : model.list_pairs())
      watched += pair.rule == PairRule::checked ? 1 : 0;
  }

  std::string look(const Snapshot& snapshot) {
    compute_kinematics(scene, snapshot.q, workspace);
    const auto nearest = find_nearest_pair(model, workspace, memory);
    const auto colliding = find_collisions(model, workspace, memory);
    Json event = make_clearance_event(scene, snapshot.seq, nearest, colliding);
    event["pairs"] = watched;
    return dump(event);
  }

  Result<Json> answer(const Inquiry& inquiry, const Snapshot& snapshot) {
    if (const auto* measured = std::get_if<Measure>(&inquiry)) return measure(*measured, snapshot);
    return find_clashes(std::get<FindClashes>(inquiry), snapshot);
  }

  /// Of every pair that the scene's rules do not allow to touch, fixed to each other or not.
  Result<Json> find_clashes(const FindClashes& asked, const Snapshot& snapshot) {
    if (!clash_model) {
      CollisionOptions options = model.options();
      options.check_fixed = true;
      options.cancel = cancel;
      Result<CollisionModel> made = CollisionModel::make(scene, options, &model);
      if (!made) return made.error();
      clash_model.emplace(std::move(*made));
    }
    compute_kinematics(scene, snapshot.q, workspace);
    StaticClashOptions options;
    options.tolerance = asked.tolerance;
    options.threads = model.options().threads;
    options.cancel = cancel;
    const StaticClashes found = find_static_clashes(*clash_model, workspace, options);
    if (!found.complete)
      return Diagnostic{.code = "cancelled", .message = "looking for clashes was cancelled"};
    return make_clashes(scene, found);
  }

  Result<Json> measure(const Measure& m, const Snapshot& snapshot) {
    for (const std::string& name : {m.a.body, m.b.body}) {
      if (name.empty() || scene.find_body(name)) continue;
      return Diagnostic{.code = "studio.unknown_name",
                        .message = fmt::format("there is no body called {}", quote_json(name)),
                        .remedy = "take a name of the scene"};
    }
    compute_kinematics(scene, snapshot.q, workspace);
    if (m.a.body.empty() && m.b.body.empty())
      return make_distance((m.a.point - m.b.point).norm(), m.a.point, m.b.point);
    if (m.a.body.empty()) return measure_point(m.a.point, m.b.body, false);
    if (m.b.body.empty()) return measure_point(m.b.point, m.a.body, true);
    return measure_bodies(m.a.body, m.b.body);
  }

  Result<Json> measure_point(const Vec3& point, const std::string& body, bool body_first) {
    const auto found = compute_clearance(model, workspace, *scene.find_body(body), point, memory);
    if (!found) return make_shapeless(body);
    return body_first ? make_distance(found->distance, found->nearest, point)
                      : make_distance(found->distance, point, found->nearest);
  }

  Result<Json> measure_bodies(const std::string& name_a, const std::string& name_b) {
    const BodyId a = *scene.find_body(name_a), b = *scene.find_body(name_b);
    if (a == b) {
      return Diagnostic{.code = "studio.same_body",
                        .message = "a body has no distance to itself",
                        .remedy = "choose two bodies, or points"};
    }
    DepthOptions depth;
    depth.max_points = 100'000;  // one look that somebody waits for, not thousands
    const auto found = compute_clearance(model, workspace, a, b, memory, depth);
    if (!found) {
      const bool has_a = has_shape(a);
      return make_shapeless(has_a ? name_b : name_a);
    }
    const Separation& s = found->separation;
    return found->a == a ? make_distance(s.distance, s.on_a, s.on_b)
                         : make_distance(s.distance, s.on_b, s.on_a);
  }

  [[nodiscard]] bool has_shape(BodyId body) const {
    for (const CollisionObject& o : model.objects())
      if (o.body == body) return true;
    return false;
  }

  const Scene& scene;
  const CollisionModel model;
  Workspace workspace;
  CollisionWorkspace memory;
  const CancelToken cancel;
  std::size_t watched = 0;                    ///< pairs that are checked
  std::optional<CollisionModel> clash_model;  ///< made when it is first asked for
};

Watcher::Watcher(const Scene& scene, const CollisionSpec& collision, int threads, Events events)
    : scene_(scene), events_(std::move(events)) {
  thread_ = std::thread([this, collision, threads] { work(collision, threads); });
}

Watcher::~Watcher() { stop(); }

void Watcher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  cancel_.request();
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Watcher::look_at(std::shared_ptr<const Snapshot> snapshot) {
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(snapshot);
  }
  wake_.notify_one();
}

void Watcher::inquire(Ticket ticket, const Inquiry& inquiry,
                      std::shared_ptr<const Snapshot> snapshot) {
  {
    const std::lock_guard lock(mutex_);
    questions_.push_back({ticket, inquiry, std::move(snapshot)});
  }
  wake_.notify_one();
}

void Watcher::forget(int client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(questions_, [&](const Question& q) { return q.ticket.client == client; });
}

void Watcher::work(const CollisionSpec& collision, int threads) {
  CollisionOptions options;
  static_cast<CollisionSpec&>(options) = collision;
  // Sliders and drags keep to the limits, states that somebody sends need not.
  options.use_reach = false;
  options.threads = threads;
  options.cancel = cancel_.token();
  Result<CollisionModel> model = CollisionModel::make(scene_, options);
  if (!model) {
    if (cancel_.requested()) return;
    log_error("studio: clearance cannot be watched: {}", to_text(model.error()));
    return refuse_all(model.error());
  }
  Tools tools(scene_, std::move(*model), cancel_.token());
  serve(tools);
}

void Watcher::serve(Tools& tools) {
  for (bool asked_last = false;;) {
    std::optional<Question> question;
    std::shared_ptr<const Snapshot> snapshot;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !questions_.empty() || newest_; });
      if (stopping_) return;
      // In turns, so that many questions do not hide what collides.
      if (questions_.empty() || (asked_last && newest_)) {
        snapshot = std::exchange(newest_, nullptr);
      } else {
        question = std::move(questions_.front());
        questions_.pop_front();
      }
    }
    asked_last = question.has_value();
    if (question) {
      events_.answered({question->ticket, tools.answer(question->inquiry, *question->snapshot)});
    } else {
      events_.clearance(tools.look(*snapshot));
    }
  }
}

void Watcher::refuse_all(const Error& error) {
  for (;;) {
    Ticket ticket;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !questions_.empty(); });
      if (stopping_) return;
      ticket = questions_.front().ticket;
      questions_.pop_front();
    }
    events_.answered({ticket, error});
  }
}

}  // namespace geste::studio
