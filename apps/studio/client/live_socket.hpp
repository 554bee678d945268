#pragma once

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace geste::studio::client {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using Json = nlohmann::json;
using Headers = std::map<std::string, std::string>;

/// A connection to a studio on this machine.
class Connection {
 public:
  explicit Connection(std::uint16_t port) : stream_(context_) {
    stream_.expires_after(kPatience);
    stream_.connect(net::ip::tcp::endpoint(net::ip::address_v4::loopback(), port));
  }

  /// Sends bytes as they are and returns all that comes back.
  std::string exchange(const std::string& bytes) {
    beast::error_code ignored;
    net::write(stream_.socket(), net::buffer(bytes), ignored);
    std::string answer;
    char piece[4096];
    for (;;) {
      beast::error_code error;
      const std::size_t n = stream_.socket().read_some(net::buffer(piece), error);
      answer.append(piece, n);
      if (error) return answer;
    }
  }

  http::response<http::string_body> request(const std::string& method, const std::string& target,
                                            const Headers& headers) {
    http::request<http::empty_body> request;
    request.method_string(method);
    request.target(target);
    request.set(http::field::host, "localhost");
    for (const auto& [name, value] : headers) request.set(name, value);
    http::write(stream_, request);
    http::response_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t{1} << 30);
    if (method == "HEAD") parser.skip(true);
    http::read(stream_, buffer_, parser);
    return parser.release();
  }

  net::io_context& context() { return context_; }
  beast::tcp_stream& stream() { return stream_; }

 private:
  static constexpr std::chrono::seconds kPatience{30};
  net::io_context context_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
};

inline http::response<http::string_body> get(std::uint16_t port, const std::string& target,
                                             const Headers& headers = {}) {
  return Connection(port).request("GET", target, headers);
}

/// A state frame, read.
struct StateFrame {
  Json head;
  std::map<int, std::vector<float>> movers;

  explicit StateFrame(const std::string& bytes) {
    std::uint32_t length = 0;
    if (bytes.size() < 8 || bytes.substr(0, 4) != "GSF1") throw std::runtime_error("no frame");
    std::memcpy(&length, bytes.data() + 4, 4);
    if (length % 4 != 0 || bytes.size() < 8 + length) throw std::runtime_error("short frame");
    head = Json::parse(bytes.substr(8, length));
    std::size_t at = 8 + length;
    for (const int mover : head["movers"]) {
      if (bytes.size() < at + 28) throw std::runtime_error("a mover is missing");
      movers[mover].resize(7);
      std::memcpy(movers[mover].data(), bytes.data() + at, 28);
      at += 28;
    }
    if (at != bytes.size()) throw std::runtime_error("bytes too many");
  }
};

/// A client that waits for what it wants and keeps what came meanwhile.
class LiveSocket {
 public:
  LiveSocket(std::uint16_t port, const std::string& key, const std::string& name = "",
             const Headers& headers = {}, const std::string& more = "")
      : connection_(port), socket_(std::move(connection_.stream())) {
    using websocket = beast::websocket::stream_base;
    beast::get_lowest_layer(socket_).expires_never();
    socket_.read_message_max(std::size_t{1} << 28);
    socket_.set_option(websocket::decorator([&](beast::websocket::request_type& request) {
      for (const auto& [field, value] : headers) request.set(field, value);
    }));
    beast::error_code error;
    socket_.handshake("localhost:" + std::to_string(port),
                      "/live?client=" + key + "&name=" + name + more, error);
    is_open_ = !error;
    if (is_open_) hello_ = wait_event("hello");
  }

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] const Json& hello() const { return hello_; }
  [[nodiscard]] int me() const { return hello_["you"]; }
  [[nodiscard]] const std::vector<StateFrame>& frames() const { return frames_; }
  [[nodiscard]] beast::websocket::close_reason reason() const { return socket_.reason(); }

  int send(const std::string& what, Json fields = Json::object()) {
    fields["do"] = what;
    fields["id"] = ++last_id_;
    send_text(fields.dump());
    return last_id_;
  }
  void send_text(const std::string& text) {
    socket_.text(true);
    socket_.write(net::buffer(text));
  }
  void send_binary(const std::string& bytes) {
    socket_.binary(true);
    socket_.write(net::buffer(bytes));
  }

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
  StateFrame wait_frame(int ack) {
    for (;;) {
      for (const StateFrame& f : frames_)
        if (f.head["ack"].is_number() && f.head["ack"] >= ack) return f;
      read();
    }
  }
  StateFrame wait_first_frame() {
    while (frames_.empty()) read();
    return frames_.front();
  }
  /// Drops what came and was not waited for.
  void forget() {
    frames_.clear();
    texts_.clear();
  }
  /// Reads one message and drops it; whether it was a frame.
  bool read_some() {
    beast::flat_buffer buffer;
    socket_.read(buffer);
    return !socket_.got_text();
  }
  /// Reads until the other end closes; false when it does not.
  bool wait_close() {
    try {
      for (;;) read();
    } catch (const beast::system_error&) {
      return true;
    }
  }
  void cut() { beast::get_lowest_layer(socket_).close(); }

 private:
  Json wait(const std::function<bool(const Json&)>& fits) {
    for (;;) {
      for (auto it = texts_.begin(); it != texts_.end(); ++it) {
        if (!fits(*it)) continue;
        Json found = std::move(*it);
        texts_.erase(it);
        return found;
      }
      read();
    }
  }

  void read() {
    beast::flat_buffer buffer;
    socket_.read(buffer);
    std::string bytes = beast::buffers_to_string(buffer.data());
    if (socket_.got_text()) {
      texts_.push_back(Json::parse(bytes));
    } else {
      frames_.emplace_back(bytes);
    }
  }

  Connection connection_;
  beast::websocket::stream<beast::tcp_stream> socket_;
  bool is_open_ = false;
  int last_id_ = 0;
  Json hello_;
  std::vector<Json> texts_;
  std::vector<StateFrame> frames_;
};

}  // namespace geste::studio::client
