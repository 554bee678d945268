#pragma once

#include <vector>

#include "geste/model/scene_spec.hpp"

namespace geste {

enum class DhConvention {
  classic,   ///< X_(i-1)i = Rz(theta) Tz(d) Tx(a) Rx(alpha)   (Denavit and Hartenberg 1955, Paul)
  modified,  ///< X_(i-1)i = Rx(alpha) Tx(a) Rz(theta) Tz(d), a and alpha of the link before (Craig,
             ///< Khalil)
};

/// One row of a Denavit-Hartenberg table. The joint adds to theta, or to d when it is prismatic.
struct DhRow {
  double a = 0;                          ///< m
  double alpha = 0;                      ///< rad
  double d = 0;                          ///< m
  double theta = 0;                      ///< rad, offset at zero configuration
  JointType type = JointType::revolute;  ///< revolute, continuous or prismatic
  DofLimits limits;
};

/// A chain with joints "joint1".."jointN" and bodies "link0" (the base) to "linkN". A frame
/// "dh1".."dhN" stands where the convention puts each row's frame. Throws std::invalid_argument on
/// a joint type that has no row form.
SceneSpec make_dh_chain(const std::string& name, const std::vector<DhRow>& rows,
                        DhConvention convention);

}  // namespace geste
