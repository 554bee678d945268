#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "studio/server/snapshot.hpp"

namespace geste::studio {

/// What one client is still to be sent. Answers and events keep their order; of states, clearances,
/// views, progress, growth and who is here only the newest is kept, so that a slow client loses
/// what lies between and never the last, and costs no memory.
class Outbox {
 public:
  enum class Slot { people, clearance, view, job, growth };
  struct Message {
    bool is_binary = false;
    std::string bytes;
  };

  void push(std::string text);
  void set_state(std::shared_ptr<const Snapshot> snapshot) { state_ = std::move(snapshot); }
  /// The newest request that the state contains; goes out with it.
  void set_ack(std::int64_t id) { ack_ = id; }
  void set_latest(Slot slot, std::string text) {
    slots_[static_cast<std::size_t>(slot)] = std::move(text);
  }
  void clear(Slot slot) { slots_[static_cast<std::size_t>(slot)].reset(); }

  /// Answers that nobody takes pile up: such a client is to be dropped.
  [[nodiscard]] bool is_overfull() const;

  /// What to send now: states and answers in turn, then the rest. Nothing: all was sent.
  std::optional<Message> next();

 private:
  std::optional<Message> take_queued();
  std::optional<Message> take_state();
  std::optional<Message> take_slot();

  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  std::shared_ptr<const Snapshot> state_;
  std::optional<std::int64_t> ack_;
  std::vector<Placement> known_;  ///< where the client has the movers
  std::array<std::optional<std::string>, 5> slots_;
  std::size_t next_slot_ = 0;
  bool state_turn_ = false;
};

}  // namespace geste::studio
