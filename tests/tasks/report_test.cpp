#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "geste/core/files.hpp"
#include "geste/tasks/picture.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;
namespace fs = std::filesystem;

/// A ball that flies past a post whose name is hostile, `gap` away from it at 0.5 s.
constexpr const char* kReportTask = R"yaml(geste: 1
parts:
  - {name: "<script><b>post", cylinder: {radius: 0.1, length: 2}}
  - {name: ball, sphere: 0.05, movable: true}
task:
  replay: {motion: m.csv}
)yaml";

std::string make_flight(double from, double gap) {
  const double y = 0.15 + gap;
  return fmt::format(
      "time,ball/root:x,ball/root:y,ball/root:z,ball/root:qx,ball/root:qy,ball/root:qz,ball/"
      "root:qw\n"
      "0,{0},{1},0,0,0,0,1\n1,1,{1},0,0,0,0,1\n",
      from, y);
}

class ReportTest : public TaskTest {
 protected:
  nlohmann::json run_flight(double from, double gap) {
    write("m.csv", make_flight(from, gap));
    const Result<TaskOutcome> outcome = run(write("t.yaml", kReportTask));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    EXPECT_TRUE(write_result(folder_ / "out", outcome->world, outcome->result));
    page_ = load_file(folder_ / "out/report.html").value();
    return nlohmann::json::parse(load_file(folder_ / "out/result.json").value());
  }
  std::string get_element(const std::string& id) const {
    const std::string open = "id=\"" + id + "\">";
    const std::size_t begin = page_.find(open);
    if (begin == std::string::npos) return {};
    return page_.substr(begin + open.size(), page_.find("</script>", begin) - begin - open.size());
  }
  std::string page_;
};

TEST_F(ReportTest, TightestMomentIsMeasured) {
  const nlohmann::json result = run_flight(-1, 0.02);
  const nlohmann::json& gap = result["certificate"]["tightest"];
  EXPECT_NEAR(gap["at_s"].get<double>(), 0.5, 0.01);
  EXPECT_NEAR(gap["distance_m"].get<double>(), 0.02, 1e-5);
  EXPECT_LE(result["certificate"]["clearance_m"].get<double>(), gap["distance_m"].get<double>());
  const bool post_first = gap["a"] == "<script><b>post";
  EXPECT_NEAR(gap[post_first ? "on_a" : "on_b"][1].get<double>(), 0.1, 1e-4);
  EXPECT_NEAR(gap[post_first ? "on_b" : "on_a"][1].get<double>(), 0.12, 1e-4);
  EXPECT_TRUE(result["collisions"].empty());
}

TEST_F(ReportTest, NothingIsTightestWhereNothingIsNear) {
  EXPECT_FALSE(run_flight(-1, 3)["certificate"].contains("tightest"));
}

TEST_F(ReportTest, WhatCollidesAtTheStartIsNamed) {
  const nlohmann::json result = run_flight(0, -0.01);
  ASSERT_EQ(result["collisions"].size(), 1U);
  const nlohmann::json& c = result["collisions"][0];
  EXPECT_EQ(c["where"], "start");
  EXPECT_NEAR(c["depth_m"].get<double>(), 0.01, 1e-6);
  EXPECT_TRUE(c["a"] == "ball" || c["b"] == "ball");
}

TEST_F(ReportTest, PageHoldsEverythingAndNothingThatBreaksIt) {
  run_flight(-1, 0.02);
  const nlohmann::json data = nlohmann::json::parse(get_element("geste-result"));
  EXPECT_EQ(data["certificate"]["free"], true);
  EXPECT_EQ(data["report"]["command"], "geste run ../t.yaml --seed 1 --out .");
  EXPECT_FALSE(get_element("geste-scene").empty());
  EXPECT_FALSE(get_element("geste-track").empty());
  // The name of the post appears, but nowhere as markup.
  EXPECT_NE(page_.find("\\u003cscript>\\u003cb>post"), std::string::npos);
  EXPECT_EQ(page_.find("<script><b>post"), std::string::npos);
  // Nothing is fetched from elsewhere.
  for (const char* outside : {"src=\"http", "href=\"http", "url(http", "@import"})
    EXPECT_EQ(page_.find(outside), std::string::npos) << outside;
}

TEST_F(ReportTest, PageHoldsTheSpaceThatIsPassedThrough) {
  for (const bool swept : {false, true}) {
    const Result<TaskOutcome> outcome = run(write("s.yaml", fmt::format(R"(geste: 1
parts:
  - {{name: ball, sphere: 0.05, movable: true}}
task:
  move: {{actor: ball, goal: {{pose: {{xyz: [1, 0, 0]}}}}, swept: {}}}
)",
                                                                        swept)));
    ASSERT_TRUE(outcome) << to_text(outcome.error());
    ASSERT_TRUE(write_result(folder_ / "out", outcome->world, outcome->result));
    page_ = load_file(folder_ / "out/report.html").value();
    EXPECT_EQ(get_element("geste-swept").empty(), !swept);
  }
}

TEST_F(ReportTest, SameResultSameBytes) {
  run_flight(-1, 0.02);
  const std::string first = page_;
  run_flight(-1, 0.02);
  EXPECT_EQ(page_, first);
}

TEST_F(ReportTest, PictureOfAResultAndOfATask) {
  run_flight(-1, 0.02);
  PictureOptions options;
  options.width = 320;
  options.height = 200;
  for (const fs::path& input : {folder_ / "out", folder_ / "t.yaml"}) {
    const Result<void> made = make_picture(input, folder_ / "p.png", options);
    if (!made && made.error().code == "picture.no_browser") GESTE_SKIP(made.error().message);
    ASSERT_TRUE(made) << to_text(made.error());
    const std::string png = load_file(folder_ / "p.png").value();
    ASSERT_GT(png.size(), 1000U);
    // Width and height stand in its first chunk.
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x01\x40\0\0\0\xc8", 8));
    fs::remove(folder_ / "p.png");
  }
}

TEST_F(ReportTest, PictureSaysWhatIsWrong) {
  EXPECT_EQ(make_picture(folder_, folder_ / "p.png").error().code, "picture.no_report");
  EXPECT_EQ(make_picture(folder_ / "no.yaml", folder_ / "p.png").error().code, "file.missing");
  PictureOptions options;
  options.view = "sideways";
  options.share = 2;
  options.width = 0;
  EXPECT_EQ(make_picture(folder_, folder_ / "p.png", options).error().also.size(), 2U);
  EXPECT_FALSE(fs::exists(folder_ / "p.png"));
}

}  // namespace
}  // namespace geste
