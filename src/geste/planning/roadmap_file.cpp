#include "geste/planning/roadmap_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/core/files.hpp"
#include "geste/core/index.hpp"
#include "geste/core/sha256.hpp"
#include "geste/core/text.hpp"

namespace geste {
namespace {

constexpr std::string_view kRoadmapMagic = "GROADMAP";
constexpr std::uint64_t kRoadmapVersion = 1;
constexpr std::size_t kCheckSize = 8;

/// "1f..." as bytes.
std::string from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(16 * digit(hex[i]) + digit(hex[i + 1]));
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::string compute_check(std::string_view bytes) {
  return from_hex(compute_sha256(bytes)).substr(0, kCheckSize);
}

class RoadmapWriter {
 public:
  void put(std::string_view bytes) { bytes_ += bytes; }
  void put(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
  }
  void put_number(double value) { put(std::bit_cast<std::uint64_t>(value), 8); }
  void put_name(std::string_view name) {
    const std::string_view kept = name.substr(0, 0xffff);
    put(kept.size(), 2);
    put(kept);
  }
  void put_count(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) put((value & 0x7f) | 0x80, 1);
    put(value, 1);
  }
  std::string finish() { return bytes_ + compute_check(bytes_); }

 private:
  std::string bytes_;
};

/// Reads from the front; past the end everything is zero and `is_short` says so.
class RoadmapReader {
 public:
  explicit RoadmapReader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(std::size_t size) {
    is_short_ = is_short_ || size > bytes_.size() - at_;
    if (is_short_) return {};
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::uint64_t number(int size) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char c : take(at(size)))
      value |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * shift++);
    return value;
  }
  double real() { return std::bit_cast<double>(number(8)); }
  std::string name() { return std::string(take(number(2))); }
  std::uint64_t count() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      const std::uint64_t byte = number(1);
      value |= (byte & 0x7f) << shift;
      // Numbers are as short as can be.
      if (byte == 0 && shift > 0) break;
      if (byte < 0x80) return value;
    }
    is_short_ = true;
    return 0;
  }
  [[nodiscard]] bool is_short() const { return is_short_; }
  [[nodiscard]] std::size_t place() const { return at_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_short_ = false;
};

/// Reads one file, part by part; the first fault ends it.
class RoadmapParser {
 public:
  RoadmapParser(std::string_view bytes, const std::string& file)
      : bytes_(bytes), file_(file), in_(bytes) {}

  Result<RoadmapFile> run() {
    if (in_.take(kRoadmapMagic.size()) != kRoadmapMagic)
      return fail("is no roadmap file", "give a file that a roadmap was saved to");
    if (const std::uint64_t version = in_.number(2); version != kRoadmapVersion)
      return fail(fmt::format("is of version {}, where {} is known", version, kRoadmapVersion),
                  "let it be grown again");
    if (bytes_.size() < kCheckSize || compute_check(bytes_.substr(0, bytes_.size() - kCheckSize)) !=
                                          bytes_.substr(bytes_.size() - kCheckSize))
      return fail("is damaged: its bytes do not have the sum that they were written with",
                  "delete it, and it is grown again");
    if (!read_head() || !read_axes() || !read_points() || !read_links() ||
        in_.left() != kCheckSize || in_.is_short())
      return fail("is damaged", "delete it, and it is grown again");
    return std::move(out_);
  }

 private:
  bool read_head() {
    out_.bits = static_cast<int>(in_.number(1));
    const std::uint64_t kind = in_.number(1);
    out_.kind = kind == 0 ? RoadmapKind::basic : RoadmapKind::visibility;
    points_ = in_.number(4);
    entries_ = in_.number(4);
    joints_ = in_.number(4);
    out_.samples = in_.number(8);
    out_.coverage = in_.real();
    out_.scene = to_hex(in_.take(32));
    out_.steering = in_.name();
    const bool is_sound = (out_.bits == 16 || out_.bits == 24 || out_.bits == 32) && kind < 2 &&
                          out_.coverage >= 0 && out_.coverage <= 1 && joints_ <= in_.left();
    for (std::uint64_t i = 0; is_sound && i < joints_; ++i) out_.joints.push_back(in_.name());
    return is_sound && is_valid_utf8(out_.steering) &&
           std::all_of(out_.joints.begin(), out_.joints.end(),
                       [](const std::string& name) { return is_valid_utf8(name); });
  }

  bool read_axes() {
    if (entries_ == 0 || entries_ > in_.left() / 16) return false;
    for (std::uint64_t i = 0; i < entries_; ++i) out_.axes.push_back({in_.real(), in_.real()});
    return std::all_of(out_.axes.begin(), out_.axes.end(), [](const RoadmapFile::Axis& axis) {
      return std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low <= axis.high;
    });
  }

  bool read_points() {
    const int size = out_.bits / 8;
    if (points_ > in_.left() / (entries_ * at(size))) return false;
    out_.entries.reserve(points_ * entries_);
    for (std::uint64_t i = 0; i < points_ * entries_; ++i)
      out_.entries.push_back(static_cast<std::uint32_t>(in_.number(size)));
    return true;
  }

  bool read_links() {
    for (std::uint64_t i = 0; i < points_; ++i) {
      const std::uint64_t count = in_.count();
      if (count > i) return false;
      std::uint64_t last = 0;
      for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t before = in_.count();
        if (before <= last || before > i) return false;
        out_.links.emplace_back(static_cast<int>(i), static_cast<int>(i - before));
        last = before;
      }
    }
    return true;
  }

  Diagnostic fail(std::string message, std::string remedy) const {
    return {.code = "roadmap.file",
            .message = std::move(message),
            .file = file_,
            .element = fmt::format("byte {}", in_.place()),
            .remedy = std::move(remedy)};
  }

  std::string_view bytes_;
  const std::string& file_;
  RoadmapReader in_;
  RoadmapFile out_;
  std::uint64_t points_ = 0, entries_ = 0, joints_ = 0;
};

}  // namespace

std::string make_roadmap_bytes(const RoadmapFile& file) {
  RoadmapWriter out;
  out.put(kRoadmapMagic);
  out.put(kRoadmapVersion, 2);
  out.put(static_cast<std::uint64_t>(file.bits), 1);
  out.put(file.kind == RoadmapKind::basic ? 0 : 1, 1);
  out.put(file.count_points(), 4);
  out.put(file.axes.size(), 4);
  out.put(file.joints.size(), 4);
  out.put(file.samples, 8);
  out.put_number(file.coverage);
  out.put(from_hex(file.scene));
  out.put_name(file.steering);
  for (const std::string& joint : file.joints) out.put_name(joint);
  for (const RoadmapFile::Axis& axis : file.axes) {
    out.put_number(axis.low);
    out.put_number(axis.high);
  }
  for (const std::uint32_t entry : file.entries) out.put(entry, file.bits / 8);
  std::vector<std::vector<std::uint64_t>> before(file.count_points());
  for (const auto& [high, low] : file.links)
    before[at(high)].push_back(static_cast<std::uint64_t>(high - low));
  for (std::vector<std::uint64_t>& steps : before) {
    std::sort(steps.begin(), steps.end());
    out.put_count(steps.size());
    for (const std::uint64_t step : steps) out.put_count(step);
  }
  return out.finish();
}

Result<RoadmapFile> parse_roadmap_file(std::string_view bytes, const std::string& file) {
  return RoadmapParser(bytes, file).run();
}

Result<RoadmapFile> load_roadmap_file(const std::filesystem::path& path) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return parse_roadmap_file(*bytes, path.string());
}

Result<void> write_roadmap_file(const std::filesystem::path& path, const RoadmapFile& file) {
  return write_file_atomically(path, make_roadmap_bytes(file));
}

}  // namespace geste
