#include "geste/formats/asset.hpp"

#include <cmath>
#include <set>

#include "geste/formats/internal/asset_builder.hpp"

#include "testing.hpp"

namespace geste {
namespace {

Asset make_asset(const Vec3& size, const char* unit, double metres_per_unit) {
  Asset asset;
  asset.file = "part.stl";
  asset.format = "STL";
  asset.unit = unit;
  asset.metres_per_unit = metres_per_unit;
  asset.meshes.push_back(make_asset_mesh("box", make_mesh(Box{size})));
  asset.instances.emplace_back().name = "box";
  return asset;
}

TEST(Asset, CountsAndBoxes) {
  Asset asset = make_asset({1, 2, 3}, "m", 1);
  AssetInstance turned;
  turned.name = "turned";
  turned.A = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitZ()).toRotationMatrix();
  turned.t = Vec3(10, 0, 0);
  asset.instances.push_back(turned);
  AssetInstance mirrored;
  mirrored.name = "mirrored";
  mirrored.A = Vec3(-1, 1, 2).asDiagonal();
  mirrored.t = Vec3(0, 0, 5);
  asset.instances.push_back(mirrored);
  EXPECT_EQ(count_distinct_triangles(asset), 12u);
  EXPECT_EQ(count_instanced_triangles(asset), 36u);
  const AxisBox box = compute_box(asset);
  const double reach = 1.5 / std::sqrt(2.0);
  EXPECT_TRUE(box.min.isApprox(Vec3(-0.5, -reach, -1.5), 1e-12));
  EXPECT_TRUE(box.max.isApprox(Vec3(10 + reach, reach, 8), 1e-12));
  EXPECT_TRUE(compute_box(Asset{}).empty());
}

TEST(Asset, DoubtsAboutTheUnit) {
  const auto doubt = find_unit_doubt(make_asset({375, 84, 149}, "unstated", 1));
  ASSERT_TRUE(doubt);
  EXPECT_EQ(doubt->code, "asset.unit_doubt");
  EXPECT_EQ(doubt->message,
            "box is 375 x 84 x 149 units; read as metres that is larger than a building: probably "
            "millimetres");
  EXPECT_EQ(doubt->remedy, "add `unit: mm` to the part");

  // Stated units are doubted too, and say so.
  const auto stated = find_unit_doubt(make_asset({0.4, 0.2, 0.1}, "mm", 0.001));
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->remedy, "add `unit: m` to the part");
  EXPECT_NE(stated->message.find("the file's unit is mm"), std::string::npos);
  EXPECT_NE(stated->message.find("smaller"), std::string::npos);

  // A hall in mm read as metres; something that no unit explains.
  EXPECT_EQ(find_unit_doubt(make_asset({2e5, 1e5, 2e4}, "m", 1))->remedy,
            "add `unit: mm` to the part");
  EXPECT_EQ(find_unit_doubt(make_asset({1e12, 1, 1}, "m", 1))->message.find("probably"),
            std::string::npos);

  for (const double size : {0.0015, 0.4, 1.8, 72.0}) {
    EXPECT_FALSE(find_unit_doubt(make_asset({size, size / 2, size / 3}, "m", 1))) << size;
    EXPECT_FALSE(find_unit_doubt(make_asset({size * 1e3, size, size}, "mm", 0.001))) << size;
  }
  EXPECT_FALSE(find_unit_doubt(Asset{}));
}

TEST(AssetBuilder, NamesAreUniqueInOrder) {
  NameRegistry names;
  EXPECT_EQ(names.make_unique("bolt"), "bolt");
  EXPECT_EQ(names.make_unique("bolt"), "bolt_2");
  EXPECT_EQ(names.make_unique("bolt_3"), "bolt_3");
  EXPECT_EQ(names.make_unique("bolt"), "bolt_4");
  EXPECT_EQ(names.make_unique("bolt_2"), "bolt_2_2");

  std::set<std::string> seen;
  for (int i = 0; i < 100'000; ++i) seen.insert(names.make_unique("nut"));
  EXPECT_EQ(seen.size(), 100'000u);
  EXPECT_TRUE(seen.contains("nut_100000"));
}

TEST(AssetBuilder, NamesAreCleaned) {
  EXPECT_EQ(clean_name("  lid\t", "part"), "lid");
  EXPECT_EQ(clean_name(" \n ", "part"), "part");
  EXPECT_EQ(clean_name("a\x01z", "part"), "a z");
  EXPECT_EQ(clean_name("caf\xC3\xA9", "part"), "caf\xC3\xA9");
  EXPECT_EQ(clean_name("caf\xE9!", "part"), "caf\xEF\xBF\xBD!");
  EXPECT_EQ(clean_name("cut \xE2\x82", "part"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(AssetBuilder, FinishDropsWhatIsEmptyAndSumsUpRepairs) {
  Asset asset = make_asset({1, 1, 1}, "m", 1);
  TriangleMesh line;
  line.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  line.triangles = {{0, 1, 2}};
  asset.meshes.insert(asset.meshes.begin(), make_asset_mesh("line", line));
  asset.instances[0].mesh = 1;
  asset.instances.push_back({"line", "line", 0});
  asset.instances.push_back({"box", "box", 1});
  const Result<Asset> done = finish_asset(asset);
  ASSERT_TRUE(done);
  ASSERT_EQ(done->meshes.size(), 1u);
  ASSERT_EQ(done->instances.size(), 2u);
  EXPECT_EQ(done->instances[1].name, "box_2");
  EXPECT_EQ(done->instances[1].mesh, 0);
  ASSERT_EQ(done->notes.size(), 2u);
  EXPECT_EQ(done->notes[0].message, "1 degenerate triangle dropped in 1 of 2 meshes");
  EXPECT_EQ(done->notes[1].message, "left out 1 mesh that has no triangle with an area: 'line'");
}

TEST(AssetBuilder, FinishRefusesWhatCannotStand) {
  Asset empty;
  empty.format = "STL";
  EXPECT_EQ(finish_asset(empty).error().code, "asset.empty");

  Asset far = make_asset({1, 1, 1}, "m", 1);
  far.instances[0].t = Vec3(0, INFINITY, 0);
  far.instances.push_back(far.instances[0]);
  const Result<Asset> refused = finish_asset(far);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "asset.placement_not_finite");
  EXPECT_EQ(refused.error().element, "part 'box'");
  EXPECT_EQ(refused.error().also.size(), 1u);

  Asset wrong = make_asset({1, 1, 1}, "m", 1);
  wrong.instances[0].mesh = 7;
  EXPECT_THROW((void)finish_asset(wrong), std::logic_error);
}

}  // namespace
}  // namespace geste
