#include "geste/model/scene_spec.hpp"

namespace geste {

const char* to_string(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::universal:
      return "universal";
    case JointType::planar:
      return "planar";
    case JointType::spherical:
      return "spherical";
    case JointType::free:
      return "free";
  }
  return "?";
}

int count_q(JointType type) {
  if (type == JointType::spherical) return 4;
  if (type == JointType::free) return 7;
  return count_v(type);
}

int count_v(JointType type) {
  switch (type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
      return 1;
    case JointType::universal:
      return 2;
    case JointType::planar:
    case JointType::spherical:
      return 3;
    case JointType::free:
      return 6;
  }
  return 0;
}

}  // namespace geste
