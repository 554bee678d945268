#include "geste/tasks/internal/swept.hpp"

#include <algorithm>
#include <cmath>

#include "geste/geometry/swept_volume.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

/// A shape that moves.
struct SweptPart {
  BodyId body;
  TriangleMesh mesh;  ///< in the body's frame
  double radius = 0;  ///< no vertex is farther from the body's origin
};

std::vector<SweptPart> list_swept_parts(const Scene& scene, const PlanningSpace& space) {
  std::vector<SweptPart> parts;
  for (const Geometry& geometry : scene.geometry()) {
    if (!geometry.collision || !space.moves(scene.body(geometry.body).mover)) continue;
    SweptPart part{geometry.body, make_mesh(geometry.shape)};
    for (Vec3& v : part.mesh.vertices) {
      v = geometry.X_BG * v;
      part.radius = std::max(part.radius, v.norm());
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Places of the parts at moments of a motion.
class SweptPlaces {
 public:
  SweptPlaces(const Scene& scene, const JointMotion& motion)
      : scene_(scene), motion_(motion), q_(scene.nq()), workspace_(scene) {}

  void go_to(double time) {
    interpolate(scene_, motion_, time, q_);
    compute_kinematics(scene_, q_, workspace_);
  }
  [[nodiscard]] Pose place(const SweptPart& part) const {
    return compute_pose(scene_, workspace_, part.body);
  }

 private:
  const Scene& scene_;
  const JointMotion& motion_;
  VecX q_;
  Workspace workspace_;
};

/// No point of the part goes farther on the way of a loose part from one place to the other.
double bound_way(const SweptPart& part, const Pose& from, const Pose& to) {
  const double angle = so3::log(from.R.transpose() * to.R).norm();
  return (to.p - from.p).norm() + angle * part.radius;
}

}  // namespace

void add_swept(const Scene& scene, const PlanningSpace& space, TaskResult& result) {
  constexpr double kCells = 100;
  const std::vector<SweptPart> parts = list_swept_parts(scene, space);
  const JointMotion& motion = result.motion;
  SweptPlaces places(scene, motion);
  AxisBox box;
  double farthest = 0;
  for (const SweptPart& part : parts) {
    std::optional<Pose> last;
    for (const double time : motion.times) {
      places.go_to(time);
      const Pose X = places.place(part);
      for (const Vec3& v : part.mesh.vertices) box.add(X * v);
      if (last) farthest = std::max(farthest, bound_way(part, *last, X));
      last = X;
    }
  }
  if (box.empty()) return;
  const double cell = std::max(box.size().maxCoeff() / kCells, 1e-6);
  // Between two moments a point may leave the box of both by half of its way.
  SweptVolume swept(inflate(box, farthest / 2 + 2 * cell), cell);
  for (const SweptPart& part : parts) {
    places.go_to(motion.times.front());
    Pose last = places.place(part);
    swept.add(part.mesh, last, 0);
    for (std::size_t k = 1; k < motion.times.size(); ++k) {
      const double begin = motion.times[k - 1], end = motion.times[k];
      places.go_to(end);
      const Pose next = places.place(part);
      const double way = bound_way(part, last, next);
      const int steps = std::max(1, static_cast<int>(std::ceil(way / cell)));
      for (int i = 1; i <= steps; ++i) {
        places.go_to(begin + (end - begin) * i / steps);
        swept.add(part.mesh, places.place(part), way / steps / 2);
      }
      last = next;
    }
  }
  swept.fill();
  result.swept = swept.make_surface();
  result.figures.push_back({"swept_volume", swept.volume(), "m3"});
  result.figures.push_back({"swept_cell", swept.cell(), "m"});
}

}  // namespace geste::internal
