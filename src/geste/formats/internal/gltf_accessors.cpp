#include <fmt/format.h>

#include <limits>

#include "geste/formats/internal/gltf_document.hpp"

namespace geste {
namespace {

using nlohmann::json;

void read_buffers(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  const json* array = root.find_array("buffers");
  if (!array) return;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const GltfObject in((*array)[i], {"buffer", i}, log);
    GltfBuffer& buffer = document.buffers.emplace_back();
    buffer.length = in.require_size("byteLength").value_or(0);
    if (in.find("uri")) buffer.uri = in.find_string("uri");
    buffer.meshopt_fallback = in.find_extension("EXT_meshopt_compression") != nullptr ||
                              in.find_extension("KHR_meshopt_compression") != nullptr;
  }
}

void read_views(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  const json* array = root.find_array("bufferViews");
  if (!array) return;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const GltfObject in((*array)[i], {"bufferView", i}, log);
    GltfBufferView& view = document.views.emplace_back();
    view.buffer = in.require_reference("buffer", "buffer", document.buffers.size()).value_or(0);
    view.offset = in.find_size("byteOffset").value_or(0);
    view.length = in.require_size("byteLength").value_or(0);
    view.stride = in.find_size("byteStride");
    if (view.buffer >= document.buffers.size()) continue;
    const std::size_t have = document.buffers[view.buffer].length;
    if (view.offset <= have && view.length <= have - view.offset) continue;
    in.fault("gltf.view_range",
             fmt::format("bytes {} to {} lie outside buffer {}, which has {} bytes", view.offset,
                         view.offset + view.length, view.buffer, have),
             kGltfExportAgain);
  }
}

GltfComponent read_component(const GltfObject& in) {
  const auto code = in.require_size("componentType");
  if (!code) return GltfComponent::f32;
  switch (*code) {
    case 5120:
      return GltfComponent::i8;
    case 5121:
      return GltfComponent::u8;
    case 5122:
      return GltfComponent::i16;
    case 5123:
      return GltfComponent::u16;
    case 5125:
      return GltfComponent::u32;
    case 5126:
      return GltfComponent::f32;
    default:
      in.fault("gltf.component_type", fmt::format("'componentType' {} is not known", *code),
               kGltfExportAgain);
      return GltfComponent::f32;
  }
}

std::size_t read_width(const GltfObject& in) {
  constexpr std::pair<std::string_view, std::size_t> kTypes[] = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
  const std::string_view type = in.find_string("type");
  for (const auto& [name, width] : kTypes) {
    if (type == name) return width;
  }
  in.fault("gltf.accessor_type", fmt::format("'type' is '{}'", type.substr(0, 20)),
           "use SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
  return 1;
}

std::optional<GltfSparse> read_sparse(const GltfObject& accessor, std::size_t views) {
  const json* object = accessor.find_object("sparse");
  if (!object) return std::nullopt;
  const GltfObject in(*object, accessor.place(), accessor.log());
  const json* indices = in.find_object("indices");
  const json* values = in.find_object("values");
  if (!indices || !values) {
    in.fault("gltf.missing_key", "'sparse' needs 'indices' and 'values'", kGltfExportAgain);
    return std::nullopt;
  }
  const GltfObject index_in(*indices, in.place(), in.log());
  const GltfObject value_in(*values, in.place(), in.log());
  GltfSparse sparse;
  sparse.count = in.require_size("count").value_or(0);
  sparse.index_view = index_in.require_reference("bufferView", "bufferView", views).value_or(0);
  sparse.index_offset = index_in.find_size("byteOffset").value_or(0);
  sparse.index_component = read_component(index_in);
  sparse.value_view = value_in.require_reference("bufferView", "bufferView", views).value_or(0);
  sparse.value_offset = value_in.find_size("byteOffset").value_or(0);
  return sparse;
}

void read_accessor(const GltfObject& in, std::size_t views, GltfAccessor& accessor) {
  accessor.view = in.find_reference("bufferView", "bufferView", views);
  accessor.offset = in.find_size("byteOffset").value_or(0);
  accessor.count = in.require_size("count").value_or(0);
  accessor.component = read_component(in);
  accessor.width = read_width(in);
  accessor.normalized = in.find_flag("normalized");
  accessor.sparse = read_sparse(in, views);
  if (accessor.count <= std::numeric_limits<std::uint32_t>::max()) return;
  in.fault("gltf.accessor_count",
           fmt::format("{} elements are more than a 32-bit index can name", accessor.count),
           kGltfExportAgain);
}

}  // namespace

std::size_t byte_size(GltfComponent component) {
  switch (component) {
    case GltfComponent::i8:
    case GltfComponent::u8:
      return 1;
    case GltfComponent::i16:
    case GltfComponent::u16:
      return 2;
    case GltfComponent::u32:
    case GltfComponent::f32:
      break;
  }
  return 4;
}

void read_gltf_accessors(const GltfObject& root, GltfDocument& document, GltfLog& log) {
  read_buffers(root, document, log);
  read_views(root, document, log);
  const json* array = root.find_array("accessors");
  if (!array) return;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const GltfObject in((*array)[i], {"accessor", i}, log);
    read_accessor(in, document.views.size(), document.accessors.emplace_back());
  }
}

}  // namespace geste
