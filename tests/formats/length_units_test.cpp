#include "geste/formats/internal/length_units.hpp"

#include <gtest/gtest.h>

#include "geste/formats/asset.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/task_file.hpp"

namespace geste {
namespace {

TEST(LengthUnits, AreKnownByManyNames) {
  for (const char* name : {"mm", "MM", " millimetre ", "Millimeters", "millimeter"})
    EXPECT_EQ(find_length_unit(name)->metres, 1e-3) << name;
  for (const char* name : {"in", "inch", "Inches"})
    EXPECT_EQ(find_length_unit(name)->metres, 0.0254) << name;
  for (const char* name : {"", "furlong", "ms"}) EXPECT_EQ(find_length_unit(name), nullptr) << name;
}

// Whatever unit a doubt advises, the task file takes.
TEST(LengthUnits, AdvisedAreAllowed) {
  for (const double size : {1e-4, 1e-3, 1.0, 150.0, 5e3, 2e5}) {
    Asset asset;
    asset.unit = "unstated";
    asset.meshes.push_back(make_asset_mesh("box", make_mesh(Box{{size, size, size}})));
    asset.instances.emplace_back();
    const auto doubt = find_unit_doubt(asset);
    if (!doubt) continue;
    const std::size_t at = doubt->remedy.find("unit: ") + 6;
    const std::string unit = doubt->remedy.substr(at, doubt->remedy.find('`', at) - at);
    const auto task = parse_task(
        "geste: 1\nparts:\n  - {name: a, mesh: a.stl, unit: " + unit + "}\n", "t.yaml", {});
    EXPECT_TRUE(task) << doubt->remedy;
  }
}

}  // namespace
}  // namespace geste
