#include "geste/formats/field_form.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

#include "geste/formats/internal/pack_pose.hpp"
#include "geste/formats/internal/si_unit.hpp"

namespace geste {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

class FormWriter final : public FieldVisitor {
 public:
  explicit FormWriter(bool is_item = false) : is_item_(is_item) {}
  Json take() { return std::move(fields_); }

  void number(const Field& f, double& value, Dimension d) override {
    add_measured(f, "number", to_json(value), d);
  }
  void integer(const Field& f, long long& value, long long least) override {
    add(f, "integer", value)["least"] = least;
  }
  void boolean(const Field& f, bool& value) override { add(f, "boolean", value); }
  void text(const Field& f, std::string& value) override { add(f, "text", value); }
  void file(const Field& f, std::string& value) override { add(f, "file", value); }
  void choice(const Field& f, std::string& value, std::span<const std::string> choices) override {
    add(f, "choice", value)["choices"] = std::vector<std::string>(choices.begin(), choices.end());
  }
  void numbers(const Field& f, std::vector<double>& value, Dimension d) override {
    Json values = Json::array();
    for (const double v : value) values.push_back(to_json(v));
    add_measured(f, "numbers", std::move(values), d);
  }
  void vector(const Field& f, Vec3& value, Dimension d) override {
    add_measured(f, "vector", {to_json(value.x()), to_json(value.y()), to_json(value.z())}, d);
  }
  void texts(const Field& f, std::vector<std::string>& value) override { add(f, "texts", value); }
  /// One that says nothing stays empty, but for items: those are there.
  void pose(const Field& f, Pose& value) override {
    const bool is_plain = !is_item_ && value.p.isZero(0) && value.R.isIdentity(0);
    add(f, "pose", is_plain ? Json(nullptr) : Json(pack_pose(value)));
  }
  void group(const Field& f, bool& present,
             const std::function<void(FieldVisitor&)>& describe) override {
    add_inner(f, "group", present, describe);
  }
  void table(const Field& f,
             std::vector<std::pair<std::string, std::vector<double>>>& value) override {
    Json rows = Json::object();
    for (const auto& [key, numbers] : value) rows[key] = numbers;
    add(f, "table", std::move(rows));
  }
  void fault(const std::string&, const std::string&, const std::string&,
             const std::string&) override {}

  void do_list(const Field& f, std::size_t held,
               const std::function<void(FieldVisitor&, std::size_t)>& describe) override {
    Json items = Json::array();
    for (std::size_t i = 0; i < held; ++i) {
      FormWriter item(true);
      describe(item, i);
      Json values = Json::object();
      for (const Json& field : item.fields_)
        values[field["key"].get<std::string>()] = field["value"];
      items.push_back(std::move(values));
    }
    add_inner(f, "list", std::move(items), [&](FieldVisitor& v) { describe(v, held); });
  }

 private:
  Json& add(const Field& f, const char* kind, Json value) {
    fields_.push_back({{"key", f.key},
                       {"kind", kind},
                       {"help", f.help},
                       {"required", f.required},
                       {"value", std::move(value)}});
    return fields_.back();
  }
  void add_measured(const Field& f, const char* kind, Json value, Dimension dimension) {
    Json& field = add(f, kind, std::move(value));
    if (const char* unit = find_si_unit(dimension)) field["unit"] = unit;
  }
  void add_inner(const Field& f, const char* kind, Json value,
                 const std::function<void(FieldVisitor&)>& describe) {
    FormWriter inner;
    describe(inner);
    add(f, kind, std::move(value))["fields"] = inner.take();
  }

  bool is_item_;
  Json fields_ = Json::array();
};

}  // namespace

std::string make_field_form(const std::function<void(FieldVisitor&)>& describe) {
  FormWriter writer;
  describe(writer);
  return writer.take().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace geste
