#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "studio/server/access.hpp"

namespace geste::studio {

// What the studio answers over HTTP, as a function of the request: no sockets here. Names in paths
// are looked up in lists and never become part of a file's path.

/// A request as far as it matters. The views live as long as the message they were taken from.
struct Question {
  std::string_view method{};
  std::string_view target{};  ///< path and query, as sent
  std::string_view if_none_match{};
  bool is_upgrade = false;  ///< asks for a WebSocket
  Credentials credentials{};
};

/// Who comes by WebSocket.
struct Visitor {
  std::string key;
  std::string name;
};

struct Reply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;
  std::string etag{};
  std::string cookie{};
  std::string policy{};  ///< Content-Security-Policy
  std::string allow{};
  std::optional<Visitor> visitor{};  ///< the upgrade is granted
};

/// Where the bytes come from. Called from several threads.
class Site {
 public:
  virtual ~Site() = default;
  struct Content {
    std::shared_ptr<const std::string> bytes;
    std::string etag{};
  };
  /// "studio.html", "studio.js", "studio.css".
  virtual std::optional<Content> find_page(std::string_view name) = 0;
  virtual Content scene() = 0;
  /// Of a result by its name in the list; nothing: there is none, or it cannot be read.
  virtual std::optional<Content> find_track(std::string_view result) = 0;
  virtual std::optional<Content> find_file(std::string_view result, std::string_view file) = 0;
};

/// Whether whoever asks may come in, whatever the answer will be.
bool is_welcome(const Question& question, const AccessRules& rules);

/// Never throws for what a client sent; refusals are logged.
Reply route(const Question& question, const AccessRules& rules, Site& site);

/// Whether the answer may have to read files or compute: not for the thread that serves others.
bool is_slow(std::string_view target);

Reply make_refusal(int status, std::string why);

}  // namespace geste::studio
