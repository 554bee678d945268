#include "geste/formats/glb_writer.hpp"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "geste/formats/internal/glb_buffer.hpp"

#include "formats/glb_reading.hpp"

namespace geste {
namespace {

using nlohmann::json;
using testing::Glb;

MeshShape make_cuboid(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    mesh.vertices.emplace_back(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(),
                               k & 4 ? high.z() : low.z());
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

AnimatedBody make_still(const std::string& name, Shape shape, const Pose& X_WB = {}) {
  return {name, {{"shape", std::move(shape), Pose(), std::nullopt}}, {X_WB}};
}

const Pose kFrame = Pose::from_rpy(Vec3(0, 0, 5), 0.3, -0.2, 1.1);

/// A body that swings and turns several times; two that stand still.
GlbScene make_scene() {
  GlbScene scene;
  scene.name = "sample";
  const MeshShape part = make_cuboid(Vec3(0, 0, 0), Vec3(0.1, 0.2, 0.3));
  AnimatedBody mover{"mover", {{"part", part, Pose::translation(0, 0, 1), Colour{1, 0, 0, 1}}}, {}};
  for (int k = 0; k <= 240; ++k) {
    const double t = k / 120.0;
    scene.times.push_back(t);
    mover.X_WB.push_back(Pose::translation(std::sin(t), 0.5 * t, 0.3) *
                         Pose::rotation(Vec3(1, 2, 2) / 3, 9 * t));
  }
  scene.bodies.push_back(mover);
  scene.bodies.push_back(make_still("table", part, Pose::translation(1, 2, 3)));
  scene.bodies.push_back({"frame", {}, std::vector<Pose>(scene.times.size(), kFrame)});
  return scene;
}

double rotation_error(const Pose& a, const Pose& b) {
  return Eigen::AngleAxisd(Mat3(a.R.transpose() * b.R)).angle();
}

TEST(GlbWriter, NodesCarryThePosesBelowARootThatTurnsZUp) {
  const Glb glb(make_glb(make_scene()));
  const json& document = glb.document;
  EXPECT_EQ(document["asset"]["version"], "2.0");
  EXPECT_EQ(document["scenes"][0]["nodes"], json::array({0}));
  EXPECT_EQ(document["scenes"][0]["name"], "sample");

  const json& root = document["nodes"][0];
  EXPECT_EQ(root["name"], "geste");
  EXPECT_EQ(root["children"].size(), 3u);
  const Pose X_root = Glb::rest_pose(root);
  EXPECT_LT((X_root * Vec3::UnitZ() - Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((X_root * Vec3::UnitY() + Vec3::UnitZ()).norm(), 1e-12);

  EXPECT_TRUE(Glb::rest_pose(glb.node("table")).is_approx(Pose::translation(1, 2, 3), 0));
  EXPECT_TRUE(Glb::rest_pose(glb.node("frame")).is_approx(kFrame, 1e-12));
  EXPECT_FALSE(glb.node("frame").contains("children"));
  // The geometry's node adds the centre of the mesh, about which the vertices are stored.
  EXPECT_TRUE(
      Glb::rest_pose(glb.node("mover/part")).is_approx(Pose::translation(0.05, 0.1, 1.15), 1e-15));
  EXPECT_EQ(glb.node("mover")["children"], json::array({glb.find_node("mover/part")}));
}

TEST(GlbWriter, OnlyBodiesThatMoveAreAnimated) {
  const Glb glb(make_glb(make_scene()));
  EXPECT_EQ(glb.document["animations"].size(), 1u);
  EXPECT_EQ(glb.document["animations"][0]["channels"].size(), 2u);
  EXPECT_TRUE(glb.sampler("frame", "translation").is_null());
  const json times =
      glb.document["accessors"][glb.sampler("mover", "rotation")["input"].get<int>()];
  EXPECT_EQ(times["min"], json::array({0.0}));
  EXPECT_EQ(times["max"], json::array({2.0}));

  GlbScene still = make_scene();
  still.times.clear();
  for (AnimatedBody& body : still.bodies) body.X_WB.resize(1);
  EXPECT_FALSE(Glb(make_glb(still)).document.contains("animations"));
}

TEST(GlbWriter, PlaysBackWithinTheStatedTolerance) {
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (const double tolerance : {5e-6, 1e-3}) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      GlbScene scene = make_scene();
      const Vec3 a = Vec3::NullaryExpr([&] { return uniform(rng); });
      const Vec3 axis = Vec3::NullaryExpr([&] { return uniform(rng); }).normalized();
      std::vector<Pose>& X_WB = scene.bodies[0].X_WB;
      for (std::size_t k = 0; k < X_WB.size(); ++k) {
        const double t = scene.times[k];
        X_WB[k] = Pose(Mat3::Identity(), Vec3(std::sin(a.x() * t), a.y() * t * t, std::cos(t))) *
                  Pose::rotation(axis, a.z() * t * t) * Pose::rotation(Vec3::UnitX(), a.x() * t);
      }
      GlbOptions options;
      options.position_tolerance = options.rotation_tolerance = tolerance;
      const Glb glb(make_glb(scene, options));
      for (std::size_t k = 0; k < X_WB.size(); ++k) {
        const Pose X = glb.play("mover", static_cast<float>(scene.times[k]));
        EXPECT_LE((X.p - X_WB[k].p).norm(), tolerance + 1e-6);
        EXPECT_LE(rotation_error(X, X_WB[k]), tolerance + 1e-6);
      }
    }
  }
}

TEST(GlbWriter, AMinuteOfStraightMotionStaysSmallAndSharesItsTimes) {
  GlbScene scene;
  for (int b = 0; b < 20; ++b) scene.bodies.push_back({"body" + std::to_string(b), {}, {}});
  for (int k = 0; k < 7200; ++k) {
    scene.times.push_back(k / 120.0);
    for (int b = 0; b < 20; ++b) {
      scene.bodies[b].X_WB.push_back(Pose::translation(0.01 * b * k / 120.0, 0.1 * k / 120.0, 0));
    }
  }
  const std::string bytes = make_glb(scene);
  EXPECT_LT(bytes.size(), 20000u);  // 7200 keys of 28 bytes for 20 bodies would be 4 MB
  const Glb glb(bytes);
  std::set<int> inputs;
  for (const json& sampler : glb.document["animations"][0]["samplers"]) {
    inputs.insert(sampler["input"].get<int>());
  }
  EXPECT_EQ(inputs.size(), 1u);
}

TEST(GlbWriter, SharedGeometryIsStoredOnce) {
  GlbScene scene = make_scene();
  scene.bodies[1].geometry[0].colour = Colour{1, 0, 0, 1};
  EXPECT_EQ(Glb(make_glb(scene)).document["meshes"].size(), 1u);
  scene.bodies[1].geometry[0].colour = Colour{0, 1, 0, 0.5};
  const Glb glb(make_glb(scene));
  const json& meshes = glb.document["meshes"];
  ASSERT_EQ(meshes.size(), 2u);  // same numbers, two colours
  EXPECT_EQ(meshes[0]["primitives"][0]["attributes"], meshes[1]["primitives"][0]["attributes"]);
  EXPECT_EQ(meshes[0]["primitives"][0]["indices"], meshes[1]["primitives"][0]["indices"]);
  const json& materials = glb.document["materials"];
  ASSERT_EQ(materials.size(), 2u);
  EXPECT_FALSE(materials[0].contains("alphaMode"));
  EXPECT_EQ(materials[1]["alphaMode"], "BLEND");
  EXPECT_EQ(materials[1]["pbrMetallicRoughness"]["baseColorFactor"], json({0.0, 1.0, 0.0, 0.5}));
  EXPECT_TRUE(materials[1]["doubleSided"].get<bool>());
}

TEST(GlbWriter, PrimitivesFillTheirBoxesAndEqualOnesAreShared) {
  GlbScene scene;
  const std::vector<Shape> shapes = {Sphere{0.5},        Capsule{0.1, 0.4}, Box{Vec3(1, 2, 3)},
                                     Cylinder{0.2, 1.0}, Cone{0.2, 1.0},    Torus{0.5, 0.1}};
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const std::string name = std::to_string(repetition) + "." + std::to_string(k);
      scene.bodies.push_back(make_still(name, shapes[k]));
    }
  }
  const Glb glb(make_glb(scene));
  EXPECT_EQ(glb.document["meshes"].size(), shapes.size());
  EXPECT_EQ(glb.document["accessors"].size(), 3 * shapes.size());
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const json& node = glb.node("1." + std::to_string(k) + "/shape");
    const json& mesh = glb.document["meshes"][node["mesh"].get<int>()];
    const int positions = mesh["primitives"][0]["attributes"]["POSITION"];
    const json& accessor = glb.document["accessors"][positions];
    const AxisBox box = compute_box(shapes[k]);
    for (int i = 0; i < 3; ++i) {  // 48 segments meet the axes, so the boxes agree
      EXPECT_NEAR(accessor["min"][i].get<double>(), box.min[i], 1e-6) << k;
      EXPECT_NEAR(accessor["max"][i].get<double>(), box.max[i], 1e-6) << k;
    }
  }
}

TEST(GlbWriter, ManyVerticesTakeWideIndices) {
  const auto make_grid = [](std::uint32_t n) {
    auto mesh = std::make_shared<TriangleMesh>();
    for (std::uint32_t k = 0; k < n * n; ++k) mesh->vertices.emplace_back(k % n, k / n, 0);
    for (std::uint32_t k = 0; k + n + 1 < n * n; ++k) {
      if (k % n + 1 < n) mesh->triangles.push_back({k, k + 1, k + n + 1});
    }
    mesh->triangles.push_back({0, n * n - 1, n * n - n});  // names the first and last
    return MeshShape(mesh);
  };
  for (const std::uint32_t n : {100u, 300u}) {
    const Glb glb(make_glb({"", {make_still("grid", make_grid(n))}, {}, {}}));
    const json& primitive = glb.document["meshes"][0]["primitives"][0];
    const json& indices = glb.document["accessors"][primitive["indices"].get<int>()];
    EXPECT_EQ(indices["componentType"], n == 100 ? 5123 : 5125);
    const std::size_t vertices = glb.floats(primitive["attributes"]["POSITION"]).size() / 3;
    std::uint32_t largest = 0;
    if (n == 100) {
      for (const auto i : glb.read<std::uint16_t>(indices))
        largest = std::max<std::uint32_t>(largest, i);
    } else {
      for (const auto i : glb.read<std::uint32_t>(indices)) largest = std::max(largest, i);
    }
    EXPECT_EQ(largest + 1, vertices);
  }
}

TEST(GlbWriter, EmptyThingsMakeSmallValidFiles) {
  const Glb nothing(make_glb({}));
  EXPECT_EQ(nothing.document["nodes"].size(), 1u);
  for (const char* absent : {"buffers", "bufferViews", "accessors", "meshes", "materials"}) {
    EXPECT_FALSE(nothing.document.contains(absent)) << absent;  // empty arrays are not glTF
  }
  const auto empty = std::make_shared<const TriangleMesh>();
  const Glb glb(make_glb({"", {make_still("hollow", MeshShape(empty))}, {}, {}}));
  EXPECT_FALSE(glb.node("hollow/shape").contains("mesh"));
}

TEST(GlbWriter, NamesAndExtras) {
  GlbScene scene;
  scene.bodies.push_back(make_still("caf\xC3\xA9", make_cuboid(Vec3::Zero(), Vec3::Ones())));
  scene.bodies.push_back({"bad\xFFname", {}, {Pose()}});
  scene.bodies[0].geometry[0].name.clear();
  scene.extras = {{"seed", "7"}, {"task", "replay"}};
  const Glb glb(make_glb(scene));
  EXPECT_EQ(glb.document["asset"]["extras"], json({{"seed", "7"}, {"task", "replay"}}));
  EXPECT_GE(glb.find_node("caf\xC3\xA9/0"), 0);
  EXPECT_GE(glb.find_node("bad\xEF\xBF\xBDname"), 0);
}

TEST(GlbWriter, TimesThatFloatCannotTellApartKeepTheLastPose) {
  GlbScene scene;
  scene.times = {0, 100, 100.000001, 100.000002};
  scene.bodies.push_back({"body", {}, {}});
  for (int k = 0; k < 4; ++k) scene.bodies[0].X_WB.push_back(Pose::translation(k, k * k, 0));
  const Glb glb(make_glb(scene));
  EXPECT_EQ(glb.floats(glb.sampler("body", "translation")["input"]), (std::vector<float>{0, 100}));
  EXPECT_TRUE(glb.play("body", 100).is_approx(scene.bodies[0].X_WB[3], 1e-6));
}

TEST(GlbWriter, SameSceneSameBytes) {
  const std::string once = make_glb(make_scene());
  const MeshShape elsewhere = make_cuboid(Vec3::Zero(), Vec3::Ones());  // moves later addresses
  EXPECT_EQ(once, make_glb(make_scene()));
}

TEST(GlbWriter, BugsOfTheCallerThrow) {
  const auto refuses = [](const auto& spoil) {
    GlbScene scene = make_scene();
    spoil(scene);
    EXPECT_THROW(make_glb(scene), std::logic_error);
  };
  refuses([](GlbScene& s) { s.bodies[0].X_WB.pop_back(); });
  refuses([](GlbScene& s) { s.bodies[1].X_WB.clear(); });
  refuses([](GlbScene& s) { s.times[5] = s.times[4]; });
  refuses([](GlbScene& s) { s.times[0] = -0.1; });
  refuses([](GlbScene& s) { s.times.back() = std::nan(""); });
  refuses([](GlbScene& s) { s.times.back() = 1e300; });
  refuses([](GlbScene& s) { s.bodies[0].X_WB[3].p.x() = std::nan(""); });
  refuses([](GlbScene& s) { s.bodies[0].geometry[0].X_BG.R.col(0) *= -1; });
  refuses([](GlbScene& s) { s.bodies[0].geometry[0].shape = MeshShape(); });
  refuses([](GlbScene& s) { s.bodies[0].geometry[0].shape = Sphere{-1}; });
  refuses([](GlbScene& s) { s.bodies[0].geometry[0].colour = Colour{std::nan(""), 0, 0, 1}; });

  GlbOptions options;
  options.position_tolerance = -1;
  options.segments = 2;
  EXPECT_EQ(options.faults().size(), 2u);
  EXPECT_THROW(make_glb({}, options), std::logic_error);
}

TEST(GlbWriter, FourGibibytesAreRefusedBeforeTheyAreCopied) {
  // Addresses without memory behind them: reading any would crash.
  constexpr std::size_t kSize = (std::size_t{1} << 32) + 4096;
  void* memory =
      mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "needs 4 GiB of addresses";
  GlbBuffer buffer;
  const std::span<const float> numbers(static_cast<const float*>(memory), kSize / sizeof(float));
  EXPECT_THROW(buffer.add_vertices(numbers, true), std::length_error);
  munmap(memory, kSize);
}

// --- assimp as the second reader ---

Eigen::Matrix4d to_matrix(const aiMatrix4x4& m) {
  Eigen::Matrix4d out;
  for (unsigned r = 0; r < 4; ++r) {
    for (unsigned c = 0; c < 4; ++c) out(r, c) = m[r][c];
  }
  return out;
}

Eigen::Matrix4d world_matrix(const aiNode* node) {
  const Eigen::Matrix4d own = to_matrix(node->mTransformation);
  return node->mParent ? Eigen::Matrix4d(world_matrix(node->mParent) * own) : own;
}

TEST(GlbWriter, AssimpReadsTheSameScene) {
  GlbScene scene = make_scene();
  const std::string bytes = make_glb(scene);
  Assimp::Importer importer;
  const aiScene* read = importer.ReadFileFromMemory(bytes.data(), bytes.size(),
                                                    aiProcess_ValidateDataStructure, "glb");
  ASSERT_NE(read, nullptr) << importer.GetErrorString();

  // The table, a cuboid at (1, 2, 3) with Z up: its box in glTF's axes (x, z, -y).
  const aiNode* node = read->mRootNode->FindNode("table/shape");
  ASSERT_NE(node, nullptr);
  ASSERT_EQ(node->mNumMeshes, 1u);
  const aiMesh* mesh = read->mMeshes[node->mMeshes[0]];
  EXPECT_EQ(mesh->mNumFaces, 12u);
  EXPECT_EQ(mesh->mNumVertices, 24u);
  const Eigen::Matrix4d X = world_matrix(node);
  AxisBox box;
  for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
    const aiVector3D& p = mesh->mVertices[v];
    box.add((X * Eigen::Vector4d(p.x, p.y, p.z, 1)).head<3>());
    const aiVector3D& n = mesh->mNormals[v];
    EXPECT_GT(n * p, 0) << "normals point outwards";
  }
  EXPECT_LT((box.min - Vec3(1, 3, -2.2)).norm(), 1e-6);
  EXPECT_LT((box.max - Vec3(1.1, 3.3, -2)).norm(), 1e-6);

  // The mover's keys are poses of the motion.
  ASSERT_EQ(read->mNumAnimations, 1u);
  const aiAnimation* animation = read->mAnimations[0];
  ASSERT_EQ(animation->mNumChannels, 1u);
  const aiNodeAnim* channel = animation->mChannels[0];
  EXPECT_STREQ(channel->mNodeName.C_Str(), "mover");
  ASSERT_GT(channel->mNumRotationKeys, 10u);
  const double tick = animation->mTicksPerSecond;
  for (unsigned k = 0; k < channel->mNumRotationKeys; ++k) {
    const aiQuatKey& key = channel->mRotationKeys[k];
    const Pose& X_WB = scene.bodies[0].X_WB[std::lround(key.mTime / tick * 120)];
    const Quat q(key.mValue.w, key.mValue.x, key.mValue.y, key.mValue.z);
    EXPECT_LT(rotation_error(X_WB, Pose(q.normalized(), Vec3::Zero())), 1e-6);
  }
  for (unsigned k = 0; k < channel->mNumPositionKeys; ++k) {
    const aiVectorKey& key = channel->mPositionKeys[k];
    const Pose& X_WB = scene.bodies[0].X_WB[std::lround(key.mTime / tick * 120)];
    EXPECT_LT((Vec3(key.mValue.x, key.mValue.y, key.mValue.z) - X_WB.p).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace geste
