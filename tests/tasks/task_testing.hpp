#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "geste/tasks/task.hpp"
#include "geste/tasks/verify.hpp"

namespace geste::testing {

namespace fs = std::filesystem;

/// A folder of its own for each test, gone afterwards.
class TaskTest : public ::testing::Test {
 protected:
  TaskTest()
      : folder_(fs::temp_directory_path() /
                ("geste_tasks_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
                 std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~TaskTest() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  static Result<TaskOutcome> run(const fs::path& file) {
    Result<LoadedTask> loaded = load_task(file);
    if (!loaded) return loaded.error();
    return loaded->task->run({loaded->file, 1, 0, Budget(), no_progress()});
  }

  /// Found, and free from the files alone.
  void expect_proven(const TaskOutcome& outcome) const {
    ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
    ASSERT_TRUE(write_result(folder_ / "result", outcome.world, outcome.result));
    const Result<VerifyOutcome> second = verify_result(folder_ / "result");
    ASSERT_TRUE(second) << to_text(second.error());
    EXPECT_TRUE(second->verified) << second->text;
  }

  /// -1: there is none of that name.
  static double read_figure(const TaskOutcome& outcome, const std::string& name) {
    for (const Figure& f : outcome.result.figures)
      if (f.name == name) return f.value;
    return -1;
  }

  fs::path folder_;
};

}  // namespace geste::testing
