#include "geste/formats/task_edit.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "geste/formats/field_form.hpp"
#include "geste/formats/task_file.hpp"

namespace geste {
namespace {

const ConfigurationSpec kReach{
    "reach", "", {{"arm/j 1", {0.5}}, {"cup", {0, 0, 1, 0, 0, 0, 1}}}, {}};

TaskFile parse(const std::string& text) {
  long long value = 0;
  const TaskKindFields kinds[] = {{"move", "", [&](FieldVisitor& v) {
                                     v.integer({"steps", ""}, value, 0);
                                   }}};
  return parse_task(text, "t.yaml", kinds).value();
}

TEST(SetConfiguration, ComesBehindTheOthersAndLeavesTheRestAlone) {
  const std::string text =
      "# mine\ngeste: 1\nconfigurations:  # named\n  - {name: home, joints: {a: 1}}  # keep\n\n"
      "# the task\ntask: {move: {}}\n";
  const Result<EditedTask> edited = set_configuration(text, "t.yaml", kReach);
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->text,
            "# mine\ngeste: 1\nconfigurations:  # named\n  - {name: home, joints: {a: 1}}  # keep\n"
            "  - name: reach\n    joints: {\"arm/j 1\": 0.5, cup: [0, 0, 1, 0, 0, 0, 1]}\n\n"
            "# the task\ntask: {move: {}}\n");
  EXPECT_EQ(edited->line, 5);
  const TaskFile task = parse(edited->text);
  ASSERT_EQ(task.configurations.size(), 2U);
  EXPECT_EQ(task.configurations[1].values, kReach.values);
}

TEST(SetConfiguration, TakesThePlaceOfOneOfTheSameName) {
  const std::string text =
      "geste: 1\nconfigurations:\n- name: reach\n  joints:\n    a: 1\n    b: 2\n"
      "# then\n- name: other\n  joints: {c: 3}\n";
  const Result<EditedTask> edited = set_configuration(text, "t.yaml", kReach);
  ASSERT_TRUE(edited);
  EXPECT_NE(edited->text.find("# then\n- name: other\n  joints: {c: 3}\n"), std::string::npos);
  const TaskFile task = parse(edited->text);
  ASSERT_EQ(task.configurations.size(), 2U);
  EXPECT_EQ(task.configurations[0].values, kReach.values);
}

TEST(SetConfiguration, WorksWhereThereAreNone) {
  for (const std::string text :
       {"geste: 1\n", "geste: 1", "geste: 1\r\n# end\r\n", "geste: 1\nconfigurations: []\n",
        "geste: 1\nconfigurations: [{name: home, joints: {a: [1, 2]}}]\n",
        "configurations:\ngeste: 1\n"}) {
    const Result<EditedTask> edited = set_configuration(text, "t.yaml", kReach);
    ASSERT_TRUE(edited) << text;
    const TaskFile task = parse(edited->text);
    EXPECT_EQ(task.configurations.back().values, kReach.values) << edited->text;
    EXPECT_EQ(task.configurations.size(), text.find("home") == std::string::npos ? 1U : 2U);
  }
}

TEST(SetConfiguration, KeepsManyNumbersToTheLastBit) {
  ConfigurationSpec c{"yes", "", {}, {}};
  for (int k = 0; k < 60; ++k)
    c.values.emplace_back("robot/joint" + std::to_string(k), std::vector{std::sin(k) / 3});
  const Result<EditedTask> edited = set_configuration("geste: 1\n", "t.yaml", c);
  ASSERT_TRUE(edited);
  const TaskFile task = parse(edited->text);
  EXPECT_EQ(task.configurations[0].name, "yes");
  EXPECT_EQ(task.configurations[0].values, c.values);
}

TEST(SetConfiguration, SaysWhyNot) {
  for (const char* text : {"{geste: 1}\n", "[1, 2]\n", "a: [1\n"}) {
    const Result<EditedTask> edited = set_configuration(text, "t.yaml", kReach);
    ASSERT_FALSE(edited) << text;
    EXPECT_EQ(edited.error().file, "t.yaml");
    EXPECT_FALSE(edited.error().remedy.empty());
  }
}

TEST(SetTask, AnotherTaskFromAnotherFolder) {
  const std::string text =
      "geste: 1\ntask:\n  move:\n    steps: 1\n\n# parts\nparts:\n  - {name: a, box: [1, 1, 1]}\n";
  const Result<std::string> edited =
      set_task(text, "t.yaml", "move", R"({"steps": 7})", "../my \"files\"");
  ASSERT_TRUE(edited);
  const TaskFile task = parse(*edited);
  EXPECT_EQ(task.kind, "move");
  EXPECT_EQ(task.base, "../my \"files\"");
  EXPECT_EQ(task.folder, std::filesystem::path("../my \"files\""));
  EXPECT_EQ(task.parts.size(), 1U);
  EXPECT_NE(edited->find("# parts\n"), std::string::npos);
  EXPECT_EQ(edited->find("steps: 1"), std::string::npos);
}

// What is edited in a form and sent back loses nothing that stands in the file, and adds nothing.
TEST(TaskEdit, OptionsAreTakenAsTheyAreWritten) {
  const auto options = [](const std::string& task) {
    const Result<std::string> text = get_task_options("geste: 1\n" + task, "t.yaml");
    EXPECT_TRUE(text) << to_text(text.error());
    return text ? nlohmann::json::parse(*text) : nlohmann::json();
  };
  EXPECT_EQ(options(R"(task:
  move:
    actor: ball   # who
    goal: {poses: [{pose: {xyz: [1, 2.5, -3e-1]}}, {pose: {xyz: [0, 0, 0]}}]}
    speed: 50
    shorten: false
    close: "12"
    margin: 2 mm
)"),
            nlohmann::json::parse(R"({"actor": "ball", "goal": {"poses": [{"pose": {"xyz":
              [1, 2.5, -0.3]}}, {"pose": {"xyz": [0, 0, 0]}}]}, "speed": 50, "shorten": false,
              "close": "12", "margin": "2 mm"})"));
  EXPECT_EQ(options("parts: []\n"), nlohmann::json::object());
  EXPECT_EQ(options("task: {move: }\n"), nlohmann::json::object());
  EXPECT_FALSE(get_task_options("task: [", "t.yaml"));
}

// Aliases of aliases must not become a book.
TEST(TaskEdit, OptionsOfManyAliasesAreBounded) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int k = 1; k < 10; ++k) {
    text += fmt::format("a{}: &a{} [", k, k);
    for (int i = 0; i < 10; ++i) text += fmt::format("{}*a{}", i == 0 ? "" : ", ", k - 1);
    text += "]\n";
  }
  const Result<std::string> options = get_task_options(text + "task: {move: {keep: *a9}}\n", "t");
  ASSERT_TRUE(options) << to_text(options.error());
  EXPECT_EQ(*options, "{}");
}

TEST(TaskEdit, UnitsOfConfigurationsInBracketsAreUnderstood) {
  ConfigurationSpec added;
  added.name = "b";
  added.values = {{"j", {1.0}}};
  const auto edited = set_configuration(
      "geste: 1\nconfigurations: [{name: a, joints: {j: 90 deg, k: [1 m, 20 cm]}}]\n", "t.yaml",
      added);
  ASSERT_TRUE(edited) << to_text(edited.error());
  EXPECT_NE(edited->text.find("j: 1.5707963267948966, k: [1, 0.2]"), std::string::npos)
      << edited->text;
  EXPECT_FALSE(set_configuration("geste: 1\nconfigurations: [{name: a, joints: {j: 9 x}}]\n",
                                 "t.yaml", added));
}

TEST(FieldForm, HoldsWhatAFormNeeds) {
  double length = 0.25, none = kInfinity;
  bool on = true, present = false;
  std::string choice = "b";
  const std::string choices[] = {"a", "b"};
  long long count = 3;
  const auto form = nlohmann::json::parse(make_field_form([&](FieldVisitor& v) {
    v.number({"length", "how long", true}, length, Dimension::length);
    v.number({"end", "when"}, none, Dimension::time);
    v.boolean({"on", "or off"}, on);
    v.choice({"kind", "which"}, choice, choices);
    v.group({"inner", "more"}, present, [&](FieldVisitor& inner) {
      inner.integer({"count", "how many"}, count, 1);
    });
  }));
  ASSERT_EQ(form.size(), 5U);
  EXPECT_EQ(form[0], nlohmann::json::parse(R"({"key":"length","kind":"number","help":"how long",
    "required":true,"value":0.25,"unit":"m"})"));
  EXPECT_TRUE(form[1]["value"].is_null());
  EXPECT_EQ(form[3]["choices"], nlohmann::json({"a", "b"}));
  EXPECT_EQ(form[4]["fields"][0]["least"], 1);
}

// Items that are held are shown; describing them for a form adds none.
TEST(FieldForm, ShowsTheItemsOfLists) {
  struct Place {
    std::string name;
    Pose pose;
  };
  std::vector<Place> places{{"here", Pose()}, {"there", Pose::translation(Vec3(1, 2, 3))}};
  const auto form = nlohmann::json::parse(make_field_form([&](FieldVisitor& v) {
    v.items<Place>({"places", "where"}, places, [](FieldVisitor& item, Place& place) {
      item.text({"name", "how it is called", true}, place.name);
      item.pose({"pose", "where it is"}, place.pose);
    });
  }));
  EXPECT_EQ(places.size(), 2U);
  EXPECT_EQ(form[0]["kind"], "list");
  EXPECT_EQ(form[0]["value"], nlohmann::json::parse(R"([{"name":"here","pose":[0,0,0,0,0,0,1]},
    {"name":"there","pose":[1,2,3,0,0,0,1]}])"));
  EXPECT_EQ(form[0]["fields"][0]["value"], "");
  EXPECT_TRUE(form[0]["fields"][1]["value"].is_null());
}

}  // namespace
}  // namespace geste
