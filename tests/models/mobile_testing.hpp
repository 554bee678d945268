#pragma once

#include <gtest/gtest.h>

#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/model/assemble.hpp"

#include "testing.hpp"

namespace geste::testing {

/// A model ("trailer/trailer") as "robot" on a floor of 6 m by 4 m.
inline SceneSpec place_on_floor(const std::string& model) {
  const std::string path = (source_dir() / "models" / model).string();
  SceneSpec robot = load_urdf(path + ".urdf").value();
  EXPECT_TRUE(load_srdf(path + ".srdf", robot));
  SceneSpec spec;
  PlaceOptions options;
  options.name = "robot";
  options.root = JointType::planar;
  place(spec, robot, options);
  for (JointSpec& joint : spec.joints)
    if (joint.name == "robot/root") joint.limits = {{-3, 3}, {-2, 2}, {}};
  return spec;
}

}  // namespace geste::testing
