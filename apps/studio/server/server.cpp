#include "studio/server/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "geste/core/log.hpp"

#include "studio/server/http_session.hpp"

namespace geste::studio {
namespace {

Diagnostic explain_bind(const beast::error_code& error, const std::string& host,
                        std::uint16_t port) {
  if (error == net::error::address_in_use) {
    return {.code = "studio.port_taken",
            .message = fmt::format("port {} is taken, perhaps by another studio", port),
            .remedy = fmt::format("end that one, or choose another port: --port {}", port + 1)};
  }
  return {.code = "studio.cannot_listen",
          .message = fmt::format("cannot listen at {} port {}: {}", host, port, error.message()),
          .remedy = "give an address of this machine (--host) and a port above 1023 (--port)"};
}

}  // namespace

struct Server::Sockets {
  static constexpr std::size_t kMostSessions = 512;

  Sockets() : acceptor(context) {}

  beast::error_code bind(const Tcp::endpoint& endpoint) {
    beast::error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
    return error;
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, Tcp::socket socket) {
      if (error == net::error::operation_aborted) return;
      if (!error) {
        // Whoever is one too many is let go at once, before anything is read.
        if (*sessions < kMostSessions) serve_http(std::move(socket), *service);
      } else {
        // Out of file descriptors, mostly: those who are here go on, and some will leave.
        log_warning("studio: a connection failed: {}", error.message());
        wait(std::chrono::milliseconds(100), [this] { accept(); });
        return;
      }
      accept();
    });
  }

  void tick(Hub& hub) {
    wait(std::chrono::milliseconds(100), [this, &hub] {
      hub.tick();
      tick(hub);
    });
  }

  /// A fault of ours in one answer ends neither the studio nor the other conversations.
  void run() {
    for (;;) {
      try {
        context.run();
        return;
      } catch (const std::exception& e) {
        log_error("studio: internal fault: {}", e.what());
      }
    }
  }

  template <class Work>
  void wait(std::chrono::milliseconds time, Work work) {
    auto own = std::make_shared<net::steady_timer>(context, time);
    own->async_wait([own, work](beast::error_code error) {
      if (!error) work();
    });
  }

  net::io_context context{1};
  Tcp::acceptor acceptor;
  net::thread_pool slow{1};
  AccessRules rules;
  Lobby lobby;
  /// HTTP connections that are open; of WebSockets the hub keeps count.
  std::shared_ptr<std::atomic<std::size_t>> sessions =
      std::make_shared<std::atomic<std::size_t>>(0);
  std::optional<HttpService> service;
  std::thread thread;
};

Server::Server(std::unique_ptr<Sockets> sockets) : sockets_(std::move(sockets)) {}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::open(const std::string& host, std::uint16_t port) {
  auto sockets = std::make_unique<Sockets>();
  beast::error_code error;
  const auto found = Tcp::resolver(sockets->context)
                         .resolve(host, std::to_string(port), Tcp::resolver::passive, error);
  if (!error) error = sockets->bind(found.begin()->endpoint());
  if (error) return explain_bind(error, host, port);
  return std::unique_ptr<Server>(new Server(std::move(sockets)));
}

std::uint16_t Server::port() const { return sockets_->acceptor.local_endpoint().port(); }

bool Server::is_loopback() const {
  return sockets_->acceptor.local_endpoint().address().is_loopback();
}

void Server::start(const AccessRules& rules, Site& site, Hub& hub) {
  Sockets& s = *sockets_;
  s.rules = rules;
  s.service.emplace(HttpService{s.rules, site, hub, s.lobby, s.slow, s.sessions});
  s.accept();
  s.tick(hub);
  s.thread = std::thread([&s] { s.run(); });
}

void Server::post(std::function<void()> work) {
  if (sockets_) net::post(sockets_->context, std::move(work));
}

void Server::stop() {
  if (!sockets_ || !sockets_->thread.joinable()) return;
  Sockets& s = *sockets_;
  net::post(s.context, [&s] {
    beast::error_code ignored;
    s.acceptor.close(ignored);
    s.service->hub.close();
    // Time to say goodbye; whoever does not answer is left.
    s.wait(std::chrono::milliseconds(150), [&s] { s.context.stop(); });
  });
  s.thread.join();
  // Files that nobody will get are not read.
  s.slow.stop();
  s.slow.join();
  // With it go all sessions that are left, and their sockets.
  sockets_.reset();
}

}  // namespace geste::studio
