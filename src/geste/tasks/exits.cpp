#include <algorithm>

#include "geste/geometry/feature_axes.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/tasks/internal/extraction.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

/// m; how far a box goes along a direction until it is outside of another.
double measure_way(const AxisBox& part, const AxisBox& box, const Vec3& d) {
  double least = kInfinity;
  for (int k = 0; k < 3; ++k) {
    if (d[k] > 1e-9) least = std::min(least, (box.max[k] - part.min[k]) / d[k]);
    if (d[k] < -1e-9) least = std::min(least, (box.min[k] - part.max[k]) / d[k]);
  }
  return std::max(0.0, least);
}

class ExitLook {
 public:
  ExitLook(const TaskScene& world, const ExtractOptions& options, const TaskRun& run)
      : world_(world),
        options_(options),
        scene_(world.scene),
        mover_(scene_.body(*scene_.find_body(options.part)).mover),
        joint_(scene_.joint(scene_.movers()[static_cast<std::size_t>(mover_)].joint)),
        workspace_(scene_) {
    CollisionOptions collision;
    static_cast<CollisionSpec&>(collision) = make_collision_spec(world, run.file.collision);
    for (const StartContact& c : world.contacts)
      if (c.is_fit) collision.allowed.push_back({c.moved, c.other, {}});
    collision.use_reach = false;
    collision.threads = run.threads;
    collision.cancel = run.budget.cancel;
    model_.emplace(CollisionModel::make(scene_, collision).value());
    memory_.emplace(*model_);
    part_ = measure_bodies(scene_, world.start, mover_);
    box_ = options.outside_low && options.outside_high
               ? AxisBox{*options.outside_low, *options.outside_high}
               : measure_bodies(scene_, world.start, mover_, false);
  }

  Exit look(const Vec3& direction) {
    Exit found{direction, {}};
    // Who sits deep in something leaves it along its axis or not at all.
    constexpr double kParallel = 0.9995;
    for (const StartContact& c : world_.contacts)
      if (c.is_fit && !(c.axis && std::abs(c.axis->dot(direction)) > kParallel))
        add(c.other, found);
    const double way = measure_way(part_, box_, direction);
    const int steps = count_steps(way);
    DepthOptions only_who;
    only_who.max_points = 1;
    VecX q = world_.start;
    for (int k = 1; k <= steps; ++k) {
      q.segment<3>(joint_.q) = world_.start.segment<3>(joint_.q) +
                               joint_.X_PJ.R.transpose() * (way * k / steps * direction);
      compute_kinematics(scene_, q, workspace_);
      for (const PairClearance& pair : find_collisions(*model_, workspace_, *memory_, only_who)) {
        const bool is_a = scene_.body(pair.a).mover == mover_;
        if (is_a == (scene_.body(pair.b).mover == mover_)) continue;
        add(name_part(scene_, is_a ? pair.b : pair.a), found);
      }
    }
    return found;
  }

 private:
  /// So that the part does not jump over what is half as thick as itself; the first ones matter
  /// most, and ways are seldom long.
  [[nodiscard]] int count_steps(double way) const {
    const double thin = std::max(part_.size().minCoeff() / 2, 1e-9);
    return static_cast<int>(std::clamp(way / thin, 16.0, 64.0));
  }

  static void add(const std::string& name, Exit& exit) {
    if (std::find(exit.blockers.begin(), exit.blockers.end(), name) == exit.blockers.end())
      exit.blockers.push_back(name);
  }

  const TaskScene& world_;
  const ExtractOptions& options_;
  const Scene& scene_;
  int mover_;
  const Joint& joint_;
  Workspace workspace_;
  std::optional<CollisionModel> model_;
  std::optional<CollisionWorkspace> memory_;
  AxisBox part_, box_;
};

}  // namespace

std::vector<Vec3> list_axes(const TaskScene& loose, const std::string& part) {
  const Scene& scene = loose.scene;
  Workspace workspace(scene);
  compute_kinematics(scene, loose.start, workspace);
  const AxisBox box = measure_bodies(scene, loose.start, scene.body(*scene.find_body(part)).mover);
  const AxisBox around = inflate(box, 0.05 * box.size().norm());
  std::vector<FeatureAxis> found;
  const auto add = [&](const std::string& body) {
    for (std::size_t g = 0; g < scene.geometry().size(); ++g) {
      const Geometry& geometry = scene.geometry()[g];
      if (!geometry.collision || scene.body(geometry.body).name != body) continue;
      const Pose X_WG = compute_geometry_pose(scene, workspace, static_cast<int>(g));
      for (const FeatureAxis& axis : find_feature_axes(geometry.shape, X_WG, around))
        found.push_back(axis);
    }
  };
  add(part);
  for (const StartContact& c : loose.contacts) add(c.other);
  std::vector<Vec3> axes;
  constexpr double kSame = 0.9999;
  for (const FeatureAxis& axis : found)
    if (std::none_of(axes.begin(), axes.end(), [&](const Vec3& other) {
          return std::abs(other.dot(axis.direction)) > kSame;
        }))
      axes.push_back(axis.direction);
  return axes;
}

std::vector<Exit> list_exits(const TaskScene& loose, const ExtractOptions& options,
                             const TaskRun& run) {
  constexpr std::size_t kMostAxes = 8;
  std::vector<Vec3> axes;
  if (options.direction) {
    axes = {options.direction->normalized()};
  } else {
    axes = list_axes(loose, options.part);
    if (axes.size() > kMostAxes) axes.resize(kMostAxes);
    for (int k = 0; k < 3; ++k)
      if (std::none_of(axes.begin(), axes.end(),
                       [&](const Vec3& a) { return std::abs(a[k]) > 0.9999; }))
        axes.push_back(Vec3::Unit(k));
  }
  ExitLook look(loose, options, run);
  std::vector<Exit> exits;
  for (const Vec3& axis : axes) {
    for (const double side : {1.0, -1.0}) {
      if (run.budget.cancel.requested()) return exits;
      if (side < 0 && options.direction) continue;
      exits.push_back(look.look(side * axis));
    }
  }
  std::stable_sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) {
    return a.blockers.size() < b.blockers.size();
  });
  return exits;
}

}  // namespace geste::internal
