#include "geste/formats/result_files.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "geste/core/files.hpp"
#include "geste/formats/motion_csv.hpp"
#include "geste/formats/track_pack.hpp"
#include "geste/model/configuration.hpp"

#include "core/temp_folder.hpp"
#include "model/random_scene.hpp"

namespace geste {
namespace {

using Writer = std::function<std::string(const Budget&)>;

/// A long motion that bends everywhere, and what is written of it.
class LongMotion : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kFrames = 500;

  static TaskScene make_world() {
    Rng rng(1);
    Scene scene = Scene::compile(testing::make_random_tree(rng, 6)).value();
    VecX start = make_neutral(scene);
    return {std::move(scene), std::move(start), {}, {}};
  }

  static TaskResult make_result(const Scene& scene) {
    Rng rng(2);
    const VecX a = testing::random_configuration(scene, rng),
               b = testing::random_configuration(scene, rng);
    TaskResult result;
    result.motion.q.resize(scene.nq(), static_cast<Eigen::Index>(kFrames));
    for (std::uint64_t k = 0; k < kFrames; ++k) {
      const double t = 0.01 * static_cast<double>(k);
      result.motion.times.push_back(t);
      VecX q = a;
      interpolate(scene, a, b, 0.5 - 0.5 * std::cos(t), q);
      result.motion.q.col(static_cast<Eigen::Index>(k)) = q;
    }
    return result;
  }

  /// With how many steps it is just written.
  static std::uint64_t find_least_steps(const Writer& write) {
    std::uint64_t few = 0, enough = 1;
    while (write(Budget::steps(enough)).empty()) few = enough, enough *= 2;
    while (few + 1 < enough) {
      const std::uint64_t middle = few + (enough - few) / 2;
      (write(Budget::steps(middle)).empty() ? few : enough) = middle;
    }
    return enough;
  }

  const TaskScene world_ = make_world();
  const TaskResult result_ = make_result(world_.scene);
};

TEST_F(LongMotion, EveryFrameIsAnOccasionToCallItOff) {
  const Scene& scene = world_.scene;
  const JointMotion& motion = result_.motion;
  const std::pair<const char*, Writer> writers[] = {
      {"csv", [&](const Budget& b) { return write_motion_csv(scene, motion, b); }},
      {"glb", [&](const Budget& b) { return make_motion_glb(scene, motion, b); }},
      {"track", [&](const Budget& b) { return make_track_pack(scene, motion, b); }},
      {"report", [&](const Budget& b) { return make_report(world_, result_, {}, b); }}};
  for (const auto& [name, write] : writers) {
    const std::uint64_t least = find_least_steps(write);
    EXPECT_GE(least, kFrames) << name;
    EXPECT_EQ(write(Budget::steps(least)), write({})) << name << ": the same bytes";
    CancelSource source;
    Budget budget;
    budget.cancel = source.token();
    EXPECT_EQ(write(budget), write({})) << name;
    source.request();
    EXPECT_TRUE(write(budget).empty()) << name;
  }
}

// What an earlier result left in the folder would tell of another motion.
TEST_F(LongMotion, WithoutAMotionThereIsNoCsv) {
  testing::TempFolder folder;
  const auto has = [&](const char* name) { return std::filesystem::exists(folder / "out" / name); };
  ASSERT_TRUE(write_result(folder / "out", world_, result_, {}, {.csv_step = 1}));
  EXPECT_TRUE(has("motion.csv") && has("motion_even.csv"));
  TaskResult none = result_;
  none.found = false;
  none.motion = {{0}, world_.start};  // as tasks leave it
  ASSERT_TRUE(write_result(folder / "out", world_, none));
  EXPECT_FALSE(has("motion.csv") || has("motion_even.csv"));
  EXPECT_EQ(list_result_files(none),
            (std::vector<std::string>{"report.html", "result.json", "motion.glb"}));
  // In a folder that holds no result, nothing is taken away.
  ASSERT_TRUE(write_file_atomically(folder.path() / "motion.csv", "mine"));
  ASSERT_TRUE(write_result(folder.path(), world_, none));
  EXPECT_EQ(load_file(folder.path() / "motion.csv").value(), "mine");
}

TEST_F(LongMotion, WhatIsCalledOffLeavesNothing) {
  for (int round = 0; round < 20; ++round) {
    testing::TempFolder folder;
    const CancelSource source;
    // Raised at another moment each time: before, within some file, or too late.
    std::thread raiser([&] {
      for (int i = 0; i < 2000 * round; ++i) std::this_thread::yield();
      source.request();
    });
    const Result<void> written = write_result(folder / "out", world_, result_, source.token());
    raiser.join();
    EXPECT_EQ(std::filesystem::exists(folder / "out"), written.has_value());
    if (!written) {
      EXPECT_EQ(written.error().code, "task.cancelled");
      EXPECT_TRUE(folder.list().empty());
    }
  }
}

}  // namespace
}  // namespace geste
