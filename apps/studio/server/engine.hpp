#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "studio/server/keeper.hpp"

namespace geste::studio {

/// Whom an answer is for.
struct Ticket {
  int client = 0;
  std::int64_t id = 0;
};

struct Answer {
  Ticket ticket;
  Result<Json> outcome;
  bool is_state = false;  ///< the state contains the request, or it was refused
};

/// What the engine does, in the order in which it came.
using EngineDeed = std::variant<SetJoint, SetState, UseConfiguration, Drag, MoveByDevice,
                                SaveConfiguration, Measure, FindClashes>;

/// Owns the state of the world on a thread of its own. Of drags and slider moves that wait in a row
/// the last one counts, and answers for all of them: whoever moves faster than the engine loses
/// steps in between, never the last.
class Engine {
 public:
  struct Events {
    /// A new state, and the answers that belong to it.
    std::function<void(std::shared_ptr<const Snapshot>, std::vector<Answer>)> published;
    /// A question about the state as it was when its turn came.
    std::function<void(Ticket, const Inquiry&, std::shared_ptr<const Snapshot>)> inquire;
    /// Keeps a configuration for good: "file" and "line".
    std::function<Result<Json>(const ConfigurationSpec&)> save;
    std::function<void(std::vector<std::string>)> configurations_changed;
  };

  /// All events come from the engine's thread. The scene must outlive it.
  Engine(const Scene& scene, const VecX& start, Events events);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void post(Ticket ticket, EngineDeed deed);
  /// Drops what a client still waits for.
  void forget(int client);
  /// Ends the thread; what still waits is dropped.
  void stop();

  [[nodiscard]] const std::shared_ptr<const Snapshot>& first() const { return first_; }
  [[nodiscard]] const std::vector<std::string>& first_configurations() const {
    return first_configurations_;
  }

 private:
  struct Item {
    Ticket ticket;
    EngineDeed deed;
  };

  void work();
  void do_batch(const std::vector<Item>& batch);
  Result<Json> carry_out(const EngineDeed& deed);
  Result<Json> save(const SaveConfiguration& deed);
  void publish();

  const Events events_;
  StateKeeper keeper_;
  std::uint64_t seq_ = 1;
  std::shared_ptr<const Snapshot> newest_;
  std::vector<Answer> answers_;
  std::shared_ptr<const Snapshot> first_;
  std::vector<std::string> first_configurations_;
  bool state_changed_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Item> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace geste::studio
