#include "geste/formats/internal/gltf_document.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace geste {
namespace {

using nlohmann::json;

/// The parser's sentence without its library prefix, and short: it may quote a token of any length.
std::string describe_json_fault(const json::exception& fault) {
  std::string_view text = fault.what();
  for (const std::string_view mark : {"] ", ": "}) {
    const std::size_t at = text.find(mark);
    if (at != std::string_view::npos && at < 80) text.remove_prefix(at + mark.size());
  }
  std::string out;
  for (const char c : text.substr(0, 160)) out += c >= 0x20 && c < 0x7F ? c : '?';
  return text.size() > 160 ? out + "..." : out;
}

Diagnostic make_json_fault(std::string_view text, GltfTextOrigin origin, std::size_t at,
                           const std::string& cause) {
  Diagnostic fault;
  fault.code = "gltf.json";
  fault.remedy = "export the file again, or mend the JSON at this place";
  if (origin.binary) {
    fault.message = fmt::format("JSON is broken at byte {}: {}", origin.offset + at, cause);
    return fault;
  }
  const std::string_view before = text.substr(0, at);
  const std::size_t newline = before.rfind('\n');
  fault.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  fault.column = static_cast<int>(newline == std::string_view::npos ? at + 1 : at - newline);
  fault.message = "JSON is broken: " + cause;
  return fault;
}

std::optional<json> parse_json(std::string_view text, GltfTextOrigin origin, GltfLog& log) {
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error& fault) {
    const std::size_t at = std::min(fault.byte > 0 ? fault.byte - 1 : 0, text.size());
    log.fault(make_json_fault(text, origin, at, describe_json_fault(fault)));
  } catch (const json::exception& fault) {  // numbers beyond the range of double
    log.fault("gltf.json", "", "JSON is broken: " + describe_json_fault(fault), kGltfExportAgain);
  }
  return std::nullopt;
}

void check_version(const GltfObject& root, GltfLog& log) {
  const json* asset = root.find_object("asset");
  if (!asset) {
    root.fault("gltf.missing_key", "'asset' is missing: this is JSON, but not a glTF file",
               "check that the file is a glTF 2.0 model");
    return;
  }
  const std::string_view version = GltfObject(*asset, {"asset"}, log).find_string("version");
  if (version.substr(0, 2) == "2.") return;
  root.fault("gltf.version",
             fmt::format("this is glTF version '{}'; 2.0 is read", version.substr(0, 20)),
             "export the file as glTF 2.0");
}

void check_extension(std::string_view name, const GltfObject& root) {
  if (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression" ||
      name == "KHR_meshopt_compression") {
    root.fault("gltf.compressed", fmt::format("the geometry is compressed with {}", name),
               "export without mesh compression, or decompress with `gltf-transform copy in.glb "
               "out.glb`");
    return;
  }
  constexpr std::string_view kWithoutShape[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                                "KHR_lights_",    "KHR_xmp",      "MSFT_texture_"};
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  if (name == "KHR_mesh_quantization" || name == "EXT_mesh_gpu_instancing" ||
      std::any_of(std::begin(kWithoutShape), std::end(kWithoutShape), starts)) {
    return;
  }
  root.note("gltf.unknown_extension",
            fmt::format("requires the extension '{}', which is not known here: what it adds is "
                        "left out",
                        name.substr(0, 80)),
            "check the shape, or export without the extension");
}

void check_extensions(const GltfObject& root) {
  const json* required = root.find_array("extensionsRequired");
  if (!required) return;
  for (const json& name : *required) {
    if (name.is_string()) check_extension(name.get_ref<const std::string&>(), root);
  }
}

void read_materials(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  const json* array = root.find_array("materials");
  if (!array) return;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const GltfPlace place{"material", i};
    std::optional<Colour>& colour = document.materials.emplace_back();
    const json* pbr = GltfObject((*array)[i], place, log).find_object("pbrMetallicRoughness");
    if (!pbr) continue;
    if (const auto c = GltfObject(*pbr, place, log).find_numbers<4>("baseColorFactor")) {
      const auto unit = [](double v) { return std::clamp(v, 0.0, 1.0); };
      colour = Colour{unit((*c)[0]), unit((*c)[1]), unit((*c)[2]), unit((*c)[3])};
    }
  }
}

GltfPrimitive read_primitive(const GltfObject& in, const GltfDocument& document) {
  GltfPrimitive primitive;
  const std::size_t mode = in.find_size("mode").value_or(4);
  if (mode > 6) {
    in.fault("gltf.mode", fmt::format("'mode' is {}; 0 to 6 are known", mode), kGltfExportAgain);
    return primitive;
  }
  primitive.mode = static_cast<GltfMode>(mode);
  const std::size_t accessors = document.accessors.size();
  if (const json* attributes = in.find_object("attributes")) {
    primitive.positions = GltfObject(*attributes, in.place(), in.log())
                              .find_reference("POSITION", "accessor", accessors);
  } else {
    in.fault("gltf.missing_key", "'attributes' is missing", kGltfExportAgain);
  }
  primitive.indices = in.find_reference("indices", "accessor", accessors);
  primitive.material = in.find_reference("material", "material", document.materials.size());
  primitive.draco = in.find_extension("KHR_draco_mesh_compression") != nullptr;

  if (primitive.mode < GltfMode::triangles) {
    in.note("gltf.no_surface", "points and lines have no surface and are left out");
  } else if (!primitive.positions) {
    in.note("gltf.no_positions", "has no POSITION and is left out");
  }
  if (in.find("targets")) {
    in.note("gltf.morph", "morph targets are left out: the base shape is used");
  }
  return primitive;
}

void read_meshes(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  const json* array = root.find_array("meshes");
  if (!array) return;
  for (std::size_t i = 0; i < array->size(); ++i) {
    GltfMesh& mesh = document.meshes.emplace_back();
    mesh.place = {"mesh", i, find_gltf_name((*array)[i])};
    const GltfObject in((*array)[i], mesh.place, log);
    const json* primitives = in.find_array("primitives");
    if (!in.find("primitives")) {
      in.fault("gltf.missing_key", "'primitives' is missing", kGltfExportAgain);
    }
    if (!primitives) continue;
    for (std::size_t p = 0; p < primitives->size(); ++p) {
      GltfPlace place = mesh.place;
      place.primitive = p;
      mesh.primitives.push_back(read_primitive({(*primitives)[p], place, log}, document));
    }
  }
}

}  // namespace

std::optional<GltfDocument> parse_gltf_document(std::string_view text, GltfTextOrigin origin,
                                                GltfLog& log) {
  std::optional<json> parsed = parse_json(text, origin, log);
  if (!parsed) return std::nullopt;
  GltfDocument document;
  document.json = std::move(*parsed);
  const GltfObject root(document.json, {}, log);
  if (log.ok()) check_version(root, log);
  if (!log.ok()) return std::nullopt;  // a file of another kind would only draw confusing faults
  check_extensions(root);
  read_gltf_accessors(root, document, log);
  read_materials(root, document, log);
  read_meshes(root, document, log);
  read_gltf_nodes(root, document, log);
  if (!log.ok()) return std::nullopt;
  return document;
}

}  // namespace geste
