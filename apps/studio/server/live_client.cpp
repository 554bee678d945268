#include "studio/server/live_client.hpp"

#include "studio/server/refusals.hpp"

namespace geste::studio {
namespace {

/// One WebSocket. Writes one message at a time and asks the outbox for the next when it is done, so
/// that what is sent is always the newest.
class LiveClient final : public Recipient, public std::enable_shared_from_this<LiveClient> {
 public:
  LiveClient(beast::tcp_stream&& stream, Visitor visitor, Hub& hub)
      : socket_(std::move(stream)), visitor_(std::move(visitor)), hub_(hub) {}

  void start(const HttpRequest& request) {
    beast::error_code ignored;
    Tcp::socket& tcp = beast::get_lowest_layer(socket_).socket();
    tcp.set_option(Tcp::no_delay(true), ignored);
    // What waits in the system's buffers is old when a slow client gets it.
    constexpr int kBuffered = 128 * 1024;
    tcp.set_option(net::socket_base::send_buffer_size(kBuffered), ignored);
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = std::chrono::seconds(10);
    timeout.idle_timeout = std::chrono::seconds(60);
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    socket_.read_message_max(kLargestMessage);
    socket_.async_accept(request,
                         beast::bind_front_handler(&LiveClient::on_accept, shared_from_this()));
  }

  void wake() override {
    if (!is_open_ || is_writing_) return;
    std::optional<Outbox::Message> message = outbox.next();
    if (!message) return;
    is_writing_ = true;
    sending_ = std::move(message->bytes);
    socket_.binary(message->is_binary);
    socket_.async_write(net::buffer(sending_),
                        beast::bind_front_handler(&LiveClient::on_write, shared_from_this()));
  }

  void resume() override {
    if (is_open_ && !is_reading_) read();
  }

  void drop() override {
    if (!is_open_) return;
    is_open_ = false;
    // Whoever does not take what is sent is cut off.
    if (is_writing_) return beast::get_lowest_layer(socket_).close();
    close(websocket::close_code::going_away);
  }

 private:
  void on_accept(beast::error_code error) {
    if (error) return;
    if (hub_.is_full()) {
      log_refusal("a visitor: too many are here");
      return close(websocket::close_code::try_again_later);
    }
    is_open_ = true;
    client_ = hub_.join(shared_from_this(), visitor_);
    read();
  }

  void read() {
    is_reading_ = true;
    socket_.async_read(buffer_,
                       beast::bind_front_handler(&LiveClient::on_read, shared_from_this()));
  }

  void on_read(beast::error_code error, std::size_t) {
    is_reading_ = false;
    if (!is_open_) return;
    if (error == websocket::error::message_too_big || error == websocket::error::buffer_overflow)
      log_refusal("a message that is too large");
    if (error) return leave();
    if (socket_.got_binary()) {
      log_refusal("a binary message");
      leave();
      return close(websocket::close_code::unknown_data);
    }
    const auto bytes = buffer_.data();
    hub_.receive(client_, {static_cast<const char*>(bytes.data()), bytes.size()});
    buffer_.consume(buffer_.size());
    // A client that asks faster than it is answered waits.
    if (is_open_ && !is_reading_ && !hub_.is_waiting(client_)) read();
  }

  void on_write(beast::error_code error, std::size_t) {
    is_writing_ = false;
    if (error) return leave();
    if (closing_) return close(*closing_);
    wake();
  }

  void leave() {
    if (!is_open_) return;
    is_open_ = false;
    hub_.leave(client_);
  }

  /// Says why, behind what is being sent.
  void close(websocket::close_code code) {
    if (is_writing_) {
      closing_ = code;
      return;
    }
    socket_.async_close(code, [self = shared_from_this()](beast::error_code) {});
  }

  websocket::stream<beast::tcp_stream> socket_;
  const Visitor visitor_;
  Hub& hub_;
  int client_ = 0;
  beast::flat_buffer buffer_;
  std::string sending_;
  bool is_open_ = false;
  bool is_reading_ = false;
  bool is_writing_ = false;
  std::optional<websocket::close_code> closing_;
};

}  // namespace

void serve_live(beast::tcp_stream&& stream, const HttpRequest& request, const Visitor& visitor,
                Hub& hub) {
  std::make_shared<LiveClient>(std::move(stream), visitor, hub)->start(request);
}

}  // namespace geste::studio
