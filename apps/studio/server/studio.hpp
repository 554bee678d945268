#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/core/result.hpp"

namespace geste::studio {

struct StudioOptions {
  std::filesystem::path task;
  std::string host = "127.0.0.1";
  std::uint16_t port = 8470;                ///< 0: any that is free
  std::string token{};                      ///< empty: none on loopback, a random one elsewhere
  std::filesystem::path out{};              ///< for results; empty: result/NAME-studio
  int threads = 0;                          ///< of tasks; 0: all cores
  std::chrono::milliseconds grace{10'000};  ///< how long a guide may be away
};

/// A task file, live in browsers: serves from `start` to `stop` on threads of its own.
class Studio {
 public:
  /// Loads the scene and takes the port; the error says what is wrong with either.
  static Result<std::unique_ptr<Studio>> start(const StudioOptions& options,
                                               ProgressSink& progress = no_progress(),
                                               const CancelToken& cancel = {});
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] const std::string& token() const;
  /// What to open in a browser.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] const Notes& notes() const;

  /// Cancels a task that runs, closes all connections and waits for the threads. Nothing is left
  /// half-written.
  void stop();

 private:
  struct Parts;
  explicit Studio(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace geste::studio
