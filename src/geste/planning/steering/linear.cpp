#include "geste/planning/steering/steering_method.hpp"

namespace geste {

bool LinearSteering::steer(ConstVecRef q0, ConstVecRef q1, Way& way) const {
  way.clear();
  way.set_course(course_);
  way.add(q0);
  way.add(q1);
  return true;
}

}  // namespace geste
