#include "geste/core/progress.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "geste/core/internal/utf8.hpp"
#include "geste/core/log.hpp"
#include "geste/core/parallel.hpp"
#include "geste/core/text.hpp"

namespace geste {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kAlways{0};
constexpr milliseconds kNever{std::chrono::hours(1)};

struct Seen {
  std::string stage;
  std::uint64_t done;
  std::uint64_t total;
  std::string message;
  bool last;
};

class RecordingSink final : public ProgressSink {
 public:
  void report(const ProgressEvent& e) override {
    seen.push_back({std::string(e.stage), e.done, e.total, std::string(e.message), e.last});
  }
  std::vector<Seen> seen;
};

/// A file in memory that stands for the terminal.
class Screen {
 public:
  Screen() : file_(std::tmpfile(), &std::fclose) {}
  [[nodiscard]] std::FILE* file() const { return file_.get(); }
  [[nodiscard]] std::string text() const {
    std::string bytes(static_cast<std::size_t>(std::ftell(file_.get())), '\0');
    std::rewind(file_.get());
    EXPECT_EQ(std::fread(bytes.data(), 1, bytes.size(), file_.get()), bytes.size());
    return bytes;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

TEST(ProgressEvent, KnowsItsFraction) {
  EXPECT_EQ((ProgressEvent{.done = 3, .total = 12}.fraction()), 0.25);
  EXPECT_EQ((ProgressEvent{.done = 13, .total = 12}.fraction()), 1.0);
  EXPECT_EQ((ProgressEvent{.done = 3}.fraction()), std::nullopt);
}

TEST(ProgressScope, ReportsItsBeginningStepsAndEnd) {
  RecordingSink sink;
  {
    ProgressScope scope(sink, "planning", 10);
    scope.advance();
    scope.advance(4, "halfway");
  }
  ASSERT_EQ(sink.seen.size(), 4u);
  EXPECT_EQ(sink.seen[0].done, 0u);
  EXPECT_EQ(sink.seen[1].done, 1u);
  EXPECT_EQ(sink.seen[2].done, 5u);
  EXPECT_EQ(sink.seen[2].message, "halfway");
  EXPECT_FALSE(sink.seen[2].last);
  EXPECT_EQ(sink.seen[3].done, 5u) << "the end does not pretend to be complete";
  EXPECT_TRUE(sink.seen[3].last);
  for (const Seen& event : sink.seen) {
    EXPECT_EQ(event.stage, "planning");
    EXPECT_EQ(event.total, 10u);
  }
}

TEST(ProgressScope, ThreadsAdvanceItTogether) {
  RecordingSink sink;
  {
    ProgressScope scope(sink, "batch", 1000);
    parallel_for(1000, 8, [&](std::size_t) { scope.advance(); });
  }
  ASSERT_EQ(sink.seen.size(), 1002u);
  for (std::size_t i = 0; i <= 1000; ++i) ASSERT_EQ(sink.seen[i].done, i);
}

TEST(NullProgress, SaysNothing) {
  ProgressScope scope(no_progress(), "quiet");
  scope.advance();
}

TEST(JsonProgress, WritesOneObjectPerLine) {
  std::ostringstream out;
  JsonProgress sink(out, kAlways);
  sink.report({.stage = "planning", .done = 3, .total = 12, .message = "room \"A\"\n\xFF"});
  sink.report({.stage = "saving", .done = 7});
  EXPECT_EQ(out.str(),
            R"({"event":"progress","stage":"planning","done":3,"total":12,"fraction":0.25,)"
            "\"message\":\"room \\\"A\\\"\\n\xEF\xBF\xBD\"}\n"
            R"({"event":"progress","stage":"saving","done":7,"total":null,"fraction":null,)"
            "\"message\":\"\"}\n");
}

TEST(JsonProgress, IsReadByAnotherParser) {
  std::ostringstream out;
  JsonProgress sink(out, kAlways);
  {
    ProgressScope scope(sink, "étape\t1", 3);
    for (int i = 0; i < 3; ++i) scope.advance(1, "手");
  }
  std::istringstream lines(out.str());
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[1]["event"], "progress");
  EXPECT_EQ(events[1]["stage"], "étape\t1");
  EXPECT_EQ(events[1]["message"], "手");
  EXPECT_NEAR(events[1]["fraction"].get<double>(), 1 / 3.0, 1e-6);
  EXPECT_EQ(events[4]["fraction"], 1);
}

TEST(JsonProgress, AlwaysWritesFirstAndLastOfAStage) {
  std::ostringstream out;
  JsonProgress sink(out, kNever);
  for (const char* stage : {"one", "two"}) {
    ProgressScope scope(sink, stage, 100);
    for (int i = 0; i < 100; ++i) scope.advance();
  }
  std::istringstream lines(out.str());
  std::vector<std::uint64_t> done;
  for (std::string line; std::getline(lines, line);) {
    done.push_back(nlohmann::json::parse(line)["done"].get<std::uint64_t>());
  }
  EXPECT_EQ(done, (std::vector<std::uint64_t>{0, 100, 0, 100}));
}

TEST(JsonProgress, LinesOfThreadsStayWhole) {
  std::ostringstream out;
  JsonProgress sink(out, kAlways);
  parallel_for(200, 8, [&](std::size_t i) { sink.report({.stage = "x", .done = i + 1}); });
  std::istringstream lines(out.str());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
  EXPECT_EQ(count, 200);
}

int measure_columns(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode_utf8(text, at);
    columns += terminal_columns(code.value);
    at += code.length;
  }
  return columns;
}

TEST(ProgressLine, ShowsStageBarPercentAndMessage) {
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 1, .total = 2, .message = "m"}, 40),
            "plan [=====>    ]  50 % m");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 0, .total = 2}, 40),
            "plan [>         ]   0 %");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 2, .total = 2}, 40),
            "plan [==========] 100 %");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 999, .total = 1000}, 40),
            "plan [=========>]  99 %");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 5, .message = "m"}, 40), "plan 5 m");
  EXPECT_EQ(format_progress_line({.stage = "plan"}, 40), "plan");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 1, .total = 2}, 20), "plan  50 %");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 1, .total = 2}, 6), "plan  ");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 9}, 0), "");
  EXPECT_EQ(format_progress_line({.stage = "plan", .done = 9}, -1), "");
}

TEST(ProgressLine, FitsAnyWidthAndCutsBetweenCharacters) {
  constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::string> texts{"étapes à suivre", "手順計画中",
                                       "e\xCC\x81"
                                       "a😀b",
                                       "\xFF\xC2", std::string(300, 'x')};
  for (const std::string& stage : texts) {
    for (const std::string& message : texts) {
      for (int columns = 0; columns < 120; ++columns) {
        const auto known = format_progress_line(
            {.stage = stage, .done = kMany / 3, .total = kMany, .message = message}, columns);
        const auto open =
            format_progress_line({.stage = stage, .done = kMany, .message = message}, columns);
        for (const std::string& line : {known, open}) {
          ASSERT_TRUE(is_valid_utf8(line));
          ASSERT_LE(measure_columns(line), columns);
        }
      }
    }
  }
}

TEST(ProgressLine, IsHarmlessToTheTerminal) {
  EXPECT_EQ(format_progress_line({.stage = "a\x1b[2Jb\n\x7F",
                                  .message = "\xC2\x9B"
                                             "c"},
                                 40),
            "a?[2Jb?? ?c");
}

TEST(TerminalProgress, DrawsInPlaceAndClearsItself) {
  const Screen screen;
  {
    TerminalProgress sink(screen.file(), {.interval = kAlways, .is_terminal = true, .columns = 21});
    sink.report({.stage = "plan", .done = 1, .total = 2});
    sink.report({.stage = "plan", .done = 2, .total = 2});
  }
  EXPECT_EQ(screen.text(), "\rplan  50 %\x1b[K\rplan 100 %\x1b[K\r\x1b[K");
}

TEST(TerminalProgress, LeavesTheLastColumnFree) {
  const Screen screen;
  {
    TerminalProgress sink(screen.file(), {.interval = kAlways, .is_terminal = true, .columns = 9});
    sink.report({.stage = "0123456789"});
  }
  EXPECT_EQ(screen.text(), "\r01234567\x1b[K\r\x1b[K");
}

TEST(TerminalProgress, RedrawsSeldom) {
  const Screen screen;
  {
    TerminalProgress sink(screen.file(), {.interval = kNever, .is_terminal = true, .columns = 40});
    ProgressScope scope(sink, "plan");
    for (int i = 0; i < 1000; ++i) scope.advance();
  }
  EXPECT_EQ(screen.text(), "\rplan\x1b[K\r\x1b[K");
}

TEST(TerminalProgress, WritesALinePerStageElsewhere) {
  const Screen screen;
  {
    TerminalProgress sink(screen.file(), {.interval = kAlways});
    for (const char* stage : {"load", "plan", "load"}) {
      ProgressScope scope(sink, stage, 3);
      scope.advance(3);
    }
  }
  EXPECT_EQ(screen.text(), "load ...\nplan ...\n") << "a temporary file is no terminal";
}

TEST(TerminalProgress, MakesRoomForTheLog) {
  const Screen screen;
  ::testing::internal::CaptureStderr();
  {
    TerminalProgress sink(screen.file(), {.interval = kAlways, .is_terminal = true, .columns = 40});
    sink.report({.stage = "plan"});
    log_warning("careful");
    EXPECT_EQ(screen.text(), "\rplan\x1b[K\r\x1b[K") << "gone before the message comes";
    sink.report({.stage = "plan"});
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: careful\n");
  EXPECT_EQ(screen.text(), "\rplan\x1b[K\r\x1b[K\rplan\x1b[K\r\x1b[K");
}

TEST(TerminalProgress, ThreadsMayReport) {
  const Screen screen;
  {
    TerminalProgress sink(screen.file(), {.interval = kAlways, .is_terminal = true, .columns = 40});
    parallel_for(100, 4, [&](std::size_t i) { sink.report({.stage = "x", .done = i + 1}); });
  }
  const std::string text = screen.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 101);
}

}  // namespace
}  // namespace geste
