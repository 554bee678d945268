#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geste/formats/internal/gltf_buffers.hpp"
#include "geste/formats/internal/gltf_document.hpp"

namespace geste {

/// Reads the numbers of accessors, checked against their buffers. Everything that it hands out is
/// counted: a file whose accessors show the same bytes over and over, or promise billions of zeros,
/// is refused before it fills the memory.
class GltfElementReader {
 public:
  GltfElementReader(const GltfDocument& document, GltfBuffers& buffers, GltfLog& log)
      : document_(document), buffers_(buffers), log_(log) {}

  /// `count` elements from `first`, `N` numbers each, added to `out`; integers become what they
  /// stand for (normalisation: 3.6.2.2). The accessor must have them; `use` names the purpose.
  template <std::size_t N>
  bool read_vectors(std::size_t accessor, const char* use, std::size_t first, std::size_t count,
                    std::vector<Eigen::Matrix<double, static_cast<int>(N), 1>>& out) {
    if (!open_vectors(accessor, N, count, use)) return false;
    const std::size_t begin = out.size();
    out.resize(begin + count);
    return count == 0 || read_doubles(accessor, first, count, out[begin].data());
  }

  /// The elements that `picked` names, each below the accessor's count, added to `out`.
  bool read_picked(std::size_t accessor, const char* use, const std::vector<std::uint32_t>& picked,
                   std::vector<Vec3>& out);

  bool read_indices(std::size_t accessor, std::vector<std::uint32_t>& out);

  /// False, with a fault, once the file asks for more than its size can justify.
  bool charge(std::size_t elements);

 private:
  /// Elements in a buffer; no data: zeros.
  struct Elements {
    const char* data = nullptr;
    std::size_t stride = 0;
  };

  /// Checks type and range, and charges for `count` elements, or for all where they have to be
  /// laid out first. Only then is it safe to allocate for them.
  bool open_vectors(std::size_t accessor, std::size_t width, std::size_t count, const char* use);
  std::optional<Elements> find_elements(std::size_t accessor);
  std::optional<const char*> find_bytes(std::size_t accessor, std::size_t view, std::size_t offset,
                                        std::size_t stride, std::size_t size, std::size_t count);
  bool read_doubles(std::size_t accessor, std::size_t first, std::size_t count, double* out);
  template <class Out>
  bool overlay_sparse(std::size_t accessor, Out* out);
  bool check_finite(std::size_t accessor, const double* numbers, std::size_t count);
  [[nodiscard]] bool lies_in_buffer(std::size_t accessor) const {
    return document_.accessors[accessor].view && !document_.accessors[accessor].sparse;
  }
  void fault(std::size_t accessor, const char* code, std::string message);

  const GltfDocument& document_;
  GltfBuffers& buffers_;
  GltfLog& log_;
  std::size_t charged_ = 0;
  bool exhausted_ = false;
};

}  // namespace geste
