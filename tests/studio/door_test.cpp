// Who comes in, and what is served: HTTP over real sockets.
#include "geste/core/sha256.hpp"

#include "studio/server/server.hpp"
#include "studio/studio_rig.hpp"

namespace geste::testing {
namespace {

using studio::StudioOptions;

TEST(Door, PagesSceneAndHealth) {
  StudioRig rig;
  for (const char* page : {"/", "/studio.js", "/studio.css"}) {
    const auto reply = get(rig.port(), page);
    // A build without node carries no pages, and says so.
    EXPECT_TRUE(reply.status == 200 || reply.body.find("built without") != std::string::npos)
        << page;
    EXPECT_EQ(reply["X-Content-Type-Options"], "nosniff");
    EXPECT_EQ(reply["Cache-Control"], "no-store");
  }
  const auto scene = get(rig.port(), "/scene");
  EXPECT_EQ(scene.status, 200u);
  EXPECT_EQ(scene.body.substr(0, 4), "GSP1");
  EXPECT_EQ(scene["ETag"], "\"" + compute_sha256(scene.body) + "\"");
  EXPECT_NE(std::string(scene["Content-Security-Policy"]).find("script-src 'self'"),
            std::string::npos);
  const auto same = get(rig.port(), "/scene", {{"If-None-Match", std::string(scene["ETag"])}});
  EXPECT_EQ(same.status, 304u);
  EXPECT_TRUE(same.body.empty());
  EXPECT_EQ(LiveSocket(rig.port(), "key-of-anna").hello()["scene"]["hash"],
            compute_sha256(scene.body));
  const Json health = Json::parse(get(rig.port(), "/health").body);
  EXPECT_EQ(health["protocol"], 1);
}

TEST(Door, HeadTellsTheLengthAndConnectionsAreKept) {
  StudioRig rig;
  Connection connection(rig.port());
  const auto head = connection.request("HEAD", "/scene", {});
  EXPECT_EQ(head.status, 200u);
  const auto body = connection.request("GET", "/scene", {}).body;
  EXPECT_EQ(head["Content-Length"], std::to_string(body.size()));
  EXPECT_EQ(connection.request("POST", "/scene", {}).status, 405u);
}

TEST(Door, NothingOutsideTheListsIsServed) {
  StudioRig rig;
  StudioRig::write(rig.folder() / "secret.txt", "secret");
  for (const char* path :
       {"/../secret.txt", "/results/../secret.txt", "/results/%2e%2e/secret.txt",
        "/results/..%2f..%2fsecret.txt/result.json", "/results/..", "/results//result.json",
        "/results/../hello.yaml", "/results/./task.yaml", "/studio.html/../../secret.txt",
        "/%2e%2e/secret.txt", "/results/%00/result.json", "/results/%zz/result.json",
        "//etc/passwd", "/etc/passwd", "/results/replay-1/result.json", "/hello.yaml"}) {
    const auto reply = get(rig.port(), path);
    EXPECT_TRUE(reply.status == 404 || reply.status == 400) << path;
    EXPECT_EQ(reply.body.find("secret"), std::string::npos) << path;
  }
}

TEST(Door, OtherHostsAndOriginsAreRefused) {
  StudioRig rig;
  const std::string port = std::to_string(rig.port());
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "128.0.0.1",
                           "localhost.evil", "localhost:99999", "[::2]", ""})
    EXPECT_EQ(get(rig.port(), "/health", {{"Host", host}}).status, 403u) << host;
  for (const std::string& host : {std::string("localhost"), "127.0.0.1:" + port,
                                  std::string("[::1]:80"), std::string("LOCALHOST:1")})
    EXPECT_EQ(get(rig.port(), "/health", {{"Host", host}}).status, 200u) << host;
  for (const char* origin :
       {"http://evil.example", "null", "https://localhost", "http://localhost:1"})
    EXPECT_EQ(get(rig.port(), "/scene", {{"Origin", origin}}).status, 403u) << origin;
  EXPECT_EQ(get(rig.port(), "/scene", {{"Origin", "http://localhost"}}).status, 200u);

  LiveSocket stranger(rig.port(), "key-of-eve", "", {{"Origin", "http://evil.example"}});
  EXPECT_FALSE(stranger.is_open());
  const Headers upgrade = {
      {"Upgrade", "websocket"}, {"Connection", "Upgrade"}, {"Origin", "http://evil.example"}};
  EXPECT_EQ(get(rig.port(), "/live?client=key-of-eve", upgrade).status, 403u);
  EXPECT_TRUE(LiveSocket(rig.port(), "key-of-anna", "", {{"Origin", "http://localhost:" + port}})
                  .is_open());
}

TEST(Door, TokenOpensByAddressCookieAndBearer) {
  StudioOptions options;
  options.token = "open-sesame";
  StudioRig rig(options);
  EXPECT_NE(rig.studio().url().find("?token=open-sesame"), std::string::npos);
  EXPECT_EQ(get(rig.port(), "/health").status, 401u);
  EXPECT_EQ(get(rig.port(), "/health?token=open").status, 401u);
  EXPECT_EQ(get(rig.port(), "/health?token=").status, 401u);
  EXPECT_EQ(get(rig.port(), "/health", {{"Authorization", "Bearer nothing"}}).status, 401u);
  EXPECT_EQ(get(rig.port(), "/health", {{"Authorization", "Bearer open-sesame"}}).status, 200u);
  const auto first = get(rig.port(), "/health?token=open-sesame");
  EXPECT_EQ(first.status, 200u);
  const std::string cookie(first["Set-Cookie"]);
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), std::string::npos);
  const std::string pair = cookie.substr(0, cookie.find(';'));
  EXPECT_EQ(get(rig.port(), "/scene", {{"Cookie", "other=1; " + pair}}).status, 200u);
  EXPECT_EQ(get(rig.port(), "/scene", {{"Cookie", pair + "x"}}).status, 401u);
  EXPECT_FALSE(LiveSocket(rig.port(), "key-of-eve").is_open());
  EXPECT_TRUE(LiveSocket(rig.port(), "key-of-anna", "", {{"Cookie", pair}}).is_open());
  EXPECT_TRUE(LiveSocket(rig.port(), "key-of-bert", "", {}, "&token=open-sesame").is_open());
}

TEST(Door, OpenToOthersMakesAToken) {
  StudioOptions options;
  options.host = "0.0.0.0";
  StudioRig rig(options);
  EXPECT_EQ(rig.studio().token().size(), 32u);
  EXPECT_EQ(get(rig.port(), "/health", {{"Host", "workstation:1"}}).status, 401u);
  EXPECT_EQ(
      get(rig.port(), "/health?token=" + rig.studio().token(), {{"Host", "workstation:1"}}).status,
      200u);
}

TEST(Door, LiveWantsAKeyAndAnUpgrade) {
  StudioRig rig;
  EXPECT_EQ(get(rig.port(), "/live?client=key-of-anna").status, 400u);
  for (const char* key : {"", "short", "has%20blank-in-it", "a/b/c/d/e/f/g/h"})
    EXPECT_FALSE(LiveSocket(rig.port(), key).is_open()) << key;
  EXPECT_FALSE(LiveSocket(rig.port(), std::string(65, 'a')).is_open());
  EXPECT_TRUE(LiveSocket(rig.port(), std::string(64, 'a')).is_open());
}

TEST(Door, WhatIsNoHttpIsRefused) {
  StudioRig rig;
  EXPECT_NE(Connection(rig.port()).exchange("hello\r\n\r\n").find(" 400 "), std::string::npos);
  EXPECT_NE(Connection(rig.port())
                .exchange(std::string("\x16\x03\x01\x02\x00 TLS\r\n\r\n", 11))
                .find(" 400 "),
            std::string::npos);
  const std::string long_header =
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(40'000, 'x');
  EXPECT_NE(Connection(rig.port()).exchange(long_header).find(" 413 "), std::string::npos);
  const std::string body = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n";
  EXPECT_NE(Connection(rig.port()).exchange(body + std::string(100'000, 'x')).find(" 413 "),
            std::string::npos);
  EXPECT_EQ(get(rig.port(), "/health").status, 200u);
}

TEST(Door, PortThatIsTakenIsNamed) {
  StudioRig rig;
  StudioOptions options;
  options.task = rig.task();
  options.port = rig.port();
  const auto second = studio::Studio::start(options);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, "studio.port_taken");
  EXPECT_NE(second.error().remedy.find("--port"), std::string::npos);
  options.port = 0;
  options.host = "192.0.2.1";  // nobody's: RFC 5737
  EXPECT_EQ(studio::Studio::start(options).error().code, "studio.cannot_listen");
  options.host = "127.0.0.1";
  options.task = "missing.yaml";
  EXPECT_FALSE(studio::Studio::start(options).has_value());
}

}  // namespace
}  // namespace geste::testing
