#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

namespace internal {
class RayKernel;
}

/// A shape somewhere in the world.
struct PlacedShape {
  Shape shape;
  Pose X_WS;
};

/// Shapes that sight lines are held against. The shapes never change, their poses may; a mesh or
/// hull that several shapes share is prepared once, and moving a shape costs a new tree over the
/// shapes' boxes only.
///
/// Const functions may be called from many threads at once; `commit` must be alone. A copy shares
/// the prepared meshes and has poses of its own: one for each thread that moves things.
class RayScene {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// The largest coordinate of a vertex, a pose or a query, in metres.
  static constexpr double kLargest = 1e6;

  /// Shapes are known by their place in the list. A mesh or hull that is null, and sizes that are
  /// negative, not finite or beyond kLargest throw std::invalid_argument. Meshes may be open or
  /// empty and may have triangles without area.
  explicit RayScene(std::span<const PlacedShape> shapes);
  ~RayScene();
  RayScene(const RayScene& other);
  RayScene(RayScene&&) noexcept;
  RayScene& operator=(const RayScene& other);
  RayScene& operator=(RayScene&&) noexcept;

  [[nodiscard]] std::size_t size() const;
  /// As of the last commit.
  [[nodiscard]] const Pose& pose(std::size_t shape) const;

  /// Takes effect with the next commit; queries until then answer for the poses of the last.
  /// std::invalid_argument for a shape that is not there and poses beyond kLargest.
  void set_pose(std::size_t shape, const Pose& X_WS);
  void commit();

  [[nodiscard]] const internal::RayKernel& kernel() const { return *kernel_; }

 private:
  std::unique_ptr<internal::RayKernel> kernel_;
};

/// One byte per shape, other than 0 for those that a query looks through. Empty: it sees all of
/// them.
using IgnoredShapes = std::span<const std::uint8_t>;

struct RayHit {
  std::uint32_t shape = RayScene::kNone;
  std::uint32_t triangle = RayScene::kNone;  ///< of a mesh, or face of a hull
  double distance = 0;                       ///< m, from the segment's beginning
  Vec3 point = Vec3::Zero();
  Vec3 normal =
      Vec3::UnitZ();  ///< unit, outwards; of an open mesh: where its triangle is turned to
};

// A segment meets surfaces, not what they enclose: one that lies wholly inside a solid is free, one
// that leaves a solid hits where it leaves. Surfaces have no thickness and stop rays from either
// side.
//
// The segment is closed. A surface that one of its ends lies on is hit, to within 32 rounding
// errors (7e-15) of the largest coordinate in play: of the segment, of the shape's pose and size.
// Who looks from or at a shape's surface ignores that shape, or stops short of it. A segment that
// only touches a primitive, or runs along its face, hits it; one that runs in the plane of a
// triangle does not hit that triangle, but its neighbours at the edges it crosses. A segment of no
// length hits nothing.
//
// Primitives are exact, not triangles. All that is answered is decided and computed in double:
// Embree's floats choose candidates only, with margins (internal/embree.hpp), so that distances are
// good to rounding, the same for any order of the shapes; of surfaces equally far the lowest shape
// and triangle is named. A closed mesh is watertight.
//
// Ends that are not finite or beyond RayScene::kLargest, and a mask of another size than the scene,
// throw std::invalid_argument. Nothing is allocated.

/// What the segment meets first.
std::optional<RayHit> find_first_hit(const RayScene& scene, const Vec3& from, const Vec3& to,
                                     IgnoredShapes ignored = {});

/// Whether it meets nothing. Stops at the first shape found in its way.
bool is_free(const RayScene& scene, const Vec3& from, const Vec3& to, IgnoredShapes ignored = {});

}  // namespace geste
