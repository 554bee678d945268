#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geste/core/error.hpp"

// The commands of the geste program. Each returns its exit code: 0 done, 2 no motion (an outcome),
// 1 bad input or failure.

namespace geste::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kNoMotion = 2;

/// Says what went wrong on standard error, and with `json` also as JSON on standard output.
int fail(const Error& error, bool json);

struct InfoArguments {
  std::string file;
  double deflection_mm = 0.1;
  std::vector<std::string> poses;
  std::vector<std::string> joints;
  bool json = false;
};
int run_info(const InfoArguments& arguments);

struct CheckArguments {
  std::string scene;
  std::string state = "start";
  bool fixed = false;
  bool dropped = false;
  int samples = 1000;
  std::uint64_t seed = 1;
  int threads = 0;
  double tolerance_mm = 0;
  double resolution_mm = 0.001;
  std::string progress = "auto";
  bool json = false;
};
/// 2 when something collides, 1 when nothing could be checked.
int run_check(const CheckArguments& arguments);

struct VerifyArguments {
  std::string folder;
  std::string task;
  int threads = 0;
  std::string progress = "auto";
  bool json = false;
};
/// 2 when the motion is refused.
int run_verify(const VerifyArguments& arguments);

struct RunArguments {
  std::string task;
  std::string out;
  std::uint64_t seed = 1;
  int threads = 0;
  double budget_s = 0;
  double csv_step_s = 0;
  std::string progress = "auto";
  bool json = false;
};
int run_task(const RunArguments& arguments);

struct PictureArguments {
  std::string input;
  std::string out = "picture.png";
  std::string view = "iso";
  double share = 0;
  double seconds = -1;
  std::string size = "1280x720";
  std::string theme = "light";
  std::string isolate;
  bool json = false;
};
int run_picture(const PictureArguments& arguments);

struct StudioArguments {
  std::string task;
  std::string host = "127.0.0.1";
  int port = 8470;
  std::string token;
  std::string out;
  int threads = 0;
  std::string progress = "auto";
};
/// Serves until Ctrl-C.
int run_studio(const StudioArguments& arguments);

int run_tasks(bool markdown);
int run_completion();

}  // namespace geste::cli
