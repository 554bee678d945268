#pragma once

#include <span>
#include <vector>

#include "geste/geometry/internal/ray_mesh.hpp"
#include "geste/geometry/ray_scene.hpp"

namespace geste::internal {

/// A segment in the world and the first thing found on it.
struct WorldRay {
  Vec3 from;
  Vec3 direction;  ///< unit
  double length;
  double reach;  ///< the largest coordinate of its ends
  bool any = false;

  double t = std::numeric_limits<double>::infinity();  ///< may leave [0, length] by rounding
  std::uint32_t shape = kNoIndex;
  std::uint32_t triangle = kNoIndex;

  WorldRay(const Vec3& from, const Vec3& to);
};

struct ShapeFilter {
  IgnoredShapes ignored;
  std::uint32_t also = kNoIndex;
  [[nodiscard]] bool skips(std::uint32_t shape) const {
    return shape == also || (!ignored.empty() && ignored[shape] != 0);
  }
};

/// Two levels: Embree's tree over the shapes' boxes in the world, and for each mesh its own in its
/// own frame, where lines arrive in double. So float rounding goes with the size of a mesh, not
/// with where in the world it is.
class RayKernel {
 public:
  explicit RayKernel(std::span<const PlacedShape> shapes);
  RayKernel(const RayKernel& other);
  RayKernel& operator=(const RayKernel&) = delete;

  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] const Pose& pose(std::size_t shape) const;
  void set_pose(std::size_t shape, const Pose& X_WS);
  void commit();

  void require_shape(std::size_t shape) const;
  void require_mask(IgnoredShapes ignored) const;

  /// The ray keeps what it has unless something is nearer.
  void find_hit(WorldRay& ray, const ShapeFilter& filter) const;
  /// The same with one shape alone.
  void find_hit_of(std::uint32_t shape, WorldRay& ray) const;
  [[nodiscard]] RayHit make_hit(const WorldRay& ray) const;
  /// A ball around a shape, in the world.
  struct Ball {
    Vec3 centre;
    double radius;
  };
  [[nodiscard]] Ball compute_ball(std::uint32_t shape) const;

 private:
  using Solid = std::variant<Sphere, Capsule, Box, Cylinder, Cone, Torus>;
  struct Entry {
    Solid solid;
    std::shared_ptr<const RayMesh> mesh;  ///< instead of the solid
    AxisBox box;                          ///< in its own frame
    double extent = 0;                    ///< the largest coordinate in its own frame
    Pose X_WS;
    Pose next_X_WS;
  };

  void start();
  [[nodiscard]] LocalRay make_local(const Entry& entry, const WorldRay& ray) const;
  [[nodiscard]] static AxisBox compute_world_box(const Entry& entry);
  struct Query;
  /// Whether the shape is the query's new hit.
  bool meet(std::uint32_t shape, Query& query) const;
  static void find_nearest(const RTCIntersectFunctionNArguments* call);
  static void find_any(const RTCOccludedFunctionNArguments* call);
  static void bound(const RTCBoundsFunctionArguments* call);

  RayDevice device_;
  std::vector<Entry> shapes_;
  FloatFrame frame_;
  GeometryHandle geometry_;
  SceneHandle scene_;
};

}  // namespace geste::internal
