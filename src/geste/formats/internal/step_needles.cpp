#include "geste/formats/internal/step_needles.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "geste/geometry/mesh_report.hpp"

namespace geste {
namespace {

/// A needle may lean on another; each pass takes the outermost of a stack.
constexpr int kPasses = 8;

class NeedleMender {
 public:
  explicit NeedleMender(TriangleMesh& mesh) : mesh_(mesh) { weld(); }

  std::size_t run() {
    std::size_t mended = 0;
    std::vector<std::uint32_t> needles = list_needles();
    if (needles.empty()) return 0;
    collect_edges();
    for (int pass = 0; pass < kPasses && !needles.empty(); ++pass) {
      std::vector<std::uint32_t> left;
      for (const std::uint32_t needle : needles) {
        const std::optional<std::uint32_t> cut = mend(needle);
        if (cut) ++mended;
        // What came of it may be flat too.
        for (const std::uint32_t t : {needle, cut.value_or(needle)}) {
          if (find_middle(t)) left.push_back(t);
          if (!cut) break;
        }
      }
      needles = std::move(left);
    }
    return mended;
  }

 private:
  using Edge = std::uint64_t;
  static Edge make_edge(std::uint32_t from, std::uint32_t to) {
    return Edge(from) << 32 | Edge(to);
  }

  /// Corners at one place become one corner, so that neighbours across faces are found.
  void weld() {
    std::map<std::array<double, 3>, std::uint32_t> first;
    std::vector<std::uint32_t> place;
    place.reserve(mesh_.vertices.size());
    for (const Vec3& p : mesh_.vertices) {
      const auto id = static_cast<std::uint32_t>(place.size());
      place.push_back(first.try_emplace({p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, id).first->second);
    }
    for (Triangle& t : mesh_.triangles) t = {place[t[0]], place[t[1]], place[t[2]]};
  }

  void collect_edges() {
    for (std::uint32_t i = 0; i < mesh_.triangles.size(); ++i) register_edges(i);
  }

  void register_edges(std::uint32_t triangle) {
    const Triangle& t = mesh_.triangles[triangle];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return;
    for (std::size_t k = 0; k < 3; ++k)
      owners_[make_edge(t[k], t[(k + 1) % 3])].push_back(triangle);
  }

  void forget_edges(std::uint32_t triangle) {
    const Triangle& t = mesh_.triangles[triangle];
    for (std::size_t k = 0; k < 3; ++k) {
      std::erase(owners_[make_edge(t[k], t[(k + 1) % 3])], triangle);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> list_needles() const {
    std::vector<std::uint32_t> needles;
    for (std::uint32_t i = 0; i < mesh_.triangles.size(); ++i) {
      if (find_middle(i)) needles.push_back(i);
    }
    return needles;
  }

  /// Which corner of a flat triangle lies between the other two; nothing for other triangles.
  [[nodiscard]] std::optional<std::size_t> find_middle(std::uint32_t triangle) const {
    const Triangle& t = mesh_.triangles[triangle];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return std::nullopt;
    std::array<double, 3> opposite{};  // squared length of the edge opposite to each corner
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& from = mesh_.vertices[t[(k + 1) % 3]];
      const Vec3& to = mesh_.vertices[t[(k + 2) % 3]];
      opposite[k] = (to - from).squaredNorm();
    }
    const auto longest = std::max_element(opposite.begin(), opposite.end());
    const Vec3& p = mesh_.vertices[t[0]];
    const double area2 = (mesh_.vertices[t[1]] - p).cross(mesh_.vertices[t[2]] - p).squaredNorm();
    // A margin over hygiene's own limit, so that rounding leaves nothing for it to drop.
    constexpr double kHeight = 4 * kFlatHeight;
    if (area2 > kHeight * kHeight * *longest * *longest) return std::nullopt;
    return static_cast<std::size_t>(longest - opposite.begin());
  }

  /// Returns the triangle that was the needle's neighbour and is now cut.
  std::optional<std::uint32_t> mend(std::uint32_t needle) {
    const std::optional<std::size_t> middle = find_middle(needle);
    if (!middle) return std::nullopt;
    const Triangle t = mesh_.triangles[needle];
    const std::uint32_t m = t[*middle], a = t[(*middle + 1) % 3], b = t[(*middle + 2) % 3];
    const auto across = owners_.find(make_edge(b, a));
    const auto along = owners_.find(make_edge(a, b));
    if (across == owners_.end() || across->second.size() != 1 || along->second.size() != 1) {
      return std::nullopt;
    }
    const std::uint32_t neighbour = across->second.front();
    const Triangle& n = mesh_.triangles[neighbour];
    const std::uint32_t c = n[0] != a && n[0] != b ? n[0] : n[1] != a && n[1] != b ? n[1] : n[2];
    if (c == m || is_edge(m, c)) return std::nullopt;
    forget_edges(needle);
    forget_edges(neighbour);
    mesh_.triangles[needle] = {m, a, c};
    mesh_.triangles[neighbour] = {m, c, b};
    register_edges(needle);
    register_edges(neighbour);
    return neighbour;
  }

  [[nodiscard]] bool is_edge(std::uint32_t a, std::uint32_t b) const {
    for (const Edge edge : {make_edge(a, b), make_edge(b, a)}) {
      const auto owners = owners_.find(edge);
      if (owners != owners_.end() && !owners->second.empty()) return true;
    }
    return false;
  }

  TriangleMesh& mesh_;
  std::unordered_map<Edge, std::vector<std::uint32_t>> owners_;  ///< triangles per directed edge
};

}  // namespace

std::size_t mend_needles(TriangleMesh& mesh) { return NeedleMender(mesh).run(); }

}  // namespace geste
