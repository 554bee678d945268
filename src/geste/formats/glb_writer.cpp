#include "geste/formats/glb_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <stdexcept>

#include "geste/core/version.hpp"
#include "geste/formats/internal/distinct_shapes.hpp"
#include "geste/formats/internal/glb_buffer.hpp"
#include "geste/formats/internal/key_thinning.hpp"
#include "geste/formats/internal/shaded_mesh.hpp"

namespace geste {
namespace {

// Callers hand over rotations that drifted a little; a mirror or a scale is far beyond this.
constexpr double kRotationDrift = 1e-4;

[[noreturn]] void refuse(const std::string& why) { throw std::logic_error("make_glb: " + why); }

void check_pose(const Pose& X, const std::string& owner) {
  const bool is_rigid = X.p.allFinite() && X.R.allFinite() && X.R.determinant() > 0 &&
                        (X.R.transpose() * X.R).isIdentity(kRotationDrift);
  if (!is_rigid) refuse(fmt::format("'{}' has a pose that is no rigid placement", owner));
}

void check(const GlbScene& scene, BudgetMeter& meter) {
  double last = -1;
  for (const double t : scene.times) {
    if (!std::isfinite(t) || t < 0 || t <= last) {
      refuse("times must increase strictly and start at 0 or later");
    }
    last = t;
  }
  for (const AnimatedBody& body : scene.bodies) {
    if (!meter.spend()) return;
    if (body.X_WB.size() != 1 && (body.X_WB.size() != scene.times.size() || body.X_WB.empty())) {
      refuse(fmt::format("body '{}' has {} poses for {} times", body.name, body.X_WB.size(),
                         scene.times.size()));
    }
    for (const Pose& X_WB : body.X_WB) check_pose(X_WB, body.name);
    for (const GlbGeometry& geometry : body.geometry) check_pose(geometry.X_BG, body.name);
  }
}

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json to_json(const Quat& q) { return Json::array({q.x(), q.y(), q.z(), q.w()}); }

/// A node's "translation" and "rotation", where they say anything.
void place(Json& node, const Pose& X) {
  if (!X.p.isZero(0)) node["translation"] = to_json(X.p);
  if (X.R != Mat3::Identity()) node["rotation"] = to_json(X.quaternion());
}

/// Distinct surfaces, materials and their pairings (glTF meshes), numbered as they first appear.
class Library {
 public:
  Library(GlbBuffer& buffer, const GlbOptions& options) : buffer_(buffer), options_(options) {}

  struct Surface {
    Vec3 centre = Vec3::Zero();
    int indices = -1;  ///< accessors; -1: nothing to draw
    int positions = -1;
    int normals = -1;
    int number = 0;
    std::string name;
  };

  const Surface& surface(const Shape& shape) {
    const DistinctShapes::Entry entry = shapes_.find(shape);
    if (entry.is_new) surfaces_.push_back(make_surface(shape, entry.number));
    return surfaces_[static_cast<std::size_t>(entry.number)];
  }

  int mesh(const Surface& surface, const Colour& colour) {
    const int material = this->material(colour);
    const auto [entry, is_new] =
        mesh_of_.try_emplace({surface.number, material}, static_cast<int>(meshes_.size()));
    if (is_new) {
      Json primitive = {
          {"attributes", {{"POSITION", surface.positions}, {"NORMAL", surface.normals}}},
          {"indices", surface.indices},
          {"material", material}};
      meshes_.push_back({{"name", surface.name}, {"primitives", Json::array({primitive})}});
    }
    return entry->second;
  }

  void write(Json& document) const {
    if (meshes_.empty()) return;
    document["meshes"] = meshes_;
    document["materials"] = materials_;
  }

 private:
  Surface make_surface(const Shape& shape, int number) {
    const ShadedMesh shaded = make_shaded_mesh(shape, options_.segments, options_.crease_angle);
    Surface surface;
    surface.number = number;
    if (shaded.indices.empty()) return surface;
    surface.name = fmt::format("{} {}", shape_name(shape), number);
    surface.centre = shaded.centre;
    surface.positions = buffer_.add_vertices(flat(shaded.positions), true);
    surface.normals = buffer_.add_vertices(flat(shaded.normals), false);
    surface.indices = buffer_.add_indices(shaded.indices, shaded.positions.size());
    return surface;
  }

  static std::span<const float> flat(const std::vector<std::array<float, 3>>& points) {
    return {points.front().data(), 3 * points.size()};
  }

  int material(const Colour& colour) {
    std::array<double, 4> rgba = {colour.r, colour.g, colour.b, colour.a};
    for (double& c : rgba) {
      if (!std::isfinite(c)) refuse("a colour is not finite");
      c = std::clamp(c, 0.0, 1.0);
    }
    const auto [entry, is_new] =
        material_of_.try_emplace(rgba, static_cast<int>(materials_.size()));
    if (is_new) {
      Json material = {
          {"pbrMetallicRoughness",
           {{"baseColorFactor", rgba}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}},
          {"doubleSided", true}};
      if (rgba[3] < 1) material["alphaMode"] = "BLEND";
      materials_.push_back(std::move(material));
    }
    return entry->second;
  }

  GlbBuffer& buffer_;
  const GlbOptions& options_;
  DistinctShapes shapes_;
  std::deque<Surface> surfaces_;                ///< by number
  std::map<std::pair<int, int>, int> mesh_of_;  ///< surface and material
  std::map<std::array<double, 4>, int> material_of_;
  Json meshes_ = Json::array();
  Json materials_ = Json::array();
};

/// The animation: which bodies move, and their keys.
class Motion {
 public:
  Motion(GlbBuffer& buffer, const GlbScene& scene, const GlbOptions& options)
      : buffer_(buffer), options_(options) {
    // Of several times that round to one float32, the last stays: the motion ends where it ends.
    for (std::size_t k = 0; k < scene.times.size(); ++k) {
      const double rounded = static_cast<float>(scene.times[k]);
      if (!std::isfinite(rounded)) refuse("a time does not fit float32");
      if (!times_.empty() && times_.back() == rounded) {
        samples_.back() = k;
      } else {
        times_.push_back(rounded);
        samples_.push_back(k);
      }
    }
  }

  void add(int node, const std::vector<Pose>& X_WB, BudgetMeter& meter) {
    if (X_WB.size() < 2) return;
    std::vector<Vec3> points;
    std::vector<Quat> rotations;
    for (const std::size_t k : samples_) {
      points.push_back(X_WB[k].p);
      rotations.push_back(X_WB[k].quaternion());
      Quat& q = rotations.back();
      const bool turns_back = rotations.size() > 1 && q.dot(rotations[rotations.size() - 2]) < 0;
      if (turns_back) q.coeffs() = -q.coeffs();
    }
    if (rests(X_WB.front(), points, rotations)) return;
    const std::vector<std::uint32_t> places =
        thin_translations(times_, points, options_.position_tolerance, meter);
    const std::vector<std::uint32_t> turns =
        thin_rotations(times_, rotations, options_.rotation_tolerance, meter);
    if (places.empty() || turns.empty()) return;
    add_channel(node, "translation", 3, places, [&](std::uint32_t k) { return points[k].data(); });
    add_channel(node, "rotation", 4, turns,
                [&](std::uint32_t k) { return rotations[k].coeffs().data(); });
  }

  void write(Json& document) const {
    if (channels_.empty()) return;
    document["animations"] =
        Json::array({{{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}}});
  }

 private:
  bool rests(const Pose& X_WB0, const std::vector<Vec3>& points,
             const std::vector<Quat>& rotations) const {
    const Quat q0 = X_WB0.quaternion();
    for (std::size_t k = 0; k < points.size(); ++k) {
      if ((points[k] - X_WB0.p).norm() > options_.position_tolerance) return false;
      if (compute_angle(q0, rotations[k]) > options_.rotation_tolerance) return false;
    }
    return true;
  }

  template <class Value>
  void add_channel(int node, const char* path, int width, const std::vector<std::uint32_t>& keys,
                   const Value& value) {
    std::vector<float> numbers;
    numbers.reserve(keys.size() * static_cast<std::size_t>(width));
    for (const std::uint32_t k : keys) {
      const double* v = value(k);
      for (int i = 0; i < width; ++i) numbers.push_back(static_cast<float>(v[i]));
    }
    const int input = key_times(keys);
    const int output = buffer_.add_key_values(numbers, width);
    channels_.push_back(
        {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  }

  int key_times(const std::vector<std::uint32_t>& keys) {
    const auto [entry, is_new] = accessor_of_.try_emplace(keys);
    if (is_new) {
      std::vector<float> times;
      times.reserve(keys.size());
      for (const std::uint32_t k : keys) times.push_back(static_cast<float>(times_[k]));
      entry->second = buffer_.add_key_times(times);
    }
    return entry->second;
  }

  GlbBuffer& buffer_;
  const GlbOptions& options_;
  std::vector<double> times_;         ///< float32 values, strictly increasing
  std::vector<std::size_t> samples_;  ///< the scene's time behind each
  std::map<std::vector<std::uint32_t>, int> accessor_of_;
  Json channels_ = Json::array();
  Json samplers_ = Json::array();
};

Json make_header(const GlbScene& scene) {
  Json asset = {{"version", "2.0"}, {"generator", fmt::format("geste {}", kVersion)}};
  for (const auto& [key, value] : scene.extras) asset["extras"][key] = value;
  Json view = {{"nodes", Json::array({0})}};
  if (!scene.name.empty()) view["name"] = scene.name;
  return {{"asset", asset}, {"scene", 0}, {"scenes", Json::array({view})}};
}

Json make_geometry_node(const AnimatedBody& body, std::size_t place_in_body, Library& library) {
  const GlbGeometry& geometry = body.geometry[place_in_body];
  const std::string& own = geometry.name;
  Json node = {{"name", body.name + "/" + (own.empty() ? std::to_string(place_in_body) : own)}};
  const Library::Surface& surface = library.surface(geometry.shape);
  place(node, geometry.X_BG * Pose::translation(surface.centre));
  if (surface.indices >= 0) {
    node["mesh"] = library.mesh(surface, geometry.colour.value_or(Colour{}));
  }
  return node;
}

void add_child(Json& nodes, std::size_t parent, Json child) {
  nodes[parent]["children"].push_back(nodes.size());
  nodes.push_back(std::move(child));
}

}  // namespace

std::vector<std::string> GlbOptions::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) faults.emplace_back(what);
  };
  require(position_tolerance >= 0, "position_tolerance must be 0 m or more");
  require(rotation_tolerance >= 0, "rotation_tolerance must be 0 rad or more");
  require(crease_angle >= 0 && crease_angle <= M_PI, "crease_angle must lie between 0 and pi rad");
  require(segments >= 3, "segments must be 3 or more");
  return faults;
}

std::string make_glb(const GlbScene& scene, const GlbOptions& options, const Budget& budget) {
  if (const auto faults = options.faults(); !faults.empty()) {
    refuse(fmt::format("{}", fmt::join(faults, "; ")));
  }
  BudgetMeter meter(budget);
  check(scene, meter);

  GlbBuffer buffer;
  Library library(buffer, options);
  Motion motion(buffer, scene, options);
  // geste's Z up becomes glTF's Y up: -90 degrees about x.
  const Pose X_root = Pose::rotation(Vec3::UnitX(), -M_PI / 2);
  Json nodes = Json::array({{{"name", "geste"}, {"rotation", to_json(X_root.quaternion())}}});
  for (const AnimatedBody& body : scene.bodies) {
    if (!meter.spend()) return {};
    const std::size_t at = nodes.size();
    Json node = {{"name", body.name}};
    place(node, body.X_WB.front());
    add_child(nodes, 0, std::move(node));
    for (std::size_t k = 0; k < body.geometry.size(); ++k) {
      add_child(nodes, at, make_geometry_node(body, k, library));
    }
    motion.add(static_cast<int>(at), body.X_WB, meter);
  }
  if (meter.reason() != StopReason::none) return {};

  Json document = make_header(scene);
  document["nodes"] = std::move(nodes);
  library.write(document);
  motion.write(document);
  return buffer.finish(std::move(document));
}

}  // namespace geste
