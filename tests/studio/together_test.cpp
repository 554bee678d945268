// Several people in one studio.
#include <thread>

#include "studio/server/hub.hpp"
#include "studio/studio_rig.hpp"

namespace geste::testing {
namespace {

Json move_joint(LiveSocket& who, double value) {
  return who.ask("joint", {{"joint", "arm/joint1"}, {"values", {value}}});
}

TEST(Together, OneGuidesAndTheOthersWatch) {
  StudioRig rig;
  LiveSocket anna(rig.port(), "key-of-anna", "Anna");
  LiveSocket bert(rig.port(), "key-of-bert", "Bert");
  EXPECT_EQ(bert.hello()["guide"], anna.me());
  EXPECT_EQ(bert.hello()["people"].size(), 2u);
  anna.wait_event("people", [](const Json& e) { return e["people"].size() == 2; });

  EXPECT_EQ(move_joint(bert, 0.5)["error"]["code"], "studio.no_control");
  ASSERT_TRUE(move_joint(anna, 0.5)["ok"].get<bool>());
  EXPECT_TRUE(comes_to(bert, 0.5));

  // A view goes to the others, not back.
  ASSERT_TRUE(anna.ask("view", {{"view", {{"time", 2}}}})["ok"].get<bool>());
  const Json view = bert.wait_event("view");
  EXPECT_EQ(view["view"]["time"], 2);
  EXPECT_EQ(view["from"], anna.me());
  LiveSocket carl(rig.port(), "key-of-carl", "Carl");
  EXPECT_EQ(carl.hello()["view"]["time"], 2);
}

TEST(Together, ControlIsHandedOver) {
  StudioRig rig;
  LiveSocket anna(rig.port(), "key-of-anna", "Anna");
  LiveSocket bert(rig.port(), "key-of-bert", "Bert");
  EXPECT_EQ(anna.ask("take")["granted"], true) << "it is hers already";
  EXPECT_EQ(bert.ask("take")["granted"], false);
  EXPECT_EQ(anna.wait_event("asks")["person"], bert.me());
  EXPECT_EQ(anna.ask("give", {{"to", 4711}})["error"]["code"], "studio.no_person");
  EXPECT_EQ(bert.ask("give", {{"to", bert.me()}})["error"]["code"], "studio.no_control");
  ASSERT_TRUE(anna.ask("give", {{"to", bert.me()}})["ok"].get<bool>());
  bert.wait_event("people", [&](const Json& e) { return e["guide"] == bert.me(); });
  EXPECT_TRUE(move_joint(bert, 0.25)["ok"].get<bool>());
  EXPECT_EQ(move_joint(anna, 0.5)["error"]["code"], "studio.no_control");
}

/// Events up to one that fits, which is the last.
std::vector<Json> collect(LiveSocket& who, const std::string& event,
                          const std::function<bool(const Json&)>& fits) {
  std::vector<Json> events;
  do {
    events.push_back(who.wait_event(event));
  } while (!fits(events.back()));
  return events;
}

TEST(Together, WhatIsSaidAgainIsHeardOnce) {
  StudioRig rig;
  LiveSocket anna(rig.port(), "key-of-anna", "Anna");
  LiveSocket bert(rig.port(), "key-of-bert", "Bert");
  LiveSocket carl(rig.port(), "key-of-carl", "Carl");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(bert.ask("take")["granted"], false);
  EXPECT_EQ(carl.ask("take")["granted"], false);
  EXPECT_EQ(collect(anna, "asks", [&](const Json& e) { return e["person"] == carl.me(); }).size(),
            2u);

  anna.wait_event("people", [](const Json& e) { return e["people"].size() == 3; });
  anna.forget();
  for (int i = 0; i < 5; ++i) bert.ask("name", {{"name", "Bert"}});
  const LiveSocket second_page(rig.port(), "key-of-bert");
  for (int i = 0; i < 5; ++i) anna.ask("give", {{"to", anna.me()}});
  bert.ask("name", {{"name", "Berta"}});
  const auto renamed = [](const Json& e) { return e["people"][1]["name"] == "Berta"; };
  EXPECT_EQ(collect(anna, "people", renamed).size(), 1u);
}

TEST(Together, GuideWhoComesBackInTimeStillGuides) {
  StudioRig rig;
  auto anna = std::make_unique<LiveSocket>(rig.port(), "key-of-anna", "Anna");
  const int number = anna->me();
  LiveSocket bert(rig.port(), "key-of-bert", "Bert");
  anna->cut();
  bert.wait_event("people", [](const Json& e) { return e["people"].size() == 1; });
  EXPECT_EQ(bert.ask("take")["granted"], false);
  LiveSocket again(rig.port(), "key-of-anna");
  EXPECT_EQ(again.me(), number);
  EXPECT_EQ(again.hello()["guide"], number);
  EXPECT_EQ(again.hello()["people"][0]["name"], "Anna");
  EXPECT_TRUE(move_joint(again, 0.5)["ok"].get<bool>());
}

TEST(Together, ControlIsFreeAfterTheGrace) {
  studio::StudioOptions options;
  options.grace = std::chrono::milliseconds(150);
  StudioRig rig(options);
  auto anna = std::make_unique<LiveSocket>(rig.port(), "key-of-anna", "Anna");
  LiveSocket bert(rig.port(), "key-of-bert", "Bert");
  anna->cut();
  bert.wait_event("people", [](const Json& e) { return e["guide"].is_null(); });
  EXPECT_EQ(bert.ask("take")["granted"], true);
  LiveSocket back(rig.port(), "key-of-anna");
  EXPECT_EQ(back.hello()["guide"], bert.me());
}

// One never reads: the others get the last state, and the engine goes on.
TEST(Together, SlowClientHoldsUpNobody) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna", "Anna");
  LiveSocket asleep(rig.port(), "key-of-bert", "Bert");
  LiveSocket watcher(rig.port(), "key-of-carl", "Carl");
  int last = 0;
  for (int i = 0; i < 3000; ++i)
    last = guide.send("joint", {{"joint", "arm/joint1"}, {"values", {0.0001 * i}}});
  const double end = guide.wait_answer(last)["values"][0];
  EXPECT_EQ(end, 0.0001 * 2999);
  EXPECT_TRUE(comes_to(guide, end));
  EXPECT_TRUE(comes_to(watcher, end));
  // And the sleeper, once awake, ends where the others are.
  EXPECT_TRUE(comes_to(asleep, end));
}

TEST(Together, OneTooManyIsTurnedAway) {
  StudioRig rig;
  std::vector<std::unique_ptr<LiveSocket>> guests;
  for (std::size_t k = 0; k < studio::Hub::kMostClients; ++k)
    guests.push_back(std::make_unique<LiveSocket>(rig.port(), "key-number-" + std::to_string(k)));
  EXPECT_THROW(LiveSocket(rig.port(), "one-too-many"), ConnectionEnded);
  guests.back()->cut();
  guests.front()->wait_event(
      "people", [](const Json& e) { return e["people"].size() < studio::Hub::kMostClients; });
  EXPECT_TRUE(LiveSocket(rig.port(), "there-is-room").is_open());
}

TEST(Together, FramesHoldWhatMovedSinceTheLastOne) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  std::map<int, std::vector<float>> known = guide.wait_first_frame().movers;
  const std::size_t all = known.size();
  int id = 0;
  for (int i = 0; i < 20; ++i)
    id = guide.send("joint", {{"joint", "arm/joint6"}, {"values", {0.1 * i}}});
  guide.wait_frame(id);
  for (const StateFrame& f : guide.frames())
    for (const auto& [mover, pose] : f.movers) known[mover] = pose;
  EXPECT_LT(guide.frames().back().movers.size(), all);
  // Whoever comes now gets the same whole.
  LiveSocket late(rig.port(), "key-of-bert");
  EXPECT_EQ(late.wait_first_frame().movers, known);
}

}  // namespace
}  // namespace geste::testing
