#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geste::bench {

/// A line of a drawing: values over sizes, all positive.
struct Curve {
  std::string name;
  std::vector<double> sizes;
  std::vector<double> values;
};

/// By how many decades the value grows with each decade of size: the slope of the straight line
/// that fits best, both logarithmic.
double compute_slope(const Curve& curve);

/// Both axes logarithmic, as SVG.
std::string make_plot(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<Curve>& curves);

}  // namespace geste::bench
