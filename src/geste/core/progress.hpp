#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace geste {

/// How far the work has come. The texts are valid during the call of `report` only.
struct ProgressEvent {
  std::string_view stage{};  ///< what is being done: "loading", "planning"
  std::uint64_t done = 0;    ///< in units of the stage
  std::uint64_t total = 0;   ///< 0: not known
  std::string_view message{};
  bool last = false;  ///< the stage ends here, complete or not

  /// In [0, 1], nothing when the total is not known.
  [[nodiscard]] std::optional<double> fraction() const;
};

/// Where long work says how far it has come. `report` may be called from any thread.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void report(const ProgressEvent& event) = 0;
};

/// Says nothing.
class NullProgress final : public ProgressSink {
 public:
  void report(const ProgressEvent&) override {}
};

/// A NullProgress for default arguments.
ProgressSink& no_progress();

/// One stage, from its construction to its end. Threads may advance it together; the sink then
/// hears growing counts.
class ProgressScope {
 public:
  /// Total 0: not known. The sink must outlive the scope.
  ProgressScope(ProgressSink& sink, std::string stage, std::uint64_t total = 0);
  ~ProgressScope();
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

  void advance(std::uint64_t n = 1, std::string_view message = {});

 private:
  ProgressSink& sink_;
  const std::string stage_;
  const std::uint64_t total_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

namespace detail {
/// Lets the first event of each stage pass, and else one per interval.
class ProgressThrottle {
 public:
  explicit ProgressThrottle(std::chrono::milliseconds interval) : interval_(interval) {}
  bool is_new_stage(std::string_view stage);
  bool is_due();

 private:
  std::chrono::milliseconds interval_;
  std::optional<std::chrono::steady_clock::time_point> last_;
  std::set<std::string, std::less<>> stages_;
};
}  // namespace detail

struct TerminalProgressOptions {
  std::chrono::milliseconds interval{100};  ///< least time between two redraws
  std::optional<bool> is_terminal{};        ///< otherwise `out` and the variable TERM decide
  int columns = 0;                          ///< 0: ask the terminal
};

/// A bar in the last line of a terminal, taken away at the end. Where `out` is not a terminal: one
/// line per stage. Messages of core/log.hpp and the bar do not run into each other.
class TerminalProgress final : public ProgressSink {
 public:
  explicit TerminalProgress(std::FILE* out, TerminalProgressOptions options = {});
  ~TerminalProgress() override;
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  void report(const ProgressEvent& event) override;
  /// Takes the bar away; a later report draws it again.
  void finish();

 private:
  std::FILE* out_;
  const bool is_terminal_;
  const int columns_;
  std::mutex mutex_;
  detail::ProgressThrottle throttle_;
};

/// One JSON object per line, flushed:
/// {"event":"progress","stage":"planning","done":3,"total":12,"fraction":0.25,"message":""}
/// where total and fraction are null when not known. The first and the last event of a stage are
/// always written, others at most once per interval.
class JsonProgress final : public ProgressSink {
 public:
  explicit JsonProgress(std::ostream& out,
                        std::chrono::milliseconds interval = std::chrono::milliseconds(100));
  void report(const ProgressEvent& event) override;

 private:
  std::ostream& out_;
  std::mutex mutex_;
  detail::ProgressThrottle throttle_;
  std::string last_line_;
};

/// The bar as text, at most `columns` terminal cells wide: "planning [=====>    ]  52 % message",
/// without a bar when the total is not known or there is no room. Control characters and bytes
/// that are not UTF-8 become '?'.
std::string format_progress_line(const ProgressEvent& event, int columns);

}  // namespace geste
