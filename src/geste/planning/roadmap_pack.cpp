#include <algorithm>
#include <cmath>
#include <cstring>

#include "geste/core/index.hpp"
#include "geste/core/sha256.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/planning/roadmap_file.hpp"

namespace geste {
namespace {

/// Collects what is hashed.
class SceneDigest {
 public:
  void add(std::string_view text) {
    add(static_cast<double>(text.size()));
    bytes_ += text;
  }
  void add(double value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(const Vec3& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  }
  void add(const Pose& X) {
    add(X.p);
    for (int k = 0; k < 3; ++k) add(Vec3(X.R.col(k)));
  }
  /// By its surface, of primitives one whose vertices lie on it. Large ones leave their hash.
  void add(const Shape& shape) {
    const TriangleMesh mesh = make_mesh(shape, 8);
    SceneDigest own;
    own.add(std::string_view(shape_name(shape)));
    for (const Vec3& vertex : mesh.vertices) own.add(vertex);
    for (const Triangle& triangle : mesh.triangles)
      for (const auto corner : triangle) own.add(static_cast<double>(corner));
    add(own.finish());
  }
  [[nodiscard]] std::string finish() const { return compute_sha256(bytes_); }

 private:
  std::string bytes_;
};

bool is_planned_joint(const PlanningSpace& space, const Joint& joint) {
  return std::any_of(
      space.items().begin(), space.items().end(),
      [&](const PlanningSpace::Item& item) { return item.joint.name == joint.name; });
}

void add_mechanisms(const PlanningSpace& space, SceneDigest& digest) {
  const Scene& scene = space.scene();
  for (std::size_t m = 1; m < scene.movers().size(); ++m) {
    const Mover& mover = scene.movers()[m];
    const Joint& joint = scene.joint(mover.joint);
    for (const double value : {static_cast<double>(mover.parent), static_cast<double>(mover.type),
                               static_cast<double>(joint.role)})
      digest.add(value);
    digest.add(joint.name);
    digest.add(mover.X_PJ);
    digest.add(mover.axis);
    digest.add(mover.axis2);
    if (joint.role != JointRole::independent || is_planned_joint(space, joint)) continue;
    for (int k = 0; k < joint.nq; ++k) digest.add(space.rest()[joint.q + k]);
  }
  for (const Follower& follower : scene.followers()) {
    digest.add(scene.joint(follower.joint).name);
    if (const auto* linear = std::get_if<LinearFollow>(&follower.function)) {
      digest.add(linear->multiplier);
      digest.add(linear->offset);
    } else if (const auto* table = std::get_if<TableFollow>(&follower.function)) {
      for (const auto& [leader, value] : table->points) {
        digest.add(leader);
        digest.add(value);
      }
    }
  }
}

/// Where an entry may be: between the limits, all round, or a part of a rotation.
RoadmapFile::Axis find_axis(const Joint& joint, int entry) {
  if (entry >= count_plain_entries(joint.type)) return {-1, 1};
  const DofLimits& limits = joint.limits[at(entry)];
  const bool is_angle = entry >= count_positions(joint.type);
  RoadmapFile::Axis axis{limits.lower, limits.upper};
  if (is_angle && !std::isfinite(axis.low)) axis.low = -kPi;
  if (is_angle && !std::isfinite(axis.high)) axis.high = kPi;
  return axis;
}

std::vector<RoadmapFile::Axis> find_axes(const PlanningSpace& space) {
  std::vector<RoadmapFile::Axis> axes;
  for (const PlanningSpace::Item& item : space.items())
    for (int k = 0; k < item.joint.nq; ++k) axes.push_back(find_axis(item.joint, k));
  return axes;
}

std::uint32_t to_grid(const RoadmapFile::Axis& axis, int bits, double value) {
  const double most = std::ldexp(1.0, bits) - 1, span = axis.high - axis.low;
  const double share = span > 0 ? std::clamp((value - axis.low) / span, 0.0, 1.0) : 0;
  return static_cast<std::uint32_t>(std::llround(share * most));
}

double from_grid(const RoadmapFile::Axis& axis, int bits, std::uint32_t entry) {
  const double share = entry / (std::ldexp(1.0, bits) - 1);
  return axis.low * (1 - share) + axis.high * share;
}

/// The points of a file; rotations are of unit length again. Nothing where one is none.
std::optional<MatX> make_points(const RoadmapFile& file, const PlanningSpace& space) {
  MatX points(space.size(), static_cast<Eigen::Index>(file.count_points()));
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    const std::size_t k = i % file.axes.size();
    points(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i / file.axes.size())) =
        from_grid(file.axes[k], file.bits, file.entries[i]);
  }
  for (const PlanningSpace::Item& item : space.items()) {
    const int plain = count_plain_entries(item.joint.type);
    if (plain == item.joint.nq) continue;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
      auto rotation = points.col(i).segment(item.x + plain, item.joint.nq - plain);
      if (rotation.norm() < 0.5) return std::nullopt;
      rotation.normalize();
    }
  }
  return points;
}

Diagnostic make_misfit(std::string message, std::string remedy) {
  return {.code = "roadmap.other", .message = std::move(message), .remedy = std::move(remedy)};
}

}  // namespace

std::string hash_scene(const PlanningSpace& space, const CollisionModel& model) {
  const Scene& scene = space.scene();
  SceneDigest digest;
  for (const CollisionObject& object : model.objects()) {
    if (object.piece > 0) continue;
    digest.add(scene.body(object.body).name);
    digest.add(static_cast<double>(object.mover));
    digest.add(object.X_MO);
    digest.add(scene.geometry()[at(object.geometry)].shape);
  }
  add_mechanisms(space, digest);
  // Pairs out of reach are as good as checked.
  for (const RuledPair& pair : model.list_pairs()) {
    const bool counts = pair.rule == PairRule::checked || pair.rule == PairRule::beyond_reach;
    digest.add(counts ? model.margin(pair.a, pair.b) : -1.0);
  }
  return digest.finish();
}

RoadmapFile pack_roadmap(const Roadmap& roadmap, LocalPlanner& local) {
  const PlanningSpace& space = local.world().space;
  RoadmapFile file;
  for (const PlanningSpace::Item& item : space.items()) file.joints.push_back(item.joint.name);
  file.axes = find_axes(space);
  Way way(space);
  for (const int bits : {16, 24, 32}) {
    file.bits = bits;
    file.entries.clear();
    file.links.clear();
    for (int i = 0; i < roadmap.size(); ++i)
      for (std::size_t k = 0; k < file.axes.size(); ++k)
        file.entries.push_back(
            to_grid(file.axes[k], bits, roadmap[i][static_cast<Eigen::Index>(k)]));
    const std::optional<MatX> points = make_points(file, space);
    std::size_t lost = 0;
    for (int i = 0; points && i < roadmap.size(); ++i) {
      const bool is_free = local.is_free(points->col(i));
      for (const Roadmap::Link& link : roadmap.links(i)) {
        if (link.to >= i) continue;
        if (is_free && local.connects(points->col(i), points->col(link.to), way))
          file.links.emplace_back(i, link.to);
        else
          ++lost;
      }
    }
    if (lost == 0) break;
  }
  return file;
}

Result<Roadmap> unpack_roadmap(const RoadmapFile& file, const PlanningWorld& world,
                               const std::string& scene, const std::string& steering) {
  const PlanningSpace& space = world.space;
  std::vector<std::string> joints;
  for (const PlanningSpace::Item& item : space.items()) joints.push_back(item.joint.name);
  if (file.joints != joints || file.axes.size() != at(space.size()))
    return make_misfit("was grown for other joints", "name another file");
  if (file.axes != find_axes(space))
    return make_misfit("was grown for other limits, or in another room",
                       "give the same `room`, or name another file");
  if (file.steering != steering)
    return make_misfit("was grown with another steering method: " + file.steering,
                       "name another file");
  if (file.scene != scene)
    return make_misfit("was grown in another scene: shapes, places or what may touch differ",
                       "name another file, or delete this one, and it is grown again");
  const std::optional<MatX> points = make_points(file, space);
  if (!points)
    return make_misfit("holds rotations that are none", "delete it, and it is grown again");
  Roadmap roadmap(space);
  for (Eigen::Index i = 0; i < points->cols(); ++i) roadmap.add(points->col(i));
  Way way(space);
  for (const auto& [high, low] : file.links) {
    if (!world.steering.steer(roadmap[high], roadmap[low], way)) continue;
    roadmap.join(high, low, measure_length(space, way), false);
  }
  return roadmap;
}

}  // namespace geste
