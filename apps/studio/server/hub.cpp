#include "studio/server/hub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "geste/core/log.hpp"
#include "geste/core/overloaded.hpp"
#include "geste/core/text.hpp"
#include "geste/core/version.hpp"

#include "studio/server/describe.hpp"
#include "studio/server/refusals.hpp"

namespace geste::studio {
namespace {

template <class T>
concept IsForEngine =
    std::is_constructible_v<EngineDeed, T> && !std::is_same_v<std::decay_t<T>, EngineDeed>;

std::string make_answer(std::optional<std::int64_t> id, const Result<Json>& outcome) {
  Json message = {{"id", id ? Json(*id) : Json(nullptr)}, {"ok", outcome.has_value()}};
  if (outcome) {
    message.update(*outcome);
  } else {
    message["error"] = to_json(outcome.error());
  }
  return dump(message);
}

Diagnostic make_no_control() {
  return {.code = "studio.no_control",
          .message = "somebody else guides",
          .remedy = "ask for control with \"take\""};
}

}  // namespace

Hub::Hub(const Parts& parts, std::chrono::milliseconds grace)
    : parts_(parts),
      people_(grace),
      newest_(parts.engine.first()),
      configurations_(parts.engine.first_configurations()) {}

int Hub::join(std::shared_ptr<Recipient> recipient, const Visitor& visitor) {
  const int person = people_.arrive(visitor.key, visitor.name, Clock::now());
  const int client = next_client_++;
  Outbox& outbox = recipient->outbox;
  clients_[client] = {std::move(recipient), person};
  send(client, make_hello(person));
  outbox.set_state(newest_);
  if (!clearance_.empty()) outbox.set_latest(Outbox::Slot::clearance, clearance_);
  tell_people();
  return client;
}

void Hub::leave(int client) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  people_.leave(found->second.person, Clock::now());
  clients_.erase(found);
  // Nobody waits for these answers any more.
  parts_.engine.forget(client);
  parts_.watcher.forget(client);
  tell_people();
}

void Hub::receive(int client, std::string_view text) {
  const auto parsed = parse_request(text);
  if (const auto* bad = std::get_if<BadRequest>(&parsed)) {
    log_refusal("a message: " + bad->error.message);
    return reply(client, bad->id, bad->error);
  }
  const auto& request = std::get<Request>(parsed);
  if (request.needs_control && !people_.guides(clients_.at(client).person))
    return reply(client, request.id, make_no_control());
  carry_out(client, request);
}

void Hub::carry_out(int client, const Request& request) {
  const Ticket ticket{client, request.id};
  std::visit(
      Overloaded{[&](const IsForEngine auto& deed) {
                   ++clients_.at(client).waiting;
                   parts_.engine.post(ticket, deed);
                 },
                 [&](const auto& deed) { reply(client, request.id, answer_now(client, deed)); }},
      request.deed);
}

Result<Json> Hub::answer_now(int client, const Deed& deed) {
  const int person = clients_.at(client).person;
  const auto done = [](const Result<void>& result) {
    return result ? Result<Json>(Json::object()) : Result<Json>(result.error());
  };
  return std::visit(Overloaded{[&](const TakeControl&) { return take_control(person); },
                               [&](const GiveControl& d) { return give_control(d); },
                               [&](const ShareView& d) { return share_view(person, d); },
                               [&](const AskFacts& d) { return tell_facts(d); },
                               [&](const ForgetResult& d) { return forget(d); },
                               [&](const CancelJob& d) { return done(parts_.jobs.cancel(d.job)); },
                               [&](const RunTask& d) -> Result<Json> {
                                 const Result<std::int64_t> job = parts_.jobs.start(d);
                                 if (!job) return job.error();
                                 return Json{{"job", *job}};
                               },
                               [&](const Rename& d) -> Result<Json> {
                                 people_.rename(person, d.name);
                                 tell_people();
                                 return Json::object();
                               },
                               [](const auto&) -> Result<Json> {
                                 throw std::logic_error("Hub: a deed of the engine");
                               }},
                    deed);
}

Result<Json> Hub::take_control(int person) {
  const std::optional<int> before = people_.guide();
  const bool granted = people_.take(person);
  if (granted && before != person) tell_people();
  if (!granted && people_.ask(person, Clock::now())) {
    const std::string event = dump({{"event", "asks"}, {"person", person}});
    std::vector<int> asked;
    for (const auto& [id, client] : clients_)
      if (people_.guides(client.person)) asked.push_back(id);
    for (const int id : asked) send(id, event);
  }
  return Json{{"granted", granted}};
}

Result<Json> Hub::give_control(const GiveControl& deed) {
  if (!std::in_range<int>(deed.to) || !people_.give(static_cast<int>(deed.to))) {
    return Diagnostic{.code = "studio.no_person",
                      .message = fmt::format("person {} is not here", deed.to),
                      .remedy = "give it to somebody in the list"};
  }
  tell_people();
  return Json::object();
}

Result<Json> Hub::share_view(int person, const ShareView& deed) {
  view_ = deed.view;
  send_latest(Outbox::Slot::view, dump({{"event", "view"}, {"view", view_}, {"from", person}}),
              person);
  return Json::object();
}

Result<Json> Hub::tell_facts(const AskFacts& deed) const {
  const Scene& scene = parts_.world.scene();
  const std::optional<BodyId> body = scene.find_body(deed.body);
  if (!body) {
    return Diagnostic{.code = "studio.unknown_name",
                      .message = fmt::format("there is no body called {}", quote_json(deed.body)),
                      .remedy = "take a name of the scene"};
  }
  return Json{{"facts", describe_body(scene, *body, *newest_)}};
}

Result<Json> Hub::forget(const ForgetResult& deed) {
  if (const Result<void> done = parts_.results.forget(deed.result); !done) return done.error();
  send_all({{"event", "results"}, {"results", parts_.results.list()}});
  return Json::object();
}

bool Hub::is_waiting(int client) const {
  constexpr int kMostWaiting = 256;
  const auto found = clients_.find(client);
  return found != clients_.end() && found->second.waiting >= kMostWaiting;
}

void Hub::show(const std::shared_ptr<const Snapshot>& snapshot,
               const std::vector<Answer>& answers) {
  newest_ = snapshot;
  for (const Answer& a : answers) {
    const auto found = clients_.find(a.ticket.client);
    if (a.is_state && found != clients_.end()) found->second.recipient->outbox.set_ack(a.ticket.id);
  }
  const bool is_new =
      std::any_of(answers.begin(), answers.end(), [](const Answer& a) { return a.is_state; });
  if (is_new) {
    for (auto& [id, client] : clients_) {
      client.recipient->outbox.set_state(newest_);
      client.recipient->wake();
    }
  }
  for (const Answer& a : answers) answer(a);
}

void Hub::answer(const Answer& a) {
  const auto found = clients_.find(a.ticket.client);
  if (found == clients_.end()) return;
  const bool was_waiting = is_waiting(a.ticket.client);
  --found->second.waiting;
  const std::shared_ptr<Recipient> recipient = found->second.recipient;
  reply(a.ticket.client, a.ticket.id, a.outcome);
  if (was_waiting && !is_waiting(a.ticket.client)) recipient->resume();
}

void Hub::tell_clearance(const std::string& event) {
  clearance_ = event;
  send_latest(Outbox::Slot::clearance, event);
}

void Hub::tell_job(const JobStatus& status) {
  Json event = {{"event", "job"}};
  event.update(to_json(status));
  if (status.state == JobStatus::State::running) return send_latest(Outbox::Slot::job, dump(event));
  // The end of a job is not to be missed.
  for (auto& [id, client] : clients_) {
    client.recipient->outbox.clear(Outbox::Slot::job);
    client.recipient->outbox.clear(Outbox::Slot::growth);
  }
  if (status.state == JobStatus::State::done)
    send_all({{"event", "results"}, {"results", parts_.results.list()}});
  send_all(event);
}

void Hub::tell_growth(const JobGrowth& growth) {
  send_latest(Outbox::Slot::growth,
              dump({{"event", "growth"}, {"job", growth.job}, {"lines", growth.lines}}));
}

void Hub::tell_configurations(std::vector<std::string> names) {
  configurations_ = std::move(names);
  send_all({{"event", "configurations"}, {"configurations", configurations_}});
}

void Hub::tick() {
  if (people_.expire(Clock::now())) tell_people();
}

void Hub::close() {
  is_closed_ = true;
  for (auto& [id, client] : std::exchange(clients_, {})) client.recipient->drop();
}

void Hub::reply(int client, std::optional<std::int64_t> id, const Result<Json>& outcome) {
  send(client, make_answer(id, outcome));
}

void Hub::send(int client, std::string text) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  Recipient& recipient = *found->second.recipient;
  recipient.outbox.push(std::move(text));
  if (recipient.outbox.is_overfull()) {
    log_warning("studio: a client takes no answers and was dropped");
    recipient.drop();
    return leave(client);
  }
  recipient.wake();
}

void Hub::send_all(const Json& event) {
  const std::string text = dump(event);
  std::vector<int> all;
  for (const auto& [id, client] : clients_) all.push_back(id);
  for (const int id : all) send(id, text);
}

void Hub::send_latest(Outbox::Slot slot, const std::string& event, int except_person) {
  for (auto& [id, client] : clients_) {
    if (client.person == except_person) continue;
    client.recipient->outbox.set_latest(slot, event);
    client.recipient->wake();
  }
}

/// Where nothing changed, nobody hears of it: new clients know by their hello.
void Hub::tell_people() {
  std::string event =
      dump({{"event", "people"}, {"people", people_.list()}, {"guide", people_.guide_json()}});
  if (event == told_people_) return;
  told_people_ = std::move(event);
  send_latest(Outbox::Slot::people, told_people_);
}

std::string Hub::make_hello(int person) const {
  const World& world = parts_.world;
  const TaskFile& file = world.task.file;
  const std::optional<JobStatus> job = parts_.jobs.newest();
  return dump({{"event", "hello"},
               {"protocol", 1},
               {"geste", kVersion},
               {"you", person},
               {"scene",
                {{"name", world.scene().name()},
                 {"hash", world.hash},
                 {"task_file", file.file},
                 {"kind", file.kind.empty() ? Json(nullptr) : Json(file.kind)},
                 {"options", world.options}}},
               {"joints", describe_joints(world.scene())},
               {"configurations", configurations_},
               {"forms", world.forms},
               {"results", parts_.results.list()},
               {"job", job ? to_json(*job) : Json(nullptr)},
               {"people", people_.list()},
               {"guide", people_.guide_json()},
               {"view", view_}});
}

}  // namespace geste::studio
