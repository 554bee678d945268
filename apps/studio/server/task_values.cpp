#include "studio/server/task_values.hpp"

#include <cmath>

namespace geste::studio {
namespace {

/// Writes what the fields hold.
class ValueWriter final : public FieldVisitor {
 public:
  explicit ValueWriter(Json& out) : out_(out) {}

  void number(const Field& f, double& value, Dimension) override {
    if (std::isfinite(value)) out_[f.key] = value;
  }
  void integer(const Field& f, long long& value, long long) override { out_[f.key] = value; }
  void boolean(const Field& f, bool& value) override { out_[f.key] = value; }
  void text(const Field& f, std::string& value) override { write_text(f, value); }
  void file(const Field& f, std::string& value) override { write_text(f, value); }
  void choice(const Field& f, std::string& value, std::span<const std::string>) override {
    write_text(f, value);
  }
  void numbers(const Field& f, std::vector<double>& value, Dimension) override {
    if (!value.empty()) out_[f.key] = value;
  }
  void vector(const Field& f, Vec3& value, Dimension) override {
    if (value.allFinite()) out_[f.key] = to_json(value);
  }
  void texts(const Field& f, std::vector<std::string>& value) override {
    if (!value.empty()) out_[f.key] = value;
  }
  void pose(const Field& f, Pose& value) override {
    const Quat r = value.quaternion();
    out_[f.key] = {{"xyz", to_json(value.p)}, {"quaternion", {r.x(), r.y(), r.z(), r.w()}}};
  }
  void group(const Field& f, bool& present,
             const std::function<void(FieldVisitor&)>& describe) override {
    if (!present) return;
    Json inner = Json::object();
    ValueWriter writer(inner);
    describe(writer);
    out_[f.key] = std::move(inner);
  }
  void table(const Field& f,
             std::vector<std::pair<std::string, std::vector<double>>>& value) override {
    if (value.empty()) return;
    Json rows = Json::object();
    for (const auto& [key, numbers] : value) rows[key] = numbers;
    out_[f.key] = std::move(rows);
  }
  void fault(const std::string&, const std::string&, const std::string&,
             const std::string&) override {}

  void do_list(const Field& f, std::size_t held,
               const std::function<void(FieldVisitor&, std::size_t)>& describe) override {
    for (std::size_t i = 0; i < held; ++i) {
      Json item = Json::object();
      ValueWriter writer(item);
      describe(writer, i);
      out_[f.key].push_back(std::move(item));
    }
  }

 private:
  void write_text(const Field& f, const std::string& value) {
    if (!value.empty()) out_[f.key] = value;
  }
  Json& out_;
};

}  // namespace

Json make_task_values(Task& task) {
  Json values = Json::object();
  ValueWriter writer(values);
  task.describe(writer);
  return values;
}

}  // namespace geste::studio
