#pragma once

#include <optional>
#include <string_view>

namespace geste {

/// The pages made from apps/studio/web, which the library carries in itself: "report.html",
/// "studio.html", "studio.js", "studio.css". Nothing for another name.
std::optional<std::string_view> find_page(std::string_view name);

}  // namespace geste
