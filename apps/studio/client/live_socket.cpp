#include "studio/client/live_socket.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <chrono>
#include <cstring>

namespace geste::studio::client {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;

constexpr std::chrono::seconds kPatience{30};

/// Does the work; what Beast throws becomes ConnectionEnded.
template <class Work>
auto translate(const Work& work) {
  try {
    return work();
  } catch (const boost::system::system_error& error) {
    throw ConnectionEnded(error.what());
  }
}

void connect(beast::tcp_stream& stream, std::uint16_t port) {
  stream.expires_after(kPatience);
  stream.connect(net::ip::tcp::endpoint(net::ip::address_v4::loopback(), port));
}

}  // namespace

struct Connection::Stream {
  net::io_context context;
  beast::tcp_stream tcp{context};
  beast::flat_buffer buffer;
};

Connection::Connection(std::uint16_t port) : stream_(std::make_unique<Stream>()) {
  translate([&] { connect(stream_->tcp, port); });
}

Connection::~Connection() = default;

std::string Connection::exchange(const std::string& bytes) {
  beast::error_code ignored;
  net::write(stream_->tcp.socket(), net::buffer(bytes), ignored);
  std::string answer;
  char piece[4096];
  for (;;) {
    beast::error_code error;
    const std::size_t n = stream_->tcp.socket().read_some(net::buffer(piece), error);
    answer.append(piece, n);
    if (error) return answer;
  }
}

HttpReply Connection::request(const std::string& method, const std::string& target,
                              const Headers& headers) {
  http::request<http::empty_body> request;
  request.method_string(method);
  request.target(target);
  request.set(http::field::host, "localhost");
  for (const auto& [name, value] : headers) request.set(name, value);
  http::response_parser<http::string_body> parser;
  parser.body_limit(std::uint64_t{1} << 30);
  if (method == "HEAD") parser.skip(true);
  translate([&] {
    http::write(stream_->tcp, request);
    http::read(stream_->tcp, stream_->buffer, parser);
  });
  HttpReply reply{parser.get().result_int(), parser.get().body(), {}};
  for (const auto& field : parser.get())
    reply.headers[std::string(field.name_string())] = std::string(field.value());
  return reply;
}

StateFrame::StateFrame(const std::string& bytes) {
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

struct LiveSocket::Socket {
  net::io_context context;
  beast::websocket::stream<beast::tcp_stream> stream{context};

  std::string read() {
    beast::flat_buffer buffer;
    translate([&] { stream.read(buffer); });
    return beast::buffers_to_string(buffer.data());
  }
  void write(const std::string& bytes) {
    translate([&] { stream.write(net::buffer(bytes)); });
  }
};

LiveSocket::LiveSocket(std::uint16_t port, const std::string& key, const std::string& name,
                       const Headers& headers, const std::string& more)
    : socket_(std::make_unique<Socket>()) {
  auto& stream = socket_->stream;
  translate([&] { connect(beast::get_lowest_layer(stream), port); });
  beast::get_lowest_layer(stream).expires_never();
  stream.read_message_max(std::size_t{1} << 28);
  stream.set_option(
      beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
        for (const auto& [field, value] : headers) request.set(field, value);
      }));
  beast::error_code error;
  stream.handshake("localhost:" + std::to_string(port),
                   "/live?client=" + key + "&name=" + name + more, error);
  is_open_ = !error;
  if (is_open_) hello_ = wait_event("hello");
}

LiveSocket::~LiveSocket() = default;

int LiveSocket::close_code() const { return socket_->stream.reason().code; }

int LiveSocket::send(const std::string& what, Json fields) {
  fields["do"] = what;
  fields["id"] = ++last_id_;
  send_text(fields.dump());
  return last_id_;
}

void LiveSocket::send_text(const std::string& text) {
  socket_->stream.text(true);
  socket_->write(text);
}

void LiveSocket::send_binary(const std::string& bytes) {
  socket_->stream.binary(true);
  socket_->write(bytes);
}

StateFrame LiveSocket::wait_frame(int ack) {
  for (;;) {
    for (const StateFrame& f : frames_)
      if (f.head["ack"].is_number() && f.head["ack"] >= ack) return f;
    read();
  }
}

StateFrame LiveSocket::wait_first_frame() {
  while (frames_.empty()) read();
  return frames_.front();
}

void LiveSocket::forget() {
  frames_.clear();
  texts_.clear();
}

bool LiveSocket::read_some() {
  socket_->read();
  return !socket_->stream.got_text();
}

void LiveSocket::wait_close() {
  try {
    for (;;) read();
  } catch (const ConnectionEnded&) {
  }
}

void LiveSocket::cut() { beast::get_lowest_layer(socket_->stream).close(); }

Json LiveSocket::wait(const std::function<bool(const Json&)>& fits) {
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

void LiveSocket::read() {
  std::string bytes = socket_->read();
  if (socket_->stream.got_text()) {
    texts_.push_back(Json::parse(bytes));
  } else {
    frames_.emplace_back(bytes);
  }
}

}  // namespace geste::studio::client
