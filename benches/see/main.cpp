#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "geste/tasks/task.hpp"

#include "common/report.hpp"
#include "common/take.hpp"
#include "see/live.hpp"
#include "see/worlds.hpp"
#include "studio/server/studio.hpp"

// How fast people see something: the studio's first picture and what it sends for it, how long a
// drag takes to be seen, how many frames per second reach 1, 4 and 16 watchers over real sockets,
// what an hour of that does to memory, and how large a report is. Chromium draws without a graphics
// card, so pictures are slower here than at a desk; everything else is not.

namespace {

using namespace geste;
using namespace geste::bench;
using studio::Studio;

struct Options {
  std::string json;
  bool quick = false;
  double stream_s = 3;
  double soak_s = 60;
};

double median(std::vector<double> values, double share = 0.5) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

std::unique_ptr<Studio> open_studio(const Worlds& worlds, const std::filesystem::path& task) {
  studio::StudioOptions options;
  options.task = task;
  options.port = 0;
  options.out = worlds.folder() / "results";
  return take(Studio::start(options));
}

/// What node's program prints, read as JSON.
nlohmann::json run_browser(const std::string& url, int count) {
  const std::string command = fmt::format("'{}' '{}/first_frame.mjs' '{}' {}", GESTE_NODE_PROGRAM,
                                          GESTE_SEE_FOLDER, url, count);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("node cannot be started");
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  if (pclose(pipe) != 0) throw std::runtime_error("the browser drew nothing: " + text);
  return nlohmann::json::parse(text);
}

void measure_first_frame(const Worlds& worlds, long triangles, const Options& options,
                         Report& report) {
  const std::unique_ptr<Studio> studio = open_studio(worlds, worlds.write(triangles, 1));
  const nlohmann::json seen = run_browser(studio->url(), options.quick ? 1 : 5);
  const std::string name = fmt::format("{} triangles", triangles);
  const double ms = seen["first_frame_ms"], bytes = seen["bytes"];
  report.rows.push_back(
      {name,
       "first frame",
       "ms",
       true,
       ms,
       {},
       "Chromium 1280x720 without graphics card, median of 5, from the click on"});
  report.rows.push_back({name, "sent for it", "bytes", true, bytes, {}, "page and scene"});
  if (triangles != 100'000) return;
  report.summary.emplace_back("first_frame_ms_100k", ms);
  report.summary.emplace_back("bytes_100k", bytes);
}

void measure_live(const Worlds& worlds, const Options& options, Report& report) {
  const std::unique_ptr<Studio> studio = open_studio(worlds, worlds.write(100'000, 1));
  const std::vector<double> drags = measure_drags(studio->port(), options.quick ? 200 : 3000);
  const char* how =
      "arm of 6 joints in 100,000 triangles, clearance computed beside it, real sockets";
  report.rows.push_back({"drag", "to its frame, median", "ms", true, median(drags), {}, how});
  report.rows.push_back({"drag", "to its frame, 99 %", "ms", true, median(drags, 0.99), {}, how});
  report.summary.emplace_back("drag_ms_median", median(drags));
  report.summary.emplace_back("drag_ms_p99", median(drags, 0.99));
  for (const int clients : {1, 4, 16}) {
    const double rate = measure_stream(studio->port(), clients, options.stream_s);
    report.rows.push_back({fmt::format("{} clients", clients),
                           "frames of the slowest",
                           "1/s",
                           false,
                           rate,
                           {},
                           "all on this machine, next to the server"});
    if (clients == 16) report.summary.emplace_back("poses_hz_16_clients", rate);
  }
  const double before = get_memory_mb();
  measure_stream(studio->port(), 4, options.soak_s);
  const double growth = get_memory_mb() - before;
  report.rows.push_back({"streaming",
                         fmt::format("memory after {:g} s", options.soak_s),
                         "MiB",
                         true,
                         growth,
                         {},
                         "growth, four clients, server and clients together"});
  report.summary.emplace_back("memory_growth_mb", growth);
}

void measure_report(const Worlds& worlds, const Options& options, Report& report) {
  const double seconds = options.quick ? 5 : 60;
  const LoadedTask loaded = take(load_task(worlds.write(300'000, seconds)));
  const TaskOutcome outcome = take(loaded.task->run({loaded.file, 1, 0, Budget(), no_progress()}));
  const auto begin = std::chrono::steady_clock::now();
  const std::string page = make_report(outcome.world, outcome.result);
  const double ms =
      1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double size = static_cast<double>(page.size()) / 1e6;
  report.rows.push_back({"300000 triangles",
                         fmt::format("report with {:g} s of motion", seconds),
                         "MB",
                         true,
                         size,
                         {},
                         "60 frames per second"});
  report.rows.push_back({"300000 triangles", "making the report", "ms", true, ms, {}, "once"});
  report.summary.emplace_back("report_mb_300k", size);
}

int run(int argc, char** argv) {
  CLI::App app{"What it takes to see something"};
  Options options;
  app.add_option("--json", options.json, "file for the figures");
  std::string unused;
  app.add_option("--data", unused, "not needed: worlds are made from seeds");
  app.add_option("--soak", options.soak_s,
                 "seconds of streaming before memory is looked at; 3600: an hour")
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "few repetitions, to see that it works");
  CLI11_PARSE(app, argc, argv);
  if (options.quick) options.stream_s = 1, options.soak_s = std::min(options.soak_s, 5.0);

  Report report{"see", {}, {}};
  const Worlds worlds;
  for (const long triangles : {30'000L, 100'000L, 300'000L, 500'000L}) {
    std::cerr << fmt::format("bench see: {} triangles\n", triangles);
    measure_first_frame(worlds, triangles, options, report);
  }
  std::cerr << "bench see: live\n";
  measure_live(worlds, options, report);
  std::cerr << "bench see: report\n";
  measure_report(worlds, options, report);
  publish(report, options.json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return geste::bench::run_suite("see", run, argc, argv); }
