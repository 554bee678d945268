#include "studio/server/http_session.hpp"

#include <boost/asio/post.hpp>

#include "geste/core/log.hpp"

#include "studio/server/refusals.hpp"

namespace geste::studio {
namespace {

/// For a request, and for an answer. Of those who were not let in yet little is waited for.
constexpr std::chrono::seconds kPatience(30);
constexpr std::chrono::seconds kPatienceWithCallers(5);

/// For a body of this size: a slow line takes its time, a dead one is not waited for.
std::chrono::seconds find_patience(std::size_t bytes) {
  constexpr std::size_t kSlowest = 50'000;  // bytes per second
  return kPatience + std::chrono::seconds(bytes / kSlowest);
}

/// Counts one for as long as it lives.
class Counted {
 public:
  explicit Counted(std::shared_ptr<std::atomic<std::size_t>> count) : count_(std::move(count)) {
    ++*count_;
  }
  ~Counted() { --*count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::shared_ptr<std::atomic<std::size_t>> count_;
};

/// A fault of ours is one answer, not the end.
Reply route_safely(const Question& question, const HttpService& service) {
  try {
    return route(question, service.rules, service.site);
  } catch (const std::exception& e) {
    log_error("studio: internal fault: {}", e.what());
    return make_refusal(500, "internal fault");
  }
}

/// The bytes stay where they are, shared by all who get them.
struct SharedBody {
  using value_type = std::shared_ptr<const std::string>;
  static std::uint64_t size(const value_type& body) { return body ? body->size() : 0; }

  class writer {
   public:
    using const_buffers_type = net::const_buffer;
    template <bool IsRequest, class Fields>
    writer(const http::header<IsRequest, Fields>&, const value_type& body) : body_(body) {}
    void init(beast::error_code& error) { error = {}; }
    boost::optional<std::pair<const_buffers_type, bool>> get(beast::error_code& error) {
      error = {};
      return {{body_ ? net::buffer(*body_) : net::const_buffer(), false}};
    }

   private:
    const value_type& body_;
  };
};
using Response = http::response<SharedBody>;

class HttpSession final : public Caller, public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(Tcp::socket&& socket, const HttpService& service)
      : stream_(std::move(socket)), service_(service), counted_(service.sessions) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(kLargestHeader);
    parser_->body_limit(kLargestBody);
    stream_.expires_after(is_admitted_ ? kPatience : kPatienceWithCallers);
    http::async_read(stream_, buffer_, *parser_,
                     beast::bind_front_handler(&HttpSession::on_read, shared_from_this()));
  }

  [[nodiscard]] bool is_admitted() const override { return is_admitted_; }
  void cut() override { stream_.close(); }

 private:
  void on_read(beast::error_code error, std::size_t) {
    if (error == http::error::end_of_stream) return close();
    if (error) return refuse(error);
    const HttpRequest& request = parser_->get();
    const Question question = read_question(request);
    const bool is_welcome = studio::is_welcome(question, service_.rules);
    is_admitted_ = is_admitted_ || is_welcome;
    // Those who may not come in do not stand in line either.
    if (!is_welcome || !is_slow(question.target)) return answer(route_safely(question, service_));
    net::post(service_.slow, [self = shared_from_this()] {
      Reply reply = route_safely(read_question(self->parser_->get()), self->service_);
      net::post(self->stream_.get_executor(),
                [self, reply = std::move(reply)] { self->answer(reply); });
    });
  }

  void answer(const Reply& reply) {
    const HttpRequest& request = parser_->get();
    if (reply.visitor) return serve_live(std::move(stream_), request, *reply.visitor, service_.hub);
    send(reply, request.version(), request.keep_alive(), request.method() == http::verb::head);
  }

  /// What is no HTTP, or too much of it.
  void refuse(beast::error_code error) {
    if (error.category() != http::make_error_code(http::error::bad_method).category()) return;
    const bool is_large = error == http::error::body_limit || error == http::error::header_limit ||
                          error == http::error::buffer_overflow;
    log_refusal("a request: " + error.message());
    constexpr unsigned kHttp11 = 11;
    send(is_large ? make_refusal(413, "the request is too large")
                  : make_refusal(400, "that is not HTTP"),
         kHttp11, false, false);
  }

  void send(const Reply& reply, unsigned version, bool keep_alive, bool head_only) {
    response_.emplace(static_cast<http::status>(reply.status), version);
    Response& r = *response_;
    r.set(http::field::content_type, reply.type);
    r.set(http::field::cache_control, reply.etag.empty() ? "no-store" : "no-cache");
    r.set("X-Content-Type-Options", "nosniff");
    r.set("Content-Security-Policy", reply.policy);
    r.set("Referrer-Policy", "no-referrer");
    if (!reply.etag.empty()) r.set(http::field::etag, reply.etag);
    if (!reply.cookie.empty()) r.set(http::field::set_cookie, reply.cookie);
    if (!reply.allow.empty()) r.set(http::field::allow, reply.allow);
    r.keep_alive(keep_alive);
    const std::size_t size = reply.body ? reply.body->size() : 0;
    // HEAD tells the length of what it does not send.
    if (!head_only) r.body() = reply.body;
    if (reply.status != 304) r.content_length(size);
    serializer_.emplace(r);
    stream_.expires_after(find_patience(size));
    auto done = beast::bind_front_handler(&HttpSession::on_write, shared_from_this());
    if (head_only) {
      http::async_write_header(stream_, *serializer_, std::move(done));
    } else {
      http::async_write(stream_, *serializer_, std::move(done));
    }
  }

  void on_write(beast::error_code error, std::size_t) {
    if (error || !response_->keep_alive()) return close();
    read();
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  const HttpService service_;
  const Counted counted_;
  bool is_admitted_ = false;
  beast::flat_buffer buffer_{kLargestHeader + kLargestBody};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<Response> response_;
  std::optional<http::response_serializer<SharedBody>> serializer_;
};

}  // namespace

void serve_http(Tcp::socket&& socket, const HttpService& service) {
  const auto session = std::make_shared<HttpSession>(std::move(socket), service);
  service.lobby.enter(session);
  session->read();
}

}  // namespace geste::studio
