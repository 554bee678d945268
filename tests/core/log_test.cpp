#include "geste/core/log.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace geste {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

class Log : public ::testing::Test {
 protected:
  void TearDown() override { set_log_level(LogLevel::warning); }

  static std::string write_one_of_each() {
    CaptureStderr();
    log_debug("d {}", 1);
    log_info("i {}", 2);
    log_warning("w {}", 3);
    log_error("e {}", 4);
    return GetCapturedStderr();
  }
};

TEST_F(Log, WarnsByDefault) { EXPECT_EQ(write_one_of_each(), "warning: w 3\nerror: e 4\n"); }

TEST_F(Log, WritesFromItsLevelUpwards) {
  set_log_level(LogLevel::debug);
  EXPECT_EQ(write_one_of_each(), "debug: d 1\ninfo: i 2\nwarning: w 3\nerror: e 4\n");
  set_log_level(LogLevel::info);
  EXPECT_EQ(write_one_of_each(), "info: i 2\nwarning: w 3\nerror: e 4\n");
  set_log_level(LogLevel::error);
  EXPECT_EQ(write_one_of_each(), "error: e 4\n");
  set_log_level(LogLevel::off);
  EXPECT_EQ(write_one_of_each(), "");
}

TEST_F(Log, TakesTextAsItIs) {
  CaptureStderr();
  log_warning("{}", "100 % {} %v");
  EXPECT_EQ(GetCapturedStderr(), "warning: 100 % {} %v\n");
}

TEST_F(Log, LinesOfThreadsStayWhole) {
  CaptureStderr();
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([k] {
      for (int i = 0; i < 50; ++i) log_error("{}", std::string(60, static_cast<char>('a' + k)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(GetCapturedStderr());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_EQ(line.size(), 67u);
    ASSERT_EQ(line.substr(7), std::string(60, line[7]));
  }
  EXPECT_EQ(count, 200);
}

TEST_F(Log, LevelsHaveNames) {
  EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
  EXPECT_EQ(parse_log_level("Info"), LogLevel::info);
  EXPECT_EQ(parse_log_level(" warning "), LogLevel::warning);
  EXPECT_EQ(parse_log_level("error"), LogLevel::error);
  EXPECT_EQ(parse_log_level("off"), LogLevel::off);
  EXPECT_EQ(parse_log_level("loud"), std::nullopt);
  EXPECT_EQ(parse_log_level(""), std::nullopt);
}

}  // namespace
}  // namespace geste
