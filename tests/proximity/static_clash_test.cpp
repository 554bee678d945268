#include "geste/proximity/static_clash.hpp"

#include <gtest/gtest.h>

#include <map>

#include "geste/geometry/shape_pair.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

using testing::add_box;
using testing::share;

void add_shape(SceneSpec& spec, const std::string& name, const Shape& shape, const Vec3& at) {
  BodySpec body{name};
  body.geometry.emplace_back();
  body.geometry.back().shape = shape;
  body.geometry.back().X_BG = Pose(Mat3::Identity(), at);
  spec.bodies.push_back(body);
}

/// An assembly: everything is fixed to everything.
struct Assembly {
  explicit Assembly(const SceneSpec& spec, const CollisionSpec& rules = {})
      : scene(Scene::compile(spec).value()), model(make(scene, rules)), workspace(scene) {
    compute_kinematics(scene, make_neutral(scene), workspace);
  }
  static CollisionModel make(const Scene& scene, const CollisionSpec& rules) {
    CollisionOptions options;
    static_cast<CollisionSpec&>(options) = rules;
    options.check_fixed = true;
    return CollisionModel::make(scene, options).value();
  }
  [[nodiscard]] StaticClashes find(const StaticClashOptions& options = {}) const {
    return find_static_clashes(model, workspace, options);
  }
  [[nodiscard]] std::string describe(const StaticClash& c) const {
    return fmt::format("{} {}-{}", to_text(c.kind), scene.body(c.a).name, scene.body(c.b).name);
  }
  [[nodiscard]] std::vector<std::string> describe(const StaticClashes& all) const {
    std::vector<std::string> lines;
    for (const StaticClash& c : all.pairs) lines.push_back(describe(c));
    return lines;
  }
  /// The same, with pairs that only rounding tells apart in the order of their names.
  [[nodiscard]] std::vector<std::string> describe_ordered(const StaticClashes& all) const {
    std::vector<std::string> lines = describe(all);
    for (std::size_t i = 0, end = 0; i < lines.size(); i = end) {
      const double d = all.pairs[i].separation.distance;
      for (end = i; end < lines.size() && all.pairs[end].separation.distance < d + 1e-12;) ++end;
      std::sort(lines.begin() + static_cast<std::ptrdiff_t>(i),
                lines.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return lines;
  }

  Scene scene;
  CollisionModel model;
  Workspace workspace;
};

/// A square in the plane z = 0, of side 1 about the origin, turned about x.
Shape make_sheet(double angle) {
  TriangleMesh mesh;
  mesh.vertices = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return share(transformed(std::move(mesh), so3::exp(Vec3(angle, 0, 0)), Vec3::Zero()));
}

Shape make_box_mesh(double size) { return share(make_mesh(Box{Vec3::Constant(size)}, 4)); }

using Lines = std::vector<std::string>;

// MV-8. Cubes of side 0.2 in a row: deep, less deep, flush, flush but for rounding, near, far.
TEST(StaticClash, ClassesByDepthAndGap) {
  for (const bool as_mesh : {false, true}) {
    SceneSpec spec;
    const std::vector<std::pair<std::string, double>> row = {
        {"a", 0},    {"b", 0.17},        {"c", 0.36},  {"d", 0.56},
        {"e", 0.76}, {"f", 0.96 - 4e-7}, {"g", 1.161}, {"h", 1.4}};
    for (const auto& [name, x] : row) {
      if (as_mesh) {
        add_shape(spec, name, make_box_mesh(0.2), Vec3(x, 0, 0));
      } else {
        add_box(spec, name, Vec3(x, 0, 0));
      }
    }
    const Assembly assembly(spec);
    const StaticClashes found = assembly.find({.tolerance = 0.002});
    EXPECT_EQ(assembly.describe_ordered(found),
              (Lines{"clash a-b", "clash b-c", "touch e-f", "touch c-d", "touch d-e", "near f-g"}))
        << as_mesh;
    EXPECT_EQ(found.checked, 28u);
    EXPECT_TRUE(found.complete);
    ASSERT_EQ(found.pairs.size(), 6u);
    EXPECT_NEAR(found.pairs[0].depth(), 0.03, 1e-6);
    EXPECT_NEAR(found.pairs[0].point().x(), 0.085, 0.0151);  // within the overlap
    EXPECT_NEAR(found.pairs[1].depth(), 0.01, 1e-6);
    EXPECT_NEAR(found.pairs[5].separation.distance, 0.001 + 4e-7, 1e-9);
    EXPECT_EQ(found.pairs[5].depth(), 0);
    EXPECT_GT(found.pairs[5].separation.normal.x(), 0.99);
    EXPECT_EQ(assembly.find().pairs.size(), 5u) << "near only where a tolerance is given";
    EXPECT_EQ(assembly.describe(assembly.find({.resolution = 1e-8}))[2], "clash e-f");
    EXPECT_EQ(
        assembly.describe_ordered(assembly.find({.resolution = 0.02})),
        (Lines{"clash a-b", "touch b-c", "touch e-f", "touch c-d", "touch d-e", "touch f-g"}));
  }
}

// What lies wholly inside a solid is in it, whichever is listed first; in a hollow it is free.
TEST(StaticClash, InsideASolidAndInsideAHollow) {
  TriangleMesh hollow = make_mesh(Box{Vec3::Constant(1)}, 4);
  TriangleMesh cavity = make_mesh(Box{Vec3::Constant(0.8)}, 4);
  for (Triangle& t : cavity.triangles) std::swap(t[0], t[1]);
  append(hollow, cavity);
  for (const bool hidden_first : {false, true}) {
    SceneSpec spec;
    const auto add_hidden = [&] { add_shape(spec, "hidden", make_box_mesh(0.2), Vec3(0, 0, 0.1)); };
    if (hidden_first) add_hidden();
    add_shape(spec, "solid", make_box_mesh(1), Vec3::Zero());
    if (!hidden_first) add_hidden();
    const StaticClashes found = Assembly(spec).find();
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_EQ(found.pairs[0].kind, ClashKind::clash);
    EXPECT_NEAR(found.pairs[0].depth(), 0.5, 1e-3) << "its lower face is 0.5 from the sides";
    for (BodySpec& body : spec.bodies) {
      if (body.name == "solid") body.geometry[0].shape = share(hollow);
    }
    EXPECT_TRUE(Assembly(spec).find().pairs.empty());
  }
}

// Two open surfaces have no depth: passing through each other is told from resting on each other.
TEST(StaticClash, OpenSurfacesCrossOrTouch) {
  constexpr double kRight = std::numbers::pi / 2;
  const auto find = [](const Shape& other, const Vec3& at) {
    SceneSpec spec;
    add_shape(spec, "sheet", make_sheet(0), Vec3::Zero());
    add_shape(spec, "other", other, at);
    const Assembly assembly(spec);
    return assembly.find().pairs;
  };
  const auto through = find(make_sheet(kRight), Vec3(0.1, 0, 0.2));
  ASSERT_EQ(through.size(), 1u);
  EXPECT_EQ(through[0].kind, ClashKind::crossing);
  EXPECT_EQ(through[0].depth(), 0);
  EXPECT_NEAR(through[0].point().y(), 0, 1e-9);
  EXPECT_NEAR(through[0].point().z(), 0, 1e-9);
  for (const auto& resting : {find(make_sheet(kRight), Vec3(0.1, 0, 0.5)),  // on its edge
                              find(make_sheet(0), Vec3(0.3, 0.2, 0))}) {    // flat
    ASSERT_EQ(resting.size(), 1u);
    EXPECT_EQ(resting[0].kind, ClashKind::touch);
  }
  // A solid has an inside, whatever the sheet lacks.
  const auto cut = find(make_box_mesh(0.4), Vec3(0, 0, 0.15));
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].kind, ClashKind::clash);
  EXPECT_NEAR(cut[0].depth(), 0.05, 1e-4);
}

// Balls at random: the witness is the distance of their centres.
TEST(StaticClash, BallsByTheirCentres) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    SceneSpec spec;
    std::vector<Vec3> centres;
    std::vector<double> radii;
    for (int i = 0; i < 120; ++i) {
      centres.emplace_back(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
      radii.push_back(rng.uniform(0.02, 0.15));
      add_shape(spec, fmt::format("ball{}", i), Sphere{radii.back()}, centres.back());
    }
    const Assembly assembly(spec);
    constexpr double kTolerance = 0.05;
    const StaticClashes found = assembly.find({.tolerance = kTolerance});
    EXPECT_EQ(found.checked, 120u * 119u / 2);
    EXPECT_LT(found.measured, found.checked / 4) << "boxes leave most out";
    std::map<std::pair<std::size_t, std::size_t>, double> gaps;
    for (std::size_t i = 0; i < centres.size(); ++i) {
      for (std::size_t j = i + 1; j < centres.size(); ++j) {
        const double gap = (centres[i] - centres[j]).norm() - radii[i] - radii[j];
        if (gap <= kTolerance) gaps[{i, j}] = gap;
      }
    }
    ASSERT_EQ(found.pairs.size(), gaps.size());
    double last = -kInfinity;
    for (const StaticClash& c : found.pairs) {
      const std::size_t i = c.a.index(), j = c.b.index();
      ASSERT_TRUE(gaps.contains({i, j}));
      const double gap = gaps[{i, j}];
      EXPECT_NEAR(c.separation.distance, gap, 1e-9);
      EXPECT_EQ(c.kind, gap < 0 ? ClashKind::clash : ClashKind::near);
      EXPECT_GE(c.separation.distance, last) << "the deepest first";
      last = c.separation.distance;
      const Vec3 n = (centres[j] - centres[i]).normalized();
      EXPECT_LT((c.point() - (centres[i] + n * (radii[i] + gap / 2))).norm(), 1e-9);
    }
  }
}

/// Bytes of an answer.
std::string print(const Assembly& assembly, const StaticClashes& found) {
  std::string text;
  for (const StaticClash& c : found.pairs)
    text +=
        fmt::format("{} {:a} {:a} {:a} {:a} {:a}\n", assembly.describe(c), c.separation.distance,
                    c.separation.error, c.point().x(), c.point().y(), c.point().z());
  return text;
}

// Every shape there is, against every pair asked one by one without boxes; on any threads.
TEST(StaticClash, AgreesWithPairsOneByOne) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    SceneSpec spec;
    for (int i = 0; i < 24; ++i) {
      add_shape(spec, fmt::format("part{}", i), testing::make_random_shape(rng), Vec3::Zero());
      spec.bodies.back().geometry[0].X_BG = testing::random_placement(rng, 1);
    }
    const Assembly assembly(spec);
    constexpr double kTolerance = 0.03;
    const StaticClashes found = assembly.find({.tolerance = kTolerance, .threads = 1});
    for (const int threads : {2, 4}) {
      const StaticClashes again = assembly.find({.tolerance = kTolerance, .threads = threads});
      EXPECT_EQ(print(assembly, found), print(assembly, again));
    }
    std::map<std::pair<BodyId, BodyId>, StaticClash> by_pair;
    for (const StaticClash& c : found.pairs) by_pair[{c.a, c.b}] = c;
    EXPECT_EQ(by_pair.size(), found.pairs.size()) << "each pair once";
    CollisionWorkspace memory(assembly.model);
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < spec.bodies.size(); ++j) {
        const auto pair =
            compute_clearance(assembly.model, assembly.workspace, BodyId(i), BodyId(j), memory);
        ASSERT_TRUE(pair);
        const double gap = pair->separation.distance;
        const auto listed = by_pair.find({BodyId(i), BodyId(j)});
        EXPECT_EQ(listed != by_pair.end(), gap <= kTolerance);
        if (listed == by_pair.end()) continue;
        EXPECT_NEAR(listed->second.separation.distance, gap, 1e-6 + 2e-3 * std::abs(gap));
        EXPECT_EQ(listed->second.kind == ClashKind::clash, gap < -1e-6);
      }
    }
  }
}

TEST(StaticClash, OfOnePartAndOfAllowedPairs) {
  SceneSpec spec;
  for (const char* name : {"a", "b", "c"}) add_box(spec, name, Vec3::Zero());
  const Assembly assembly(spec);
  EXPECT_EQ(assembly.find().pairs.size(), 3u);
  const StaticClashes of_b = assembly.find({.of = {*assembly.scene.find_body("b")}});
  EXPECT_EQ(assembly.describe(of_b), (Lines{"clash a-b", "clash b-c"}));
  EXPECT_EQ(of_b.checked, 2u);
  CollisionSpec rules;
  rules.allowed.push_back({"a", "b"});
  const Assembly allowed(spec, rules);
  EXPECT_EQ(allowed.describe(allowed.find()), (Lines{"clash a-c", "clash b-c"}));
  EXPECT_EQ(allowed.find().checked, 2u);
}

TEST(StaticClash, RefusesWhatIsNoLengthAndEndsWhenCancelled) {
  SceneSpec spec;
  for (const char* name : {"a", "b"}) add_box(spec, name, Vec3::Zero());
  const Assembly assembly(spec);
  EXPECT_THROW(static_cast<void>(assembly.find({.tolerance = -1})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(assembly.find({.resolution = kInfinity})), std::invalid_argument);
  const CancelSource source;
  source.request();
  const StaticClashes found = assembly.find({.cancel = source.token()});
  EXPECT_FALSE(found.complete);
  EXPECT_TRUE(found.pairs.empty());
}

}  // namespace
}  // namespace geste
