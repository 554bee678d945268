#include "studio/server/outbox.hpp"

#include "studio/server/frames.hpp"

namespace geste::studio {

void Outbox::push(std::string text) {
  queued_bytes_ += text.size();
  queue_.push_back(std::move(text));
}

bool Outbox::is_overfull() const {
  constexpr std::size_t kMostMessages = 5000;
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  return queue_.size() > kMostMessages || queued_bytes_ > kMostBytes;
}

std::optional<Outbox::Message> Outbox::next() {
  std::optional<Message> message = state_turn_ ? take_state() : take_queued();
  if (!message) message = state_turn_ ? take_queued() : take_state();
  if (!message) message = take_slot();
  if (message) state_turn_ = !message->is_binary;
  return message;
}

std::optional<Outbox::Message> Outbox::take_queued() {
  if (queue_.empty()) return std::nullopt;
  Message message{false, std::move(queue_.front())};
  queue_.pop_front();
  queued_bytes_ -= message.bytes.size();
  return message;
}

std::optional<Outbox::Message> Outbox::take_state() {
  if (!state_) return std::nullopt;
  Message message{true, make_state_frame(*state_, ack_, known_)};
  state_.reset();
  return message;
}

std::optional<Outbox::Message> Outbox::take_slot() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    std::optional<std::string>& slot = slots_[(next_slot_ + i) % slots_.size()];
    if (!slot) continue;
    next_slot_ = (next_slot_ + i + 1) % slots_.size();
    Message message{false, std::move(*slot)};
    slot.reset();
    return message;
  }
  return std::nullopt;
}

}  // namespace geste::studio
