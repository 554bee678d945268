#include "geste/formats/page.hpp"

// The bytes of a file between two symbols, put there by the assembler: a megabyte costs no time to
// compile. GESTE_PAGES is the folder where the build made the pages.
#define GESTE_CARRY(symbol, file)                                                                 \
  __asm__(                                                                                        \
      ".section .rodata\n"                                                                        \
      ".global geste_page_" #symbol "\n.hidden geste_page_" #symbol "\ngeste_page_" #symbol       \
      ":\n.incbin \"" GESTE_PAGES "/" file "\"\n.global geste_page_end_" #symbol                  \
      "\n.hidden geste_page_end_" #symbol "\ngeste_page_end_" #symbol ":\n.byte 0\n.previous\n"); \
  extern "C" const char geste_page_##symbol[];                                                    \
  extern "C" const char geste_page_end_##symbol[];

GESTE_CARRY(report_html, "report.html")
GESTE_CARRY(studio_html, "studio.html")
GESTE_CARRY(studio_js, "studio.js")
GESTE_CARRY(studio_css, "studio.css")

namespace geste {

std::optional<std::string_view> find_page(std::string_view name) {
  const auto between = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  if (name == "report.html") return between(geste_page_report_html, geste_page_end_report_html);
  if (name == "studio.html") return between(geste_page_studio_html, geste_page_end_studio_html);
  if (name == "studio.js") return between(geste_page_studio_js, geste_page_end_studio_js);
  if (name == "studio.css") return between(geste_page_studio_css, geste_page_end_studio_css);
  return std::nullopt;
}

}  // namespace geste
