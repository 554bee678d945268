#include "geste/formats/internal/gltf_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace geste {
namespace {

// Real files stay below one element per byte: an index of one byte and a vertex of three are the
// smallest there are. Eight leaves room for meshes that share buffers.
constexpr std::size_t kElementsPerByte = 8, kFreeElements = 1 << 16;

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class In, class Out>
Out convert(In value, bool normalized) {
  if constexpr (std::is_same_v<Out, double> && std::is_integral_v<In>) {
    if (normalized) {
      return std::max(static_cast<double>(value) / std::numeric_limits<In>::max(), -1.0);
    }
  }
  if constexpr (std::is_integral_v<Out> && !std::is_unsigned_v<In>)
    return 0;  // refused before
  else
    return static_cast<Out>(value);
}

template <class In, std::size_t W, class Out>
void copy_packed(const char* data, std::size_t stride, std::size_t count, bool normalized,
                 Out* out) {
  for (std::size_t i = 0; i < count; ++i, data += stride, out += W) {
    for (std::size_t k = 0; k < W; ++k) {
      out[k] = convert<In, Out>(load<In>(data + k * sizeof(In)), normalized);
    }
  }
}

template <class In, class Out>
void copy_typed(const GltfAccessor& a, const char* data, std::size_t stride, std::size_t count,
                Out* out) {
  switch (a.width) {
    case 1:
      return copy_packed<In, 1>(data, stride, count, a.normalized, out);
    case 3:
      return copy_packed<In, 3>(data, stride, count, a.normalized, out);
    case 4:
      return copy_packed<In, 4>(data, stride, count, a.normalized, out);
    default:
      return;  // no reader asks for other widths
  }
}

template <class Out>
void copy_elements(const GltfAccessor& a, const char* data, std::size_t stride, std::size_t count,
                   Out* out) {
  switch (a.component) {
    case GltfComponent::i8:
      return copy_typed<std::int8_t>(a, data, stride, count, out);
    case GltfComponent::u8:
      return copy_typed<std::uint8_t>(a, data, stride, count, out);
    case GltfComponent::i16:
      return copy_typed<std::int16_t>(a, data, stride, count, out);
    case GltfComponent::u16:
      return copy_typed<std::uint16_t>(a, data, stride, count, out);
    case GltfComponent::u32:
      return copy_typed<std::uint32_t>(a, data, stride, count, out);
    case GltfComponent::f32:
      return copy_typed<float>(a, data, stride, count, out);
  }
}

bool is_index_component(GltfComponent c) {
  return c == GltfComponent::u8 || c == GltfComponent::u16 || c == GltfComponent::u32;
}

}  // namespace

void GltfElementReader::fault(std::size_t accessor, const char* code, std::string message) {
  log_.fault(code, GltfPlace{"accessor", accessor}.to_text(), std::move(message), kGltfExportAgain);
}

bool GltfElementReader::charge(std::size_t elements) {
  charged_ += elements;
  const std::size_t allowed = kFreeElements + kElementsPerByte * buffers_.input_bytes();
  if (charged_ <= allowed) return true;
  if (!exhausted_) {
    log_.fault("gltf.too_large", "",
               fmt::format("its accessors unfold to more than {} elements, far more than {} bytes "
                           "can hold",
                           allowed, buffers_.input_bytes()),
               "share meshes between nodes instead of repeating accessors; check accessors without "
               "a bufferView");
  }
  exhausted_ = true;
  return false;
}

bool GltfElementReader::open_vectors(std::size_t accessor, std::size_t width, std::size_t count,
                                     const char* use) {
  const GltfAccessor& a = document_.accessors[accessor];
  if (a.width != width || a.component == GltfComponent::u32) {
    fault(accessor, "gltf.accessor_type",
          fmt::format("is used as {}, which must have {} components of float, or of 8 or 16 bits",
                      use, width));
    return false;
  }
  return find_elements(accessor) && charge(lies_in_buffer(accessor) ? count : count + a.count);
}

std::optional<const char*> GltfElementReader::find_bytes(std::size_t accessor, std::size_t view,
                                                         std::size_t offset, std::size_t stride,
                                                         std::size_t size, std::size_t count) {
  const GltfBufferView& v = document_.views[view];
  constexpr std::size_t kMostStride = 1 << 20;
  if (stride < size || stride > kMostStride) {
    fault(accessor, "gltf.stride",
          fmt::format("bufferView {} has a stride of {} bytes for elements of {}", view, stride,
                      size));
    return std::nullopt;
  }
  // No overflow: count < 2^32, stride <= 2^20, offset <= 2^53.
  const std::size_t end = count == 0 ? 0 : offset + stride * (count - 1) + size;
  if (end > v.length) {
    fault(accessor, "gltf.accessor_range",
          fmt::format("{} elements need bytes up to {} of bufferView {}, which has {}", count, end,
                      view, v.length));
    return std::nullopt;
  }
  const auto bytes = buffers_.find(v.buffer);
  if (!bytes) return std::nullopt;
  return bytes->data() + v.offset + (count == 0 ? 0 : offset);
}

std::optional<GltfElementReader::Elements> GltfElementReader::find_elements(std::size_t accessor) {
  const GltfAccessor& a = document_.accessors[accessor];
  if (!a.view) return Elements{};
  const std::size_t size = a.width * byte_size(a.component);
  const std::size_t stride = document_.views[*a.view].stride.value_or(size);
  const auto data = find_bytes(accessor, *a.view, a.offset, stride, size, a.count);
  if (!data) return std::nullopt;
  return Elements{*data, stride};
}

template <class Out>
bool GltfElementReader::overlay_sparse(std::size_t accessor, Out* out) {
  const GltfAccessor& a = document_.accessors[accessor];
  if (!a.sparse) return true;
  const GltfSparse& sparse = *a.sparse;
  const std::size_t index_size = byte_size(sparse.index_component);
  const std::size_t value_size = a.width * byte_size(a.component);
  if (sparse.count > a.count || !is_index_component(sparse.index_component)) {
    fault(accessor, "gltf.sparse",
          fmt::format("replaces {} of {} elements, or names them by signed numbers", sparse.count,
                      a.count));
    return false;
  }
  const auto indices = find_bytes(accessor, sparse.index_view, sparse.index_offset, index_size,
                                  index_size, sparse.count);
  const auto values = find_bytes(accessor, sparse.value_view, sparse.value_offset, value_size,
                                 value_size, sparse.count);
  if (!indices || !values) return false;
  GltfAccessor index_type;
  index_type.component = sparse.index_component;
  for (std::size_t i = 0; i < sparse.count; ++i) {
    std::uint32_t target = 0;
    copy_elements(index_type, *indices + i * index_size, index_size, 1, &target);
    if (target >= a.count) {
      fault(accessor, "gltf.sparse",
            fmt::format("replaces element {}, but has {}", target, a.count));
      return false;
    }
    copy_elements(a, *values + i * value_size, value_size, 1, out + a.width * target);
  }
  return true;
}

bool GltfElementReader::check_finite(std::size_t accessor, const double* numbers,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(numbers[i])) continue;
    fault(accessor, "gltf.not_finite",
          std::isnan(numbers[i]) ? "holds NaN, which is no number" : "holds an infinite number");
    return false;
  }
  return true;
}

bool GltfElementReader::read_doubles(std::size_t accessor, std::size_t first, std::size_t count,
                                     double* out) {
  const GltfAccessor& a = document_.accessors[accessor];
  const auto elements = find_elements(accessor);
  if (!elements) return false;
  if (lies_in_buffer(accessor)) {
    copy_elements(a, elements->data + first * elements->stride, elements->stride, count, out);
  } else {
    std::vector<double> all(a.count * a.width, 0.0);
    if (elements->data) {
      copy_elements(a, elements->data, elements->stride, a.count, all.data());
    }
    if (!overlay_sparse(accessor, all.data())) return false;
    std::copy_n(all.data() + first * a.width, count * a.width, out);
  }
  return check_finite(accessor, out, count * a.width);
}

bool GltfElementReader::read_picked(std::size_t accessor, const char* use,
                                    const std::vector<std::uint32_t>& picked,
                                    std::vector<Vec3>& out) {
  const GltfAccessor& a = document_.accessors[accessor];
  if (!lies_in_buffer(accessor)) {
    std::vector<Vec3> all;
    if (!read_vectors<3>(accessor, use, 0, a.count, all)) return false;
    for (const std::uint32_t i : picked) out.push_back(all[i]);
    return true;
  }
  if (!open_vectors(accessor, 3, picked.size(), use)) return false;
  const auto elements = find_elements(accessor);
  const std::size_t begin = out.size();
  out.resize(begin + picked.size());
  for (std::size_t k = 0; k < picked.size(); ++k) {
    const char* data = elements->data + elements->stride * picked[k];
    copy_elements(a, data, elements->stride, 1, out[begin + k].data());
  }
  return picked.empty() || check_finite(accessor, out[begin].data(), 3 * picked.size());
}

bool GltfElementReader::read_indices(std::size_t accessor, std::vector<std::uint32_t>& out) {
  const GltfAccessor& a = document_.accessors[accessor];
  if (a.width != 1 || !is_index_component(a.component)) {
    fault(accessor, "gltf.accessor_type",
          "is used as indices, which must be SCALAR and of unsigned 8, 16 or 32 bits");
    return false;
  }
  const auto elements = find_elements(accessor);
  if (!elements || !charge(a.count)) return false;
  out.assign(a.count, 0);
  if (elements->data) copy_elements(a, elements->data, elements->stride, a.count, out.data());
  return overlay_sparse(accessor, out.data());
}

}  // namespace geste
