#pragma once

#include "studio/server/beast.hpp"
#include "studio/server/hub.hpp"

namespace geste::studio {

using HttpRequest = http::request<http::string_body>;

/// Answers the request for an upgrade and serves the client until it goes. On the thread of the
/// connections, like the hub.
void serve_live(beast::tcp_stream&& stream, const HttpRequest& request, const Visitor& visitor,
                Hub& hub);

}  // namespace geste::studio
