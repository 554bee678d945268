#include "studio/server/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "geste/core/text.hpp"
#include "geste/core/version.hpp"

#include "studio/server/refusals.hpp"

namespace geste::studio {
namespace {

constexpr const char* kPolicy =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'";
// A report is one file with its script inside and asks for nothing from anywhere.
constexpr const char* kReportPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; connect-src data: blob:; "
    "frame-ancestors 'none'";

struct ServedFile {
  const char* name;
  const char* type;
};
constexpr ServedFile kPages[] = {{"studio.html", "text/html; charset=utf-8"},
                                 {"studio.js", "text/javascript; charset=utf-8"},
                                 {"studio.css", "text/css; charset=utf-8"}};
constexpr ServedFile kResultFiles[] = {
    {"result.json", "application/json"},         {"motion.csv", "text/csv; charset=utf-8"},
    {"motion.glb", "model/gltf-binary"},         {"swept.stl", "model/stl"},
    {"report.html", "text/html; charset=utf-8"}, {"task.yaml", "text/yaml; charset=utf-8"}};
constexpr const char* kPack = "application/octet-stream";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Nothing where it is no text: a broken escape, bytes that are not UTF-8, a NUL.
std::optional<std::string> decode_percent(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  if (!is_valid_utf8(out) || out.find('\0') != std::string::npos) return std::nullopt;
  return out;
}

/// The part of the query behind "key="; empty when absent.
std::string find_parameter(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    if (item.size() > key.size() && item.starts_with(key) && item[key.size()] == '=')
      return decode_percent(item.substr(key.size() + 1), true).value_or("");
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

Reply make_reply(const Question& question, const Site::Content& content, const char* type,
                 const char* policy = kPolicy) {
  Reply reply{200, type, content.bytes, content.etag, {}, policy};
  if (!content.etag.empty() && question.if_none_match == content.etag) {
    reply.status = 304;
    reply.body = std::make_shared<const std::string>();
  }
  return reply;
}

template <std::size_t N>
const ServedFile* find_served(const ServedFile (&files)[N], std::string_view name) {
  const auto found = std::find_if(std::begin(files), std::end(files),
                                  [&](const ServedFile& f) { return name == f.name; });
  return found == std::end(files) ? nullptr : found;
}

Reply reply_page(const Question& question, std::string_view name, Site& site) {
  const ServedFile* file = find_served(kPages, name);
  if (file == nullptr) return make_refusal(404, "there is nothing here");
  const std::optional<Site::Content> content = site.find_page(name);
  if (!content) return make_refusal(404, "this geste was built without its pages");
  return make_reply(question, *content, file->type);
}

/// `path`: behind "/results/".
Reply reply_result(const Question& question, std::string_view path, Site& site) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return make_refusal(404, "there is nothing here");
  const std::optional<std::string> name = decode_percent(path.substr(0, slash), false);
  const std::string_view file = path.substr(slash + 1);
  if (!name) return make_refusal(400, "the address is not text");
  if (file == "track") {
    const std::optional<Site::Content> track = site.find_track(*name);
    return track ? make_reply(question, *track, kPack)
                 : make_refusal(404, "there is no such result, or its motion is not of this scene");
  }
  const ServedFile* served = find_served(kResultFiles, file);
  const std::optional<Site::Content> content =
      served != nullptr ? site.find_file(*name, file) : std::nullopt;
  if (!content) return make_refusal(404, "there is no such file in the results");
  return make_reply(question, *content, served->type,
                    file == "report.html" ? kReportPolicy : kPolicy);
}

Reply reply_live(const Question& question, std::string_view query) {
  if (!question.is_upgrade) return make_refusal(400, "this address speaks WebSocket");
  Visitor visitor{find_parameter(query, "client"), find_parameter(query, "name")};
  const bool is_key = visitor.key.size() >= 8 && visitor.key.size() <= 64 &&
                      std::all_of(visitor.key.begin(), visitor.key.end(), [](unsigned char c) {
                        return std::isalnum(c) != 0 || c == '_' || c == '-';
                      });
  if (!is_key) return make_refusal(400, "client must be 8 to 64 of A-Z, a-z, 0-9, _ and -");
  constexpr std::size_t kLongestName = 80;
  if (visitor.name.size() > kLongestName) return make_refusal(400, "the name is too long");
  Reply reply = make_refusal(101, "");
  reply.visitor = std::move(visitor);
  return reply;
}

Reply reply_health() {
  auto text = fmt::format("{{\"geste\": \"{}\", \"protocol\": 1}}\n", kVersion);
  return {200,    "application/json", std::make_shared<const std::string>(std::move(text)), {}, {},
          kPolicy};
}

Reply reply_path(const Question& question, std::string_view path, std::string_view query,
                 Site& site) {
  constexpr std::string_view kResults = "/results/";
  if (path == "/") return reply_page(question, "studio.html", site);
  if (path == "/scene") return make_reply(question, site.scene(), kPack);
  if (path == "/health") return reply_health();
  if (path == "/live") return reply_live(question, query);
  if (path.starts_with(kResults)) return reply_result(question, path.substr(kResults.size()), site);
  return reply_page(question, path.substr(1), site);
}

struct Address {
  std::string_view path;
  std::string_view query;
};

Address split_target(std::string_view target) {
  target = target.substr(0, target.find('#'));
  const std::size_t mark = std::min(target.find('?'), target.size());
  return {target.substr(0, mark), target.substr(std::min(mark + 1, target.size()))};
}

Verdict judge(const Question& question, const AccessRules& rules) {
  const std::string token = find_parameter(split_target(question.target).query, "token");
  Credentials credentials = question.credentials;
  credentials.query_token = token;
  return judge_access(rules, credentials);
}

Reply judge_and_reply(const Question& question, const AccessRules& rules, Site& site) {
  if (!question.target.starts_with('/')) return make_refusal(400, "the address is no path");
  const Verdict verdict = judge(question, rules);
  if (!verdict.is_welcome()) return make_refusal(verdict.status, verdict.why);
  if (question.method != "GET" && question.method != "HEAD") {
    Reply refusal = make_refusal(405, "only GET and HEAD");
    refusal.allow = "GET, HEAD";
    return refusal;
  }
  const Address address = split_target(question.target);
  Reply reply = reply_path(question, address.path, address.query, site);
  if (verdict.sets_cookie) reply.cookie = make_cookie(rules);
  return reply;
}

}  // namespace

Reply make_refusal(int status, std::string why) {
  if (!why.empty()) why += "\n";
  Reply reply;
  reply.status = status;
  reply.body = std::make_shared<const std::string>(std::move(why));
  reply.policy = "default-src 'none'";
  return reply;
}

bool is_slow(std::string_view target) { return target.starts_with("/results/"); }

bool is_welcome(const Question& question, const AccessRules& rules) {
  return judge(question, rules).is_welcome();
}

Reply route(const Question& question, const AccessRules& rules, Site& site) {
  Reply reply = judge_and_reply(question, rules, site);
  if (reply.status >= 400) {
    // Without the query: it may hold the token. Quoted: it may hold anything.
    const std::string_view path = question.target.substr(0, question.target.find('?'));
    constexpr std::size_t kShown = 200;
    log_refusal(fmt::format("{} {} ({}: {})", quote_json(question.method.substr(0, 16)),
                            quote_json(path.substr(0, kShown)), reply.status, trim(*reply.body)));
  }
  return reply;
}

}  // namespace geste::studio
