#include "studio/server/engine.hpp"

#include <fmt/format.h>

#include "geste/core/log.hpp"
#include "geste/core/overloaded.hpp"

namespace geste::studio {
namespace {

/// Whether `next` makes `deed` pointless: the same thing goes elsewhere.
bool is_superseded(const EngineDeed& deed, const EngineDeed& next) {
  if (const auto* drag = std::get_if<Drag>(&deed)) {
    const auto* other = std::get_if<Drag>(&next);
    return other != nullptr && other->body == drag->body &&
           other->rotation.has_value() == drag->rotation.has_value();
  }
  if (const auto* joint = std::get_if<SetJoint>(&deed)) {
    const auto* other = std::get_if<SetJoint>(&next);
    return other != nullptr && other->joint == joint->joint;
  }
  return std::holds_alternative<SetState>(deed) && std::holds_alternative<SetState>(next);
}

/// What the watcher answers.
std::optional<Inquiry> find_inquiry(const EngineDeed& deed) {
  if (const auto* measure = std::get_if<Measure>(&deed)) return *measure;
  if (const auto* clashes = std::get_if<FindClashes>(&deed)) return *clashes;
  return std::nullopt;
}

}  // namespace

Engine::Engine(const Scene& scene, const VecX& start, Events events)
    : events_(std::move(events)), keeper_(scene, start) {
  newest_ = first_ = keeper_.make_snapshot(seq_);
  first_configurations_ = keeper_.list_configurations();
  thread_ = std::thread([this] { work(); });
}

Engine::~Engine() { stop(); }

void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Engine::post(Ticket ticket, EngineDeed deed) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({ticket, std::move(deed)});
  }
  wake_.notify_one();
}

void Engine::forget(int client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Item& item) { return item.ticket.client == client; });
}

void Engine::work() {
  std::vector<Item> batch;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
      if (stopping_) return;
      batch.clear();
      batch.swap(waiting_);
    }
    do_batch(batch);
  }
}

void Engine::do_batch(const std::vector<Item>& batch) {
  std::vector<Ticket> superseded;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto& [ticket, deed] = batch[i];
    if (i + 1 < batch.size() && batch[i + 1].ticket.client == ticket.client &&
        is_superseded(deed, batch[i + 1].deed)) {
      superseded.push_back(ticket);
      continue;
    }
    if (const std::optional<Inquiry> inquiry = find_inquiry(deed)) {
      publish();
      events_.inquire(ticket, *inquiry, newest_);
      continue;
    }
    const bool is_state = !std::holds_alternative<SaveConfiguration>(deed);
    const Result<Json> outcome = carry_out(deed);
    for (const Ticket& earlier : superseded) answers_.push_back({earlier, outcome, is_state});
    superseded.clear();
    answers_.push_back({ticket, outcome, is_state});
    state_changed_ = state_changed_ || is_state;
  }
  publish();
}

Result<Json> Engine::carry_out(const EngineDeed& deed) try {
  return std::visit(Overloaded{[&](const SaveConfiguration& d) { return save(d); },
                               [](const Measure&) { return Result<Json>(Json()); },
                               [](const FindClashes&) { return Result<Json>(Json()); },
                               [&](const auto& d) { return keeper_.apply(d); }},
                    deed);
} catch (const std::exception& e) {
  log_error("studio: internal fault: {}", e.what());
  return Diagnostic{.code = "internal",
                    .message = fmt::format("internal fault: {}", e.what()),
                    .remedy = "please report it with the task file"};
}

void Engine::publish() {
  if (answers_.empty()) return;
  if (state_changed_) newest_ = keeper_.make_snapshot(++seq_);
  state_changed_ = false;
  events_.published(newest_, std::exchange(answers_, {}));
}

Result<Json> Engine::save(const SaveConfiguration& deed) {
  Result<Json> saved = events_.save(keeper_.make_configuration(deed.name));
  if (!saved) return saved;
  keeper_.remember(deed.name);
  events_.configurations_changed(keeper_.list_configurations());
  return saved;
}

}  // namespace geste::studio
