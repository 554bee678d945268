#include <gtest/gtest.h>
#include <meshoptimizer.h>
#include <nlohmann/json.hpp>

#include <cstring>

#include "geste/core/rng.hpp"
#include "geste/formats/scene_pack.hpp"
#include "geste/formats/track_pack.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

#include "geometry/random_meshes.hpp"
#include "model/random_scene.hpp"

namespace geste {
namespace {

using Json = nlohmann::json;

/// Reads a pack as docs/design/scene-pack.md describes it.
struct Pack {
  explicit Pack(const std::string& bytes) : magic(bytes.substr(0, 4)) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 4, 4);
    EXPECT_EQ(length % 8, 0U);
    head = Json::parse(bytes.substr(8, length));
    buffers = bytes.substr(8 + length);
  }

  template <class Item>
  std::vector<Item> items(const Json& buffer, std::size_t count) const {
    std::vector<Item> result(count);
    EXPECT_EQ(meshopt_decodeVertexBuffer(result.data(), count, sizeof(Item), at(buffer),
                                         buffer["bytes"].get<std::size_t>()),
              0);
    return result;
  }
  std::vector<std::uint32_t> triangles(const Json& level) const {
    std::vector<std::uint32_t> result(level["indices"].get<std::size_t>());
    EXPECT_EQ(meshopt_decodeIndexBuffer(result.data(), result.size(), at(level),
                                        level["bytes"].get<std::size_t>()),
              0);
    return result;
  }
  const unsigned char* at(const Json& buffer) const {
    EXPECT_EQ(buffer["offset"].get<std::size_t>() % 8, 0U);
    return reinterpret_cast<const unsigned char*>(buffers.data()) +
           buffer["offset"].get<std::size_t>();
  }

  std::string magic;
  Json head;
  std::string buffers;
};

Pose read_pose(const Json& p) {
  return {Quat(p[6].get<double>(), p[3].get<double>(), p[4].get<double>(), p[5].get<double>()),
          Vec3(p[0].get<double>(), p[1].get<double>(), p[2].get<double>())};
}

Vec3 read_vector(const Json& v) {
  return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}

std::vector<Vec3> read_positions(const Pack& pack, const Json& mesh) {
  const auto count = mesh["vertices"].get<std::size_t>();
  const double step = mesh["step"].get<double>();
  std::vector<Vec3> points;
  const auto add = [&](const auto& item) {
    points.push_back(read_vector(mesh["centre"]) + step * Vec3(item[0], item[1], item[2]));
  };
  if (mesh["wide"].get<bool>()) {
    for (const auto& i : pack.items<std::array<std::int32_t, 3>>(mesh["positions"], count)) add(i);
  } else {
    for (const auto& i : pack.items<std::array<std::int16_t, 4>>(mesh["positions"], count)) add(i);
  }
  return points;
}

SceneSpec make_spec(const Shape& shape) {
  SceneSpec spec;
  BodySpec body{"thing"};
  body.geometry.emplace_back().shape = shape;
  spec.bodies.push_back(body);
  return spec;
}

Pack pack_shape(const Shape& shape) {
  const Scene scene = Scene::compile(make_spec(shape)).value();
  return Pack(make_scene_pack(scene, make_neutral(scene)));
}

/// Corners of triangles in an order that does not depend on how a file orders them.
std::vector<std::array<double, 9>> list_corners(const std::vector<Vec3>& points,
                                                const std::vector<std::uint32_t>& indices) {
  std::vector<std::array<double, 9>> corners;
  for (std::size_t t = 0; t < indices.size(); t += 3) {
    std::array<Vec3, 3> p{points[indices[t]], points[indices[t + 1]], points[indices[t + 2]]};
    // The first corner is the least; turning keeps the side that faces out.
    const auto less = [](const Vec3& a, const Vec3& b) {
      return std::tuple(std::llround(1e4 * a.x()), std::llround(1e4 * a.y()),
                        std::llround(1e4 * a.z())) < std::tuple(std::llround(1e4 * b.x()),
                                                                std::llround(1e4 * b.y()),
                                                                std::llround(1e4 * b.z()));
    };
    std::rotate(p.begin(), std::min_element(p.begin(), p.end(), less), p.end());
    std::array<double, 9>& row = corners.emplace_back();
    for (std::size_t k = 0; k < 9; ++k)
      row[k] = std::round(1e4 * p[k / 3][static_cast<int>(k % 3)]);
  }
  std::sort(corners.begin(), corners.end());
  return corners;
}

TEST(ScenePack, HoldsEveryTriangleOfAMeshOnce) {
  Rng rng(3);
  for (const double size : {0.01, 0.4, 50.0}) {
    TriangleMesh mesh = testing::make_star(rng, 30);
    // On a grid of a tenth of a millimetre, so that rounding cannot decide the comparison.
    for (Vec3& v : mesh.vertices) v = (v * size * 1e4).array().round() / 1e4;
    TriangleMesh kept = mesh;
    const Pack pack = pack_shape(testing::share(std::move(mesh)));
    EXPECT_EQ(pack.magic, "GSP1");
    ASSERT_EQ(pack.head["meshes"].size(), 1U);
    const Json& m = pack.head["meshes"][0];
    EXPECT_EQ(m["wide"].get<bool>(), size > 1);
    const std::vector<Vec3> points = read_positions(pack, m);
    const std::vector<std::uint32_t> indices = pack.triangles(m["levels"][0]);
    std::vector<std::uint32_t> expected;
    for (const auto& t : kept.triangles)
      for (int k = 0; k < 3; ++k)
        expected.push_back(static_cast<std::uint32_t>(t[static_cast<std::size_t>(k)]));
    // Triangles that rounding made flat are not drawn.
    std::vector<std::uint32_t> solid;
    for (std::size_t t = 0; t < expected.size(); t += 3) {
      const Vec3 a = kept.vertices[expected[t]], b = kept.vertices[expected[t + 1]],
                 c = kept.vertices[expected[t + 2]];
      if ((b - a).cross(c - a).norm() > 0)
        solid.insert(solid.end(), {expected[t], expected[t + 1], expected[t + 2]});
    }
    EXPECT_EQ(list_corners(points, indices), list_corners(kept.vertices, solid)) << size;
  }
}

TEST(ScenePack, NormalsPointOut) {
  const Pack pack = pack_shape(Sphere{0.3});
  const Json& m = pack.head["meshes"][0];
  const std::vector<Vec3> points = read_positions(pack, m);
  const auto normals = pack.items<std::array<std::int8_t, 4>>(m["normals"], points.size());
  for (std::size_t v = 0; v < points.size(); ++v) {
    const Vec3 n = Vec3(normals[v][0], normals[v][1], normals[v][2]) / 127;
    EXPECT_GT(n.dot(points[v].normalized()), 0.98);
  }
}

TEST(ScenePack, LevelsHaveFewerTrianglesAndLieNear) {
  const Pack pack = pack_shape(testing::share(make_mesh(Sphere{0.5}, 160)));
  const Json& m = pack.head["meshes"][0];
  ASSERT_GE(m["levels"].size(), 3U);
  const std::vector<Vec3> points = read_positions(pack, m);
  std::size_t last = 4 * m["triangles"].get<std::size_t>();
  for (const Json& level : m["levels"]) {
    const std::vector<std::uint32_t> indices = pack.triangles(level);
    EXPECT_LT(indices.size(), last);
    last = indices.size();
    for (std::size_t t = 0; t < indices.size(); t += 3) {
      const Vec3 middle =
          (points[indices[t]] + points[indices[t + 1]] + points[indices[t + 2]]) / 3;
      // The estimate of the simplifier is a mean over a neighbourhood, hence the factor.
      EXPECT_NEAR(middle.norm(), 0.5, 3e-4 + 4 * level["error"].get<double>());
    }
  }
}

TEST(ScenePack, EqualShapesAreStoredOnce) {
  SceneSpec spec = make_spec(Box{Vec3(1, 2, 3)});
  const MeshShape mesh = testing::share(make_mesh(Sphere{1}, 12));
  for (int k = 0; k < 5; ++k) {
    BodySpec body{"copy" + std::to_string(k)};
    body.geometry.emplace_back().shape = k % 2 ? Shape(Box{Vec3(1, 2, 3)}) : Shape(mesh);
    spec.bodies.push_back(body);
  }
  const Scene scene = Scene::compile(std::move(spec)).value();
  const Pack pack(make_scene_pack(scene, make_neutral(scene)));
  EXPECT_EQ(pack.head["meshes"].size(), 2U);
  EXPECT_EQ(pack.head["geometry"].size(), 6U);
  std::size_t drawn = 0;
  for (const Json& g : pack.head["geometry"])
    drawn += pack.head["meshes"][g["mesh"].get<std::size_t>()]["triangles"].get<std::size_t>();
  EXPECT_EQ(pack.head["triangles"].get<std::size_t>(), drawn);
}

TEST(ScenePack, NamesTheAssembliesOfBodies) {
  const Scene scene = Scene::compile(make_spec(Sphere{1})).value();
  const VecX q = make_neutral(scene);
  const Pack pack(make_scene_pack(scene, q, {{"thing", {"rear", "axle"}}, {"other", {"x"}}}));
  EXPECT_EQ(pack.head["bodies"][0]["assemblies"], (Json{"rear", "axle"}));
  EXPECT_FALSE(Pack(make_scene_pack(scene, q)).head["bodies"][0].contains("assemblies"));
}

// Poses of geometry in movers, and of movers in the world, give what kinematics gives.
TEST(ScenePack, PutsGeometryWhereKinematicsDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    SceneSpec spec = testing::make_random_tree(rng, 8);
    for (BodySpec& body : spec.bodies) {
      GeometrySpec& g = body.geometry.emplace_back();
      g.shape = Sphere{0.1};
      g.X_BG = testing::random_pose(rng);
    }
    const Scene scene = Scene::compile(std::move(spec)).value();
    const VecX q = testing::random_configuration(scene, rng);
    Workspace workspace(scene);
    compute_kinematics(scene, q, workspace);
    const Pack pack(make_scene_pack(scene, q));
    for (std::size_t g = 0; g < scene.geometry().size(); ++g) {
      const Json& entry = pack.head["geometry"][g];
      const auto mover =
          pack.head["bodies"][entry["body"].get<std::size_t>()]["mover"].get<std::size_t>();
      const Pose X = read_pose(pack.head["start"][mover]) * read_pose(entry["pose"]);
      const Pose expected = compute_geometry_pose(scene, workspace, static_cast<int>(g));
      EXPECT_TRUE(X.p.isApprox(expected.p, 1e-9) || (X.p - expected.p).norm() < 1e-9);
      EXPECT_TRUE(X.R.isApprox(expected.R, 1e-9));
    }
    EXPECT_EQ(make_scene_pack(scene, q), make_scene_pack(scene, q));
  }
}

Pose read_place(const Pack& pack, std::size_t mover, std::size_t frame) {
  const auto frames = pack.head["frames"].get<std::size_t>();
  for (const Json& entry : pack.head["movers"]) {
    if (entry["mover"] != mover) continue;
    const auto p = pack.items<std::array<std::int32_t, 3>>(entry["positions"], frames)[frame];
    const auto r = pack.items<std::array<std::int32_t, 4>>(entry["rotations"], frames)[frame];
    return {Quat(r[3], r[0], r[1], r[2]).normalized(),
            read_vector(entry["centre"]) + entry["step"].get<double>() * Vec3(p[0], p[1], p[2])};
  }
  for (const Json& entry : pack.head["still"])
    if (entry[0] == mover) return read_pose(entry[1]);
  ADD_FAILURE() << "mover " << mover << " is nowhere";
  return {};
}

TEST(TrackPack, EveryMoverIsWhereItIs) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(testing::make_random_tree(rng, 6)).value();
    JointMotion motion;
    motion.q.resize(scene.nq(), 7);
    for (Eigen::Index k = 0; k < motion.q.cols(); ++k) {
      motion.times.push_back(0.25 * static_cast<double>(k));
      motion.q.col(k) = testing::random_configuration(scene, rng);
    }
    const Pack pack(make_track_pack(scene, motion));
    EXPECT_EQ(pack.magic, "GTP1");
    Workspace workspace(scene);
    for (std::size_t k = 0; k < motion.times.size(); ++k) {
      compute_kinematics(scene, motion.q.col(static_cast<Eigen::Index>(k)), workspace);
      double time = 0;
      std::memcpy(&time, pack.at(pack.head["times"]) + 8 * k, 8);
      EXPECT_EQ(time, motion.times[k]);
      for (std::size_t m = 0; m < scene.movers().size(); ++m) {
        const Pose X = read_place(pack, m, k);
        EXPECT_LT((X.p - workspace.X_WM()[m].p).norm(), 2e-6);
        EXPECT_LT((X.R - workspace.X_WM()[m].R).norm(), 6e-6);
      }
    }
    const auto values = pack.items<float>(pack.head["values"], [&] {
      std::size_t rows = 0;
      for (const Json& j : pack.head["joints"]) rows += j["nq"].get<std::size_t>();
      return rows * motion.times.size();
    }());
    std::size_t at = 0;
    for (const Joint& joint : scene.joints()) {
      if (joint.role != JointRole::independent) continue;
      for (int e = joint.q; e < joint.q + joint.nq; ++e)
        for (Eigen::Index k = 0; k < motion.q.cols(); ++k)
          EXPECT_EQ(values[at++], static_cast<float>(motion.q(e, k)));
    }
    EXPECT_EQ(at, values.size());
  }
}

TEST(TrackPack, AMinuteOfManyJointsIsSmall) {
  Rng rng(1);
  const Scene scene = Scene::compile(testing::make_random_tree(rng, 30)).value();
  const VecX a = testing::random_configuration(scene, rng),
             b = testing::random_configuration(scene, rng);
  JointMotion motion;
  motion.q.resize(scene.nq(), 3600);
  for (Eigen::Index k = 0; k < 3600; ++k) {
    motion.times.push_back(static_cast<double>(k) / 60);
    VecX q = a;
    interpolate(scene, a, b, 0.5 - 0.5 * std::cos(static_cast<double>(k) * 0.02), q);
    motion.q.col(k) = q;
  }
  EXPECT_LT(make_track_pack(scene, motion).size(), 3'000'000U);
}

}  // namespace
}  // namespace geste
