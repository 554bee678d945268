#pragma once

#include "geste/model/scene_spec.hpp"

namespace geste {

/// Two mobile robots that carry a dumbbell between them (Move3D section 2, MV-4): a closed chain
/// whose placement has five free parameters.
struct DumbbellOptions {
  double bar_length = 1.6;   ///< m between the two pins
  double grip_reach = 0.35;  ///< m from a robot's centre forward to its pin
  double grip_height = 0.5;  ///< m of the pins above the floor
  double area = 4;           ///< m: robot centres stay within +-area in x and y
};

/// How the chain is closed.
enum class DumbbellClosure {
  /// Five leading parameters: place of the first robot (x, y, angle), angle of the bar in its grip
  /// and angle of the second robot; a formula gives the second robot's x and y.
  explicit_formula,
  /// All five joints of both robots and the bar, and a pin constraint solved by projection.
  projection,
};

/// Joints: "first/base" (planar), "first/pin", "second/x", "second/y", "second/angle".
SceneSpec make_dumbbell_carriers(DumbbellClosure closure, const DumbbellOptions& options = {});

}  // namespace geste
