#pragma once

#include <functional>
#include <memory>
#include <string>

#include "geste/core/result.hpp"

#include "studio/server/routes.hpp"

namespace geste::studio {

class Hub;

/// The sockets, on one thread. Made in two steps: `open` takes the port, `start` begins to serve.
class Server {
 public:
  /// Port 0: any that is free. The error says who may have the port, and what to do.
  static Result<std::unique_ptr<Server>> open(const std::string& host, std::uint16_t port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Both before stop only.
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] bool is_loopback() const;

  /// The site and the hub must outlive the server's stop.
  void start(const AccessRules& rules, Site& site, Hub& hub);
  /// Calls `work` on the server's thread, soon. Not to be called while it stops; afterwards nothing
  /// happens.
  void post(std::function<void()> work);
  /// Closes all connections and ends the thread. Nothing happens the second time.
  void stop();

 private:
  struct Sockets;
  explicit Server(std::unique_ptr<Sockets> sockets);

  std::unique_ptr<Sockets> sockets_;
};

}  // namespace geste::studio
