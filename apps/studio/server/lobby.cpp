#include "studio/server/lobby.hpp"

#include "studio/server/refusals.hpp"

namespace geste::studio {

void Lobby::enter(const std::shared_ptr<Caller>& caller) {
  if (callers_.size() >= kMostCallers) forget_those_who_left();
  if (callers_.size() >= kMostCallers) {
    log_refusal("the oldest of too many connections that were not let in");
    if (const std::shared_ptr<Caller> first = callers_.front().lock()) first->cut();
    callers_.pop_front();
  }
  callers_.push_back(caller);
}

void Lobby::forget_those_who_left() {
  std::erase_if(callers_, [](const std::weak_ptr<Caller>& entry) {
    const std::shared_ptr<Caller> caller = entry.lock();
    return !caller || caller->is_admitted();
  });
}

}  // namespace geste::studio
