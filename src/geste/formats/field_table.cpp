#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "geste/formats/fields.hpp"
#include "geste/formats/internal/si_unit.hpp"

namespace geste {
namespace {

const char* unit_of(Dimension dimension) {
  const char* unit = find_si_unit(dimension);
  return unit == nullptr ? "number" : unit;
}

/// Writes one row for each field; fields of inner mappings as "outer.inner".
class TableWriter final : public FieldVisitor {
 public:
  TableWriter(std::string& out, std::string prefix) : out_(out), prefix_(std::move(prefix)) {}

  void number(const Field& f, double& value, Dimension d) override {
    row(f, unit_of(d), std::isfinite(value) ? fmt::format("{:g}", value) : "");
  }
  void integer(const Field& f, long long& value, long long) override {
    row(f, "whole number", fmt::format("{}", value));
  }
  void boolean(const Field& f, bool& value) override {
    row(f, "true, false", fmt::format("{}", value));
  }
  void text(const Field& f, std::string& value) override { row(f, "text", value); }
  void file(const Field& f, std::string& value) override { row(f, "file", value); }
  void choice(const Field& f, std::string& value, std::span<const std::string> choices) override {
    row(f, fmt::format("{}", fmt::join(choices, ", ")), value);
  }
  void numbers(const Field& f, std::vector<double>&, Dimension d) override {
    row(f, fmt::format("[{}, ...]", unit_of(d)), "");
  }
  void vector(const Field& f, Vec3&, Dimension d) override {
    row(f, fmt::format("[x, y, z] in {}", unit_of(d)), "");
  }
  void texts(const Field& f, std::vector<std::string>&) override { row(f, "[text, ...]", ""); }
  void pose(const Field& f, Pose&) override {
    row(f, "{xyz, rpy_deg or rpy or quaternion as [x, y, z, w]}", "");
  }
  void group(const Field& f, bool&, const std::function<void(FieldVisitor&)>& describe) override {
    row(f, "mapping", "");
    TableWriter inner(out_, fmt::format("{}{}.", prefix_, f.key));
    describe(inner);
  }
  void table(const Field& f, std::vector<std::pair<std::string, std::vector<double>>>&) override {
    row(f, "{name: number or [numbers]}", "");
  }
  void joint_values(const Field& f,
                    std::vector<std::pair<std::string, std::vector<double>>>&) override {
    row(f, "{joint: value or [values]} in rad or m, or with a unit: 45 deg", "");
  }
  void fault(const std::string&, const std::string&, const std::string&,
             const std::string&) override {}
  void do_list(const Field& f, std::size_t held,
               const std::function<void(FieldVisitor&, std::size_t)>& describe) override {
    row(f, "sequence", "");
    TableWriter inner(out_, fmt::format("{}{}[].", prefix_, f.key));
    describe(inner, held);
  }

 private:
  void row(const Field& f, const std::string& kind, const std::string& value) {
    out_ += fmt::format("| `{}{}` | {} | {} | {} |\n", prefix_, f.key, kind,
                        f.required ? "required" : value, f.help);
  }

  std::string& out_;
  std::string prefix_;
};

}  // namespace

std::string make_field_table(const std::function<void(FieldVisitor&)>& describe) {
  std::string table = "| key | kind | default | meaning |\n| --- | --- | --- | --- |\n";
  TableWriter writer(table, "");
  describe(writer);
  return table;
}

}  // namespace geste
