#pragma once

#include <map>

#include "studio/server/results.hpp"
#include "studio/server/routes.hpp"
#include "studio/server/world.hpp"

namespace geste::studio {

/// What a studio serves over HTTP: the pages that geste carries, its scene and its results.
class StudioSite final : public Site {
 public:
  StudioSite(const World& world, const Results& results) : world_(world), results_(results) {}

  std::optional<Content> find_page(std::string_view name) override;
  Content scene() override;
  std::optional<Content> find_track(std::string_view result) override;
  std::optional<Content> find_file(std::string_view result, std::string_view file) override;

 private:
  const World& world_;
  const Results& results_;
  std::map<std::string, std::shared_ptr<const std::string>> pages_;  ///< of the socket thread
};

}  // namespace geste::studio
