#include "common/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace geste::bench {
namespace {

constexpr double kWidth = 720, kHeight = 440, kLeft = 70, kRight = 190, kTop = 40, kBottom = 50;

/// Whole decades around some values, and where a value comes to lie.
struct Axis {
  int low = 100;
  int high = -100;
  double begin;
  double end;

  void add(const std::vector<double>& values) {
    for (double v : values) {
      low = std::min(low, static_cast<int>(std::floor(std::log10(v))));
      high = std::max(high, static_cast<int>(std::ceil(std::log10(v))));
    }
  }
  [[nodiscard]] double place(double value) const {
    return begin + (end - begin) * (std::log10(value) - low) / std::max(1, high - low);
  }
};

/// A line with a mark at each value.
std::string draw(const Curve& curve, const char* colour, const Axis& across, const Axis& up) {
  std::string line, marks;
  for (std::size_t k = 0; k < curve.sizes.size(); ++k) {
    const double x = across.place(curve.sizes[k]), y = up.place(curve.values[k]);
    line += fmt::format("{:.1f},{:.1f} ", x, y);
    marks += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", x, y, colour);
  }
  return fmt::format("<polyline fill='none' stroke-width='2' stroke='{}' points='{}'/>\n{}", colour,
                     line, marks);
}

}  // namespace

double compute_slope(const Curve& curve) {
  const double n = static_cast<double>(curve.sizes.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < curve.sizes.size(); ++i) {
    const double u = std::log10(curve.sizes[i]), v = std::log10(curve.values[i]);
    x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

std::string make_plot(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<Curve>& curves) {
  constexpr std::array kColours = {"#1f6fb4", "#d1582a", "#2c8c4a",
                                   "#8a4fa3", "#b8860b", "#555555"};
  Axis across{.begin = kLeft, .end = kWidth - kRight}, up{.begin = kHeight - kBottom, .end = kTop};
  for (const Curve& c : curves) across.add(c.sizes), up.add(c.values);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' font-family='sans-serif' "
      "font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n"
      "<text x='{}' y='20' font-size='14'>{}</text>\n"
      "<text x='{}' y='{}'>{}</text>\n<text x='10' y='{}'>{}</text>\n",
      kWidth, kHeight, kLeft, title, kLeft, kHeight - 10, x, kTop - 8, y);
  const auto rule = [&](double x0, double y0, double x1, double y1) {
    out += fmt::format("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='#ddd'/>\n", x0, y0, x1, y1);
  };
  for (int d = across.low; d <= across.high; ++d) {
    const double at = across.place(std::pow(10, d));
    rule(at, up.begin, at, up.end);
    out += fmt::format("<text x='{:.1f}' y='{:.1f}'>1e{}</text>\n", at - 8, up.begin + 16, d);
  }
  for (int d = up.low; d <= up.high; ++d) {
    const double at = up.place(std::pow(10, d));
    rule(across.begin, at, across.end, at);
    out += fmt::format("<text x='{:.1f}' y='{:.1f}'>1e{}</text>\n", kLeft - 30, at + 4, d);
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    out += draw(curves[i], colour, across, up);
    out += fmt::format("<text x='{}' y='{}' fill='{}'>{}</text>\n", kWidth - kRight + 10,
                       kTop + 18 * static_cast<double>(i + 1), colour, curves[i].name);
  }
  return out + "</svg>\n";
}

}  // namespace geste::bench
