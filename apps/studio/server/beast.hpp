#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <string>
#include <string_view>

#include "studio/server/routes.hpp"

namespace geste::studio {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = net::ip::tcp;

inline constexpr std::uint32_t kLargestHeader = 16 * 1024;
inline constexpr std::uint64_t kLargestBody = 64 * 1024;
inline constexpr std::size_t kLargestMessage = 256 * 1024;

inline std::string_view to_view(beast::string_view text) { return {text.data(), text.size()}; }

/// What routes want to know of a request. The views live as long as it does.
template <class Body>
Question read_question(const http::request<Body>& request) {
  const auto header = [&](http::field field) { return to_view(request[field]); };
  return {to_view(request.method_string()), to_view(request.target()),
          header(http::field::if_none_match), websocket::is_upgrade(request),
          Credentials{header(http::field::host), header(http::field::origin),
                      header(http::field::authorization), header(http::field::cookie)}};
}

}  // namespace geste::studio
