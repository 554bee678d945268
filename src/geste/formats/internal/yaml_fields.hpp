#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>

#include "geste/core/result.hpp"
#include "geste/formats/task_file.hpp"

namespace geste::internal {

/// What all levels of a file have in common.
struct YamlLog {
  std::vector<Diagnostic> faults;
  Notes notes;
  std::vector<JointUnit> joint_units;
};

/// Reads the fields of one YAML mapping. Call `finish` last: it finds keys that nobody asked for,
/// and tells what is missing and no misspelt key explains.
/// All faults of all levels go to one list, each with line and column.
class YamlFields final : public FieldVisitor {
 public:
  YamlFields(const YAML::Node& mapping, std::string file, std::string element, YamlLog& log);

  void number(const Field& field, double& value, Dimension dimension) override;
  void integer(const Field& field, long long& value, long long least) override;
  void boolean(const Field& field, bool& value) override;
  void text(const Field& field, std::string& value) override;
  void file(const Field& field, std::string& value) override;
  void choice(const Field& field, std::string& value,
              std::span<const std::string> choices) override;
  void numbers(const Field& field, std::vector<double>& value, Dimension dimension) override;
  void vector(const Field& field, Vec3& value, Dimension dimension) override;
  void texts(const Field& field, std::vector<std::string>& value) override;
  void pose(const Field& field, Pose& value) override;
  void group(const Field& field, bool& present,
             const std::function<void(FieldVisitor&)>& describe) override;
  void table(const Field& field,
             std::vector<std::pair<std::string, std::vector<double>>>& value) override;
  void joint_values(const Field& field,
                    std::vector<std::pair<std::string, std::vector<double>>>& value) override;
  [[nodiscard]] int line() const override;
  [[nodiscard]] bool has(const char* key) const override;
  void fault(const std::string& key, const std::string& code, const std::string& message,
             const std::string& remedy) override;
  void do_list(const Field& field, std::size_t held,
               const std::function<void(FieldVisitor&, std::size_t)>& describe) override;

  void finish();

 private:
  /// A fault of the mapping as a whole, which a misspelt key may explain: told by `finish`.
  struct WholeFault {
    std::string missing_key;  ///< empty: not about one key
    std::string code, message, remedy;
  };

  /// The value of the key, marked as asked for; nothing when absent (a fault when it is required).
  std::optional<YAML::Node> find(const Field& field);
  void fault_at(const YAML::Mark& mark, const std::string& code, const std::string& message,
                const std::string& remedy);
  void wrong_type(const Field& field, const YAML::Node& node, const std::string& expected);
  /// A number, or a number with a unit of the right dimension; in SI.
  std::optional<double> read_number(const Field& field, const YAML::Node& node,
                                    Dimension dimension);
  /// `count` of them, or any number of them when it is 0.
  std::optional<std::vector<double>> read_numbers(const Field& field, const YAML::Node& node,
                                                  Dimension dimension, std::size_t count);
  /// The values of one joint, a number or a sequence of them.
  std::optional<std::vector<double>> read_joint(const Field& field, const std::string& joint,
                                                const YAML::Node& node);
  /// Unit where it is nearly so; a note for one that looks as if w stood first. Nothing: a fault.
  std::optional<Quat> read_rotation(const std::vector<double>& quaternion);
  std::optional<std::string> read_text(const Field& field, const YAML::Node& node);

  YAML::Node mapping_;
  std::string file_;
  std::string element_;
  YamlLog& log_;
  std::vector<std::string> known_;
  std::vector<WholeFault> whole_;
};

/// The whole text as one YAML document; its faults with line and column. A file of more than 16 MiB
/// is no task file and is refused.
Result<YAML::Node> parse_yaml(std::string_view text, const std::string& file);

}  // namespace geste::internal
