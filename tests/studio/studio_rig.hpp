#pragma once

#include <gtest/gtest.h>

#include <fstream>

#include "core/temp_folder.hpp"
#include "studio/client/live_socket.hpp"
#include "studio/server/studio.hpp"
#include "testing.hpp"

namespace geste::testing {

using namespace geste::studio::client;

/// A studio on a copy of the first example, at any free port.
class StudioRig {
 public:
  explicit StudioRig(studio::StudioOptions options = {}) : folder_() {
    const std::filesystem::path source = source_dir();
    std::filesystem::copy(source / "scenes" / "hello.csv", folder_ / "hello.csv");
    if (options.task.empty()) {
      options.task = folder_ / "hello.yaml";
      write(options.task, edit_paths(read(source / "scenes" / "hello.yaml"), source));
    }
    options.out = folder_ / "results";
    options.port = 0;
    auto started = studio::Studio::start(options);
    if (!started) throw std::runtime_error(to_text(started.error()));
    studio_ = std::move(*started);
  }

  [[nodiscard]] std::uint16_t port() const { return studio_->port(); }
  studio::Studio& studio() { return *studio_; }
  [[nodiscard]] std::filesystem::path task() const { return folder_ / "hello.yaml"; }
  [[nodiscard]] std::filesystem::path out() const { return folder_ / "results"; }
  TempFolder& folder() { return folder_; }

  static std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

 private:
  static std::string edit_paths(std::string text, const std::filesystem::path& source) {
    const std::string from = "../models", to = (source / "models").string();
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }

  TempFolder folder_;
  std::unique_ptr<studio::Studio> studio_;
};

}  // namespace geste::testing
