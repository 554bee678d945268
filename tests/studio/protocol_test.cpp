// The studio over real sockets, as pages and programs meet it.
#include "geste/tasks/task.hpp"

#include "studio/studio_rig.hpp"

namespace geste::testing {
namespace {

Json code_of(const Json& answer) {
  EXPECT_FALSE(answer.value("ok", true)) << answer;
  return answer.contains("error") ? answer["error"]["code"] : Json();
}

TEST(Protocol, HelloTellsEverything) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna", "Anna%20B");
  ASSERT_TRUE(guide.is_open());
  const Json& hello = guide.hello();
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["scene"]["kind"], "replay");
  EXPECT_EQ(hello["scene"]["options"]["motion"], "hello.csv");
  EXPECT_EQ(hello["scene"]["options"]["rate"], 30);
  EXPECT_EQ(hello["scene"]["hash"].get<std::string>().size(), 64u);
  EXPECT_EQ(hello["people"], Json::array({{{"id", guide.me()}, {"name", "Anna B"}}}));
  EXPECT_EQ(hello["guide"], hello["you"]);
  EXPECT_EQ(hello["configurations"][0], "start");
  EXPECT_TRUE(hello["results"].empty());
  EXPECT_TRUE(hello["job"].is_null());
  EXPECT_TRUE(hello["view"].is_null());
  const Json& joint = hello["joints"][0];
  for (const char* key : {"name", "type", "role", "q", "nq", "body", "limits", "units"})
    EXPECT_TRUE(joint.contains(key)) << key;
  const StateFrame frame = guide.wait_first_frame();
  EXPECT_EQ(frame.head["seq"], 1);
  EXPECT_TRUE(frame.head["ack"].is_null());
  EXPECT_EQ(frame.movers.size(), frame.head["movers"].size());
  EXPECT_EQ(frame.movers.at(0), (std::vector<float>{0, 0, 0, 0, 0, 0, 1}));
}

TEST(Protocol, JointGoesToItsLimitAndNoFurther) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const int id = guide.send("joint", {{"joint", "arm/joint1"}, {"values", {0.25}}});
  const Json answer = guide.wait_answer(id);
  EXPECT_TRUE(answer["ok"].get<bool>()) << answer;
  EXPECT_EQ(answer["values"], Json::array({0.25}));
  EXPECT_EQ(answer["clamped"], false);
  const StateFrame frame = guide.wait_frame(id);
  const std::size_t entry = find_first_entry(guide);
  EXPECT_EQ(frame.head["q"][entry], 0.25);
  EXPECT_FALSE(frame.movers.empty());
  EXPECT_FALSE(frame.movers.contains(0)) << "the world did not move";

  const Json far = guide.ask("joint", {{"joint", "arm/joint1"}, {"values", {1e6}}});
  EXPECT_EQ(far["clamped"], true);
  const Json& joints = guide.hello()["joints"];
  const auto joint =
      std::find_if(joints.begin(), joints.end(), [&](const Json& j) { return j["q"] == entry; });
  EXPECT_EQ(far["values"][0], (*joint)["limits"][0][1]);
  EXPECT_EQ(code_of(guide.ask("joint", {{"joint", "arm/jont1"}, {"values", {0}}})),
            "studio.unknown_name");
  EXPECT_EQ(code_of(guide.ask("joint", {{"joint", "arm/joint1"}, {"values", {0, 1}}})),
            "studio.bad_request");
}

TEST(Protocol, StateAndConfiguration) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json start = guide.wait_first_frame().head["q"];
  ASSERT_TRUE(guide.ask("joint", {{"joint", "arm/joint1"}, {"values", {1}}})["ok"].get<bool>());
  int id = guide.send("configuration", {{"name", "start"}});
  EXPECT_TRUE(guide.wait_answer(id)["ok"].get<bool>());
  EXPECT_EQ(guide.wait_frame(id).head["q"], start);
  Json q = start;
  const std::size_t entry = find_first_entry(guide);
  q[entry] = -0.5;
  id = guide.send("state", {{"q", q}});
  EXPECT_TRUE(guide.wait_answer(id)["ok"].get<bool>());
  EXPECT_EQ(guide.wait_frame(id).head["q"][entry], -0.5);
  EXPECT_EQ(code_of(guide.ask("configuration", {{"name", "grsp"}})), "studio.unknown_name");
  EXPECT_EQ(code_of(guide.ask("state", {{"q", {1, 2}}})), "studio.bad_request");
}

TEST(Protocol, LinkFollowsADragAndADevice) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const Json there =
      guide.ask("distance", {{"a", {{"body", "cup"}}}, {"b", {{"point", {0.3, 0.1, 0.7}}}}});
  EXPECT_GT(there["distance"], 0.1);
  const Json answer =
      guide.ask("drag", {{"body", "cup"}, {"point", {0, 0, 0}}, {"to", {0.3, 0.1, 0.7}}});
  ASSERT_TRUE(answer["ok"].get<bool>()) << answer;
  EXPECT_LT(answer["residual_m"], 1e-5);
  EXPECT_EQ(answer["at_limit"], Json::array());
  const Json inside =
      guide.ask("distance", {{"a", {{"body", "cup"}}}, {"b", {{"point", {0.3, 0.1, 0.7}}}}});
  EXPECT_NEAR(inside["distance"].get<double>(), -0.03, 1e-4) << "the cup's middle, 30 mm deep";
  const Json posed =
      guide.ask("drag", {{"body", "arm/tool"}, {"pose", {0.35, 0.05, 0.6, 0, 0.7, 0, 0.7}}});
  ASSERT_TRUE(posed["ok"].get<bool>()) << posed;
  const Json far =
      guide.ask("drag", {{"body", "arm/tool"}, {"point", {0, 0, 0}}, {"to", {9, 0, 0}}});
  EXPECT_GT(far["residual_m"], 5);
  const Json device = guide.ask(
      "device", {{"body", "arm/tool"}, {"twist", {0, 0, 0.1, 0, 0, 0}}, {"seconds", 0.02}});
  EXPECT_TRUE(device["ok"].get<bool>()) << device;
  EXPECT_EQ(
      code_of(guide.ask("drag", {{"body", "nobody"}, {"point", {0, 0, 0}}, {"to", {0, 0, 0}}})),
      "studio.unknown_name");
}

TEST(Protocol, DistancesAreExact) {
  StudioRig rig;
  LiveSocket client(rig.port(), "key-of-anna");
  // Two boxes of which the task file tells where they are.
  const Json boxes =
      client.ask("distance", {{"a", {{"body", "table_left"}}}, {"b", {{"body", "table_right"}}}});
  ASSERT_TRUE(boxes["ok"].get<bool>()) << boxes;
  EXPECT_NEAR(boxes["distance"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(boxes["on_a"][1].get<double>(), 0.25, 1e-9);
  EXPECT_NEAR(boxes["on_b"][1].get<double>(), -0.25, 1e-9);
  const Json points =
      client.ask("distance", {{"a", {{"point", {0, 0, 0}}}}, {"b", {{"point", {3, 4, 0}}}}});
  EXPECT_NEAR(points["distance"].get<double>(), 5, 1e-12);
  EXPECT_EQ(code_of(client.ask("distance", {{"a", {{"body", "cup"}}}, {"b", {{"body", "cup"}}}})),
            "studio.same_body");
  EXPECT_EQ(code_of(client.ask("distance", {{"a", {{"body", "cup"}}}, {"b", {{"body", "mug"}}}})),
            "studio.unknown_name");
}

TEST(Protocol, ClearanceFollowsTheState) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  Json seen = guide.wait_event("clearance");
  EXPECT_TRUE(seen["nearest"].is_object());
  EXPECT_TRUE(seen["touching"].empty());
  // Down into the floor.
  const int id = guide.send("drag", {{"body", "cup"}, {"point", {0, 0, 0}}, {"to", {0.4, 0, 0.0}}});
  const StateFrame frame = guide.wait_frame(id);
  seen =
      guide.wait_event("clearance", [&](const Json& e) { return e["seq"] >= frame.head["seq"]; });
  ASSERT_FALSE(seen["touching"].empty()) << seen;
  EXPECT_GT(seen["touching"][0]["depth"], 0);
  EXPECT_LT(seen["nearest"]["distance"], 0);
}

// Parts of an assembly do not move: that nothing is watched is told, and their clashes when asked.
TEST(Protocol, ClashesOfAnAssembly) {
  TempFolder home;
  studio::StudioOptions options;
  options.task = home / "assembly.yaml";
  StudioRig::write(options.task,
                   StudioRig::read(source_dir() / "tests" / "web" / "workbench" / "assembly.yaml"));
  StudioRig rig(options);
  LiveSocket watcher(rig.port(), "key-of-anna");
  EXPECT_EQ(watcher.wait_event("clearance")["pairs"], 0);
  const Json found = watcher.ask("clashes", {{"tolerance", 0.0005}});
  ASSERT_TRUE(found["ok"].get<bool>()) << found;
  EXPECT_EQ(found["checked"], 15);
  EXPECT_EQ(found["found"], 3);
  ASSERT_EQ(found["pairs"].size(), 3u);
  const auto expect = [&](std::size_t k, const char* kind, const char* b, double distance) {
    const Json& pair = found["pairs"][k];
    EXPECT_EQ(pair["kind"], kind);
    EXPECT_EQ(pair["a"], "plate");
    EXPECT_EQ(pair["b"], b);
    EXPECT_NEAR(pair["distance"], distance, 1e-6);
  };
  expect(0, "clash", "pin", -0.005);
  expect(1, "touch", "flush block", 0);
  expect(2, "near", "bolt", 0.0002);
  EXPECT_EQ(watcher.ask("clashes")["found"], 2);
  EXPECT_EQ(code_of(watcher.ask("clashes", {{"tolerance", -1}})), "studio.bad_request");
}

TEST(Protocol, FactsOfABody) {
  StudioRig rig;
  LiveSocket client(rig.port(), "key-of-anna");
  const Json facts = client.ask("facts", {{"body", "cup"}})["facts"];
  ASSERT_TRUE(facts.is_array());
  EXPECT_NE(std::find(facts.begin(), facts.end(), Json({"mass", "0.3 kg"})), facts.end()) << facts;
  EXPECT_EQ(code_of(client.ask("facts", {{"body", "mug"}})), "studio.unknown_name");
}

TEST(Protocol, SavedConfigurationIsInTheTaskFile) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  ASSERT_TRUE(guide.ask("joint", {{"joint", "arm/joint1"}, {"values", {0.125}}})["ok"].get<bool>());
  const std::string before = StudioRig::read(rig.task());
  const Json saved = guide.ask("save", {{"name", "looking left"}});
  ASSERT_TRUE(saved["ok"].get<bool>()) << saved;
  EXPECT_EQ(saved["file"], rig.task().string());
  EXPECT_GT(saved["line"], 1);
  const Json event = guide.wait_event("configurations");
  EXPECT_EQ(event["configurations"].back(), "looking left");
  EXPECT_NE(StudioRig::read(rig.task()).find(before.substr(0, 60)), std::string::npos)
      << "comments stay";

  const Result<LoadedTask> loaded = load_task(rig.task());
  ASSERT_TRUE(loaded.has_value()) << to_text(loaded.error());
  const Result<TaskScene> world = load_task_scene(loaded->file);
  ASSERT_TRUE(world.has_value()) << to_text(world.error());
  const NamedConfiguration* found = world->scene.find_configuration("looking left");
  ASSERT_NE(found, nullptr);
  const auto joint = std::find_if(found->values.begin(), found->values.end(), [&](const auto& v) {
    return world->scene.joint(v.first).name == "arm/joint1";
  });
  ASSERT_NE(joint, found->values.end());
  EXPECT_EQ(joint->second[0], 0.125);
  // And it can be used at once.
  ASSERT_TRUE(guide.ask("configuration", {{"name", "start"}})["ok"].get<bool>());
  const int id = guide.send("configuration", {{"name", "looking left"}});
  EXPECT_EQ(guide.wait_frame(id).head["q"][find_first_entry(guide)], 0.125);
}

TEST(Protocol, WhatIsNoRequestIsToldSo) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  for (const char* text :
       {"", "garbage", "[]", "7", "{}", R"({"do": "take"})", R"({"id": "1", "do": "take"})",
        R"({"id": 1.5, "do": "take"})", R"({"id": 1e400, "do": "take"})"}) {
    guide.send_text(text);
    const Json answer = guide.wait_answer(nullptr);
    EXPECT_EQ(code_of(answer), "studio.bad_request") << text;
    EXPECT_FALSE(answer["error"]["remedy"].get<std::string>().empty());
  }
  guide.send_text("{\"id\": 1, \"do\": \"view\", \"view\": " + std::string(5000, '[') + "}");
  EXPECT_EQ(code_of(guide.wait_answer(nullptr)), "studio.bad_request");
  guide.send_text(R"({"id": 901, "do": "jiont"})");
  const Json unknown = guide.wait_answer(901);
  EXPECT_EQ(code_of(unknown), "studio.unknown_request");
  EXPECT_EQ(unknown["error"]["remedy"], "did you mean 'joint'?");
}

TEST(Protocol, WrongTypesAreRefusedByName) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const std::pair<const char*, Json> wrong[] = {
      {"joint", {{"joint", 3}, {"values", {1}}}},
      {"joint", {{"joint", "arm/joint1"}, {"values", "1"}}},
      {"joint", {{"joint", "arm/joint1"}, {"values", {nullptr}}}},
      {"joint", {{"joint", "arm/joint1"}, {"values", Json::array()}}},
      {"joint", {{"joint", "arm/joint1"}, {"values", {1e300}}}},
      {"joint", {{"values", {1}}}},
      {"state", {{"q", {{"a", 1}}}}},
      {"drag", {{"body", "cup"}}},
      {"drag", {{"body", "cup"}, {"pose", {0, 0, 0, 0, 0, 0, 0}}}},
      {"drag", {{"body", "cup"}, {"pose", {0, 0, 0, 0, 0, 1}}}},
      {"device", {{"body", "cup"}, {"twist", {0, 0, 0, 0, 0, 0}}, {"seconds", -1}}},
      {"save", {{"name", ""}}},
      {"save", {{"name", "a\nb"}}},
      {"distance", {{"a", "cup"}, {"b", {{"point", {0, 0, 0}}}}}},
      {"distance", {{"a", {{"point", {0, 0}}}}, {"b", {{"point", {0, 0, 0}}}}}},
      {"run", {{"kind", "replay"}, {"options", 3}}},
      {"run", {{"kind", "replay"}, {"options", Json::object()}, {"seed", -1}}},
      {"cancel", {{"job", "x"}}},
      {"view", {{"view", {{"text", std::string(20000, 'x')}}}}},
      {"view", {{"view", {1}}}},
      {"name", {{"name", std::string(500, 'x')}}},
      {"give", {{"to", 1.5}}},
  };
  for (const auto& [what, fields] : wrong)
    EXPECT_EQ(code_of(guide.ask(what, fields)), "studio.bad_request") << what << fields;
  EXPECT_TRUE(guide.ask("take")["ok"].get<bool>()) << "and the connection goes on";
}

TEST(Protocol, HugeAndBinaryMessagesEndTheConnection) {
  StudioRig rig;
  LiveSocket not_utf8(rig.port(), "key-of-dora");
  not_utf8.send_text("{\"id\": 1, \"do\": \"\xff\"}");
  not_utf8.wait_close();
  LiveSocket huge(rig.port(), "key-of-anna");
  try {
    huge.send_text(std::string(300 * 1024, ' '));
  } catch (const ConnectionEnded&) {
    // Closed while we were still sending.
  }
  huge.wait_close();
  LiveSocket binary(rig.port(), "key-of-bert");
  binary.send_binary("GSF1");
  binary.wait_close();
  EXPECT_EQ(binary.close_code(), 1003);
  EXPECT_TRUE(LiveSocket(rig.port(), "key-of-carl").is_open()) << "others come and go";
}

}  // namespace
}  // namespace geste::testing
