// The server's parts that need no sockets.
#include <gtest/gtest.h>

#include "studio/client/live_socket.hpp"
#include "studio/server/frames.hpp"
#include "studio/server/lobby.hpp"
#include "studio/server/outbox.hpp"
#include "studio/server/people.hpp"
#include "studio/server/requests.hpp"

namespace geste::studio {
namespace {

using namespace std::chrono_literals;
using client::StateFrame;

std::shared_ptr<Snapshot> make_snapshot(std::uint64_t seq, std::vector<float> heights) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->seq = seq;
  snapshot->q = VecX::Constant(1, 0.1 * static_cast<double>(seq));
  for (const float z : heights) snapshot->movers.push_back({0, 0, z, 0, 0, 0, 1});
  return snapshot;
}

TEST(Frames, HoldWhatTheClientDoesNotHave) {
  std::vector<Placement> known;
  const StateFrame first(make_state_frame(*make_snapshot(3, {0, 1, 2}), {}, known));
  EXPECT_EQ(first.head["seq"], 3);
  EXPECT_TRUE(first.head["ack"].is_null());
  EXPECT_EQ(first.movers.size(), 3u);
  const StateFrame second(make_state_frame(*make_snapshot(4, {0, 5, 2}), 17, known));
  EXPECT_EQ(second.head["ack"], 17);
  ASSERT_EQ(second.movers.size(), 1u);
  EXPECT_EQ(second.movers.at(1)[2], 5);
  EXPECT_EQ(second.head["q"][0].get<double>(), 0.4);
  EXPECT_TRUE(StateFrame(make_state_frame(*make_snapshot(5, {0, 5, 2}), {}, known)).movers.empty());
}

TEST(Outbox, AnswersKeepTheirOrderAndStatesOnlyTheNewest) {
  Outbox box;
  EXPECT_FALSE(box.next().has_value());
  box.push("hello");
  box.set_state(make_snapshot(1, {0}));
  box.push("a");
  EXPECT_EQ(box.next()->bytes, "hello") << "before any state";
  box.set_state(make_snapshot(2, {1}));
  box.set_latest(Outbox::Slot::clearance, "old");
  box.set_latest(Outbox::Slot::clearance, "new");
  box.set_latest(Outbox::Slot::job, "job");
  box.set_ack(5);
  const auto state = box.next();
  ASSERT_TRUE(state->is_binary) << "states and answers take turns";
  EXPECT_EQ(StateFrame(state->bytes).head["seq"], 2);
  EXPECT_EQ(StateFrame(state->bytes).head["ack"], 5);
  EXPECT_EQ(box.next()->bytes, "a");
  EXPECT_EQ(box.next()->bytes, "new");
  box.clear(Outbox::Slot::job);
  EXPECT_FALSE(box.next().has_value());
}

TEST(Outbox, FillsUpWhenNobodyTakesAnswers) {
  Outbox box;
  for (int i = 0; i < 1000; ++i) box.set_state(make_snapshot(1, {0}));
  EXPECT_FALSE(box.is_overfull()) << "states cost nothing";
  while (!box.is_overfull()) box.push(std::string(100'000, 'x'));
  while (box.next()) {
  }
  EXPECT_FALSE(box.is_overfull());
}

TEST(People, TheirTurns) {
  People people(10s);
  const People::Time t0{};
  const int anna = people.arrive("anna", "Anna", t0), bert = people.arrive("bert", "", t0);
  EXPECT_EQ(people.guide(), anna);
  EXPECT_FALSE(people.take(bert));
  people.leave(anna, t0 + 1s);
  EXPECT_FALSE(people.expire(t0 + 10s));
  EXPECT_FALSE(people.give(anna)) << "she is away";
  EXPECT_TRUE(people.expire(t0 + 11s));
  EXPECT_FALSE(people.guide().has_value());
  EXPECT_TRUE(people.take(bert));
  EXPECT_EQ(people.arrive("anna", "", t0 + 12s), anna);
  EXPECT_EQ(people.list().size(), 2u);
  EXPECT_EQ(people.list()[0]["name"], "Anna");
  EXPECT_TRUE(people.give(anna));
  EXPECT_TRUE(people.guides(anna));
}

TEST(People, TheSameQuestionIsNewsOnce) {
  People people(10s);
  const People::Time t0{};
  const int anna = people.arrive("anna", "Anna", t0), bert = people.arrive("bert", "", t0);
  const int carl = people.arrive("carl", "", t0);
  EXPECT_TRUE(people.ask(bert, t0));
  EXPECT_FALSE(people.ask(bert, t0 + 29s));
  EXPECT_TRUE(people.ask(carl, t0 + 29s)) << "somebody else";
  EXPECT_TRUE(people.ask(bert, t0 + 30s)) << "perhaps it is time now";
  people.leave(bert, t0 + 31s);
  EXPECT_EQ(people.arrive("bert", "", t0 + 31s), bert);
  EXPECT_FALSE(people.ask(bert, t0 + 31s)) << "coming again does not make it news";
  EXPECT_TRUE(people.give(anna));
  EXPECT_FALSE(people.ask(bert, t0 + 31s)) << "she guided already";
  EXPECT_TRUE(people.give(carl));
  EXPECT_TRUE(people.ask(bert, t0 + 31s)) << "another guide";
}

// Two pages of one person: closing one changes nothing.
TEST(People, OnePersonMayHaveTwoPages) {
  People people(1s);
  const People::Time t0{};
  const int anna = people.arrive("anna", "Anna", t0);
  EXPECT_EQ(people.arrive("anna", "", t0), anna);
  people.leave(anna, t0);
  EXPECT_FALSE(people.expire(t0 + 1h));
  EXPECT_EQ(people.list().size(), 1u);
}

TEST(People, ThoseWhoLeftAreForgottenInTheEnd) {
  People people(1s);
  const People::Time t0{};
  const int first = people.arrive("first", "", t0);
  for (int i = 0; i < 1000; ++i) {
    const int person = people.arrive("key" + std::to_string(i), "", t0 + i * 1s);
    people.leave(person, t0 + i * 1s);
  }
  EXPECT_EQ(people.arrive("first", "", t0), first) << "whoever is here is known";
  EXPECT_NE(people.arrive("key1", "", t0 + 1h), first + 2);
}

struct FakeCaller final : Caller {
  [[nodiscard]] bool is_admitted() const override { return admitted; }
  void cut() override { was_cut = true; }
  bool admitted = false;
  bool was_cut = false;
};

TEST(Lobby, WhoeverCameFirstMakesRoomUnlessLetIn) {
  Lobby lobby;
  std::vector<std::shared_ptr<FakeCaller>> callers;
  const auto come = [&] {
    callers.push_back(std::make_shared<FakeCaller>());
    lobby.enter(callers.back());
  };
  for (std::size_t i = 0; i < Lobby::kMostCallers; ++i) come();
  callers[0]->admitted = true;
  come();
  EXPECT_FALSE(callers[0]->was_cut);
  EXPECT_FALSE(callers[1]->was_cut) << "the one who was let in made room";
  callers[1].reset();
  come();
  EXPECT_FALSE(callers[2]->was_cut) << "the one who left made room";
  come();
  EXPECT_TRUE(callers[2]->was_cut);
  EXPECT_FALSE(callers[3]->was_cut);
  EXPECT_FALSE(callers.back()->was_cut);
}

TEST(Requests, DepthIsCountedOutsideOfTexts) {
  const std::string brackets(100, '[');
  const auto fine =
      parse_request(R"({"id": 1, "do": "name", "name": ")" + brackets.substr(0, 60) + "\"}");
  EXPECT_TRUE(std::holds_alternative<Request>(fine));
  const auto deep = parse_request(R"({"id": 1, "do": "view", "view": )" + brackets + "}");
  EXPECT_TRUE(std::holds_alternative<BadRequest>(deep));
}

TEST(Requests, WhoNeedsControl) {
  const auto needs = [](const char* text) {
    return std::get<Request>(parse_request(text)).needs_control;
  };
  EXPECT_TRUE(needs(R"({"id": 1, "do": "save", "name": "x"})"));
  EXPECT_TRUE(needs(R"({"id": 1, "do": "give", "to": 2})"));
  EXPECT_FALSE(needs(R"({"id": 1, "do": "take"})"));
  EXPECT_FALSE(needs(R"({"id": 1, "do": "facts", "body": "x"})"));
}

}  // namespace
}  // namespace geste::studio
