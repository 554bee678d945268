#include "see/live.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "studio/client/live_socket.hpp"

namespace geste::bench {
namespace {

using Clock = std::chrono::steady_clock;
using studio::client::Json;
using studio::client::LiveSocket;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Where the tool of the arm is, by its first frame: the last mover.
std::vector<float> find_tool(LiveSocket& socket) {
  return socket.wait_first_frame().movers.rbegin()->second;
}

}  // namespace

std::vector<double> measure_drags(std::uint16_t port, int count) {
  LiveSocket socket(port, "bench-guide", "bench");
  socket.ask("take");
  const Json& joints = socket.hello()["joints"];
  const std::string body = joints.back()["body"];
  const std::vector<float> tool = find_tool(socket);
  std::vector<double> times;
  for (int k = 0; k < count; ++k) {
    const double angle = 0.05 * k;
    const Json to = {tool[0] + 0.05 * std::cos(angle), tool[1] + 0.05 * std::sin(angle), tool[2]};
    const Clock::time_point begin = Clock::now();
    const int id = socket.send("drag", {{"body", body}, {"point", {0, 0, 0}}, {"to", to}});
    socket.wait_frame(id);
    times.push_back(1e3 * seconds_since(begin));
    socket.wait_answer(id);
    socket.forget();
  }
  return times;
}

double measure_stream(std::uint16_t port, int clients, double seconds) {
  std::atomic<bool> ends = false;
  std::vector<double> rates(static_cast<std::size_t>(clients));
  std::vector<std::thread> watchers;
  for (std::size_t c = 1; c < rates.size(); ++c) {
    watchers.emplace_back([&, c] {
      LiveSocket socket(port, fmt::format("bench-watch-{}", c), "watcher");
      const Clock::time_point begin = Clock::now();
      std::size_t frames = 0;
      while (!ends) frames += socket.read_some();
      rates[c] = static_cast<double>(frames) / seconds_since(begin);
    });
  }
  LiveSocket guide(port, "bench-guide", "bench");
  guide.ask("take");
  const std::string joint = guide.hello()["joints"][0]["name"];
  const Clock::time_point begin = Clock::now();
  int sent = 0;
  while (seconds_since(begin) < seconds) {
    const int id =
        guide.send("joint", {{"joint", joint}, {"values", {0.3 * std::sin(0.01 * ++sent)}}});
    guide.wait_frame(id);
    guide.wait_answer(id);
    guide.forget();
  }
  rates[0] = sent / seconds_since(begin);
  ends = true;
  // One more state, so that watchers who wait wake up.
  guide.ask("joint", {{"joint", joint}, {"values", {0.0}}});
  for (std::thread& watcher : watchers) watcher.join();
  return *std::min_element(rates.begin(), rates.end());
}

double get_memory_mb() {
  std::ifstream in("/proc/self/status");
  std::string line;
  while (std::getline(in, line))
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

}  // namespace geste::bench
