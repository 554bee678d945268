#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "geste/core/error.hpp"

namespace geste {

/// Collects the faults of one file: the first ones in full, the rest counted. A file broken a
/// million times draws a message of one screen.
class FaultList {
 public:
  explicit FaultList(std::string file) : file_(std::move(file)) {}

  /// The place in the file and the file's name are filled in here.
  void add(std::string code, int line, std::string element, std::string message,
           std::string remedy) {
    ++total_;
    if (faults_.size() >= kReported) return;
    Diagnostic fault;
    fault.code = std::move(code);
    fault.message = std::move(message);
    fault.file = file_;
    fault.line = line;
    fault.element = std::move(element);
    fault.remedy = std::move(remedy);
    faults_.push_back(std::move(fault));
  }

  [[nodiscard]] bool empty() const { return total_ == 0; }
  /// Nothing more will be reported in full.
  [[nodiscard]] bool full() const { return faults_.size() >= kReported; }

  /// Throws std::logic_error when there are none.
  [[nodiscard]] Error make() && {
    if (total_ > faults_.size() && !faults_.empty()) {
      Diagnostic rest;
      rest.code = faults_.back().code;
      rest.file = file_;
      rest.message = fmt::format("and {} more faults", total_ - faults_.size());
      faults_.push_back(std::move(rest));
    }
    return make_error(std::move(faults_));
  }

 private:
  static constexpr std::size_t kReported = 20;
  std::string file_;
  std::vector<Diagnostic> faults_;
  std::size_t total_ = 0;
};

}  // namespace geste
