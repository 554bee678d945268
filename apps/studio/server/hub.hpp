#pragma once

#include <chrono>
#include <map>
#include <memory>

#include "studio/server/engine.hpp"
#include "studio/server/jobs.hpp"
#include "studio/server/outbox.hpp"
#include "studio/server/people.hpp"
#include "studio/server/results.hpp"
#include "studio/server/routes.hpp"
#include "studio/server/watcher.hpp"
#include "studio/server/world.hpp"

namespace geste::studio {

/// The far end of one connection, as the hub sees it.
class Recipient {
 public:
  virtual ~Recipient() = default;
  /// There is something in the outbox.
  virtual void wake() = 0;
  /// Requests may be read again (Hub::is_waiting).
  virtual void resume() = 0;
  /// Ends the connection, and speaks to the hub no more. Returns before that is done.
  virtual void drop() = 0;

  Outbox outbox;
};

/// Where everything meets: takes requests, asks the engine and the jobs, and tells everybody what
/// came of it. All calls come from one thread, that of the connections; nothing here waits.
class Hub {
 public:
  static constexpr std::size_t kMostClients = 64;

  struct Parts {
    const World& world;
    Engine& engine;
    Jobs& jobs;
    const Results& results;
    Watcher& watcher;
  };
  Hub(const Parts& parts, std::chrono::milliseconds grace);

  /// As many as one engine can talk to; more are turned away at the door. And everybody at the end.
  [[nodiscard]] bool is_full() const { return is_closed_ || clients_.size() >= kMostClients; }
  /// Greets; the number of the connection.
  int join(std::shared_ptr<Recipient> recipient, const Visitor& visitor);
  void receive(int client, std::string_view text);
  void leave(int client);
  /// Whether a client has asked for so much that it should not be read from for now.
  [[nodiscard]] bool is_waiting(int client) const;

  void show(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<Answer>& answers);
  void answer(const Answer& answer);
  void tell_clearance(const std::string& event);
  void tell_job(const JobStatus& status);
  void tell_growth(const JobGrowth& growth);
  void tell_configurations(std::vector<std::string> names);
  /// To be called some times a second.
  void tick();
  /// The end: nobody is here any more, and nobody comes.
  void close();

 private:
  struct Client {
    std::shared_ptr<Recipient> recipient;
    int person = 0;
    int waiting = 0;  ///< requests without an answer
  };
  using Clock = std::chrono::steady_clock;

  void carry_out(int client, const Request& request);
  Result<Json> answer_now(int client, const Deed& deed);
  Result<Json> take_control(int person);
  Result<Json> give_control(const GiveControl& deed);
  Result<Json> share_view(int person, const ShareView& deed);
  Result<Json> tell_facts(const AskFacts& deed) const;
  Result<Json> forget(const ForgetResult& deed);

  void reply(int client, std::optional<std::int64_t> id, const Result<Json>& outcome);
  void send(int client, std::string text);
  void send_all(const Json& event);
  void send_latest(Outbox::Slot slot, const std::string& event, int except_person = 0);
  void tell_people();
  [[nodiscard]] std::string make_hello(int person) const;

  const Parts parts_;
  People people_;
  std::map<int, Client> clients_;
  int next_client_ = 1;
  std::shared_ptr<const Snapshot> newest_;
  std::string clearance_;
  std::string told_people_;  ///< the last event of who is here
  std::vector<std::string> configurations_;
  Json view_ = nullptr;
  bool is_closed_ = false;
};

}  // namespace geste::studio
