#include "studio/server/site.hpp"

#include "geste/core/log.hpp"
#include "geste/formats/page.hpp"
#include "geste/formats/track_pack.hpp"

namespace geste::studio {
namespace {

Site::Content wrap(std::string bytes) {
  return {std::make_shared<const std::string>(std::move(bytes)), ""};
}

}  // namespace

std::optional<Site::Content> StudioSite::find_page(std::string_view name) {
  const std::optional<std::string_view> page = geste::find_page(name);
  if (!page) return std::nullopt;
  return wrap(std::string(*page));
}

Site::Content StudioSite::scene() { return {world_.pack, "\"" + world_.hash + "\""}; }

std::optional<Site::Content> StudioSite::find_track(std::string_view result) {
  const Result<JointMotion> motion = results_.load_motion(result, world_.content);
  if (!motion || motion->times.empty()) {
    if (!motion) log_warning("studio: no track: {}", to_text(motion.error()));
    return std::nullopt;
  }
  return wrap(make_track_pack(world_.scene(), *motion));
}

std::optional<Site::Content> StudioSite::find_file(std::string_view result, std::string_view file) {
  std::optional<std::string> bytes = results_.load_file(result, file);
  if (!bytes) return std::nullopt;
  return wrap(std::move(*bytes));
}

}  // namespace geste::studio
