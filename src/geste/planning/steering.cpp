#include "geste/planning/steering.hpp"

namespace geste {

bool LinearSteering::steer(ConstVecRef a, ConstVecRef b, Way& way) const {
  way.clear();
  way.add(a);
  way.add(b);
  return true;
}

double measure_length(const PlanningSpace& space, const Way& way) {
  double length = 0;
  for (int i = 1; i < way.count(); ++i) length += space.distance(way[i - 1], way[i]);
  return length;
}

}  // namespace geste
