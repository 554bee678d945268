#include "geste/formats/internal/report_page.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

#include "geste/formats/page.hpp"

namespace geste {
namespace {

std::string encode_base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
  };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[word >> shift & 63U];
  }
  for (std::size_t k = 0; k < (3 - bytes.size() % 3) % 3; ++k) text[text.size() - 1 - k] = '=';
  return text;
}

/// Names may hold anything: inside a script element nothing may look like the end of it, and
/// outside nothing like markup.
std::string escape_in_script(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6)
    text.replace(at, 1, "\\u003c");
  return text;
}

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string make_element(const char* id, const char* type, const std::string& content) {
  return std::string("<script type=\"") + type + "\" id=\"" + id + "\">" + content + "</script>\n";
}

void put(std::string& page, std::string_view mark, const std::string& content) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos)
    throw std::logic_error("the report page lacks its mark " + std::string(mark));
  page.replace(at, mark.size(), content);
}

}  // namespace

std::string make_report_page(const ReportData& data) {
  nlohmann::ordered_json result = nlohmann::ordered_json::parse(data.result);
  result["report"] = {{"title", data.title}, {"command", data.command}};
  const std::string json = result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string elements = make_element("geste-result", "application/json", escape_in_script(json));
  elements += make_element("geste-scene", "text/plain", encode_base64(data.scene));
  if (!data.track.empty())
    elements += make_element("geste-track", "text/plain", encode_base64(data.track));
  if (!data.swept.empty())
    elements += make_element("geste-swept", "text/plain", encode_base64(data.swept));

  std::string page(*find_page("report.html"));
  put(page, "<!--geste:data-->", elements);
  const std::string verdict = escape_markup(result.value("verdict", ""));
  put(page, "<!--geste:title-->", "<title>" + escape_markup(data.title) + " - geste</title>");
  put(page, "<!--geste:verdict-->", verdict);
  return page;
}

}  // namespace geste
