#include "geste/formats/load_asset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

#include "geste/core/text.hpp"
#include "geste/formats/dae.hpp"
#include "geste/formats/gltf.hpp"
#include "geste/formats/internal/byte_order_mark.hpp"
#include "geste/formats/obj.hpp"
#include "geste/formats/stl.hpp"

namespace geste {
namespace {

struct AssetReader {
  const char* extension;
  const char* format;
  Result<Asset> (*load)(const std::filesystem::path& path, const AssetOptions& options);
};

/// A reader that takes no options.
template <Result<Asset> (*kLoad)(const std::filesystem::path&)>
Result<Asset> load_plain(const std::filesystem::path& path, const AssetOptions&) {
  return kLoad(path);
}

Result<Asset> load_step_asset(const std::filesystem::path& path, const AssetOptions& options) {
  Result<StepFile> step = load_step(path, options.step);
  if (!step) return step.error();
  return std::move(step->asset);
}

constexpr AssetReader kReaders[] = {
    {"stl", "STL", load_plain<load_stl>},     {"obj", "OBJ", load_plain<load_obj>},
    {"dae", "COLLADA", load_plain<load_dae>}, {"gltf", "glTF", load_plain<load_gltf>},
    {"glb", "glTF", load_plain<load_gltf>},   {"step", "STEP", load_step_asset},
    {"stp", "STEP", load_step_asset},
};

std::string load_head(const std::filesystem::path& path) {
  std::array<char, 1024> head{};
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), head.size());
  return {head.data(), static_cast<std::size_t>(in.gcount())};
}

/// The format that the first bytes leave no doubt about; empty otherwise. Binary STL and OBJ have
/// no mark of their own.
std::string_view find_format(std::string_view head) {
  if (head.starts_with("glTF")) return "glTF";
  head = trim(without_byte_order_mark(head));
  if (head.starts_with("ISO-10303-21")) return "STEP";
  if (head.starts_with('<') && head.find("<COLLADA") != std::string_view::npos) return "COLLADA";
  if (head.starts_with('{') && trim(head.substr(1)).starts_with('"')) return "glTF";
  if (head.starts_with("solid") && head.find("facet normal") != std::string_view::npos) {
    return "STL";
  }
  return {};
}

Diagnostic make_unknown(const std::filesystem::path& path, const std::string& extension) {
  std::string known;
  for (const AssetReader& reader : kReaders) {
    known += fmt::format("{}.{}", known.empty() ? "" : ", ", reader.extension);
  }
  Diagnostic fault;
  fault.code = "asset.unknown_format";
  fault.file = path.string();
  fault.message = extension.empty() ? "the file name has no extension that says what it is"
                                    : fmt::format("files of kind '.{}' are not read", extension);
  fault.remedy = "use one of " + known;
  return fault;
}

}  // namespace

Result<Asset> load_asset(const std::filesystem::path& path, const AssetOptions& options) {
  std::string extension = to_lower(path.extension().string());
  if (!extension.empty()) extension.erase(0, 1);
  const auto* reader = std::find_if(std::begin(kReaders), std::end(kReaders),
                                    [&](const AssetReader& r) { return extension == r.extension; });
  if (reader == std::end(kReaders)) return make_unknown(path, extension);

  const std::string_view content = find_format(load_head(path));
  if (!content.empty() && content != reader->format) {
    Diagnostic fault;
    fault.code = "asset.other_content";
    fault.file = path.string();
    fault.message = fmt::format("is named .{} but holds {}", extension, content);
    fault.remedy = "rename the file to what it is, or export it again";
    return fault;
  }
  return reader->load(path, options);
}

}  // namespace geste
