#include "geste/proximity/static_clash.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

#include "geste/core/parallel.hpp"
#include "geste/geometry/collision_line.hpp"
#include "geste/geometry/shape_pair.hpp"

namespace geste {
namespace {

struct ObjectPair {
  int i;
  int j;
};

struct ClashScratch {
  QueryScratch query;
  CollisionLine line;
};

double get_deflection(const Collider& c) { return c.mesh() ? c.mesh()->mesh().deflection : 0; }

bool is_open(const Collider& c) { return c.mesh() && !c.mesh()->is_closed(); }

using Corners = std::array<Vec3, 3>;

Corners place_triangle(const MeshTree& mesh, std::uint32_t index, const Pose& X) {
  Corners corners;
  for (std::size_t k = 0; k < 3; ++k)
    corners[k] = X * mesh.mesh().vertices[mesh.mesh().triangles[index][k]];
  return corners;
}

/// Whether a triangle has corners on both sides of the plane of the other, farther than `least`.
bool straddles(const Corners& t, const Corners& plane, double least) {
  const Vec3 n = (plane[1] - plane[0]).cross(plane[2] - plane[0]).normalized();
  double low = kInfinity, high = -kInfinity;
  for (const Vec3& p : t) {
    const double h = n.dot(p - plane[0]);
    low = std::min(low, h);
    high = std::max(high, h);
  }
  return low < -least && high > least;
}

class ClashSearch {
 public:
  ClashSearch(const CollisionModel& model, const Workspace& workspace,
              const StaticClashOptions& options)
      : model_(model), options_(options), reach_(std::max(options.tolerance, options.resolution)) {
    if (workspace.X_WM().size() != model.workspace_size())
      throw std::logic_error("find_static_clashes: the workspace is of another scene");
    for (const CollisionObject& o : model.objects()) {
      X_WO_.push_back(workspace.X_WM()[at(o.mover)] * o.X_MO);
      boxes_.push_back(place_box(X_WO_.back(), o.collider.box()));
    }
    choose_bodies();
  }

  StaticClashes run() {
    StaticClashes result;
    result.checked = count_pairs();
    const std::vector<ObjectPair> candidates = find_candidates();
    result.measured = candidates.size();
    std::vector<StaticClash> measured(candidates.size());
    result.complete = parallel_for_scratch(
        candidates.size(), options_.threads, options_.cancel, [] { return ClashScratch(); },
        [&](std::size_t k, ClashScratch& scratch) {
          measured[k] = measure(candidates[k], scratch);
        });
    result.pairs = keep_worst(std::move(measured));
    return result;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] const CollisionObject& object(int i) const { return model_.objects()[at(i)]; }

  void choose_bodies() {
    for (const CollisionObject& o : model_.objects()) {
      if (bodies_.empty() || bodies_.back() != o.body) bodies_.push_back(o.body);
    }
    const std::size_t size = bodies_.empty() ? 0 : bodies_.back().index() + 1;
    chosen_.assign(size, options_.of.empty() ? 1 : 0);
    for (const BodyId body : options_.of) {
      if (body.index() < size) chosen_[body.index()] = 1;
    }
  }
  [[nodiscard]] bool is_asked(BodyId a, BodyId b) const {
    return a != b && (chosen_[a.index()] || chosen_[b.index()]) &&
           model_.rule(a, b) == PairRule::checked;
  }

  [[nodiscard]] std::size_t count_pairs() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies_.size(); ++j)
        count += is_asked(bodies_[i], bodies_[j]) ? 1 : 0;
    }
    return count;
  }

  /// Objects whose boxes come within reach, in the order of objects.
  [[nodiscard]] std::vector<ObjectPair> find_candidates() const {
    AabbTree tree;
    for (std::size_t i = 0; i < boxes_.size(); ++i) tree.insert(boxes_[i], static_cast<int>(i));
    AabbTree::Stack stack;
    std::vector<ObjectPair> found;
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
      const int i = static_cast<int>(k);
      tree.find(inflate(boxes_[k], reach_), stack, [&](int j) {
        if (j > i && is_asked(object(i).body, object(j).body)) found.push_back({i, j});
        return false;
      });
    }
    std::sort(found.begin(), found.end(),
              [](ObjectPair x, ObjectPair y) { return std::pair(x.i, x.j) < std::pair(y.i, y.j); });
    return found;
  }

  /// In the world's frame; infinitely far where they are out of reach.
  [[nodiscard]] StaticClash measure(ObjectPair pair, ClashScratch& scratch) const {
    const CollisionObject &a = object(pair.i), &b = object(pair.j);
    const Pose X_AB = X_WO_[at(pair.i)].inverse() * X_WO_[at(pair.j)];
    DepthOptions depth;
    depth.max_points = options_.max_points;
    // Flush or not is decided at the resolution: the search must see half of that.
    depth.absolute = options_.resolution / 2;
    constexpr double kRounding = 1e-9;
    depth.limit = reach_ + kRounding;
    const Separation s =
        compute_separation(a.collider, b.collider, X_AB, scratch.query, nullptr, depth);
    StaticClash clash{a.body, b.body, pair.i, pair.j, classify(s.distance), s};
    clash.deflection = get_deflection(a.collider) + get_deflection(b.collider);
    if (clash.kind == ClashKind::touch && is_open(a.collider) && is_open(b.collider))
      find_crossing(*a.collider.mesh(), *b.collider.mesh(), X_AB, scratch, clash);
    clash.separation = placed(clash.separation, X_WO_[at(pair.i)]);
    return clash;
  }

  [[nodiscard]] ClashKind classify(double distance) const {
    if (distance < -options_.resolution) return ClashKind::clash;
    return distance <= options_.resolution ? ClashKind::touch : ClashKind::near;
  }

  /// Surfaces without inside cross where two triangles pass through each other's plane.
  void find_crossing(const MeshTree& a, const MeshTree& b, const Pose& X_AB, ClashScratch& scratch,
                     StaticClash& clash) const {
    compute_collision_line(a, b, X_AB, scratch.query, scratch.line);
    double longest = options_.resolution;
    for (const CollisionLine::Segment& s : scratch.line.segments) {
      const double length = (s.q - s.p).norm();
      if (length <= longest) continue;
      const Corners in_a = place_triangle(a, s.triangles.a, Pose());
      const Corners in_b = place_triangle(b, s.triangles.b, X_AB);
      if (!straddles(in_a, in_b, options_.resolution) ||
          !straddles(in_b, in_a, options_.resolution))
        continue;
      longest = length;
      clash.kind = ClashKind::crossing;
      clash.separation.on_a = clash.separation.on_b = (s.p + s.q) / 2;
    }
  }

  /// One of each pair of bodies, the worst of its objects; then the worst pairs first.
  [[nodiscard]] std::vector<StaticClash> keep_worst(std::vector<StaticClash> found) const {
    std::erase_if(found, [&](const StaticClash& c) {
      return !c.a.valid() || c.separation.distance > reach_;
    });
    const auto severity = [](const StaticClash& c) {
      return std::tuple(c.kind, c.separation.distance, c.a, c.b, c.object_a, c.object_b);
    };
    const auto pair = [](const StaticClash& c) { return std::pair(c.a, c.b); };
    std::sort(found.begin(), found.end(), [&](const StaticClash& x, const StaticClash& y) {
      return pair(x) != pair(y) ? pair(x) < pair(y) : severity(x) < severity(y);
    });
    found.erase(std::unique(found.begin(), found.end(),
                            [&](const auto& x, const auto& y) { return pair(x) == pair(y); }),
                found.end());
    std::sort(found.begin(), found.end(),
              [&](const auto& x, const auto& y) { return severity(x) < severity(y); });
    return found;
  }

  const CollisionModel& model_;
  const StaticClashOptions& options_;
  double reach_;
  std::vector<Pose> X_WO_;      ///< by object
  std::vector<AxisBox> boxes_;  ///< by object, in the world
  std::vector<BodyId> bodies_;  ///< with objects
  std::vector<char> chosen_;    ///< by body
};

}  // namespace

const char* to_text(ClashKind kind) {
  switch (kind) {
    case ClashKind::clash:
      return "clash";
    case ClashKind::crossing:
      return "crossing";
    case ClashKind::touch:
      return "touch";
    case ClashKind::near:
      return "near";
  }
  return "";
}

StaticClashes find_static_clashes(const CollisionModel& model, const Workspace& workspace,
                                  const StaticClashOptions& options) {
  const auto is_length = [](double x) { return x >= 0 && x < kInfinity; };
  if (!is_length(options.tolerance) || !is_length(options.resolution))
    throw std::invalid_argument("find_static_clashes: tolerance and resolution are finite lengths");
  return ClashSearch(model, workspace, options).run();
}

}  // namespace geste
