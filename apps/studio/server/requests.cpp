#include "studio/server/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/text.hpp"

namespace geste::studio {
namespace {

// Far beyond any scene, and far from where sums of squares overflow.
constexpr double kLargestNumber = 1e9;
constexpr std::int64_t kLargestWhole = std::int64_t{1} << 53;
constexpr std::size_t kLongestName = 500;
constexpr std::size_t kLargestView = 16 * 1024;
constexpr std::size_t kMostNumbers = 100'000;
constexpr int kDeepest = 40;

Diagnostic make_fault(std::string message, std::string remedy) {
  return {.code = "studio.bad_request", .message = std::move(message), .remedy = std::move(remedy)};
}

/// Reads the fields of one object; the first fault is kept, and values after it mean nothing.
class FieldReader {
 public:
  explicit FieldReader(const Json& object) : object_(object) {}

  [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }
  [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }

  std::string text(const char* key, std::size_t longest = kLongestName) {
    const Json* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_string()) return refuse(key, "a text"), std::string();
    auto text = value->get<std::string>();
    if (text.empty() || text.size() > longest)
      refuse(key, fmt::format("a text of 1 to {} bytes", longest).c_str());
    return text;
  }

  double number(const char* key, double least = -kLargestNumber, double most = kLargestNumber) {
    const Json* value = find(key);
    return value == nullptr ? 0 : check_number(key, *value, least, most);
  }

  std::int64_t whole(const char* key) {
    const Json* value = find(key);
    const std::optional<std::int64_t> number = value ? as_whole(*value) : std::nullopt;
    if (value != nullptr && !number) refuse(key, "a whole number");
    return number.value_or(0);
  }

  /// Between one and `most` numbers; exactly `count` where that is not 0.
  std::vector<double> numbers(const char* key, std::size_t count = 0) {
    const Json* value = find(key);
    std::vector<double> numbers;
    if (value == nullptr) return numbers;
    const std::size_t size = value->is_array() ? value->size() : 0;
    if (size == 0 || size > kMostNumbers || (count != 0 && size != count)) {
      refuse(key, count != 0 ? fmt::format("an array of {} numbers", count).c_str()
                             : "an array of numbers");
      return std::vector<double>(count);
    }
    for (const Json& item : *value)
      numbers.push_back(check_number(key, item, -kLargestNumber, kLargestNumber));
    return numbers;
  }

  Vec3 point(const char* key) {
    const std::vector<double> values = numbers(key, 3);
    return values.size() == 3 ? Vec3(values[0], values[1], values[2]) : Vec3::Zero();
  }

  const Json& object(const char* key) {
    static const Json none = Json::object();
    const Json* value = find(key);
    if (value != nullptr && !value->is_object()) refuse(key, "an object");
    return value != nullptr && value->is_object() ? *value : none;
  }

  void refuse(const char* key, const char* wanted) {
    if (!fault_)
      fault_ = make_fault(fmt::format("'{}' must be {}", key, wanted), "correct the request");
  }

  static std::optional<std::int64_t> as_whole(const Json& value) {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > kLargestWhole)
      return std::nullopt;
    const auto number = value.get<std::int64_t>();
    if (number > kLargestWhole || number < -kLargestWhole) return std::nullopt;
    return number;
  }

 private:
  const Json* find(const char* key) {
    const auto found = object_.find(key);
    if (found != object_.end()) return &*found;
    if (!fault_) fault_ = make_fault(fmt::format("'{}' is missing", key), "add it to the request");
    return nullptr;
  }

  double check_number(const char* key, const Json& value, double least, double most) {
    const double number = value.is_number() ? value.get<double>() : kInvalid;
    if (number >= least && number <= most) return number;
    refuse(key, fmt::format("made of numbers from {:g} to {:g}", least, most).c_str());
    return 0;
  }

  static constexpr double kInvalid = std::numeric_limits<double>::quiet_NaN();
  const Json& object_;
  std::optional<Error> fault_;
};

SetJoint read_joint(FieldReader& r) { return {r.text("joint"), r.numbers("values")}; }
SetState read_state(FieldReader& r) { return {r.numbers("q")}; }
UseConfiguration read_configuration(FieldReader& r) { return {r.text("name")}; }

Drag read_drag(FieldReader& r) {
  Drag drag;
  drag.body = r.text("body");
  if (!r.has("pose")) {
    drag.p_B = r.point("point");
    drag.p_W = r.point("to");
    return drag;
  }
  const std::vector<double> pose = r.numbers("pose", 7);
  drag.p_W = Vec3(pose[0], pose[1], pose[2]);
  const Quat rotation(pose[6], pose[3], pose[4], pose[5]);
  constexpr double kShortest = 1e-6;
  if (!(rotation.norm() > kShortest)) return r.refuse("pose", "a place and a quaternion"), drag;
  drag.rotation = rotation.normalized();
  return drag;
}

MoveByDevice read_device(FieldReader& r) {
  MoveByDevice move;
  move.body = r.text("body");
  std::vector<double> twist = r.numbers("twist", 6);
  twist.resize(6);
  move.linear = Vec3(twist[0], twist[1], twist[2]);
  move.angular = Vec3(twist[3], twist[4], twist[5]);
  constexpr double kLongestStep = 1;
  move.seconds = r.number("seconds", 0, kLongestStep);
  return move;
}

/// Names that a task file, a terminal and a page can show.
SaveConfiguration read_save(FieldReader& r) {
  constexpr std::size_t kLongest = 100;
  std::string name = r.text("name", kLongest);
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    r.refuse("name", "a text without control characters");
  return {std::move(name)};
}

MeasureEnd read_end(FieldReader& r, const char* key) {
  FieldReader end(r.object(key));
  MeasureEnd read;
  if (end.has("body")) {
    read.body = end.text("body");
  } else {
    read.point = end.point("point");
  }
  if (end.fault()) r.refuse(key, "{\"body\": name} or {\"point\": [x, y, z]}");
  return read;
}
Measure read_distance(FieldReader& r) {
  Measure measure;
  measure.a = read_end(r, "a");
  measure.b = read_end(r, "b");
  return measure;
}

FindClashes read_clashes(FieldReader& r) {
  return {r.has("tolerance") ? r.number("tolerance", 0) : 0};
}

AskFacts read_facts(FieldReader& r) { return {r.text("body")}; }

RunTask read_run(FieldReader& r) {
  RunTask run;
  run.kind = r.text("kind");
  run.options = r.object("options");
  if (r.has("seed")) {
    const std::int64_t seed = r.whole("seed");
    if (seed < 0) r.refuse("seed", "a whole number from 0 on");
    run.seed = static_cast<std::uint64_t>(seed);
  }
  if (r.has("budget_s")) run.budget_s = r.number("budget_s", 0);
  return run;
}

CancelJob read_cancel(FieldReader& r) { return {r.whole("job")}; }
ForgetResult read_forget(FieldReader& r) { return {r.text("result")}; }

ShareView read_view(FieldReader& r) {
  ShareView share{r.object("view")};
  if (dump(share.view).size() > kLargestView) r.refuse("view", "an object of at most 16 KiB");
  return share;
}

Rename read_name(FieldReader& r) {
  constexpr std::size_t kLongest = 80;
  return {r.text("name", kLongest)};
}
TakeControl read_take(FieldReader&) { return {}; }
GiveControl read_give(FieldReader& r) { return {r.whole("to")}; }

struct Kind {
  const char* name;
  bool needs_control;
  Deed (*read)(FieldReader&);
};
template <auto read>
Deed wrap(FieldReader& r) {
  return read(r);
}
constexpr Kind kKinds[] = {
    {"joint", true, wrap<read_joint>},
    {"state", true, wrap<read_state>},
    {"configuration", true, wrap<read_configuration>},
    {"drag", true, wrap<read_drag>},
    {"device", true, wrap<read_device>},
    {"save", true, wrap<read_save>},
    {"distance", false, wrap<read_distance>},
    {"clashes", false, wrap<read_clashes>},
    {"facts", false, wrap<read_facts>},
    {"run", true, wrap<read_run>},
    {"cancel", true, wrap<read_cancel>},
    {"forget", true, wrap<read_forget>},
    {"view", true, wrap<read_view>},
    {"name", false, wrap<read_name>},
    {"take", false, wrap<read_take>},
    {"give", true, wrap<read_give>},
};

Error explain_unknown(const std::string& name) {
  std::vector<std::string> known;
  for (const Kind& kind : kKinds) known.emplace_back(kind.name);
  constexpr std::size_t kShown = 60;
  return Diagnostic{.code = "studio.unknown_request",
                    .message = fmt::format("there is nothing to do called {}",
                                           quote_json(name.substr(0, kShown))),
                    .remedy = suggest_name(name, known)};
}

/// Whether brackets are nested deeper than anything we speak of, as deep as whoever walks over the
/// value would go; or there are more keys, which are looked up one by one.
bool is_too_much(std::string_view text) {
  constexpr int kMostKeys = 5000;
  int depth = 0, keys = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ':' && ++keys > kMostKeys) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::variant<Request, BadRequest> parse_request(std::string_view text) {
  const char* remedy = "send an object with \"id\" and \"do\"";
  if (is_too_much(text))
    return BadRequest{{}, make_fault("is nested too deeply, or has too many keys", remedy)};
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return BadRequest{{}, make_fault("is no JSON", remedy)};
  if (!json.is_object()) return BadRequest{{}, make_fault("is no JSON object", remedy)};
  const auto id = json.contains("id") ? FieldReader::as_whole(json["id"]) : std::nullopt;
  if (!id) return BadRequest{{}, make_fault("'id' must be a whole number", remedy)};

  FieldReader reader(json);
  const std::string name = reader.text("do");
  if (reader.fault()) return BadRequest{id, *reader.fault()};
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const Kind& k) { return name == k.name; });
  if (kind == std::end(kKinds)) return BadRequest{id, explain_unknown(name)};
  Request request{*id, kind->read(reader), kind->needs_control};
  if (reader.fault()) return BadRequest{id, *reader.fault()};
  return request;
}

}  // namespace geste::studio
