#include "studio/server/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "geste/core/text.hpp"

namespace geste::studio {
namespace {

/// Takes as long for a wrong token as for the right one.
bool is_same_secret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^
                  static_cast<unsigned char>(secret[i % std::max<std::size_t>(secret.size(), 1)]);
  return difference == 0 && !secret.empty();
}

std::string cookie_name(const AccessRules& rules) { return fmt::format("geste_{}", rules.port); }

std::string_view find_cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    const std::string_view item = trim(header.substr(0, end));
    if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
      return item.substr(name.size() + 1);
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return {};
}

std::string_view find_bearer(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (to_lower(header.substr(0, kScheme.size())) != kScheme) return {};
  return trim(header.substr(kScheme.size()));
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

/// The name without ":port"; empty when it is no host.
std::string_view strip_port(std::string_view host) {
  const std::size_t name_end =
      host.starts_with('[') ? std::min(host.find(']') + 1, host.size()) : host.find(':');
  if (name_end >= host.size()) return host;
  if (host[name_end] != ':' || !is_port(host.substr(name_end + 1))) return {};
  return host.substr(0, name_end);
}

/// 127.0.0.0/8, written in full.
bool is_loopback_number(std::string_view name) {
  int parts = 0;
  for (std::size_t begin = 0; begin <= name.size(); ++parts) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    std::uint8_t part = 0;
    const auto [stop, error] = std::from_chars(name.data() + begin, name.data() + end, part);
    if (error != std::errc() || stop != name.data() + end) return false;
    if (parts == 0 && part != 127) return false;
    begin = end + 1;
  }
  return parts == 4;
}

Verdict judge_token(const AccessRules& rules, const Credentials& c) {
  if (rules.token.empty()) return {};
  if (is_same_secret(find_cookie(c.cookie, cookie_name(rules)), rules.token)) return {};
  if (is_same_secret(find_bearer(c.authorization), rules.token)) return {};
  if (is_same_secret(c.query_token, rules.token)) return {200, "", true};
  return {401, "this studio asks for a token: open the address that it printed"};
}

}  // namespace

bool is_loopback_name(std::string_view host) {
  const std::string name = to_lower(strip_port(host));
  return name == "localhost" || name == "[::1]" || is_loopback_number(name);
}

Verdict judge_access(const AccessRules& rules, const Credentials& c) {
  if (c.host.empty() || (rules.is_loopback && !is_loopback_name(c.host)))
    return {403, "this studio answers to localhost only"};
  if (!c.origin.empty() && to_lower(c.origin) != "http://" + to_lower(c.host))
    return {403, "pages of other sites may not speak to this studio"};
  return judge_token(rules, c);
}

std::string make_cookie(const AccessRules& rules) {
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name(rules), rules.token);
}

std::string make_random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

}  // namespace geste::studio
