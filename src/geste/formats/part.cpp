#include "geste/formats/part.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

namespace geste {
namespace {

/// File axes to geste's Z up by a quarter turn; y up: (x, y, z) becomes (x, -z, y), as in other
/// tools.
Mat3 make_upright(UpAxis up) {
  if (up == UpAxis::y) return Pose::rotation(Vec3::UnitX(), std::numbers::pi / 2).R;
  if (up == UpAxis::x) return Pose::rotation(Vec3::UnitY(), -std::numbers::pi / 2).R;
  return Mat3::Identity();
}

/// A placement that only turns and enlarges, A = scale * R.
struct Similarity {
  double scale = 1;
  Mat3 R = Mat3::Identity();
};

/// File formats store floats: what differs by less than their rounding adds up to is the same.
constexpr double kRounding = 1e-6;

/// Nothing when A shears, mirrors, or scales its axes differently.
std::optional<Similarity> find_similarity(const Mat3& A) {
  const double scale = std::cbrt(A.determinant());
  if (!(scale > 0)) return std::nullopt;
  const Mat3 R = A / scale;
  const double error = (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (!(error < kRounding)) return std::nullopt;
  return Similarity{scale, Mat3(Quat(R).normalized().toRotationMatrix())};
}

/// A solid box of the given mass: what is known of a part whose density is not.
InertiaSpec make_box_inertia(const AxisBox& box, double mass) {
  const Vec3 s2 = box.size().cwiseAbs2();
  InertiaSpec inertia;
  inertia.mass = mass;
  inertia.com = box.centre();
  inertia.inertia = Vec3(s2.y() + s2.z(), s2.x() + s2.z(), s2.x() + s2.y()).asDiagonal();
  inertia.inertia *= mass / 12;
  return inertia;
}

class PartBuilder {
 public:
  PartBuilder(const Asset& asset, const PartOptions& options)
      : asset_(asset),
        options_(options),
        upright_(make_upright(options.up.value_or(asset.up))),
        scale_(options.metres_per_unit > 0 ? options.metres_per_unit : asset.metres_per_unit) {}

  GeometrySpec make_geometry(const AssetInstance& instance) {
    const AssetMesh& mesh = asset_.meshes[static_cast<std::size_t>(instance.mesh)];
    GeometrySpec g;
    g.name = instance.name;
    g.colour = options_.colour ? options_.colour : mesh.colour;
    if (const auto A = find_similarity(instance.A)) {
      g.X_BG = Pose(Mat3(upright_ * A->R), Vec3(upright_ * (scale_ * instance.t)));
      g.shape = make_scaled(instance.mesh, scale_ * share_scale(A->scale));
    } else {
      g.X_BG = Pose(upright_, Vec3(Vec3::Zero()));
      g.shape = std::make_shared<const TriangleMesh>(
          transformed(*mesh.mesh, scale_ * instance.A, scale_ * instance.t));
    }
    return g;
  }

 private:
  /// The scale of an earlier instance where this one is the same, so that both share a mesh.
  double share_scale(double scale) {
    const auto known = scales_.lower_bound(scale * (1 - kRounding));
    if (known != scales_.end() && *known <= scale * (1 + kRounding)) return *known;
    scales_.insert(scale);
    return scale;
  }

  MeshShape make_scaled(int mesh, double scale) {
    const MeshShape& original = asset_.meshes[static_cast<std::size_t>(mesh)].mesh;
    if (scale == 1) return original;
    MeshShape& scaled = scaled_[{mesh, scale}];
    if (!scaled) {
      scaled = std::make_shared<const TriangleMesh>(
          transformed(*original, scale * Mat3::Identity(), Vec3::Zero()));
    }
    return scaled;
  }

  const Asset& asset_;
  const PartOptions& options_;
  Mat3 upright_;
  double scale_;
  std::set<double> scales_{1};  ///< of the instances so far
  std::map<std::pair<int, double>, MeshShape> scaled_;
};

AxisBox box_of(const GeometrySpec& g) {
  const AxisBox own = compute_box(g.shape);
  AxisBox box;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p(corner & 1 ? own.max.x() : own.min.x(), corner & 2 ? own.max.y() : own.min.y(),
                 corner & 4 ? own.max.z() : own.min.z());
    box.add(g.X_BG * p);
  }
  return box;
}

/// The assemblies that an instance stands in, outermost first.
std::vector<int> list_above(const Asset& asset, const AssetInstance& instance) {
  std::vector<int> above;
  for (int a = instance.assembly; a >= 0; a = asset.assemblies[static_cast<std::size_t>(a)].parent)
    above.push_back(a);
  std::reverse(above.begin(), above.end());
  return above;
}

/// Adds a body for one piece of the part, welded to the part's root. It stands where its geometry
/// does, so that its frame means something.
void weld(SceneSpec& spec, std::vector<BodySpec>& members, const std::string& part,
          GeometrySpec geometry) {
  BodySpec& member = members.emplace_back();
  member.name = part + "/" + geometry.name;
  JointSpec joint;
  joint.name = member.name;
  joint.parent = part;
  joint.child = member.name;
  joint.X_PJ = geometry.X_BG;
  geometry.X_BG = Pose();
  geometry.name = member.name;
  member.geometry.push_back(std::move(geometry));
  spec.joints.push_back(std::move(joint));
}

}  // namespace

SceneSpec make_part(const Asset& asset, const PartOptions& options) {
  SceneSpec spec;
  spec.name = options.name;
  BodySpec root;
  root.name = options.name;
  PartBuilder builder(asset, options);
  AxisBox box;
  std::vector<BodySpec> members;
  for (const AssetInstance& instance : asset.instances) {
    GeometrySpec geometry = builder.make_geometry(instance);
    box.add(box_of(geometry));
    if (asset.instances.size() == 1) {
      geometry.name.clear();
      root.geometry.push_back(std::move(geometry));
      continue;
    }
    geometry.name = instance.name;
    weld(spec, members, options.name, std::move(geometry));
  }
  if (options.mass > 0 && !box.empty()) root.inertia = make_box_inertia(box, options.mass);
  spec.bodies.push_back(std::move(root));
  spec.bodies.insert(spec.bodies.end(), std::make_move_iterator(members.begin()),
                     std::make_move_iterator(members.end()));
  spec.notes = asset.notes;
  return spec;
}

void add_assemblies(const Asset& asset, const std::string& part, BodyAssemblies& assemblies) {
  constexpr std::size_t kDeepest = 64;  // viewers walk the tree level by level
  if (asset.instances.size() < 2) return;
  const std::vector<int> first = list_above(asset, asset.instances.front());
  std::size_t shared = first.size();
  for (const AssetInstance& instance : asset.instances) {
    const std::vector<int> above = list_above(asset, instance);
    const std::size_t most = std::min(shared, above.size());
    shared = 0;
    while (shared < most && above[shared] == first[shared]) ++shared;
  }
  for (const AssetInstance& instance : asset.instances) {
    const std::vector<int> above = list_above(asset, instance);
    if (above.size() == shared) continue;
    std::vector<std::string>& names = assemblies[part + "/" + instance.name];
    const std::size_t end = std::min(above.size(), shared + kDeepest);
    for (std::size_t i = shared; i < end; ++i)
      names.push_back(asset.assemblies[static_cast<std::size_t>(above[i])].name);
  }
}

SceneSpec make_part(const Shape& shape, const PartOptions& options) {
  SceneSpec spec;
  spec.name = options.name;
  BodySpec body;
  body.name = options.name;
  body.geometry.push_back({"", shape, Pose(), true, true, options.colour});
  if (options.mass > 0) body.inertia = make_box_inertia(compute_box(shape), options.mass);
  spec.bodies.push_back(std::move(body));
  return spec;
}

SceneSpec make_part(const GeneratedWorld& world, const std::string& name) {
  SceneSpec spec;
  spec.name = name;
  spec.bodies.push_back({.name = name, .inertia = {}, .geometry = {}, .source = {}});
  std::vector<BodySpec> members;
  for (const GeneratedPart& p : world.parts)
    weld(spec, members, name, {p.name, p.mesh, p.X_WP, true, true, p.colour});
  spec.bodies.insert(spec.bodies.end(), std::make_move_iterator(members.begin()),
                     std::make_move_iterator(members.end()));
  return spec;
}

}  // namespace geste
