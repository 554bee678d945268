#pragma once

#include <cstdint>
#include <vector>

#include "geste/geometry/ray_scene.hpp"

namespace geste {

/// How much of something an eye sees (CH-6). The apex is the eye; the base is a disc across the
/// axis, centred on the target. D. Chablat, "Path planner for objects, robots and mannequins by
/// multi-agents systems or motion captures", Digital Enterprise Technology, 2008, section 3.1 and
/// figure 7. How wide the cone is at a time is for the caller to say.
struct SightCone {
  Vec3 apex = Vec3::Zero();
  Vec3 target = Vec3::Zero();
  double half_angle = 0;  ///< rad, from 0 up to but below pi/2
};

struct SightOptions {
  /// Evenly spread over the area of the base disc, always at the same places: a sunflower,
  /// r_i = R sqrt((i + 1/2) / n) at i golden angles (H. Vogel, "A better way to construct the
  /// sunflower head", Mathematical Biosciences 44, 1979). Each stands for 1/n of the base. Shares
  /// are off by less than 2 n^(-3/4) where what blocks is bounded by a line or a circle in the
  /// base: 0.031 with 256 rays, 0.011 with 1024, half of that as a rule. Every further outline adds
  /// as much.
  int rays = 256;
};

struct Sight {
  struct Blocker {
    std::uint32_t shape = RayScene::kNone;
    double share = 0;  ///< of all rays
  };
  double seen = 0;    ///< share of the rays that arrive
  double facing = 0;  ///< share that would arrive if nothing were in the way; seen + blocked
  /// What stops the others, each ray by the first in its way: largest share first, of equal ones
  /// the lower shape.
  std::vector<Blocker> blockers;
};

// Bad input throws std::invalid_argument: points as in ray_scene.hpp, the half angle, less than one
// ray, a target that is not there. `sight` is overwritten and its memory used again; nothing is
// allocated otherwise.

/// Rays end on the base disc: `facing` is 1. Who looks at a part lets its shapes be ignored. An eye
/// on the target sees all.
void compute_sight(const RayScene& scene, const SightCone& cone, const SightOptions& options,
                   IgnoredShapes ignored, Sight& sight);

/// Rays go through the points of the base and arrive where they first meet the shape `target`,
/// before or behind the base; those that would miss it count for nobody. seen / facing is how much
/// of the target's outline within the cone is visible. Something exactly at the target's surface
/// does not block it. The target is seen even where `ignored` names it. A cone of no length faces
/// nothing.
void compute_sight(const RayScene& scene, const SightCone& cone, std::uint32_t target,
                   const SightOptions& options, IgnoredShapes ignored, Sight& sight);

}  // namespace geste
