#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "geste/tasks/task.hpp"

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

  fs::path folder_;
};

}  // namespace geste::testing
