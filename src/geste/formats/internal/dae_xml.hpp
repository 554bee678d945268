#pragma once

#include <tinyxml2.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/error.hpp"

namespace geste {

/// Counts beyond this are no counts: the importer reads them into 32 bits.
inline constexpr long long kDaeMostCount = 0x7FFFFFFF;

/// Faults of a COLLADA file, each at its element and line.
class DaeLog {
 public:
  explicit DaeLog(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] Diagnostic make(const char* code, const tinyxml2::XMLElement& at,
                                std::string message, std::string remedy) const;
  /// Only the first twenty are kept.
  void fault(const char* code, const tinyxml2::XMLElement& at, std::string message,
             std::string remedy);
  /// A whole number of an attribute, at most kDaeMostCount; a fault when it is none.
  std::size_t read_count(const tinyxml2::XMLElement& at, const char* attribute,
                         std::size_t fallback);

  [[nodiscard]] bool ok() const { return faults_.empty(); }
  [[nodiscard]] Error take_error() { return make_error(std::move(faults_)); }

 private:
  std::string file_;
  std::vector<Diagnostic> faults_;
};

/// The attribute's text; empty where there is none.
std::string_view dae_attribute(const tinyxml2::XMLElement& element, const char* name);

/// The id that a local reference "#id" names; empty, which no element is filed under, where the
/// attribute is absent or leads elsewhere.
std::string dae_target(const tinyxml2::XMLElement& element, const char* attribute);

/// Characters of text inside the element, at any depth.
std::size_t dae_text_bytes(const tinyxml2::XMLElement& element);

}  // namespace geste
