#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include "studio/server/requests.hpp"
#include "studio/server/results.hpp"
#include "studio/server/task_store.hpp"

namespace geste::studio {

/// How a job stands. It ends in exactly one of done, failed and cancelled.
struct JobStatus {
  enum class State { running, done, failed, cancelled };

  std::int64_t job = 0;
  std::string kind;
  State state = State::running;
  std::string stage{};
  std::optional<double> fraction{};
  std::string message{};
  std::string result{};  ///< its name, when done
  std::optional<Error> error{};
};

Json to_json(const JobStatus& status);

/// What a search has proven so far: lines in the world, x y z of both ends of each, in m.
struct JobGrowth {
  std::int64_t job = 0;
  std::vector<double> lines;
};

/// Runs tasks, one at a time, each on a thread of its own. A result appears whole in the results
/// folder, under a name that was free, or not at all. A task that was changed is written there too
/// (task.yaml), so that the result can be repeated and verified from there.
class Jobs {
 public:
  /// They come from threads of the job.
  struct Events {
    /// At most ten times a second, and at the end.
    std::function<void(const JobStatus&)> report;
    /// At most four times a second while something grows.
    std::function<void(const JobGrowth&)> grow;
  };

  Jobs(TaskStore& tasks, const Results& results, int threads, Events events);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// The job's number; an error while another one runs.
  Result<std::int64_t> start(const RunTask& task);
  Result<void> cancel(std::int64_t job);
  /// The last one, running or not.
  [[nodiscard]] std::optional<JobStatus> newest() const;
  /// Cancels what runs and waits for its end; nothing starts after that.
  void stop();

 private:
  class Progress;
  class Growth;

  void join();
  void run(const RunTask& task, CancelToken cancel);
  Result<std::string> produce(const RunTask& task, const CancelToken& cancel);
  Result<std::string> store(PreparedTask& task, TaskOutcome& outcome, const std::string& kind,
                            const CancelToken& cancel);
  void update(const std::function<void(JobStatus&)>& change);

  TaskStore& tasks_;
  const Results& results_;
  const int threads_;
  const Events events_;
  mutable std::mutex mutex_;
  std::optional<JobStatus> status_;
  CancelSource cancel_;
  bool is_stopping_ = false;
  std::int64_t next_ = 1;
  std::thread thread_;
};

}  // namespace geste::studio
