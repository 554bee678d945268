// What people or programs may do to a studio that it must live through.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <sys/stat.h>

#include <chrono>
#include <deque>
#include <thread>

#include "geste/tasks/task.hpp"

#include "studio/server/requests.hpp"
#include "studio/studio_rig.hpp"

namespace geste::testing {
namespace {

bool is_over(const Json& event) { return event["state"] != "running"; }

std::string code(const Json& answer) { return answer["error"].value("code", ""); }

/// Does the same until it fails, on a thread of its own.
class Pest {
 public:
  explicit Pest(std::function<void()> deed)
      : thread_([deed = std::move(deed)] {
          try {
            for (;;) deed();
          } catch (const std::exception&) {
          }
        }) {}
  ~Pest() { thread_.join(); }

 private:
  std::thread thread_;
};

TEST(Siege, EndsWhileVisitorsKeepComing) {
  for (int round = 0; round < 8; ++round) {
    StudioRig rig;
    const Pest pest([port = rig.port(), n = 0]() mutable {
      const LiveSocket visitor(port, "visitor-" + std::to_string(++n));
      if (!visitor.is_open()) throw std::runtime_error("closed");
    });
    // The end comes at another moment of a visit each time.
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * round));
    rig.studio().stop();
  }
}

TEST(Siege, EndsWhileTasksKeepBeingAskedFor) {
  for (int round = 0; round < 8; ++round) {
    StudioRig rig;
    LiveSocket guide(rig.port(), "key-of-anna");
    const Json options = guide.hello()["scene"]["options"];
    const Pest pest([&] { guide.ask("run", {{"kind", "replay"}, {"options", options}}); });
    // And of a task: before it begins, while it runs, while it is written.
    std::this_thread::sleep_for(std::chrono::milliseconds(15 * round));
    rig.studio().stop();
    for (const std::string& name : rig.folder().list())
      EXPECT_EQ(name.find(".partial"), std::string::npos) << name;
  }
}

TEST(Siege, MessageOfManyKeysIsRefusedUnread) {
  std::string many = R"({"id": 1, "do": "name", "name": "a")";
  for (int i = 0; i < 30'000; ++i) many += ",\"k" + std::to_string(i) + "\":1";
  EXPECT_TRUE(std::holds_alternative<studio::BadRequest>(studio::parse_request(many + "}")));
}

TEST(Siege, TaskFileThatWasBrokenMeanwhileIsLeftAlone) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  const std::string good = StudioRig::read(rig.task());
  for (const std::string& broken :
       {std::string("geste: 1\nconfigurations:\n  - grasp\n"),
        std::string("  geste: 1\n  parts: []\n"), std::string("geste: ["), std::string()}) {
    StudioRig::write(rig.task(), broken);
    EXPECT_FALSE(guide.ask("save", {{"name", "here"}})["ok"].get<bool>()) << broken;
    EXPECT_EQ(StudioRig::read(rig.task()), broken);
  }
  StudioRig::write(rig.task(), good);
  EXPECT_TRUE(guide.ask("save", {{"name", "here"}})["ok"].get<bool>());
}

TEST(Siege, NothingIsSavedForAnotherScene) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  // A state of the robot's own files would come back as it was.
  EXPECT_EQ(code(guide.ask("save", {{"name", "arm/home"}})), "studio.name_taken");
  const std::string good = StudioRig::read(rig.task());
  ASSERT_TRUE(guide.ask("save", {{"name", "here"}})["ok"].get<bool>());
  std::string other = good;
  other.replace(other.find("name: cup"), 9, "name: mug");
  other.replace(other.find("body: cup"), 9, "body: mug");
  StudioRig::write(rig.task(), other);
  EXPECT_EQ(code(guide.ask("save", {{"name", "here"}})), "studio.changed");
  EXPECT_EQ(StudioRig::read(rig.task()), other);
}

TEST(Siege, NothingIsSavedForARobotThatChanged) {
  TempFolder folder;
  const auto source = source_dir() / "models" / "arm6";
  std::filesystem::copy(source, folder / "arm6", std::filesystem::copy_options::recursive);
  studio::StudioOptions options;
  options.task = folder / "arm.yaml";
  StudioRig::write(options.task, "geste: 1\nactors:\n  - {name: arm, urdf: arm6/arm6.urdf}\n");
  StudioRig rig(options);
  LiveSocket guide(rig.port(), "key-of-anna");
  EXPECT_TRUE(guide.ask("save", {{"name", "here"}})["ok"].get<bool>());
  const std::string urdf = StudioRig::read(folder / "arm6" / "arm6.urdf");
  StudioRig::write(folder / "arm6" / "arm6.urdf", urdf + "<!-- other -->\n");
  EXPECT_EQ(code(guide.ask("save", {{"name", "there"}})), "studio.changed");
}

TEST(Siege, FilesOutsideTheTasksFolderAreNotOpened) {
  StudioRig rig;
  LiveSocket guide(rig.port(), "key-of-anna");
  for (const char* file : {"/etc/passwd", "../../../../../etc/passwd", "/proc/self/environ"}) {
    const Json answer = guide.ask("run", {{"kind", "replay"}, {"options", {{"motion", file}}}});
    ASSERT_TRUE(answer["ok"].get<bool>());
    const Json end = guide.wait_event("job", is_over);
    EXPECT_EQ(end["state"], "failed");
    EXPECT_EQ(code(end), "studio.outside") << end;
    EXPECT_EQ(end.dump().find("root:"), std::string::npos);
  }
}

TEST(Siege, DamagedResultsHarmNobody) {
  StudioRig rig;
  const auto damage = [&](const std::string& name, const std::string& json) {
    std::filesystem::create_directories(rig.out() / name);
    StudioRig::write(rig.out() / name / "result.json", json);
  };
  const std::string deep(100'000, '['), end(100'000, ']');
  damage("deep", R"({"task": "replay", "figures": {"x": )" + deep + end + "}}");
  std::string many = R"({"task": "replay", "figures": {"x": 1)";
  for (int i = 0; i < 50'000; ++i) many += ",\"k" + std::to_string(i) + "\":1";
  damage("many", many + "}}");
  damage("pipe", "{}");
  ASSERT_EQ(::mkfifo((rig.out() / "pipe" / "motion.csv").c_str(), 0600), 0);
  const LiveSocket visitor(rig.port(), "key-of-anna");
  EXPECT_EQ(visitor.hello()["results"].size(), 3u);
  EXPECT_EQ(get(rig.port(), "/results/pipe/motion.csv").status, 404u);
  EXPECT_EQ(get(rig.port(), "/results/pipe/track").status, 404u);
}

TEST(Siege, LeftOversBecomeNoPartOfAResult) {
  StudioRig rig;
  const auto partial = rig.out() / ("." + std::to_string(::getpid()) + ".partial");
  std::filesystem::create_directories(partial);
  StudioRig::write(partial / "old.txt", "old");
  LiveSocket guide(rig.port(), "key-of-anna");
  guide.ask("run", {{"kind", "replay"}, {"options", guide.hello()["scene"]["options"]}});
  EXPECT_EQ(guide.wait_event("job", is_over)["state"], "done");
  EXPECT_FALSE(std::filesystem::exists(rig.out() / "replay-1" / "old.txt"));
  std::filesystem::create_directories(rig.out() / ".replay-1.forgotten.partial" / "full");
  EXPECT_TRUE(guide.ask("forget", {{"result", "replay-1"}})["ok"].get<bool>());
}

TEST(Siege, QuestionsOfThoseWhoLeftAreForgotten) {
  StudioRig rig;
  const Json question = {{"a", {{"body", "cup"}}}, {"b", {{"body", "table_left"}}}};
  for (int visit = 0; visit < 20; ++visit) {
    LiveSocket watcher(rig.port(), "visitor-" + std::to_string(visit));
    for (int i = 0; i < 200; ++i) watcher.send("distance", question);
    watcher.cut();
  }
  LiveSocket honest(rig.port(), "key-of-anna");
  EXPECT_TRUE(honest.ask("distance", question)["ok"].get<bool>());
}

/// More connections than a studio keeps open, each of which said something once. Bare sockets: a
/// `Connection` takes four file descriptors.
class Crowd {
 public:
  Crowd(std::uint16_t port, const std::string& text) {
    for (int i = 0; i < 530; ++i) {
      Tcp::socket& socket = sockets_.emplace_back(context_);
      socket.connect({boost::asio::ip::address_v4::loopback(), port});
      boost::asio::write(socket, boost::asio::buffer(text));
    }
  }

 private:
  using Tcp = boost::asio::ip::tcp;
  boost::asio::io_context context_;
  std::deque<Tcp::socket> sockets_;
};

TEST(Siege, ThoseWhoOnlyHoldConnectionsKeepNobodyOut) {
  studio::StudioOptions options;
  options.token = "open-sesame";
  StudioRig rig(options);
  const Headers key = {{"Authorization", "Bearer open-sesame"}};
  Connection guest(rig.port());
  EXPECT_EQ(guest.request("GET", "/health", key).status, 200u);
  for (const char* text : {"", "GET /hea", "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"}) {
    const Crowd crowd(rig.port(), text);
    EXPECT_EQ(get(rig.port(), "/health", key).status, 200u) << text;
    EXPECT_TRUE(LiveSocket(rig.port(), "key-of-anna", "", key).is_open()) << text;
    EXPECT_EQ(guest.request("GET", "/health", key).status, 200u) << "whoever is in stays";
  }
}

TEST(Siege, TokensThatAddressesChangeAreRefused) {
  for (const char* token : {"a+b", "a&b", "50%", "se;cret", "a b", "a/b"}) {
    studio::StudioOptions options;
    options.task = source_dir() / "scenes" / "hello.yaml";
    options.port = 0;
    options.token = token;
    const auto started = studio::Studio::start(options);
    ASSERT_FALSE(started.has_value()) << token;
    EXPECT_EQ(started.error().code, "studio.token");
  }
}

TEST(Siege, NoOtherPageMayHoldThisOneInAFrame) {
  StudioRig rig;
  EXPECT_NE(get(rig.port(), "/")["Content-Security-Policy"].find("frame-ancestors 'none'"),
            std::string::npos);
}

}  // namespace
}  // namespace geste::testing
