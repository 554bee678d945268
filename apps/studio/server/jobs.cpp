#include "studio/server/jobs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "geste/core/files.hpp"
#include "geste/core/log.hpp"

namespace geste::studio {
namespace {

namespace fs = std::filesystem;

const char* to_text(JobStatus::State state) {
  switch (state) {
    case JobStatus::State::running:
      return "running";
    case JobStatus::State::done:
      return "done";
    case JobStatus::State::failed:
      return "failed";
    case JobStatus::State::cancelled:
      break;
  }
  return "cancelled";
}

/// Removed at the end, unless it was given its place.
class PartialFolder {
 public:
  explicit PartialFolder(fs::path path) : path_(std::move(path)) {}
  ~PartialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

Json to_json(const JobStatus& s) {
  return {{"job", s.job},
          {"kind", s.kind},
          {"state", to_text(s.state)},
          {"stage", s.stage},
          {"fraction", s.fraction ? Json(*s.fraction) : Json(nullptr)},
          {"message", s.message},
          {"result", s.result.empty() ? Json(nullptr) : Json(s.result)},
          {"error", s.error ? to_json(*s.error) : Json(nullptr)}};
}

/// Passes on the first event of a stage and then ten a second.
class Jobs::Progress final : public ProgressSink {
 public:
  explicit Progress(Jobs& jobs) : jobs_(jobs) {}

  void report(const ProgressEvent& event) override {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    constexpr std::chrono::milliseconds kInterval(100);
    if (now - last_ < kInterval) return;
    last_ = now;
    jobs_.update([&](JobStatus& s) {
      s.stage = event.stage;
      s.fraction = event.fraction();
      s.message = event.message;
    });
  }

 private:
  Jobs& jobs_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_{};
};

/// Keeps lines that cover the whole search: when there are too many every second one goes, and of
/// those to come only so many are taken.
class Jobs::Growth final : public GrowthSink {
 public:
  Growth(std::int64_t job, const Events& events) : events_(events), growth_{job, {}} {}

  void add(const Vec3& from, const Vec3& to) override {
    const std::lock_guard lock(mutex_);
    if (++seen_ % stride_ != 0) return;
    for (const Vec3& p : {from, to})
      for (int k = 0; k < 3; ++k) growth_.lines.push_back(std::round(1e4 * p[k]) / 1e4);
    if (growth_.lines.size() > kMostLines * kNumbers) thin_out();
    const auto now = std::chrono::steady_clock::now();
    constexpr std::chrono::milliseconds kInterval(250);
    if (now - last_ < kInterval) return;
    last_ = now;
    events_.grow(growth_);
  }

 private:
  static constexpr std::size_t kMostLines = 2000, kNumbers = 6;

  void thin_out() {
    std::vector<double>& all = growth_.lines;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + kNumbers <= all.size(); i += 2 * kNumbers, kept += kNumbers)
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(i), kNumbers,
                  all.begin() + static_cast<std::ptrdiff_t>(kept));
    all.resize(kept);
    stride_ *= 2;
  }

  const Events& events_;
  std::mutex mutex_;
  JobGrowth growth_;
  std::uint64_t seen_ = 0;
  std::uint64_t stride_ = 1;
  std::chrono::steady_clock::time_point last_{};
};

Jobs::Jobs(TaskStore& tasks, const Results& results, int threads, Events events)
    : tasks_(tasks), results_(results), threads_(threads), events_(std::move(events)) {}

Jobs::~Jobs() { stop(); }

void Jobs::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    cancel_.request();
  }
  join();
}

/// Two may come here at once: whoever takes the thread waits for it.
void Jobs::join() {
  std::thread last;
  {
    const std::lock_guard lock(mutex_);
    last = std::move(thread_);
  }
  if (last.joinable()) last.join();
}

Result<std::int64_t> Jobs::start(const RunTask& task) {
  {
    const std::lock_guard lock(mutex_);
    if (status_ && status_->state == JobStatus::State::running) {
      return Diagnostic{.code = "studio.busy",
                        .message = fmt::format("job {} is still running", status_->job),
                        .remedy = "wait for its end, or cancel it"};
    }
  }
  // Its last report is out; only the thread's own end is waited for.
  join();
  const std::lock_guard lock(mutex_);
  if (is_stopping_)
    return Diagnostic{
        .code = "studio.ends", .message = "the studio ends", .remedy = "start it again"};
  cancel_ = CancelSource();
  status_ = JobStatus{next_++, task.kind};
  status_->stage = "starting";
  thread_ = std::thread([this, task, token = cancel_.token()] { run(task, token); });
  return status_->job;
}

Result<void> Jobs::cancel(std::int64_t job) {
  const std::lock_guard lock(mutex_);
  if (!status_ || status_->job != job || status_->state != JobStatus::State::running) {
    return Diagnostic{.code = "studio.no_job",
                      .message = fmt::format("job {} is not running", job),
                      .remedy = "look at the list of results"};
  }
  cancel_.request();
  return {};
}

std::optional<JobStatus> Jobs::newest() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void Jobs::update(const std::function<void(JobStatus&)>& change) {
  JobStatus now;
  {
    const std::lock_guard lock(mutex_);
    change(*status_);
    now = *status_;
  }
  events_.report(now);
}

void Jobs::run(const RunTask& task, CancelToken cancel) {
  Result<std::string> name = Diagnostic{};
  try {
    name = produce(task, cancel);
  } catch (const std::exception& e) {
    log_error("studio: a task ended by an internal fault: {}", e.what());
    name = Diagnostic{.code = "internal",
                      .message = fmt::format("internal fault: {}", e.what()),
                      .remedy = "please report it with the task file"};
  }
  update([&](JobStatus& s) {
    s.fraction.reset();
    s.stage.clear();
    s.message.clear();
    if (name) {
      s.state = JobStatus::State::done;
      s.result = *name;
    } else if (cancel.requested()) {
      s.state = JobStatus::State::cancelled;
    } else {
      s.state = JobStatus::State::failed;
      s.error = name.error();
    }
  });
}

Result<std::string> Jobs::produce(const RunTask& task, const CancelToken& cancel) {
  // Any name of this depth will do while paths are worked out.
  Result<PreparedTask> prepared =
      tasks_.prepare(task.kind, task.options, results_.own_folder() / "result");
  if (!prepared) return prepared.error();
  Budget budget;
  budget.cancel = cancel;
  if (task.budget_s > 0) budget.deadline = make_deadline(task.budget_s);
  Progress progress(*this);
  Growth growth(newest()->job, events_);
  Result<TaskOutcome> outcome = prepared->loaded.task->run(
      {prepared->loaded.file, task.seed, threads_, budget, progress, &growth});
  if (!outcome) return outcome.error();
  update([](JobStatus& s) { s.stage = "writing", s.fraction.reset(); });
  return store(*prepared, *outcome, task.kind, cancel);
}

Result<std::string> Jobs::store(PreparedTask& task, TaskOutcome& outcome, const std::string& kind,
                                const CancelToken& cancel) {
  // Another studio may write to the same folder: nothing is shared before it is whole.
  const PartialFolder partial(results_.own_folder() / fmt::format(".{}.partial", ::getpid()));
  std::error_code failed;
  fs::remove_all(partial.path(), failed);
  fs::create_directories(partial.path(), failed);
  if (!task.text.empty() && !failed) {
    const fs::path file = partial.path() / "task.yaml";
    outcome.result.task_file.file = file.string();
    if (const Result<void> written = write_file_atomically(file, task.text); !written)
      return written.error();
  }
  if (const Result<void> written =
          write_result(partial.path(), outcome.world, outcome.result, cancel);
      !written) {
    return written.error();
  }
  // A name that somebody else took meanwhile is left to them.
  for (int tries = 0; tries < 100; ++tries) {
    const std::string name = results_.make_name(kind);
    fs::rename(partial.path(), results_.own_folder() / name, failed);
    if (!failed) return name;
    if (failed != std::errc::directory_not_empty && failed != std::errc::file_exists) break;
  }
  return Diagnostic{.code = "studio.cannot_write",
                    .message = failed.message(),
                    .file = results_.own_folder().string(),
                    .remedy = "check that the folder of results may be written, or choose --out"};
}

}  // namespace geste::studio
