#include "geste/geometry/sphere_tree.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/placed_box.hpp"

namespace geste {
namespace {

constexpr int kBranching = 8;
constexpr int kCandidates = 400;
/// Pieces are about this share of the body across.
constexpr double kPieceShare = 1.0 / 24;
/// Segments per turn of round primitives; what they leave out of the shape is added to the balls.
constexpr int kSegments = 48;
constexpr double kUnknownHole = std::numeric_limits<double>::infinity();

/// A patch of the surface, with the corners of its triangles.
struct Piece {
  std::vector<Vec3> points;
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  double slack = 0;  ///< how far the true surface may be outside the triangles
};

/// A place for a ball: how far the surface is, which an open one has too, and how large a ball fits
/// into the solid there.
struct Candidate {
  Vec3 centre;
  double depth;
  double inner;
};

/// The surface as pieces, and where balls may go.
class Surface {
 public:
  explicit Surface(std::span<const PlacedCollider> shapes) {
    for (const PlacedCollider& s : shapes) {
      bodies_.push_back({get_surface(*s.collider), s.X});
      box_.add(place_box(s.X, s.collider->box()));
    }
    cell_ = std::max(box_.size().maxCoeff() * kPieceShare, 1e-9);
    cut_pieces();
    add_candidates();
  }

  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }
  [[nodiscard]] const AxisBox& box() const { return box_; }
  [[nodiscard]] double cell() const { return cell_; }

  /// Depth inside the solid, negative outside: of the body that holds the point deepest.
  double compute_depth(const Vec3& p) {
    double deepest = -std::numeric_limits<double>::infinity();
    for (const Placed& b : bodies_) {
      const Vec3 at = b.X.inverse() * p;
      const double distance = find_nearest(*b.tree, at, scratch_).distance;
      const bool inside = b.tree->is_closed() && is_inside(*b.tree, at, scratch_);
      deepest = std::max(deepest, inside ? distance : -distance);
    }
    return deepest;
  }

 private:
  struct Placed {
    std::shared_ptr<const MeshTree> tree;
    Pose X;
  };
  using Cell = std::array<int, 3>;

  static std::shared_ptr<const MeshTree> get_surface(const Collider& c) {
    if (c.mesh() || c.faces()) return {std::shared_ptr<const MeshTree>(), c.surface()};
    const Shape shape =
        std::visit([](const auto& primitive) { return Shape(primitive); }, *c.primitive());
    return std::make_shared<const MeshTree>(
        std::make_shared<const TriangleMesh>(make_mesh(shape, kSegments)));
  }

  void cut_pieces() {
    std::map<Cell, std::size_t> index;
    for (const Placed& b : bodies_) {
      const TriangleMesh& mesh = b.tree->mesh();
      for (const Triangle& t : mesh.triangles)
        cut({b.X * mesh.vertices[t[0]], b.X * mesh.vertices[t[1]], b.X * mesh.vertices[t[2]]},
            mesh.deflection, index);
    }
    for (Piece& piece : pieces_) {
      for (const Vec3& p : piece.points)
        piece.centre += p / static_cast<double>(piece.points.size());
      for (const Vec3& p : piece.points)
        piece.radius = std::max(piece.radius, (p - piece.centre).norm());
    }
  }

  /// Halves the longest edge until the triangle is as small as a cell.
  void cut(const std::array<Vec3, 3>& t, double slack, std::map<Cell, std::size_t>& index) {
    int longest = 0;
    double length = 0;
    for (int k = 0; k < 3; ++k) {
      const double l =
          (t[static_cast<std::size_t>((k + 1) % 3)] - t[static_cast<std::size_t>(k)]).norm();
      if (l > length) {
        length = l;
        longest = k;
      }
    }
    if (length > cell_) {
      const Vec3 &a = t[static_cast<std::size_t>(longest)],
                 &b = t[static_cast<std::size_t>((longest + 1) % 3)],
                 &c = t[static_cast<std::size_t>((longest + 2) % 3)];
      const Vec3 m = (a + b) / 2;
      cut({a, m, c}, slack, index);
      cut({m, b, c}, slack, index);
      return;
    }
    const Vec3 at = ((t[0] + t[1] + t[2]) / 3 - box_.min) / cell_;
    const Cell cell{static_cast<int>(at.x()), static_cast<int>(at.y()), static_cast<int>(at.z())};
    const auto [entry, fresh] = index.try_emplace(cell, pieces_.size());
    if (fresh) {
      pieces_.emplace_back();
      normals_.push_back((t[1] - t[0]).cross(t[2] - t[0]));
    }
    Piece& piece = pieces_[entry->second];
    piece.points.insert(piece.points.end(), t.begin(), t.end());
    piece.slack = std::max(piece.slack, slack);
  }

  void add_candidates() {
    const std::size_t stride = std::max<std::size_t>(1, pieces_.size() / kCandidates);
    for (std::size_t k = 0; k < pieces_.size(); k += stride) {
      const Piece& piece = pieces_[k];
      const Vec3 p = (piece.points[0] + piece.points[1] + piece.points[2]) / 3;
      add_candidate(piece.centre);
      const double length = normals_[k].norm();
      if (length > 0) add_medial(p, -normals_[k] / length);
    }
    add_candidate(box_.centre());
  }

  void add_candidate(const Vec3& centre) {
    const double inner = std::max(compute_depth(centre), 0.0);
    candidates_.push_back({centre, inner, inner});
  }

  /// The largest ball inside that touches the surface at p: shrunk until nothing else is within (J.
  /// Ma, S. Bae, S. Choi, "3D medial axis point approximation", The Visual Computer 2012).
  void add_medial(const Vec3& p, const Vec3& inwards) {
    double r = box_.size().norm();
    for (int step = 0; step < 12; ++step) {
      const Vec3 c = p + r * inwards;
      Vec3 nearest = p;
      double distance = r * (1 - 1e-6);
      for (const Placed& b : bodies_) {
        const NearestPoint found =
            find_nearest(*b.tree, b.X.inverse() * c, scratch_, TrianglePair::kNone, distance);
        if (found.distance >= distance) continue;
        distance = found.distance;
        nearest = b.X * found.point;
      }
      const double along = inwards.dot(nearest - p);
      if (nearest == p || along <= 1e-9 * r) break;
      r = std::min(r, (nearest - p).squaredNorm() / (2 * along));
    }
    const Vec3 c = p + r * inwards;
    const double depth = compute_depth(c);
    candidates_.push_back({c, std::abs(depth), std::max(depth, 0.0)});
  }

  std::vector<Placed> bodies_;
  AxisBox box_;
  double cell_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Vec3> normals_;
  std::vector<Candidate> candidates_;
  QueryScratch scratch_;
};

using Indices = std::vector<std::size_t>;

/// Chooses places so that balls which stick out by `out` hold all pieces: the one that holds most
/// of the rest first. Empty when more than a node's number would be needed.
Indices choose(const Surface& surface, const Indices& pieces, double out) {
  Indices chosen, rest = pieces;
  while (!rest.empty()) {
    if (chosen.size() == kBranching) return {};
    std::size_t best = 0, most = 0;
    for (std::size_t c = 0; c < surface.candidates().size(); ++c) {
      const Candidate& at = surface.candidates()[c];
      std::size_t count = 0;
      for (const std::size_t k : rest) {
        const Piece& piece = surface.pieces()[k];
        const double room = at.depth + out - piece.radius;
        count += room > 0 && (piece.centre - at.centre).squaredNorm() <= room * room;
      }
      if (count > most) {
        most = count;
        best = c;
      }
    }
    if (most == 0) return {};
    chosen.push_back(best);
    const Candidate& at = surface.candidates()[best];
    std::erase_if(rest, [&](std::size_t k) {
      const Piece& piece = surface.pieces()[k];
      return (piece.centre - at.centre).norm() + piece.radius <= at.depth + out;
    });
  }
  return chosen;
}

struct Part {
  CoverBall ball;
  Indices pieces;
};

/// The ball at a place that just holds its pieces.
CoverBall make_ball(const Surface& surface, const Candidate& at, const Indices& pieces) {
  CoverBall ball{.centre = at.centre, .inner = at.inner};
  for (const std::size_t k : pieces) {
    const Piece& piece = surface.pieces()[k];
    for (const Vec3& p : piece.points)
      ball.radius = std::max(ball.radius, (p - at.centre).norm() + piece.slack);
  }
  ball.radius *= 1 + 1e-12;
  return ball;
}

/// Up to eight balls that stick out as little as can be found.
std::vector<Part> split(const Surface& surface, const Indices& pieces) {
  const double extent = surface.box().size().norm();
  double enough = extent, short_of = 0;
  Indices chosen = choose(surface, pieces, enough);
  while (enough - short_of > 0.003 * extent) {
    const double out = (enough + short_of) / 2;
    if (Indices found = choose(surface, pieces, out); !found.empty()) {
      chosen = std::move(found);
      enough = out;
    } else {
      short_of = out;
    }
  }
  // Of a body without extent no place holds more than another.
  if (chosen.empty()) chosen.push_back(surface.candidates().size() - 1);
  std::vector<Part> parts(chosen.size());
  for (const std::size_t k : pieces) {
    const Piece& piece = surface.pieces()[k];
    const auto stick_out = [&](std::size_t c) {
      const Candidate& at = surface.candidates()[c];
      return (piece.centre - at.centre).norm() - at.depth;
    };
    const auto best =
        std::min_element(chosen.begin(), chosen.end(),
                         [&](std::size_t x, std::size_t y) { return stick_out(x) < stick_out(y); });
    parts[static_cast<std::size_t>(best - chosen.begin())].pieces.push_back(k);
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i].ball = make_ball(surface, surface.candidates()[chosen[i]], parts[i].pieces);
  std::erase_if(parts, [](const Part& part) { return part.pieces.empty(); });
  return parts;
}

/// Near the smallest ball that holds all points: moved towards the farthest again and again (M.
/// Badoiu, K. Clarkson, "Smaller core-sets for balls", SODA 2003).
Vec3 find_middle(const Surface& surface) {
  Vec3 centre = surface.box().centre();
  for (int step = 1; step <= 300; ++step) {
    Vec3 farthest = centre;
    for (const Piece& piece : surface.pieces()) {
      if ((piece.centre - centre).norm() + piece.radius <= (farthest - centre).norm()) continue;
      for (const Vec3& p : piece.points) {
        if ((p - centre).squaredNorm() > (farthest - centre).squaredNorm()) farthest = p;
      }
    }
    centre += (farthest - centre) / (step + 1);
  }
  return centre;
}

/// Whether a leaf and the ball above it do; a search comes to leaves from above.
template <class Holds>
bool has_leaf_that(const SphereTree& tree, Holds holds) {
  const auto child = [&](const CoverBall& ball, int k) -> const CoverBall& {
    return tree.balls[static_cast<std::size_t>(ball.first_child + k)];
  };
  for (int i = 0; i < tree.balls[0].children; ++i) {
    const CoverBall& part = child(tree.balls[0], i);
    if (!holds(part)) continue;
    for (int k = 0; k < part.children; ++k) {
      if (holds(child(part, k))) return true;
    }
  }
  return false;
}

/// Whether leaves hold every cube that lies wholly inside the solid, down to the smallest.
bool covers(Surface& surface, const SphereTree& tree, const Vec3& centre, double half,
            double smallest) {
  const double corner = std::sqrt(3.0) * half;
  const auto holds = [&](const CoverBall& ball) {
    return (ball.centre - centre).norm() + corner <= ball.radius;
  };
  if (holds(tree.balls[0]) && has_leaf_that(tree, holds)) return true;
  const double depth = surface.compute_depth(centre);
  if (depth < -corner) return true;
  if (half < smallest) return depth < corner;
  for (int k = 0; k < 8; ++k) {
    const Vec3 step(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    if (!covers(surface, tree, centre + step * (half / 2), half / 2, smallest)) return false;
  }
  return true;
}

/// The centre of a ball that hides would lie in a cube that lies wholly inside.
double find_hole(Surface& surface, const SphereTree& tree) {
  const AxisBox& box = surface.box();
  const double half = box.extent() / 2, smallest = half / 24;
  if (!covers(surface, tree, box.centre(), half, smallest)) return kUnknownHole;
  return 2 * std::sqrt(3.0) * smallest;
}

}  // namespace

SphereTree make_sphere_tree(std::span<const PlacedCollider> shapes) {
  SphereTree tree;
  Surface surface(shapes);
  if (surface.pieces().empty()) return tree;
  Indices all(surface.pieces().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Vec3 middle = find_middle(surface);
  const double inner = std::max(surface.compute_depth(middle), 0.0);
  tree.balls.push_back(make_ball(surface, {middle, inner, inner}, all));
  const std::vector<Part> parts = split(surface, all);
  tree.balls[0].first_child = 1;
  tree.balls[0].children = static_cast<int>(parts.size());
  for (const Part& part : parts) tree.balls.push_back(part.ball);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<Part> leaves = split(surface, parts[i].pieces);
    tree.balls[i + 1].first_child = static_cast<int>(tree.balls.size());
    tree.balls[i + 1].children = static_cast<int>(leaves.size());
    for (const Part& leaf : leaves) tree.balls.push_back(leaf.ball);
  }
  tree.hole = find_hole(surface, tree);
  return tree;
}

}  // namespace geste
