#include "geste/core/log.hpp"

#include "checks.hpp"
#include "studio/server/beast.hpp"

using namespace geste;
using namespace geste::studio;

namespace {

/// Knows one result by name; whoever asks it for anything else gets nothing.
class SmallSite final : public Site {
 public:
  std::optional<Content> find_page(std::string_view name) override {
    fuzz::require(name.find('/') == std::string_view::npos, "pages are names, not paths");
    return wrap("page");
  }
  Content scene() override { return *wrap("scene"); }
  std::optional<Content> find_track(std::string_view result) override {
    return result == "replay-1" ? wrap("track") : std::nullopt;
  }
  std::optional<Content> find_file(std::string_view result, std::string_view file) override {
    fuzz::require(file.find('/') == std::string_view::npos, "files are names, not paths");
    return result == "replay-1" ? wrap("file") : std::nullopt;
  }

 private:
  static std::optional<Content> wrap(const char* text) {
    return Content{std::make_shared<const std::string>(text), "\"1\""};
  }
};

void require_sound_reply(const Question& question, const AccessRules& rules, const Reply& reply) {
  fuzz::require(reply.body != nullptr, "every reply has a body, if an empty one");
  fuzz::require(reply.status >= 100 && reply.status < 500, "a client cannot make the server fail");
  fuzz::require(!reply.policy.empty(), "every reply has a policy");
  fuzz::require(reply.cookie.find('\n') == std::string::npos, "cookies are one line");
  fuzz::require(reply.visitor.has_value() == (reply.status == 101), "visitors are upgraded");
  if (reply.visitor) fuzz::require(question.is_upgrade, "only who asked is upgraded");
  if (rules.token.empty() || reply.status >= 400) return;
  const Credentials& c = question.credentials;
  const auto holds = [&](std::string_view text) { return text.find('s') != text.npos; };
  fuzz::require(holds(c.cookie) || holds(c.authorization) || question.target.size() > 6,
                "nobody comes in without having said something");
}

}  // namespace

/// The first byte chooses the rules of access; the rest is what came over the line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  set_log_level(LogLevel::off);
  const AccessRules rules{(data[0] & 1) != 0, (data[0] & 2) != 0 ? "sesame" : "", 8470};
  http::request_parser<http::string_body> parser;
  parser.header_limit(kLargestHeader);
  parser.body_limit(kLargestBody);
  parser.eager(true);
  beast::error_code error;
  std::size_t used = 1;
  while (!error && used < size && !parser.is_done()) {
    const std::size_t taken = parser.put(net::buffer(data + used, size - used), error);
    if (taken == 0) break;
    used += taken;
  }
  if (error || !parser.is_header_done()) return 0;
  SmallSite site;
  const Question question = read_question(parser.get());
  require_sound_reply(question, rules, route(question, rules, site));
  return 0;
}
