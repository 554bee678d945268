#include "geste/tasks/check.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/step_writing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using nlohmann::json;

constexpr const char* kShelf = R"(geste: 1
parts:
  - {name: shelf, box: [1, 1, 0.1]}
  - {name: lamp, sphere: 0.1, pose: {xyz: [0.3, 0, 0.13]}}
  - {name: crate, box: [0.2, 0.2, 0.2], movable: true, pose: {xyz: [0, 0, 0.153]}}
configurations:
  - name: down
    joints: {crate/root: [0, 0, -0.013, 0, 0, 0, 1]}
)";

class Check : public ::testing::Test {
 protected:
  json run(const std::string& text, const CheckOptions& options = {}) {
    EXPECT_TRUE(write_file_atomically(folder_ / "scene.yaml", text));
    const Result<CheckReport> report = check_scene(folder_ / "scene.yaml", options);
    if (!report) return {{"error", to_text(report.error())}};
    json facts = json::parse(report->json);
    EXPECT_EQ(facts["free"] == true, report->free);
    EXPECT_EQ(facts["checked_pairs"], report->checked);
    EXPECT_EQ(facts["free"].is_null(), report->checked == 0);
    facts["text"] = report->text;
    return facts;
  }
  testing::Scratch folder_;
};

TEST_F(Check, NamesTheNearestPairWhereAllIsFree) {
  const json facts = run(kShelf);
  ASSERT_FALSE(facts.contains("error")) << facts["error"];
  EXPECT_EQ(facts["free"], true);
  EXPECT_EQ(facts["nearest"]["a"], "shelf");
  EXPECT_EQ(facts["nearest"]["b"], "crate");
  EXPECT_NEAR(facts["nearest"]["clearance_m"], 0.003, 1e-12);
  EXPECT_NE(facts["text"].get<std::string>().find("3 mm apart"), std::string::npos);
}

TEST_F(Check, NamesWhatCollidesWithDepthAndPoint) {
  CheckOptions options;
  options.state = "down";
  const json facts = run(kShelf, options);
  ASSERT_FALSE(facts.contains("error")) << facts["error"];
  ASSERT_EQ(facts["colliding"].size(), 1u);
  const json& pair = facts["colliding"][0];
  EXPECT_EQ(pair["a"], "shelf");
  EXPECT_EQ(pair["b"], "crate");
  EXPECT_NEAR(pair["clearance_m"], -0.01, 1e-9);
  EXPECT_NEAR(pair["point"][2], 0.045, 1e-9);
  EXPECT_NEAR(pair["normal"][2], 1, 1e-6);
}

TEST_F(Check, FollowsTheScenesOwnRules) {
  const std::string text = kShelf;
  const json margin = run(text + "collision: {margin: 5 mm}\n");
  ASSERT_EQ(margin["colliding"].size(), 1u);
  EXPECT_NE(margin["text"].get<std::string>().find("3 mm apart, margin 5 mm"), std::string::npos);
  const json some = run(text + "collision: {margins: [{between: [crate, lamp], margin: 12 cm}]}\n");
  ASSERT_EQ(some["colliding"].size(), 1u);
  EXPECT_EQ(some["colliding"][0]["a"], "lamp");
  const json allowed =
      run(text + "collision: {margin: 5 mm, allowed: [{between: [crate, shelf]}]}\n");
  EXPECT_EQ(allowed["free"], true);
  EXPECT_EQ(allowed["left_out"]["allowed"][0], json({"shelf", "crate"}));
  const json area = run(
      text + "collision: {areas: [{mover: crate, low: [-0.1, -0.1, 0], high: [0.1, 0.1, 1]}]}\n");
  EXPECT_EQ(area["left_out"]["outside the area"][0], json({"lamp", "crate"}));
}

TEST_F(Check, FixedPartsOnlyWhenAsked) {
  std::string text = kShelf;
  text.replace(text.find("0.13]"), 4, "0.06");
  const json plain = run(text);
  EXPECT_EQ(plain["free"], true);
  EXPECT_EQ(plain["fixed_pairs_left_out"], 1);
  EXPECT_NE(plain["text"].get<std::string>().find("1 fixed to each other (--fixed)"),
            std::string::npos);
  CheckOptions options;
  options.fixed = true;
  const json facts = run(text, options);
  ASSERT_EQ(facts["colliding"].size(), 1u);
  EXPECT_EQ(facts["colliding"][0]["b"], "lamp");
  EXPECT_EQ(facts["colliding"][0]["kind"], "clash");
  EXPECT_NEAR(facts["colliding"][0]["depth_m"], 0.09, 1e-9);
}

constexpr const char* kAssembly = R"(geste: 1
parts:
  - {name: plate, box: [1, 1, 0.1]}
  - {name: flush, box: [0.2, 0.2, 0.2], pose: {xyz: [0.3, 0, 0.15]}}
  - {name: sunk, box: [0.2, 0.2, 0.2], pose: {xyz: [0, 0, 0.145]}}
  - {name: above, box: [0.2, 0.2, 0.2], pose: {xyz: [-0.3, 0, 0.152]}}
  - {name: far, box: [0.2, 0.2, 0.2], pose: {xyz: [0, 0.4, 0.5]}}
)";

// MV-8: nothing moves in an assembly, and still it is not "free" before its parts were looked at.
TEST_F(Check, AssembliesGetTheirStaticClashes) {
  CheckOptions options;
  options.tolerance = 0.003;
  const json facts = run(kAssembly, options);
  ASSERT_FALSE(facts.contains("error")) << facts["error"];
  EXPECT_EQ(facts["free"], false);
  EXPECT_EQ(facts["checked_pairs"], 10);
  ASSERT_EQ(facts["pairs"].size(), 3u);
  const auto expect = [&](std::size_t k, const char* kind, const char* b, double clearance) {
    const json& pair = facts["pairs"][k];
    EXPECT_EQ(pair["kind"], kind);
    EXPECT_EQ(pair["a"], "plate");
    EXPECT_EQ(pair["b"], b);
    EXPECT_NEAR(pair["clearance_m"], clearance, 1e-9);
  };
  expect(0, "clash", "sunk", -0.005);
  expect(1, "touch", "flush", 0);
  expect(2, "near", "above", 0.002);
  EXPECT_NEAR(facts["pairs"][0]["point"][2], 0.0475, 1e-9);
  EXPECT_EQ(facts["colliding"].size(), 1u);
  const std::string text = facts["text"];
  EXPECT_NE(text.find("1 pair clashes, 1 pair touches, 1 pair comes within 3 mm"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("plate - sunk: 5 mm deep, at "), std::string::npos) << text;
  EXPECT_NE(text.find("plate - flush: touching, at "), std::string::npos) << text;
  EXPECT_NE(text.find("plate - above: 2 mm apart, at "), std::string::npos) << text;
  EXPECT_NE(text.find("10 pairs checked\n"), std::string::npos) << text;
}

TEST_F(Check, AssembliesWithoutClashAreFreeAndMayTouch) {
  std::string text = kAssembly;
  text.replace(text.find("0.145]"), 5, "0.150");
  const json facts = run(text);
  EXPECT_EQ(facts["free"], true);
  EXPECT_EQ(facts["pairs"].size(), 2u);
  EXPECT_NE(facts["text"].get<std::string>().find("no clash, 2 pairs touch"), std::string::npos);
  const json allowed =
      run(std::string(kAssembly) + "collision: {allowed: [{between: [plate, sunk]}]}\n");
  EXPECT_EQ(allowed["free"], true) << allowed;
  EXPECT_EQ(allowed["checked_pairs"], 9);
}

// Where nothing was checked nothing is free.
TEST_F(Check, NothingCheckedIsNotFree) {
  for (const char* text : {"geste: 1\nparts:\n  - {name: alone, sphere: 1}\n",
                           "geste: 1\nparts:\n  - {name: a, sphere: 1}\n  - {name: b, sphere: 1}\n"
                           "collision: {allowed: [{between: [a, b]}]}\n"}) {
    const json facts = run(text);
    ASSERT_FALSE(facts.contains("error")) << facts["error"];
    EXPECT_TRUE(facts["free"].is_null());
    EXPECT_EQ(facts["text"].get<std::string>().find("free of"), std::string::npos);
    EXPECT_NE(facts["text"].get<std::string>().find("nothing was checked"), std::string::npos);
  }
}

// A CAD file is an assembly of its parts. Reference: sizes of these assemblies, and that parts that
// are bolted to each other touch.
TEST_F(Check, TakesACadFileAsItIs) {
  const std::filesystem::path file = testing::shared_data() / "cad/step/as1-oc-214.stp";
  GESTE_NEEDS_DATA(file);
  const Result<CheckReport> report = check_scene(file, CheckOptions());
  ASSERT_TRUE(report) << to_text(report.error());
  const json facts = json::parse(report->json);
  EXPECT_EQ(facts["checked_pairs"], 18 * 17 / 2);
  EXPECT_GE(facts["pairs"].size(), 18u) << "every part rests on another";
}

TEST_F(Check, SaysWhatIsWrong) {
  CheckOptions options;
  options.state = "dwn";
  EXPECT_NE(run(kShelf, options)["error"].get<std::string>().find("did you mean 'down'?"),
            std::string::npos);
  const std::string text = kShelf;
  const json one = run(text + "collision: {allowed: [{between: [crate]}]}\n");
  EXPECT_NE(one["error"].get<std::string>().find("has 1 names"), std::string::npos);
  const json unknown = run(text + "collision: {margins: [{between: [crat], margin: 1 mm}]}\n");
  EXPECT_NE(unknown["error"].get<std::string>().find("did you mean 'crate'?"), std::string::npos);
  const json empty = run(text + "collision: {areas: [{low: [1, 0, 0], high: [0, 1, 1]}]}\n");
  EXPECT_NE(empty["error"].get<std::string>().find("the area is empty"), std::string::npos);
}

/// Beyond its limits an arm may hit what it cannot reach within them: nothing is called free then.
TEST_F(Check, StatesBeyondTheLimitsAreLookedAtWhole) {
  ASSERT_TRUE(write_file_atomically(folder_ / "arm.urdf", R"(<robot name="arm">
  <link name="base"/>
  <link name="boom"><collision><origin xyz="0.5 0 0"/>
    <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="boom"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>)"));
  const std::string text = R"(geste: 1
parts:
  - {name: wall, box: [0.2, 1, 1], pose: {xyz: [-0.8, 0, 0]}}
actors:
  - {name: arm, urdf: arm.urdf}
configurations:
  - {name: back, joints: {arm/hinge: 3.14159}}
)";
  CheckOptions options;
  options.state = "back";
  const json facts = run(text, options);
  ASSERT_EQ(facts["colliding"].size(), 1u) << facts;
  EXPECT_EQ(facts["colliding"][0]["a"], "wall");
  // Within them the wall is beyond reach, so nothing was checked and nothing is called free.
  EXPECT_TRUE(run(text)["free"].is_null());
  // A configuration of that name is meant before the scene's own start.
  EXPECT_EQ(run(text + "  - {name: start, joints: {arm/hinge: 3.14159}}\n")["free"], false);
}

}  // namespace
}  // namespace geste
