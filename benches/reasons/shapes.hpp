#pragma once

#include <fmt/format.h>

#include "geste/math/types.hpp"

#include "cases.hpp"

namespace geste::bench {

// Parts of which the worlds are made, as entries of task files.

inline std::string to_yaml(const Vec3& v) {
  return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", v.x(), v.y(), v.z());
}

inline TaskText::Part make_box(const std::string& name, const Vec3& size, const Vec3& centre) {
  return {name, fmt::format("box: {}, pose: {{xyz: {}}}", to_yaml(size), to_yaml(centre))};
}

/// A plate across x with a square window in its middle: four sides, each `wide` beyond it.
inline void add_window(TaskText& task, const std::string& name, const Vec3& centre,
                       double thickness, double window, double wide) {
  const double away = (window + wide) / 2;
  const auto add = [&](const char* side, const Vec3& size, const Vec3& offset) {
    task.parts.push_back(make_box(name + "_" + side, size, centre + offset));
  };
  add("left", {thickness, wide, 2 * wide + window}, {0, away, 0});
  add("right", {thickness, wide, 2 * wide + window}, {0, -away, 0});
  add("top", {thickness, window, wide}, {0, 0, away});
  add("bottom", {thickness, window, wide}, {0, 0, -away});
}

/// Six plates around a space of this size about a point.
inline void add_closed_box(TaskText& task, const std::string& name, const Vec3& inner,
                           const Vec3& centre, double thickness) {
  constexpr const char* kSides[] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  for (int k = 0; k < 6; ++k) {
    Vec3 size = inner.array() + 2 * thickness, p = centre;
    size[k / 2] = thickness;
    p[k / 2] += (k % 2 == 0 ? -1 : 1) * (inner[k / 2] + thickness) / 2;
    task.parts.push_back(make_box(name + "_" + kSides[k], size, p));
  }
}

}  // namespace geste::bench
