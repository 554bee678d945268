#include "studio/server/site.hpp"

#include "geste/core/log.hpp"
#include "geste/formats/page.hpp"
#include "geste/formats/track_pack.hpp"

namespace geste::studio {

std::optional<Site::Content> StudioSite::find_page(std::string_view name) {
  const std::optional<std::string_view> page = geste::find_page(name);
  if (!page) return std::nullopt;
  // Made once: every visitor gets the same bytes.
  std::shared_ptr<const std::string>& bytes = pages_[std::string(name)];
  if (!bytes) bytes = std::make_shared<const std::string>(*page);
  return Content{bytes, ""};
}

Site::Content StudioSite::scene() { return {world_.pack, "\"" + world_.hash + "\""}; }

std::optional<Site::Content> StudioSite::find_track(std::string_view result) {
  const Result<JointMotion> motion = results_.load_motion(result, world_.content);
  if (!motion || motion->times.empty()) {
    if (!motion) log_warning("studio: no track: {}", to_text(motion.error()));
    return std::nullopt;
  }
  return Content{std::make_shared<const std::string>(make_track_pack(world_.scene(), *motion)), ""};
}

std::optional<Site::Content> StudioSite::find_file(std::string_view result, std::string_view file) {
  std::shared_ptr<const std::string> bytes = results_.load_file(result, file);
  if (!bytes) return std::nullopt;
  return Content{std::move(bytes), ""};
}

}  // namespace geste::studio
