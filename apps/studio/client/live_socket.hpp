#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace geste::studio::client {

using Json = nlohmann::json;
using Headers = std::map<std::string, std::string>;

/// The other end closed, or what it sent is no HTTP and no WebSocket.
struct ConnectionEnded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct HttpReply {
  unsigned status = 0;
  std::string body;
  /// By the names the server uses: "ETag".
  Headers headers;

  [[nodiscard]] std::string operator[](const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

/// A connection to a studio on this machine.
class Connection {
 public:
  explicit Connection(std::uint16_t port);
  ~Connection();

  /// Sends bytes as they are and returns all that comes back.
  std::string exchange(const std::string& bytes);
  HttpReply request(const std::string& method, const std::string& target, const Headers& headers);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

inline HttpReply get(std::uint16_t port, const std::string& target, const Headers& headers = {}) {
  return Connection(port).request("GET", target, headers);
}

/// A state frame, read.
struct StateFrame {
  Json head;
  std::map<int, std::vector<float>> movers;

  explicit StateFrame(const std::string& bytes);
};

/// A client that waits for what it wants and keeps what came meanwhile.
class LiveSocket {
 public:
  LiveSocket(std::uint16_t port, const std::string& key, const std::string& name = "",
             const Headers& headers = {}, const std::string& more = "");
  ~LiveSocket();

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] const Json& hello() const { return hello_; }
  [[nodiscard]] int me() const { return hello_["you"]; }
  [[nodiscard]] const std::vector<StateFrame>& frames() const { return frames_; }
  /// The code of RFC 6455 with which the other end closed.
  [[nodiscard]] int close_code() const;

  int send(const std::string& what, Json fields = Json::object());
  void send_text(const std::string& text);
  void send_binary(const std::string& bytes);

  /// Sends and waits for the answer.
  Json ask(const std::string& what, const Json& fields = Json::object()) {
    return wait_answer(send(what, fields));
  }
  Json wait_answer(const Json& id) {
    return wait([&](const Json& m) { return m.contains("id") && m["id"] == id; });
  }
  Json wait_event(
      const std::string& event,
      const std::function<bool(const Json&)>& fits = [](const Json&) { return true; }) {
    return wait([&](const Json& m) { return m.value("event", "") == event && fits(m); });
  }
  /// The next frame that contains the request.
  StateFrame wait_frame(int ack);
  StateFrame wait_first_frame();
  /// Drops what came and was not waited for.
  void forget();
  /// Reads one message and drops it; whether it was a frame.
  bool read_some();
  /// Reads until the other end closes.
  void wait_close();
  void cut();

 private:
  struct Socket;
  Json wait(const std::function<bool(const Json&)>& fits);
  void read();

  std::unique_ptr<Socket> socket_;
  bool is_open_ = false;
  int last_id_ = 0;
  Json hello_;
  std::vector<Json> texts_;
  std::vector<StateFrame> frames_;
};

}  // namespace geste::studio::client
