// Writes sample.glb, a small machine in motion, and sample.json, where its bodies really are: what
// the glTF tools in this folder are asked to find again. Usage: glb_sample FOLDER

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "geste/core/files.hpp"
#include "geste/formats/glb_writer.hpp"

namespace {

using namespace geste;

constexpr double kPi = 3.14159265358979323846;
constexpr int kTeeth = 16;
constexpr double kPitch = 0.1;    // m, radius where the gears roll on each other
constexpr double kCrank = 0.055;  // m, from the axle to the pin
constexpr double kRod = 0.26;     // m, from the pin to the piston
constexpr int kFrames = 241;      // two seconds at 120 Hz

const Colour kSteel{0.42, 0.46, 0.52, 1};
const Colour kOrange{0.9, 0.3, 0.04, 1};
const Colour kBlue{0.06, 0.26, 0.62, 1};
const Colour kGlass{0.45, 0.7, 0.9, 0.35};
const Colour kGrey{0.62, 0.64, 0.66, 1};

/// A spur gear about z with a tooth on the x axis, standing on z = 0.
MeshShape make_gear() {
  constexpr double kHeight = 0.03;
  TriangleMesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(0, 0, kHeight)};
  const std::array<std::pair<double, double>, 4> tooth = {
      {{-0.34, 0.089}, {-0.15, 0.110}, {0.15, 0.110}, {0.34, 0.089}}};
  for (int k = 0; k < kTeeth; ++k) {
    for (const auto& [turn, radius] : tooth) {
      const double a = 2 * kPi * (k + turn) / kTeeth;
      for (const double z : {0.0, kHeight}) {
        mesh.vertices.emplace_back(radius * std::cos(a), radius * std::sin(a), z);
      }
    }
  }
  constexpr std::uint32_t kOutline = 4 * kTeeth;
  for (std::uint32_t k = 0; k < kOutline; ++k) {
    const std::uint32_t low = 2 + 2 * k, next = 2 + 2 * ((k + 1) % kOutline);
    mesh.triangles.push_back({0, next, low});
    mesh.triangles.push_back({1, low + 1, next + 1});
    mesh.triangles.push_back({low, next, next + 1});
    mesh.triangles.push_back({low, next + 1, low + 1});
  }
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

/// A wedge modelled two kilometres from its origin, as car bodies and ships are.
const Vec3 kFar(2000, -1500, 300);
MeshShape make_far_wedge() {
  TriangleMesh mesh;
  for (const Vec3& p : {Vec3(-0.06, -0.03, 0), Vec3(0.06, -0.03, 0), Vec3(0.06, -0.03, 0.07),
                        Vec3(-0.06, 0.03, 0), Vec3(0.06, 0.03, 0), Vec3(0.06, 0.03, 0.07)}) {
    mesh.vertices.push_back(p + kFar);
  }
  mesh.triangles = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1},
                    {1, 4, 5}, {1, 5, 2}, {0, 2, 5}, {0, 5, 3}};
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

Pose about_z(double x, double y, double z, double angle) {
  return Pose::translation(x, y, z) * Pose::rotation(Vec3::UnitZ(), angle);
}

const Pose kAlongX = Pose::rotation(Vec3::UnitY(), kPi / 2);

std::vector<AnimatedBody> make_still_bodies() {
  return {
      {"base",
       {{"plate", Box{Vec3(0.72, 0.52, 0.03)}, Pose::translation(0.14, 0.1, -0.02), kGrey},
        {"axle", Cylinder{0.015, 0.06}, Pose::translation(0, 0, 0.025), kSteel},
        {"axle 2", Cylinder{0.015, 0.06}, Pose::translation(0, 2 * kPitch, 0.025), kSteel}},
       {Pose()}},
      {"sleeve",
       {{"", Cylinder{0.036, 0.16}, kAlongX, kGlass},
        {"rim", Torus{0.036, 0.006}, Pose::translation(-0.08, 0, 0) * kAlongX, kSteel},
        {"rim 2", Torus{0.036, 0.006}, Pose::translation(0.08, 0, 0) * kAlongX, kSteel}},
       {Pose::translation(0.32, 0, 0.06)}},
      {"wedge",
       {{"far", make_far_wedge(), Pose::translation(-kFar), kBlue}},
       {about_z(0.33, 0.22, -0.005, 0.5)}},
      {"d\xC3\xA9tente", {}, {Pose::translation(0, 0, 0.3)}},
  };
}

std::vector<AnimatedBody> make_moving_bodies() {
  const MeshShape gear = make_gear();
  return {
      {"driver",
       {{"gear", gear, Pose(), kOrange},
        {"pin", Cylinder{0.009, 0.05}, Pose::translation(kCrank, 0, 0.045), kSteel}},
       {}},
      {"follower",
       {{"gear", gear, Pose(), kBlue},
        {"knob", Sphere{0.02}, Pose::translation(0.05, 0, 0.045), kSteel},
        {"pointer", Cone{0.014, 0.05}, Pose::translation(-0.05, 0, 0.055), kSteel}},
       {}},
      {"rod",
       {{"", Capsule{0.012, kRod}, Pose::translation(kRod / 2, 0, 0) * kAlongX, kSteel}},
       {}},
      {"piston", {{"", Cylinder{0.03, 0.05}, kAlongX, kOrange}}, {}},
      {"tool", {}, {}},
  };
}

GlbScene make_scene() {
  GlbScene scene;
  scene.name = "slider-crank";
  scene.bodies = make_moving_bodies();
  for (int k = 0; k < kFrames; ++k) {
    const double t = k / 120.0;
    const double angle = 2 * kPi * t + 0.3 * std::sin(2 * kPi * t);  // a little uneven
    const double y = kCrank * std::sin(angle);
    const double reach = std::sqrt(kRod * kRod - y * y);
    const double x = kCrank * std::cos(angle);
    scene.times.push_back(t);
    scene.bodies[0].X_WB.push_back(about_z(0, 0, 0, angle));
    scene.bodies[1].X_WB.push_back(about_z(0, 2 * kPitch, 0, kPi / kTeeth - angle));
    scene.bodies[2].X_WB.push_back(about_z(x, y, 0.06, -std::atan2(y, reach)));
    scene.bodies[3].X_WB.push_back(Pose::translation(x + reach, 0, 0.06));
    scene.bodies[4].X_WB.push_back(
        Pose::from_rpy(Vec3(0.1 * t, std::cos(t), 0.5), 0.7 * t, std::sin(2 * t), -3 * t));
  }
  for (AnimatedBody& body : make_still_bodies()) scene.bodies.push_back(std::move(body));
  scene.extras = {{"sample", "glb_sample"}};
  return scene;
}

/// X_WB at some of the times, and the box of each drawn body in the world at time 0.
nlohmann::json make_witness(const GlbScene& scene) {
  nlohmann::json bodies = nlohmann::json::array();
  for (const AnimatedBody& body : scene.bodies) {
    nlohmann::json poses = nlohmann::json::array();
    for (std::size_t k = 0; k < scene.times.size(); k += 7) {
      const Pose& X = body.X_WB.size() == 1 ? body.X_WB.front() : body.X_WB[k];
      nlohmann::json rows = nlohmann::json::array();
      for (int r = 0; r < 3; ++r) rows.push_back({X.R(r, 0), X.R(r, 1), X.R(r, 2), X.p[r]});
      poses.push_back({{"time", scene.times[k]}, {"X_WB", rows}});
    }
    AxisBox box;
    for (const GlbGeometry& geometry : body.geometry) {
      const TriangleMesh mesh = make_mesh(geometry.shape, GlbOptions{}.segments);
      for (const Vec3& p : mesh.vertices) box.add(body.X_WB.front() * (geometry.X_BG * p));
    }
    nlohmann::json entry = {{"name", body.name}, {"poses", poses}};
    if (!box.empty()) {
      entry["box"] = {std::vector<double>(box.min.begin(), box.min.end()),
                      std::vector<double>(box.max.begin(), box.max.end())};
    }
    bodies.push_back(std::move(entry));
  }
  return {{"bodies", bodies}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: glb_sample FOLDER\n", stderr);
    return 1;
  }
  const GlbScene scene = make_scene();
  FileBatch files(argv[1]);
  files.add("sample.glb", make_glb(scene));
  files.add("sample.json", make_witness(scene).dump());
  const Result<void> written = files.commit();
  if (!written) std::fputs(to_text(written.error()).c_str(), stderr);
  return written ? 0 : 1;
}
