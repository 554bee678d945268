// Tasks run from the studio, and their results.
#include "geste/tasks/task.hpp"
#include "geste/tasks/verify.hpp"

#include "studio/studio_rig.hpp"

namespace geste::testing {
namespace {

bool has_ended(const Json& event) { return event["state"] != "running"; }

Json run(LiveSocket& guide, const Json& options) {
  const Json answer = guide.ask("run", {{"kind", "replay"}, {"options", options}, {"seed", 7}});
  EXPECT_TRUE(answer["ok"].get<bool>()) << answer;
  return guide.wait_event("job", has_ended);
}

/// A recording so long that it can be cancelled.
void write_long_recording(StudioRig& rig) {
  std::string text = "time,arm/joint1\n";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + ",0\n";
  StudioRig::write(rig.folder() / "long.csv", text);
}

TEST(Jobs, TaskOfTheFileRunsAndItsResultIsServed) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json end = run(guide, guide.hello()["scene"]["options"]);
  ASSERT_EQ(end["state"], "done") << end;
  EXPECT_EQ(end["result"], "replay-1");
  EXPECT_TRUE(end["error"].is_null());
  const Json results = guide.wait_event("results")["results"];
  ASSERT_EQ(results.size(), 1u);
  const Json& result = results[0];
  EXPECT_EQ(result["name"], "replay-1");
  EXPECT_EQ(result["outcome"], "found");
  EXPECT_EQ(result["free"], true);
  EXPECT_GT(result["clearance_m"], 0);
  EXPECT_GT(result["duration_s"], 1);
  EXPECT_TRUE(result["figures"].contains("duration"));
  for (const Json& file : result["files"]) {
    const auto reply = get(rig.port(), "/results/replay-1/" + file.get<std::string>());
    EXPECT_EQ(reply.status, 200u) << file;
    EXPECT_EQ(reply.body, StudioRig::read(rig.out() / "replay-1" / file.get<std::string>()));
  }
  EXPECT_EQ(get(rig.port(), "/results/replay-1/track").status, 200u);
  // The file was run as it is: nothing else describes the task.
  EXPECT_FALSE(std::filesystem::exists(rig.out() / "replay-1" / "task.yaml"));
  EXPECT_EQ(Json::parse(StudioRig::read(rig.out() / "replay-1" / "result.json"))["seed"], 7);
  EXPECT_TRUE(verify_result(rig.out() / "replay-1", {}).value().verified);
  EXPECT_EQ(LiveSocket(rig.port(), "key-of-bert").hello()["job"]["state"], "done");
}

TEST(Jobs, ChangedTaskIsKeptWithItsResult) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json end = run(guide, {{"motion", "hello.csv"}, {"rate", 10}, {"end", 1.5}});
  ASSERT_EQ(end["state"], "done") << end;
  const std::filesystem::path folder = rig.out() / "replay-1";
  const Result<LoadedTask> task = load_task(folder / "task.yaml");
  ASSERT_TRUE(task.has_value()) << to_text(task.error());
  EXPECT_EQ(Json::parse(StudioRig::read(folder / "result.json"))["task_file"]["file"], "task.yaml");
  const auto verified = verify_result(folder, {});
  ASSERT_TRUE(verified.has_value()) << to_text(verified.error());
  EXPECT_TRUE(verified->verified);
  const Json next = run(guide, {{"motion", "hello.csv"}, {"rate", 10}});
  EXPECT_EQ(next["result"], "replay-2");
  EXPECT_GT(next["job"], end["job"]);
}

/// A task of the workbench, changed in one field as its form does it.
Json run_changed(const char* scene, const char* kind, const char* field, const Json& value,
                 std::filesystem::path& folder) {
  TempFolder home;
  studio::StudioOptions options;
  options.task = home / scene;
  StudioRig::write(options.task,
                   StudioRig::read(source_dir() / "tests" / "web" / "workbench" / scene));
  StudioRig rig(options);
  LiveSocket guide(rig.port(), "key-of-anna");
  Json asked = guide.hello()["scene"]["options"];
  asked[field] = value;
  const Json answer = guide.ask("run", {{"kind", kind}, {"options", asked}});
  EXPECT_TRUE(answer["ok"].get<bool>()) << answer;
  const Json end = guide.wait_event("job", has_ended);
  EXPECT_EQ(end["state"], "done") << end;
  folder = rig.out() / (std::string(kind) + "-1");
  Json told = {{"result", Json::parse(StudioRig::read(folder / "result.json"))},
               {"files", guide.wait_event("results")["results"][0]["files"]},
               {"has_map", std::filesystem::exists(home / "map.roadmap")}};
  const auto swept = get(rig.port(), "/results/" + folder.filename().string() + "/swept.stl");
  told["swept"] = swept.status == 200;
  return told;
}

// Options come as the file has them: a default that is sent back would be an order.
TEST(Jobs, EveryKindRunsWithOneFieldChanged) {
  std::filesystem::path folder;
  const Json extract = run_changed("slot.yaml", "extract", "samples", 10'000, folder);
  EXPECT_EQ(extract["result"]["outcome"], "found");
  EXPECT_EQ(extract["swept"], true);
  EXPECT_NE(std::find(extract["files"].begin(), extract["files"].end(), "swept.stl"),
            extract["files"].end());
  const Json move = run_changed("carry.yaml", "move", "speed", 0.5, folder);
  EXPECT_EQ(move["result"]["outcome"], "found");
  EXPECT_EQ(move["swept"], false);
  // The folder of the result is not there while paths are worked out.
  const Json roadmap = run_changed("map.yaml", "roadmap", "samples", 60, folder);
  EXPECT_EQ(roadmap["has_map"], true);
}

TEST(Jobs, FaultsOfAFormAreToldAndLeaveNothing) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json missing = run(guide, {{"motion", "nowhere.csv"}});
  EXPECT_EQ(missing["state"], "failed");
  EXPECT_EQ(missing["error"]["code"], "replay.motion_missing");
  const Json unknown = run(guide, {{"motion", "hello.csv"}, {"raet", 10}});
  EXPECT_EQ(unknown["state"], "failed");
  EXPECT_EQ(unknown["error"]["code"], "task.unknown_key");
  guide.ask("run", {{"kind", "fly"}, {"options", Json::object()}});
  EXPECT_EQ(guide.wait_event("job", has_ended)["error"]["code"], "studio.unknown_task");
  EXPECT_FALSE(std::filesystem::exists(rig.out()) && !std::filesystem::is_empty(rig.out()));
}

/// Stands in another folder for as long as it lives.
class Standing {
 public:
  explicit Standing(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  ~Standing() { std::filesystem::current_path(before_); }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

// "geste studio slide.yaml", from where the file lies.
TEST(Jobs, TaskFileMayBeNamedWithoutItsFolder) {
  TempFolder folder;
  StudioRig::write(folder / "slide.yaml",
                   "geste: 1\nparts:\n  - {name: ball, sphere: 0.05, movable: true}\n"
                   "task:\n  replay: {motion: one.csv}\n");
  std::string columns = "time";
  for (const char* entry : {"x", "y", "z", "qx", "qy", "qz", "qw"})
    columns += std::string(",ball/root:") + entry;
  for (const char* file : {"one.csv", "other.csv"})
    StudioRig::write(folder / file, columns + "\n0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,1\n");
  const Standing inside(folder.path());
  studio::StudioOptions options;
  options.task = "slide.yaml";
  StudioRig rig(options);
  LiveSocket guide(rig.port(), "key-of-anna");
  EXPECT_EQ(run(guide, {{"motion", "one.csv"}})["state"], "done");
  const Json other = run(guide, {{"motion", "other.csv"}});
  EXPECT_EQ(other["state"], "done") << other;
  EXPECT_TRUE(verify_result(rig.out() / "replay-2", {}).value().verified);
  EXPECT_TRUE(guide.ask("save", {{"name", "here"}})["ok"].get<bool>());
  EXPECT_EQ(run(guide, {{"motion", "../other.csv"}})["error"]["code"], "studio.outside");
}

TEST(Jobs, RunningTaskTellsItsProgressAndCanBeCancelled) {
  StudioRig rig;
  write_long_recording(rig);
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json started =
      guide.ask("run", {{"kind", "replay"}, {"options", {{"motion", "long.csv"}, {"rate", 50}}}});
  ASSERT_TRUE(started["ok"].get<bool>());
  guide.wait_event("job", [](const Json& e) { return e["stage"] == "replaying"; });
  const Json busy = guide.ask("run", {{"kind", "replay"}, {"options", {{"motion", "hello.csv"}}}});
  EXPECT_EQ(busy["error"]["code"], "studio.busy");
  // The engine goes on meanwhile.
  EXPECT_TRUE(guide.ask("joint", {{"joint", "arm/joint1"}, {"values", {0.5}}})["ok"].get<bool>());
  EXPECT_EQ(guide.ask("cancel", {{"job", 99}})["error"]["code"], "studio.no_job");
  EXPECT_TRUE(guide.ask("cancel", {{"job", started["job"]}})["ok"].get<bool>());
  const Json end = guide.wait_event("job", has_ended);
  EXPECT_EQ(end["state"], "cancelled");
  EXPECT_TRUE(end["result"].is_null());
  EXPECT_TRUE(LiveSocket(rig.port(), "key-of-bert").hello()["results"].empty());
  EXPECT_EQ(guide.ask("cancel", {{"job", started["job"]}})["error"]["code"], "studio.no_job");
}

// GX-7, MV-5: a search is seen while it runs, and ends when told.
TEST(Jobs, SearchShowsHowItGrows) {
  TempFolder folder;
  studio::StudioOptions options;
  options.task = folder / "gate.yaml";
  StudioRig::write(options.task,
                   StudioRig::read(source_dir() / "tests" / "web" / "workbench" / "gate.yaml"));
  StudioRig rig(options);
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json started =
      guide.ask("run", {{"kind", "move"},
                        {"options",
                         {{"actor", "plank"},
                          {"goal", {{"pose", {{"xyz", {1, 0, 0}}}}}},
                          {"room", {{"low", {-1.5, -0.9, -0.7}}, {"high", {1.5, 0.9, 0.7}}}},
                          {"sampler", "uniform"},
                          {"samples", 1000000000}}}});
  ASSERT_TRUE(started["ok"].get<bool>()) << started;
  const Json growth =
      guide.wait_event("growth", [](const Json& e) { return e["lines"].size() > 600; });
  EXPECT_EQ(growth["job"], started["job"]);
  const auto lines = growth["lines"].get<std::vector<double>>();
  EXPECT_EQ(lines.size() % 6, 0u);
  EXPECT_LE(lines.size(), 6u * 2000);
  for (std::size_t i = 0; i < lines.size(); i += 3) {
    // On this side or the other: it does not fit through the gate.
    EXPECT_LE(std::abs(lines[i]), 1.5001);
    EXPECT_GT(std::abs(lines[i]), 0.05);
    EXPECT_LE(std::abs(lines[i + 1]), 0.9001);
  }
  EXPECT_TRUE(guide.ask("cancel", {{"job", started["job"]}})["ok"].get<bool>());
  EXPECT_EQ(guide.wait_event("job", has_ended)["state"], "cancelled");
}

TEST(Jobs, StopWhileATaskRunsLeavesNothingBehind) {
  StudioRig rig;
  write_long_recording(rig);
  LiveSocket guide(rig.port(), "key-of-anna");
  guide.ask("run", {{"kind", "replay"}, {"options", {{"motion", "long.csv"}, {"rate", 50}}}});
  guide.wait_event("job", [](const Json& e) { return e["stage"] == "replaying"; });
  rig.studio().stop();
  guide.wait_close();
  EXPECT_FALSE(std::filesystem::exists(rig.out()) && !std::filesystem::is_empty(rig.out()));
}

TEST(Jobs, OwnResultsCanBeForgotten) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  ASSERT_EQ(run(guide, guide.hello()["scene"]["options"])["state"], "done");
  for (const char* name : {"nothing", "..", "../results", "replay-1/.", ""})
    EXPECT_FALSE(guide.ask("forget", {{"result", name}})["ok"].get<bool>()) << name;
  ASSERT_TRUE(guide.ask("forget", {{"result", "replay-1"}})["ok"].get<bool>());
  guide.wait_event("results", [](const Json& e) { return e["results"].empty(); });
  EXPECT_TRUE(std::filesystem::is_empty(rig.out()));
}

}  // namespace
}  // namespace geste::testing
