#include "geste/formats/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/byte_order_mark.hpp"
#include "geste/formats/internal/fault_list.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/stl_text.hpp"
#include "geste/geometry/point_welder.hpp"

namespace geste {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies");

constexpr std::size_t kHeaderSize = 84;  // 80 free bytes, then the number of triangles
constexpr std::size_t kRecordSize = 50;  // normal, three corners, two bytes of attributes
constexpr std::size_t kNormalSize = 12;
constexpr std::size_t kMostTriangles = 1'000'000'000;

std::size_t announced_triangles(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kHeaderSize - sizeof count, sizeof count);
  return count;
}

std::size_t binary_size(std::size_t triangles) { return kHeaderSize + kRecordSize * triangles; }

std::size_t whole_records(std::size_t size) { return (size - kHeaderSize) / kRecordSize; }

/// How many triangles a binary file has: what its header says, unless that is none (programs that
/// write as they go may never return to the header) and whole records follow to the end.
std::size_t count_triangles(std::string_view bytes) {
  const std::size_t announced = announced_triangles(bytes);
  const std::size_t records = whole_records(bytes.size());
  return announced == 0 && binary_size(records) == bytes.size() ? records : announced;
}

bool is_whole_binary(std::string_view bytes) {
  return bytes.size() >= kHeaderSize && binary_size(count_triangles(bytes)) == bytes.size();
}

bool starts_with_word(std::string_view bytes, std::string_view word) {
  while (!bytes.empty() && (bytes[0] == ' ' || (bytes[0] >= '\t' && bytes[0] <= '\r'))) {
    bytes.remove_prefix(1);
  }
  return to_lower(bytes.substr(0, word.size())) == word;
}

/// Text has no control characters but blanks; the two bytes after each binary triangle are zero
/// almost everywhere, and so are some of its coordinates' bytes.
bool looks_like_text(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 4096);
  return std::none_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && !(c >= '\t' && c <= '\r');
  });
}

bool is_text(std::string_view bytes) {
  return !is_whole_binary(bytes) && looks_like_text(bytes) &&
         (starts_with_word(bytes, "solid") || starts_with_word(bytes, "facet"));
}

/// Why `bytes` has room for fewer triangles than it announces.
Diagnostic explain_shortage(std::string_view bytes, const Asset& asset) {
  const std::size_t size = bytes.size();
  const std::size_t count = announced_triangles(bytes);
  const std::size_t swapped = __builtin_bswap32(static_cast<std::uint32_t>(count));
  const std::size_t whole = whole_records(size);
  if (swapped > 0 && binary_size(swapped) == size) {
    return make_diagnostic(
        asset.file, "stl.big_endian",
        fmt::format("its count of triangles ({}) is written in big-endian order", swapped),
        "export as standard STL, which is little-endian, or as text STL");
  }
  if (count > kMostTriangles || looks_like_text(bytes)) {
    return make_diagnostic(
        asset.file, "stl.absurd_count",
        fmt::format("announces {} triangles at byte 80, but has room for {}", count, whole),
        "check that the file is STL; if so, export it again");
  }
  return make_diagnostic(
      asset.file, "stl.truncated",
      fmt::format("holds {} of the {} triangles it announces: it ends at byte {} "
                  "instead of {}",
                  whole, count, size, binary_size(count)),
      "copy or export the file again, it is cut short");
}

/// Why `bytes` cannot be a whole binary STL file, if so.
std::optional<Diagnostic> find_binary_fault(std::string_view bytes, const Asset& asset) {
  const std::size_t size = bytes.size();
  if (size < kHeaderSize && looks_like_text(bytes)) {
    return make_diagnostic(asset.file, "stl.not_stl",
                           "is not STL: neither text that starts with 'solid' nor "
                           "long enough for binary STL",
                           "check that the file is what its name says");
  }
  if (size < kHeaderSize) {
    return make_diagnostic(
        asset.file, "stl.truncated",
        fmt::format("ends at byte {}, inside the header of {} bytes", size, kHeaderSize),
        "copy or export the file again, it is cut short");
  }
  const std::size_t count = count_triangles(bytes);
  if (count == 0) {
    return make_diagnostic(asset.file, "stl.empty", "holds no triangles",
                           "export the part again with its surfaces");
  }
  if (binary_size(count) > size) return explain_shortage(bytes, asset);
  if (count > kMostTriangles) {
    return make_diagnostic(
        asset.file, "stl.absurd_count",
        fmt::format("holds {} triangles; at most {} are read", count, kMostTriangles),
        "split the part or reduce its mesh");
  }
  return std::nullopt;
}

void add_not_finite(FaultList& faults, std::size_t triangle) {
  faults.add(
      "stl.not_finite", 0, fmt::format("triangle {}", triangle + 1),
      fmt::format("a coordinate is not a finite number (record at byte {})", binary_size(triangle)),
      "export the part again");
}

/// Triangles of `count` records. Equal corners are welded as they come: a soup of all corners would
/// take six times the memory.
TriangleMesh read_records(const char* records, std::size_t count, FaultList& faults) {
  constexpr std::size_t kBlock = 256;
  std::array<Vec3, 3 * kBlock> corners;
  std::array<std::uint32_t, 3 * kBlock> numbers;
  PointWelder welder(count / 2 + 8);
  TriangleMesh mesh;
  mesh.triangles.resize(count);
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t size = std::min(kBlock, count - begin);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t triangle = begin + i;
      float x[9];
      std::memcpy(x, records + triangle * kRecordSize + kNormalSize, sizeof x);
      float sum = 0;  // stays 0 for finite numbers; infinity and NaN make it NaN
      for (const float value : x) sum += value * 0.0f;
      if (sum != 0) {
        add_not_finite(faults, triangle);
        std::fill(std::begin(x), std::end(x), 0.0f);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        corners[3 * i + k] = Vec3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
      }
    }
    welder.add(std::span(corners).first(3 * size), std::span(numbers).first(3 * size));
    for (std::size_t i = 0; i < size; ++i) {
      mesh.triangles[begin + i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    }
  }
  mesh.vertices = welder.take_points();
  return mesh;
}

Result<void> read_stl_binary(std::string_view bytes, Asset& asset, const std::string& stem) {
  if (auto fault = find_binary_fault(bytes, asset)) return *fault;
  const std::size_t count = count_triangles(bytes);
  FaultList faults(asset.file);
  TriangleMesh mesh = read_records(bytes.data() + kHeaderSize, count, faults);
  if (!faults.empty()) return std::move(faults).make();

  if (count != announced_triangles(bytes)) {
    asset.notes.push_back(make_diagnostic(
        asset.file, "stl.no_count",
        fmt::format("its header counts no triangles; the {} that follow it were read", count),
        "check the part's shape, and export it again if something is missing"));
  }
  if (const std::size_t extra = bytes.size() - binary_size(count); extra > 0) {
    asset.notes.push_back(make_diagnostic(
        asset.file, "stl.extra_bytes",
        fmt::format("{} bytes after the last of {} triangles, from byte {}, were ignored", extra,
                    count, binary_size(count)),
        "check the part's shape: the file may hold more than its header says"));
  }
  const std::size_t welded = 3 * count - mesh.vertices.size();
  asset.meshes.push_back(make_asset_mesh(stem, std::move(mesh)));
  asset.meshes.back().report.welded_vertices += welded;
  AssetInstance instance;
  instance.name = instance.path = stem;
  asset.instances.push_back(std::move(instance));
  return {};
}

}  // namespace

Result<Asset> parse_stl(std::string_view bytes, const std::string& file_name) {
  Asset asset;
  asset.file = file_name;
  asset.format = "STL";
  asset.unit = "unstated";
  // The header of a binary file is free, and may begin like text with a mark.
  if (!is_whole_binary(bytes)) bytes = without_byte_order_mark(bytes);
  if (bytes.size() < kHeaderSize && trim(bytes).empty()) {
    return make_diagnostic(asset.file, "stl.empty", "is empty",
                           "export the part again with its surfaces");
  }
  const std::string stem = clean_name(std::filesystem::path(file_name).stem().string(), "part");
  Result<void> outcome =
      is_text(bytes) ? read_stl_text(bytes, asset, stem) : read_stl_binary(bytes, asset, stem);
  if (!outcome) return outcome.error();
  return finish_asset(std::move(asset));
}

Result<Asset> load_stl(const std::filesystem::path& path) {
  Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return parse_stl(*bytes, path.string());
}

std::string make_stl(const TriangleMesh& mesh) {
  std::string bytes = "geste";
  bytes.resize(80, ' ');
  const auto put = [&](auto value) {
    const auto raw = std::bit_cast<std::array<char, sizeof value>>(value);
    bytes.append(raw.data(), raw.size());
  };
  const auto put_vector = [&](const Vec3& v) {
    for (int k = 0; k < 3; ++k) put(static_cast<float>(v[k]));
  };
  put(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    put_vector((b - a).cross(c - a).normalized());
    for (const Vec3& corner : {a, b, c}) put_vector(corner);
    put(std::uint16_t{0});
  }
  return bytes;
}

}  // namespace geste
