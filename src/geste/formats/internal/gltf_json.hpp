#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/error.hpp"

namespace geste {

/// The remedy for faults that only the program that wrote the file can mend.
inline constexpr const char* kGltfExportAgain =
    "export the file again; this one breaks the glTF 2.0 standard";

/// What a reader has to say about one file: faults that stop it, and notes that do not. Both are
/// bounded, so that a file with a million broken accessors gives a page of text and not a gigabyte.
class GltfLog {
 public:
  explicit GltfLog(std::string file) : file_(std::move(file)) {}

  void fault(const char* code, std::string element, std::string message, std::string remedy);
  void fault(Diagnostic diagnostic);
  /// Notes with the same code become one, which names the first place and counts the others.
  void note(const char* code, std::string element, std::string message, std::string remedy);

  [[nodiscard]] bool ok() const { return faults_.empty(); }
  [[nodiscard]] Error take_error();
  [[nodiscard]] Notes take_notes();

 private:
  struct CountedNote {
    Note note;
    std::size_t count = 0;
  };

  [[nodiscard]] Diagnostic make(const char* code, std::string element, std::string message,
                                std::string remedy) const;

  std::string file_;
  std::vector<Diagnostic> faults_;
  std::size_t unsaid_faults_ = 0;
  std::map<std::string, CountedNote> notes_;
};

/// Names one item of a glTF file in messages: "mesh 2 'piston', primitive 1".
struct GltfPlace {
  const char* kind = "";
  std::size_t index = 0;
  std::string_view name = {};
  std::optional<std::size_t> primitive = std::nullopt;

  [[nodiscard]] std::string to_text() const;
};

/// One JSON object of the file, read member by member. A member that is absent gives nothing; one
/// of the wrong type or range gives nothing and a fault that names it.
class GltfObject {
 public:
  /// `value` must outlive the object. Anything but a JSON object is a fault and reads as empty.
  GltfObject(const nlohmann::json& value, GltfPlace place, GltfLog& log);

  [[nodiscard]] const nlohmann::json* find(const char* key) const;
  [[nodiscard]] const nlohmann::json* find_object(const char* key) const;
  [[nodiscard]] const nlohmann::json* find_array(const char* key) const;
  [[nodiscard]] std::string_view find_string(const char* key) const;
  [[nodiscard]] bool find_flag(const char* key) const;
  /// A whole number from 0 to 2^53.
  [[nodiscard]] std::optional<std::size_t> find_size(const char* key) const;
  [[nodiscard]] std::optional<std::size_t> require_size(const char* key) const;
  /// A number below `count`: which of the file's `kind`s is meant.
  [[nodiscard]] std::optional<std::size_t> find_reference(const char* key, const char* kind,
                                                          std::size_t count) const;
  [[nodiscard]] std::optional<std::size_t> require_reference(const char* key, const char* kind,
                                                             std::size_t count) const;
  template <std::size_t N>
  [[nodiscard]] std::optional<std::array<double, N>> find_numbers(const char* key) const {
    std::array<double, N> numbers{};
    if (!read_numbers(key, numbers.data(), N)) return std::nullopt;
    return numbers;
  }

  /// A member of `extensions` that is an object.
  [[nodiscard]] const nlohmann::json* find_extension(const char* name) const;

  void fault(const char* code, std::string message, std::string remedy = {}) const;
  void note(const char* code, std::string message, std::string remedy = {}) const;
  [[nodiscard]] const GltfPlace& place() const { return place_; }
  [[nodiscard]] GltfLog& log() const { return *log_; }

 private:
  bool read_numbers(const char* key, double* numbers, std::size_t count) const;
  void wrong_type(const char* key, const char* expected, const nlohmann::json& value) const;
  void missing(const char* key) const;

  const nlohmann::json* value_;
  GltfPlace place_;
  GltfLog* log_;
};

/// The object's `name` where it has one.
std::string_view find_gltf_name(const nlohmann::json& object);

/// A whole number from 0 to 2^53, written as 3 or 3.0.
std::optional<std::size_t> find_whole_number(const nlohmann::json& value);

}  // namespace geste
