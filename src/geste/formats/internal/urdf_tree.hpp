#pragma once

#include "geste/formats/internal/xml_reader.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

/// What no link or joint shows by itself: every joint joins two links of the robot, no link has
/// two parents, all hang on one root without a cycle, and mimic joints follow a joint with one
/// degree of freedom without a cycle. `robot` has unique names; `whole` says that no joint was left
/// out for a fault, which would make its child look like a second root.
void check_tree(const SceneSpec& robot, bool whole, int robot_line, XmlReader& xml);

}  // namespace geste
