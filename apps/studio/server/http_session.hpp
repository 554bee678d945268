#pragma once

#include <boost/asio/thread_pool.hpp>

#include <atomic>

#include "studio/server/live_client.hpp"
#include "studio/server/lobby.hpp"

namespace geste::studio {

/// What sessions share; outlives them.
struct HttpService {
  const AccessRules& rules;
  Site& site;
  Hub& hub;
  Lobby& lobby;
  net::thread_pool& slow;                              ///< reads files
  std::shared_ptr<std::atomic<std::size_t>> sessions;  ///< how many there are
};

/// Serves one connection: requests one after the other, until it closes or becomes a WebSocket.
void serve_http(Tcp::socket&& socket, const HttpService& service);

}  // namespace geste::studio
