#pragma once

#include <string>
#include <utility>
#include <vector>

#include "geste/core/result.hpp"

namespace geste::bench {

/// One measured quantity, geste's and its peers'.
struct Row {
  std::string name;    ///< "panda"
  std::string metric;  ///< "forward kinematics"
  std::string unit;    ///< "us"
  bool lower_is_better = true;
  double geste = 0;
  std::vector<std::pair<std::string, double>> peers;
  std::string how;  ///< threads, clock, repetitions
};

/// What a suite found: {suite, commit, machine, rows, summary}.
struct Report {
  std::string suite;
  std::vector<Row> rows;
  std::vector<std::pair<std::string, double>> summary;
};

std::string make_json(const Report& report);
/// A table for people.
std::string make_table(const Report& report);

/// Prints the table and, where a file is named, writes the JSON.
void publish(const Report& report, const std::string& json_file);
/// The JSON alone. Throws where it cannot be written.
void write_report(const Report& report, const std::string& json_file);

/// A suite's main: what it throws becomes one message and exit code 1.
int run_suite(const char* name, int (*run)(int argc, char** argv), int argc, char** argv);

/// CPU seconds of this thread.
double thread_seconds();
/// CPU seconds of all threads, for peers that start some.
double process_seconds();

/// Median over `batches` of the CPU time of one call in seconds; each batch runs long enough to be
/// timed well.
template <class Call>
double measure_median(Call call, int batches = 31, double batch_seconds = 0.004);

}  // namespace geste::bench

#include <algorithm>

namespace geste::bench {

template <class Call>
double measure_median(Call call, int batches, double batch_seconds) {
  long calls = 1;
  for (double took = 0; took < batch_seconds && calls < (1L << 40); calls *= 2) {
    const double begin = thread_seconds();
    for (long i = 0; i < calls; ++i) call();
    took = thread_seconds() - begin;
  }
  std::vector<double> seconds;
  for (int b = 0; b < batches; ++b) {
    const double begin = thread_seconds();
    for (long i = 0; i < calls; ++i) call();
    seconds.push_back((thread_seconds() - begin) / static_cast<double>(calls));
  }
  std::nth_element(seconds.begin(), seconds.begin() + batches / 2, seconds.end());
  return seconds[static_cast<std::size_t>(batches / 2)];
}

}  // namespace geste::bench
