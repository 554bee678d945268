#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace geste::studio {

// Who may come in. A studio bound to loopback trusts those who sit at this machine, but not the
// pages of other sites that their browsers have open: these come under another Host (a name made to
// point here) or with another Origin. Bound to anything else, or where asked, it wants a token too.

struct AccessRules {
  bool is_loopback = true;  ///< bound to loopback: Host must be a loopback name
  std::string token{};      ///< empty: none is needed
  std::uint16_t port = 0;   ///< names the cookie: browsers do not keep cookies of ports apart
};

/// What a request says of itself; absent headers are empty.
struct Credentials {
  std::string_view host{};
  std::string_view origin{};
  std::string_view authorization{};
  std::string_view cookie{};
  std::string_view query_token{};
};

struct Verdict {
  int status = 200;          ///< or 401, 403
  std::string why{};         ///< one line for whoever was refused
  bool sets_cookie = false;  ///< came in by the token in the address: next time by cookie
  [[nodiscard]] bool is_welcome() const { return status == 200; }
};

Verdict judge_access(const AccessRules& rules, const Credentials& credentials);

/// "name=value; HttpOnly; SameSite=Strict; Path=/".
std::string make_cookie(const AccessRules& rules);

/// "localhost", "127.0.0.1:8470", "[::1]:8470": with or without a port.
bool is_loopback_name(std::string_view host);

/// 128 bits from the system, in hexadecimal.
std::string make_random_token();

}  // namespace geste::studio
