#include "common/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "geste/core/files.hpp"

namespace geste::bench {
namespace {

std::string describe_machine() {
  std::ifstream in("/proc/cpuinfo");
  std::string line, model = "unknown processor";
  while (std::getline(in, line)) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  return fmt::format("{}, {} cores", model, std::thread::hardware_concurrency());
}

/// ./bench tells it; a program started by hand does not know.
std::string describe_commit() {
  const char* commit = std::getenv("GESTE_COMMIT");
  return commit ? commit : "unknown";
}

}  // namespace

namespace {

double read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double thread_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
double process_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

std::string make_json(const Report& report) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& r : report.rows) {
    nlohmann::ordered_json peers = nlohmann::ordered_json::object();
    for (const auto& [name, value] : r.peers) peers[name] = value;
    rows.push_back({{"case", r.name},
                    {"metric", r.metric},
                    {"unit", r.unit},
                    {"better", r.lower_is_better ? "lower" : "higher"},
                    {"geste", r.geste},
                    {"peers", std::move(peers)},
                    {"how", r.how}});
  }
  nlohmann::ordered_json summary = nlohmann::ordered_json::object();
  for (const auto& [key, value] : report.summary) summary[key] = value;
  const nlohmann::ordered_json json = {{"suite", report.suite},
                                       {"commit", describe_commit()},
                                       {"machine", describe_machine()},
                                       {"rows", std::move(rows)},
                                       {"summary", std::move(summary)}};
  return json.dump(2) + "\n";
}

std::string make_table(const Report& report) {
  std::size_t name_width = 4, metric_width = 6;
  for (const Row& r : report.rows) {
    name_width = std::max(name_width, r.name.size());
    metric_width = std::max(metric_width, r.metric.size());
  }
  std::string out = fmt::format("{}, {}\n\n{:<{}} {:<{}} {:>12} {:<8} {}\n", report.suite,
                                describe_machine(), "case", name_width, "metric", metric_width,
                                "geste", "unit", "peers (ratio: above 1 geste is better)");
  for (const Row& r : report.rows) {
    out += fmt::format("{:<{}} {:<{}} {:>12.4g} {:<8}", r.name, name_width, r.metric, metric_width,
                       r.geste, r.unit);
    for (const auto& [name, value] : r.peers) {
      out += fmt::format(" {} {:.4g} ({:.2f}x)", name, value,
                         r.lower_is_better ? value / r.geste : r.geste / value);
    }
    out += '\n';
  }
  out += "\nsummary:\n";
  for (const auto& [key, value] : report.summary)
    out += fmt::format("  {:<24} {:.4g}\n", key, value);
  return out;
}

void publish(const Report& report, const std::string& json_file) {
  std::cout << make_table(report);
  if (!json_file.empty()) write_report(report, json_file);
}

void write_report(const Report& report, const std::string& json_file) {
  const Result<void> written = write_file_atomically(json_file, make_json(report));
  if (!written) throw std::runtime_error(to_text(written.error()));
}

int run_suite(const char* name, int (*run)(int argc, char** argv), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "bench " << name << ": " << e.what() << "\n";
    return 1;
  }
}

}  // namespace geste::bench
