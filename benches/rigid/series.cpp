#include "rigid/series.hpp"

#include <stdexcept>

#include "geste/core/files.hpp"

namespace geste::bench {
namespace {

struct SeriesText {
  const char* name;
  const char* title;
  const char* across;
};

SeriesText describe(Series series) {
  if (series == Series::clearance)
    return {"clearance", "A bar through ever smaller windows",
            "play in the window, in thicknesses of the bar"};
  return {"triangles", "A bar through a window, among ever more triangles", "triangles around"};
}

void add_point(Curve& curve, double size, double value, double limit) {
  if (!(value < limit)) return;
  curve.sizes.push_back(size);
  curve.values.push_back(value);
}

}  // namespace

void SeriesTimes::add(const RigidProblem& problem, const Row& time, const Limits& limits) {
  if (problem.series == Series::none) return;
  std::vector<Curve>& curves = curves_[problem.series];
  if (curves.empty()) {
    curves.push_back({"geste", {}, {}});
    for (const auto& [name, value] : time.peers) curves.push_back({name, {}, {}});
  }
  add_point(curves[0], problem.size, time.geste, limits.geste);
  for (std::size_t i = 0; i < time.peers.size(); ++i)
    add_point(curves[i + 1], problem.size, time.peers[i].second, limits.peers);
}

void SeriesTimes::finish(Report& report, const std::filesystem::path& json) const {
  for (const auto& [series, all] : curves_) {
    std::vector<Curve> curves = all;
    if (curves[0].sizes.size() < 2) continue;
    std::erase_if(curves, [](const Curve& c) { return c.sizes.empty(); });
    const SeriesText text = describe(series);
    Row row{text.title, "growth of time",         "slope", true, compute_slope(curves[0]),
            {},         "d log time / d log size"};
    for (std::size_t i = 1; i < curves.size(); ++i)
      if (curves[i].sizes.size() > 1)
        row.peers.emplace_back(curves[i].name, compute_slope(curves[i]));
    report.summary.emplace_back(std::string("growth_") + text.name, row.geste);
    report.rows.push_back(std::move(row));
    if (json.empty()) continue;
    const Result<void> written = write_file_atomically(
        std::filesystem::path(json).replace_extension("." + std::string(text.name) + ".svg"),
        make_plot(text.title, text.across, "CPU time (s) where something was found", curves));
    if (!written) throw std::runtime_error(to_text(written.error()));
  }
}

}  // namespace geste::bench
