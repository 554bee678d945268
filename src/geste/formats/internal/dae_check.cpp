#include "geste/formats/internal/dae_check.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <vector>

#include "geste/core/quantity.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/dae_nodes.hpp"
#include "geste/formats/internal/dae_xml.hpp"
#include "geste/formats/internal/length_units.hpp"
#include "geste/formats/internal/xml_document.hpp"

namespace geste {
namespace {

using tinyxml2::XMLElement;

constexpr const char* kMendCounts = "export the file again; its counts and data disagree";

bool is_number(std::string_view word) { return parse_double(word).has_value(); }

bool is_whole_number(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
         parse_integer(word).has_value();
}

class DaeChecker {
 public:
  DaeChecker(const XMLElement& root, std::size_t file_bytes, const std::string& file_name)
      : root_(root), file_bytes_(file_bytes), log_(file_name) {}

  Result<DaeFacts> run() {
    read_header();
    visit(root_);
    check_accessors();
    check_geometry_instances();
    if (log_.ok()) check_dae_nodes(root_, file_bytes_, log_);
    if (!log_.ok()) return log_.take_error();
    return std::move(facts_);
  }

 private:
  void read_header() {
    const XMLElement* asset = root_.FirstChildElement("asset");
    if (!asset) return;
    if (const XMLElement* unit = asset->FirstChildElement("unit")) read_unit(*unit);
    if (const XMLElement* up = asset->FirstChildElement("up_axis")) {
      const std::string_view axis = trim(up->GetText() ? up->GetText() : "");
      if (axis == "X_UP")
        facts_.up = UpAxis::x;
      else if (axis == "Y_UP")
        facts_.up = UpAxis::y;
      else if (axis == "Z_UP")
        facts_.up = UpAxis::z;
      else
        log_.fault("dae.up_axis", *up, fmt::format("'{}' is no up axis", axis.substr(0, 40)),
                   "write X_UP, Y_UP or Z_UP");
    }
  }

  void read_unit(const XMLElement& unit) {
    const char* meter = unit.Attribute("meter");
    const std::optional<double> metres = parse_double(meter ? meter : "1");
    if (!metres || !(*metres > 0) || !std::isfinite(*metres)) {
      log_.fault("dae.unit", unit,
                 fmt::format("meter=\"{}\" is no length", std::string_view(meter).substr(0, 40)),
                 "write how many metres one unit is, for instance meter=\"0.001\" for millimetres");
      return;
    }
    facts_.metres_per_unit = *metres;
    const LengthUnit* known = find_length_unit(*metres, 1e-5);
    const char* name = unit.Attribute("name");
    facts_.unit = known  ? known->symbol
                  : name ? name
                         : fmt::format("{} m", format_number(*metres, 6));
  }

  /// tinyxml2 nests at most 100 deep, so this recursion ends.
  void visit(const XMLElement& e) {
    const std::string_view name = e.Name();
    if (name.ends_with("_array"))
      check_array(e);
    else if (name == "p" || name == "ph" || name == "h" || name == "vcount" || name == "v")
      check_words(e, is_whole_number, "whole number");
    else if (name == "accessor")
      accessors_.push_back(&e);
    else if (name == "triangles" || name == "polylist" || name == "polygons" ||
             name == "tristrips" || name == "trifans" || name == "lines" || name == "linestrips")
      check_primitives(e);
    else if (name == "vertex_weights")
      check_weights(e);
    else if (name == "geometry")
      add_geometry(e);
    else if (name == "instance_geometry")
      instances_.push_back(&e);
    else if (name == "instance_controller")
      note("dae.skin", e, "skins and morphs are left out: the rest shape is used");
    else if (name == "library_animations")
      note("dae.animation", e, "animations are left out");
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) visit(*c);
  }

  void note(const char* code, const XMLElement& e, const char* message) {
    const bool known = std::any_of(facts_.notes.begin(), facts_.notes.end(),
                                   [&](const Note& n) { return n.code == code; });
    if (!known) facts_.notes.push_back(log_.make(code, e, message, ""));
  }

  void add_geometry(const XMLElement& e) {
    const std::string id(dae_attribute(e, "id"));
    if (!id.empty()) geometries_[id] += dae_text_bytes(e);
  }

  /// The importer makes room for the stated count before it reads: every number takes a character.
  void check_array(const XMLElement& e) {
    const std::size_t count = log_.read_count(e, "count", 0);
    const std::size_t bytes = dae_text_bytes(e);
    if (count > bytes) {
      log_.fault("dae.count", e,
                 fmt::format("states {} values, but holds {} characters", count, bytes),
                 kMendCounts);
    }
    if (std::string_view(e.Name()) == "float_array") check_words(e, is_number, "number");
    const std::string id(dae_attribute(e, "id"));
    if (id.empty()) return;
    const auto [it, is_new] = arrays_.try_emplace(id, count);
    it->second = std::min(it->second, count);  // whichever of two the importer takes
  }

  /// The importer does not get past a word that is no number (assimp 5.2 loops forever on it).
  void check_words(const XMLElement& e, bool (*is_good)(std::string_view), const char* what) {
    for (const tinyxml2::XMLNode* c = e.FirstChild(); c; c = c->NextSibling()) {
      if (!c->ToText()) continue;
      for (const std::string_view word : split_words(c->Value())) {
        if (is_good(word)) continue;
        log_.fault("dae.number", e, fmt::format("'{}' is no {}", word.substr(0, 40), what),
                   "export the file again");
        return;
      }
    }
  }

  void check_accessors() {
    for (const XMLElement* e : accessors_) {
      const auto array = arrays_.find(dae_target(*e, "source"));
      if (array == arrays_.end()) {
        log_.fault(
            "dae.reference", *e,
            fmt::format("'{}' is no array of this file", dae_attribute(*e, "source").substr(0, 80)),
            "export the file again");
        continue;
      }
      const std::size_t stride = log_.read_count(*e, "stride", 1),
                        offset = log_.read_count(*e, "offset", 0);
      const std::size_t count = log_.read_count(*e, "count", 0);
      std::size_t width = 0;
      for (const XMLElement* p = e->FirstChildElement("param"); p;
           p = p->NextSiblingElement("param")) {
        const char* type = p->Attribute("type");
        width += type && std::string_view(type) == "float4x4" ? 16 : 1;
      }
      if (width > stride || offset + stride * count > array->second) {
        log_.fault(
            "dae.count", *e,
            fmt::format("{} elements of {} values, {} apart, from {} do not fit an array of {}",
                        count, width, stride, offset, array->second),
            kMendCounts);
      }
    }
  }

  /// Sum of the whole numbers in the text of `child`ren, none above 2^31.
  std::size_t sum_numbers(const XMLElement& e, const char* child) {
    std::size_t sum = 0;
    for (const XMLElement* c = e.FirstChildElement(child); c; c = c->NextSiblingElement(child)) {
      for (const std::string_view word : split_words(c->GetText() ? c->GetText() : "")) {
        const auto number = parse_integer(word);
        if (!number || *number < 0 || *number > kDaeMostCount) {
          log_.fault("dae.number", *c, fmt::format("'{}' is no count", word.substr(0, 40)),
                     kMendCounts);
          return 0;
        }
        sum += static_cast<std::size_t>(*number);
      }
    }
    return sum;
  }

  static std::size_t child_bytes(const XMLElement& e, const char* child) {
    std::size_t bytes = 0;
    for (const XMLElement* c = e.FirstChildElement(child); c; c = c->NextSiblingElement(child))
      bytes += dae_text_bytes(*c);
    return bytes;
  }

  void check_primitives(const XMLElement& e) {
    const std::size_t count = log_.read_count(e, "count", 0);
    std::size_t inputs = 1;
    for (const XMLElement* i = e.FirstChildElement("input"); i;
         i = i->NextSiblingElement("input")) {
      inputs = std::max(inputs, log_.read_count(*i, "offset", 0) + 1);
    }
    const std::size_t bytes = child_bytes(e, "p") + child_bytes(e, "ph");
    const std::size_t corners = std::max(count, sum_numbers(e, "vcount"));
    // Written as a division: the product may not fit.
    if (corners > bytes / inputs) {
      log_.fault("dae.count", e,
                 fmt::format("states {} polygons with {} corners or more, {} numbers each, but <p> "
                             "holds {} characters",
                             count, corners, inputs, bytes),
                 kMendCounts);
    }
  }

  void check_weights(const XMLElement& e) {
    const std::size_t count = log_.read_count(e, "count", 0);
    if (count > child_bytes(e, "vcount") || sum_numbers(e, "vcount") > child_bytes(e, "v")) {
      log_.fault("dae.count", e, fmt::format("states {} weights, more than it holds", count),
                 kMendCounts);
    }
  }

  /// Each pair of geometry and materials becomes a mesh of its own in the importer.
  void check_geometry_instances() {
    std::set<std::string> seen;
    std::size_t unfolded = 0;
    for (const XMLElement* e : instances_) {
      std::string key = dae_target(*e, "url");
      const auto geometry = geometries_.find(key);
      if (geometry == geometries_.end()) {
        log_.fault(
            "dae.reference", *e,
            fmt::format("'{}' is no geometry of this file", dae_attribute(*e, "url").substr(0, 80)),
            "export the file again with all parts in one file");
        continue;
      }
      collect_materials(*e, key);
      if (seen.insert(std::move(key)).second) unfolded += geometry->second;
    }
    constexpr std::size_t kPerByte = 64;
    if (unfolded > kPerByte * file_bytes_ + (1 << 20)) {
      log_.fault("dae.too_large", root_,
                 "its geometry is instanced with so many materials that it unfolds beyond measure",
                 "export the parts in separate files");
    }
  }

  static void collect_materials(const XMLElement& e, std::string& key) {
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
      if (std::string_view(c->Name()) == "instance_material") {
        for (const char* name : {"symbol", "target"}) {
          key += ' ';
          key += dae_attribute(*c, name);
        }
      }
      collect_materials(*c, key);
    }
  }

  const XMLElement& root_;
  std::size_t file_bytes_;
  DaeLog log_;
  DaeFacts facts_;
  std::unordered_map<std::string, std::size_t> arrays_;      ///< id to count
  std::unordered_map<std::string, std::size_t> geometries_;  ///< id to characters of text
  std::vector<const XMLElement*> accessors_, instances_;
};

}  // namespace

Result<DaeFacts> check_dae(std::string_view bytes, const std::string& file_name) {
  Diagnostic fault;
  fault.file = file_name;
  // XML forbids them, tinyxml2 does not mind them, and the importer stumbles over them.
  const auto is_control = [](char c) {
    return c >= 0 && c < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  if (const auto at = std::find_if(bytes.begin(), bytes.end(), is_control); at != bytes.end()) {
    fault.code = "dae.xml";
    fault.line = 1 + static_cast<int>(std::count(bytes.begin(), at, '\n'));
    fault.message = fmt::format("holds the control character {}, so it is no XML text", int{*at});
    fault.remedy = "export the file again as COLLADA in UTF-8";
    return fault;
  }
  tinyxml2::XMLDocument document;
  if (document.Parse(bytes.data(), bytes.size()) != tinyxml2::XML_SUCCESS) {
    fault = explain_xml_error(document, file_name);
    fault.code = "dae.xml";
    return fault;
  }
  const XMLElement* root = document.RootElement();
  const std::string_view name = root ? root->Name() : "";
  if (name != "COLLADA") {
    fault.code = "dae.not_collada";
    fault.line = root ? root->GetLineNum() : 0;
    fault.message = fmt::format("the root element is <{}>, not <COLLADA>", name.substr(0, 40));
    fault.remedy = "check that the file is a COLLADA model";
    return fault;
  }
  return DaeChecker(*root, bytes.size(), file_name).run();
}

}  // namespace geste
