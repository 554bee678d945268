#include "studio/server/watcher.hpp"

#include <fmt/format.h>

#include <optional>

#include "geste/core/log.hpp"
#include "geste/core/text.hpp"
#include "geste/model/kinematics.hpp"

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
  Tools(const Scene& s, CollisionModel m)
      : scene(s), model(std::move(m)), workspace(s), memory(model) {}

  std::string look(const Snapshot& snapshot) {
    compute_kinematics(scene, snapshot.q, workspace);
    const auto nearest = find_nearest_pair(model, workspace, memory);
    const auto colliding = find_collisions(model, workspace, memory);
    return dump(make_clearance_event(scene, snapshot.seq, nearest, colliding));
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

void Watcher::measure(Ticket ticket, const Measure& measure,
                      std::shared_ptr<const Snapshot> snapshot) {
  {
    const std::lock_guard lock(mutex_);
    questions_.push_back({ticket, measure, std::move(snapshot)});
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
  Tools tools(scene_, std::move(*model));
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
      events_.measured({question->ticket, tools.measure(question->measure, *question->snapshot)});
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
    events_.measured({ticket, error});
  }
}

}  // namespace geste::studio
