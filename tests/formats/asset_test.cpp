#include "geste/formats/asset.hpp"

#include <cmath>
#include <set>

#include "geste/formats/internal/asset_builder.hpp"
#include "geste/geometry/generate.hpp"

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
  EXPECT_EQ(doubt->remedy, "add `unit: mm` to the part, or `unit: m` where the size is right");

  // Stated units are doubted too, and say so.
  const auto stated = find_unit_doubt(make_asset({0.4, 0.2, 0.1}, "mm", 0.001));
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->remedy, "add `unit: m` to the part, or `unit: mm` where the size is right");
  EXPECT_NE(stated->message.find("the file's unit is mm"), std::string::npos);
  EXPECT_NE(stated->message.find("smaller"), std::string::npos);

  // A hall in mm read as metres; something that no unit explains.
  EXPECT_EQ(find_unit_doubt(make_asset({2e5, 1e5, 2e4}, "m", 1))->remedy,
            "add `unit: mm` to the part, or `unit: m` where the size is right");
  EXPECT_EQ(find_unit_doubt(make_asset({1e12, 1, 1}, "m", 1))->message.find("probably"),
            std::string::npos);

  for (const double size : {0.0015, 0.4, 1.8, 72.0}) {
    EXPECT_FALSE(find_unit_doubt(make_asset({size, size / 2, size / 3}, "m", 1))) << size;
    EXPECT_FALSE(find_unit_doubt(make_asset({size * 1e3, size, size}, "mm", 0.001))) << size;
  }
  EXPECT_FALSE(find_unit_doubt(Asset{}));
}

/// Round things beside each other: shafts, pins and rings, none along the axes.
Asset make_gearbox(double length, double metres_per_unit) {
  Asset asset = make_asset({length, length / 2, length / 2}, "unstated", metres_per_unit);
  asset.meshes.clear();
  asset.instances.clear();
  const auto add = [&](const Shape& shape, const Vec3& at) {
    AssetInstance& instance = asset.instances.emplace_back();
    instance.name = "part";
    instance.mesh = static_cast<int>(asset.meshes.size());
    instance.A = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    instance.t = at;
    asset.meshes.push_back(make_asset_mesh("part", make_mesh(shape)));
  };
  for (int i = 0; i < 12; ++i) {
    const double size = length * (i % 3 == 0 ? 0.02 : 0.1);
    add(Cylinder{size, 3 * size}, Vec3(length * i / 12, 0, 0));
    add(Torus{2 * size, size / 4}, Vec3(length * i / 12, length / 4, 0));
  }
  return asset;
}

// A gearbox of 29.8 m has no screws: it was written in mm, cm or inches.
TEST(Asset, DoubtsAboutMachinesOfTensOfMetres) {
  for (const double length : {15.0, 29.8, 70.0}) {
    const auto doubt = find_unit_doubt(make_gearbox(length, 1));
    ASSERT_TRUE(doubt) << length;
    EXPECT_NE(doubt->message.find("which no machine is: probably millimetres"), std::string::npos)
        << doubt->message;
    EXPECT_NE(doubt->remedy.find("`unit: m` where the size is right"), std::string::npos);
    EXPECT_EQ(doubt->message.find('e' + std::string("+")), std::string::npos);
  }
  // The same in its own unit, and in any between.
  for (const double length : {0.05, 0.298, 1.2, 4.9})
    EXPECT_FALSE(find_unit_doubt(make_gearbox(length, 1))) << length;
  EXPECT_FALSE(find_unit_doubt(make_gearbox(298, 0.001)));
  // A car of 4 m read as 4 mm.
  const auto small = find_unit_doubt(make_gearbox(4, 0.001));
  ASSERT_TRUE(small);
  EXPECT_NE(small->message.find("which nobody makes: probably metres"), std::string::npos)
      << small->message;
}

// Halls, plants and offices are as large as they say.
TEST(Asset, BelievesBuildings) {
  Asset hall = make_asset({40, 20, 8}, "m", 1);
  for (int i = 0; i < 400; ++i) {  // walls, shelves, doors
    AssetInstance& wall = hall.instances.emplace_back();
    wall.mesh = static_cast<int>(hall.meshes.size());
    hall.meshes.push_back(make_asset_mesh("wall", make_mesh(Box{Vec3(4, 0.2, 2 + i % 3)})));
  }
  EXPECT_FALSE(find_unit_doubt(hall));
  for (const WorldKind& kind : world_kinds()) {
    const Result<GeneratedWorld> world = generate_world(kind.name, {});
    ASSERT_TRUE(world) << kind.name;
    Asset asset = make_asset({1, 1, 1}, "m", 1);
    asset.meshes.clear();
    asset.instances.clear();
    for (const GeneratedPart& part : world->parts) {
      AssetInstance& instance = asset.instances.emplace_back();
      instance.mesh = static_cast<int>(asset.meshes.size());
      instance.A = part.X_WP.R;
      instance.t = part.X_WP.p;
      asset.meshes.push_back({part.name, part.mesh, {}, {}});
    }
    if (compute_box(asset).extent() > 100) continue;  // a spacecraft's station
    const auto doubt = find_unit_doubt(asset);
    EXPECT_FALSE(doubt) << kind.name << ": " << doubt->message;
  }
}

TEST(AssetBuilder, RealNamesKeepTheirNames) {
  Asset asset = make_asset({1, 1, 1}, "m", 1);
  asset.instances.clear();
  for (const char* name : {"body", "body", "body_2", "body", "body_2"})
    asset.instances.emplace_back().name = name;
  const Result<Asset> done = finish_asset(asset);
  ASSERT_TRUE(done);
  std::vector<std::string> names;
  for (const AssetInstance& instance : done->instances) names.push_back(instance.name);
  EXPECT_EQ(names, (std::vector<std::string>{"body", "body_3", "body_2", "body_4", "body_2_2"}));
}

TEST(AssetBuilder, AssembliesAreNamedAmongTheirSiblingsAndEmptyOnesGo) {
  Asset asset = make_asset({1, 1, 1}, "m", 1);
  asset.instances.clear();
  asset.assemblies = {{"top", -1}, {"fix", 0}, {"empty", 0}, {"fix", 0}, {"fix", 3}};
  for (const int assembly : {1, 3, 4, -1}) {
    asset.instances.emplace_back().name = "bolt";
    asset.instances.back().assembly = assembly;
  }
  const Result<Asset> done = finish_asset(asset);
  ASSERT_TRUE(done);
  std::vector<std::pair<std::string, int>> tree;
  for (const AssetAssembly& a : done->assemblies) tree.emplace_back(a.name, a.parent);
  EXPECT_EQ(tree, (std::vector<std::pair<std::string, int>>{
                      {"top", -1}, {"fix", 0}, {"fix_2", 0}, {"fix", 2}}));
  std::vector<int> held;
  for (const AssetInstance& instance : done->instances) held.push_back(instance.assembly);
  EXPECT_EQ(held, (std::vector<int>{1, 2, 3, -1}));
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
