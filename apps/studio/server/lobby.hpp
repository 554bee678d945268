#pragma once

#include <deque>
#include <memory>

namespace geste::studio {

/// A connection, as seen from the lobby.
class Caller {
 public:
  virtual ~Caller() = default;
  /// Whether it has sent a request that was let in.
  [[nodiscard]] virtual bool is_admitted() const = 0;
  virtual void cut() = 0;
};

/// Those who connected and were not let in yet. There is room for some; for one more, whoever came
/// first is cut off. So places that are only held keep nobody out, and those who were let in are
/// never cut off for others. No threads and no sockets.
class Lobby {
 public:
  static constexpr std::size_t kMostCallers = 256;

  void enter(const std::shared_ptr<Caller>& caller);

 private:
  void forget_those_who_left();

  std::deque<std::weak_ptr<Caller>> callers_;  ///< as they came
};

}  // namespace geste::studio
