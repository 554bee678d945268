#include "studio/server/refusals.hpp"

#include <chrono>
#include <mutex>

#include "geste/core/log.hpp"

namespace geste::studio {

void log_refusal(const std::string& what) {
  using Clock = std::chrono::steady_clock;
  constexpr int kMostPerSecond = 10;
  static std::mutex mutex;
  static Clock::time_point begin;
  static int said = 0, unsaid = 0;
  const std::lock_guard lock(mutex);
  const Clock::time_point now = Clock::now();
  if (now - begin >= std::chrono::seconds(1)) {
    if (unsaid > 0) log_warning("studio: refused {} more like these", unsaid);
    begin = now;
    said = unsaid = 0;
  }
  if (++said <= kMostPerSecond) {
    log_warning("studio: refused {}", what);
  } else {
    ++unsaid;
  }
}

}  // namespace geste::studio
