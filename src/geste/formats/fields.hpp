#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "geste/math/pose.hpp"

namespace geste {

/// What a number measures, and so which units may stand behind it in a file. Values are in SI,
/// but for `degrees`: an angle whose key says so.
enum class Dimension { none, length, angle, degrees, mass, time };

/// One option as people see it: in a task file, in a form, in the documentation.
struct Field {
  const char* key;
  const char* help;  ///< what it does, in one phrase
  bool required = false;
};

/// Walks over the fields of an options struct. A struct describes itself once,
///   void describe(FieldVisitor& v, ReplayOptions& o) { v.file({"motion", "...", true}, o.motion);
///   ... }
/// and readers, forms and documentation are visitors. On entry a value holds its default.
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  virtual void number(const Field& field, double& value, Dimension dimension) = 0;
  virtual void integer(const Field& field, long long& value, long long least) = 0;
  virtual void boolean(const Field& field, bool& value) = 0;
  virtual void text(const Field& field, std::string& value) = 0;
  /// A path, relative to the task file.
  virtual void file(const Field& field, std::string& value) = 0;
  virtual void choice(const Field& field, std::string& value,
                      std::span<const std::string> choices) = 0;
  virtual void numbers(const Field& field, std::vector<double>& value, Dimension dimension) = 0;
  virtual void vector(const Field& field, Vec3& value, Dimension dimension) = 0;
  virtual void texts(const Field& field, std::vector<std::string>& value) = 0;
  virtual void pose(const Field& field, Pose& value) = 0;

  /// A mapping inside the mapping. `present` tells whether the file has it.
  virtual void group(const Field& field, bool& present,
                     const std::function<void(FieldVisitor&)>& describe) = 0;
  /// A sequence of mappings; `describe` is called once for each that is read, to add it.
  void list(const Field& field, const std::function<void(FieldVisitor&)>& describe) {
    do_list(field, 0, [&](FieldVisitor& item, std::size_t) { describe(item); });
  }
  /// The same with the items themselves, so that forms can show what is held.
  template <class Item>
  void items(const Field& field, std::vector<Item>& held,
             const std::function<void(FieldVisitor&, Item&)>& describe) {
    const std::size_t count = held.size();
    do_list(field, count, [&](FieldVisitor& item, std::size_t i) {
      if (i < count) return describe(item, held[i]);
      Item added;
      describe(item, added);
      if (item.line() > 0) held.push_back(std::move(added));
    });
  }
  /// A mapping with free keys, each with a sequence of numbers or one number.
  virtual void table(const Field& field,
                     std::vector<std::pair<std::string, std::vector<double>>>& value) = 0;

  /// The same for configurations: keys are joints, and units of angles or lengths may stand behind
  /// the numbers.
  virtual void joint_values(const Field& field,
                            std::vector<std::pair<std::string, std::vector<double>>>& value) {
    table(field, value);
  }

  /// Where the current mapping begins in the file; 0 for forms and documentation.
  [[nodiscard]] virtual int line() const { return 0; }
  /// Whether the file has the key, readable or not; false for forms and documentation.
  [[nodiscard]] virtual bool has(const char* /*key*/) const { return false; }
  /// A fault that concerns several fields at once, told with the position of `key`. Without a key
  /// it concerns the mapping as a whole, and is left out where a misspelt key may explain it.
  virtual void fault(const std::string& key, const std::string& code, const std::string& message,
                     const std::string& remedy) = 0;

 protected:
  /// `describe` of i below `held` tells that item; of any other, one that is added, or none in
  /// particular.
  virtual void do_list(const Field& field, std::size_t held,
                       const std::function<void(FieldVisitor&, std::size_t)>& describe) = 0;
};

/// A table of the fields in Markdown: key, kind, default, meaning.
std::string make_field_table(const std::function<void(FieldVisitor&)>& describe);

}  // namespace geste
