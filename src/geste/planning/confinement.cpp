#include "geste/planning/confinement.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

#include "geste/core/index.hpp"
#include "geste/planning/internal/point_probe.hpp"

namespace geste {
namespace {

/// Whether something stays where it is while the space's joints move: nothing follows them.
bool stays(const PlanningSpace& space, int mover) {
  if (space.moves(mover)) return false;
  const Scene& scene = space.scene();
  for (; mover != 0; mover = scene.movers()[at(mover)].parent) {
    const JointRole role = scene.joint(scene.movers()[at(mover)].joint).role;
    if (role == JointRole::follower || role == JointRole::dependent) return false;
  }
  return true;
}

/// A cube of space. Neighbours are found by their numbers on the finest grid.
struct Cell {
  std::array<int, 3> low{};  ///< in edges of the smallest cells
  int size = 1;              ///< the same
  int first_child = -1;
  int wall = -1;         ///< of the obstacles; proves that the ball cannot be here
  bool is_open = false;  ///< the ball can be anywhere in it
};

/// Who is joined to whom.
class Groups {
 public:
  explicit Groups(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }
  int find(int i) {
    while (parents_[at(i)] != i) i = parents_[at(i)] = parents_[at(parents_[at(i)])];
    return i;
  }
  void join(int a, int b) { parents_[at(find(a))] = find(b); }

 private:
  std::vector<int> parents_;
};

class Flood {
 public:
  Flood(const PlanningSpace& space, const CollisionModel& model, const InnerBall& ball,
        ConstVecRef start, const BallGoal& goal, const ConfinementOptions& options,
        const ReachVolume& range)
      : probe_(space, model, start),
        goal_(goal),
        options_(options),
        meter_(options.budget),
        units_(1 << options.depth),
        range_(range) {
    begin_ = probe_.pose(ball.body) * ball.p_B;
    add_obstacles(space, model, ball);
    choose_root();
  }

  std::optional<Confinement> run() {
    if (obstacles_.empty() || !is_in_root(begin_)) return std::nullopt;
    cells_.push_back({{0, 0, 0}, units_, -1, -1, false});
    judge(0);
    while (meter_.spend(0)) {
      const std::vector<int> undecided = find_channels();
      if (undecided.empty()) return is_reached_ ? std::nullopt : std::optional(sum_up());
      if (!split(undecided)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  struct Obstacle {
    BodyId body;
    AxisBox box;
    double radius = 0;  ///< whoever's centre is nearer is too near
  };

  void add_obstacles(const PlanningSpace& space, const CollisionModel& model,
                     const InnerBall& ball) {
    BodyId last;
    for (const CollisionObject& o : model.objects()) {
      if (o.body == last || !stays(space, o.mover)) continue;
      last = o.body;
      // Whoever is beyond reach is never met either.
      const PairRule rule = model.rule(ball.body, o.body);
      if (rule != PairRule::checked && rule != PairRule::beyond_reach) continue;
      obstacles_.push_back(
          {o.body, probe_.box(o.body), ball.radius + model.margin(ball.body, o.body)});
    }
  }

  /// The box that must be left, or one around everything: outside of it the way is free.
  void choose_root() {
    AxisBox box;
    if (goal_.outside) {
      box = *goal_.outside;
    } else {
      for (const Obstacle& o : obstacles_) {
        box.add(Vec3(o.box.min.array() - 2 * o.radius));
        box.add(Vec3(o.box.max.array() + 2 * o.radius));
      }
      AxisBox all = box;
      all.add(begin_);
      // A range that is not much larger belongs to it: then nothing needs to be known outside.
      constexpr double kLarger = 4;
      if (range_.is_bounded() && range_.box.size().maxCoeff() < kLarger * box.size().maxCoeff())
        all.add(range_.box);
      // They lie inside, not on the border.
      if (all.min != box.min || all.max != box.max) box = inflate(all, 1e-3 * all.size().norm());
    }
    root_ = box;
    edge_ = box.size() / units_;
    // What has to stay in here need not be looked for outside.
    is_outside_open_ = goal_.outside || !(range_.is_bounded() &&
                                          (range_.box.min.array() > root_.min.array()).all() &&
                                          (range_.box.max.array() < root_.max.array()).all());
  }

  [[nodiscard]] bool is_in_root(const Vec3& p) const {
    return (p.array() > root_.min.array()).all() && (p.array() < root_.max.array()).all();
  }

  [[nodiscard]] Vec3 corner(const Cell& c, int of_size) const {
    const Vec3 low(c.low[0], c.low[1], c.low[2]);
    return root_.min + edge_.cwiseProduct(Vec3(low.array() + of_size));
  }

  /// Whether the joints cannot bring the ball's centre to any point of a cell.
  [[nodiscard]] bool is_beyond_range(const Vec3& low, const Vec3& high, const Vec3& centre,
                                     double half) const {
    if (!range_.is_bounded()) return false;
    const double slack = 1e-9 * root_.size().norm();
    const Vec3 apart = (range_.box.min - high).cwiseMax(low - range_.box.max);
    return apart.maxCoeff() > slack || (centre - range_.centre).norm() > range_.radius + half;
  }

  /// Whether a part keeps the ball out, or nothing does.
  void judge(int i) {
    Cell& c = cells_[at(i)];
    const Vec3 low = corner(c, 0), high = corner(c, c.size), centre = (low + high) / 2;
    // Rounding of distances must not prove anything.
    const double half = (high - low).norm() / 2 + 1e-9 * root_.size().norm();
    if (is_beyond_range(low, high, centre, half)) {
      c.wall = static_cast<int>(obstacles_.size());
      return;
    }
    c.is_open = true;
    for (std::size_t k = 0; k < obstacles_.size(); ++k) {
      const Obstacle& o = obstacles_[k];
      const Vec3 apart = (o.box.min - high).cwiseMax(low - o.box.max).cwiseMax(Vec3::Zero());
      if (apart.norm() >= o.radius) continue;
      const double distance = probe_.measure(o.body, centre);
      if (distance + half < o.radius) {
        c.wall = static_cast<int>(k);
        c.is_open = false;
        return;
      }
      if (distance - half < o.radius) c.is_open = false;
    }
  }

  /// The cell with this smallest cell in it, not smaller than `size`; -1 outside.
  [[nodiscard]] int locate(const std::array<int, 3>& p, int size) const {
    for (const int v : p)
      if (v < 0 || v >= units_) return -1;
    int i = 0;
    while (cells_[at(i)].first_child >= 0 && cells_[at(i)].size > size) {
      const Cell& c = cells_[at(i)];
      int child = c.first_child;
      for (std::size_t k = 0; k < 3; ++k)
        if (p[k] >= c.low[k] + c.size / 2) child += 1 << k;
      i = child;
    }
    return i;
  }

  [[nodiscard]] int locate(const Vec3& p) const {
    const Vec3 share = (p - root_.min).cwiseQuotient(edge_);
    std::array<int, 3> place{};
    for (int k = 0; k < 3; ++k) {
      if (!(share[k] >= 0 && share[k] < units_)) return outside();
      place[at(k)] = static_cast<int>(share[k]);
    }
    return locate(place, 1);
  }

  /// Stands for all that is outside the root, behind the cells.
  [[nodiscard]] int outside() const { return static_cast<int>(cells_.size()); }

  /// Whether the ball may be there, as far as is known.
  [[nodiscard]] bool passes(int i) const {
    return i == outside() ? is_outside_open_ : cells_[at(i)].wall < 0;
  }

  /// Calls take(cell, neighbour) for cells that share a face, of which one is not smaller.
  template <class Take>
  void for_each_face(const Take& take) const {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& c = cells_[i];
      if (c.first_child >= 0) continue;
      for (std::size_t k = 0; k < 6; ++k) {
        std::array<int, 3> beside = c.low;
        beside[k % 3] += k < 3 ? c.size : -1;
        const int other = locate(beside, c.size);
        // Smaller ones find this one.
        if (other < 0 || cells_[at(other)].first_child < 0)
          take(static_cast<int>(i), other < 0 ? outside() : other);
      }
    }
  }

  /// Who shares a face with whom, but for walls: the neighbours of cell i are
  /// neighbours[begins[i] .. begins[i + 1]).
  struct Faces {
    std::vector<std::size_t> begins;
    std::vector<int> neighbours;
  };
  [[nodiscard]] Faces list_faces() const {
    std::vector<std::pair<int, int>> pairs;
    for_each_face([&](int a, int b) {
      if (!passes(a) || !passes(b)) return;
      pairs.emplace_back(a, b);
      pairs.emplace_back(b, a);
    });
    std::sort(pairs.begin(), pairs.end());
    Faces faces;
    faces.begins.assign(cells_.size() + 2, 0);
    for (const auto& [a, b] : pairs) ++faces.begins[at(a) + 1];
    std::partial_sum(faces.begins.begin(), faces.begins.end(), faces.begins.begin());
    for (const auto& [a, b] : pairs) faces.neighbours.push_back(b);
    return faces;
  }

  /// The undecided cells of ways from the ball to its goal, of several that have none in common.
  /// None where walls keep it in, or where a way is open.
  std::vector<int> find_channels() {
    constexpr int kMost = 64;
    const Faces faces = list_faces();
    is_goal_.assign(cells_.size() + 1, 0);
    if (goal_.outside) is_goal_[at(outside())] = 1;
    for (const Vec3& p : goal_.places) is_goal_[at(locate(p))] = 1;
    std::vector<char> is_used(cells_.size() + 1, 0);
    std::vector<int> undecided;
    is_reached_ = false;
    for (int k = 0; k < kMost; ++k) {
      const std::vector<int> channel = find_channel(faces, is_used);
      if (channel.empty()) break;
      is_reached_ = true;
      const std::size_t before = undecided.size();
      for (const int i : channel) {
        if (i == outside() || cells_[at(i)].is_open) continue;
        is_used[at(i)] = 1;
        if (cells_[at(i)].size > 1) undecided.push_back(i);
      }
      if (undecided.size() == before) return {};
    }
    // Two ways may begin in one cell.
    std::sort(undecided.begin(), undecided.end());
    undecided.erase(std::unique(undecided.begin(), undecided.end()), undecided.end());
    return undecided;
  }

  /// Cells that lead from the ball to its goal, with as few undecided ones as can be.
  [[nodiscard]] std::vector<int> find_channel(const Faces& faces,
                                              const std::vector<char>& is_used) const {
    const int home = locate(begin_);
    std::vector<int> from(cells_.size() + 1, -1);
    std::vector<char> is_seen = is_used;
    if (is_seen[at(home)]) return {};
    is_seen[at(home)] = 1;
    // Open cells go first.
    std::deque<int> queue{home};
    while (!queue.empty()) {
      const int i = queue.front();
      queue.pop_front();
      if (is_goal_[at(i)]) return trace(from, i);
      for (std::size_t k = faces.begins[at(i)]; k < faces.begins[at(i) + 1]; ++k) {
        const int next = faces.neighbours[k];
        if (std::exchange(is_seen[at(next)], 1)) continue;
        from[at(next)] = i;
        if (next == outside() || cells_[at(next)].is_open)
          queue.push_front(next);
        else
          queue.push_back(next);
      }
    }
    return {};
  }

  static std::vector<int> trace(const std::vector<int>& from, int last) {
    std::vector<int> channel;
    for (int i = last; i >= 0; i = from[at(i)]) channel.push_back(i);
    return channel;
  }

  /// Cuts cells into eight; false where there would be too many.
  bool split(const std::vector<int>& undecided) {
    if (cells_.size() + 8 * undecided.size() > options_.cells) return false;
    for (const int i : undecided) {
      if (!meter_.spend(8)) return false;
      const Cell c = cells_[at(i)];
      const int half = c.size / 2;
      cells_[at(i)].first_child = static_cast<int>(cells_.size());
      for (int k = 0; k < 8; ++k) {
        cells_.push_back({{c.low[0] + (k & 1) * half, c.low[1] + (k >> 1 & 1) * half,
                           c.low[2] + (k >> 2) * half},
                          half,
                          -1,
                          -1,
                          false});
        judge(static_cast<int>(cells_.size()) - 1);
      }
    }
    return true;
  }

  /// All that the ball can reach, and who bounds it.
  Confinement sum_up() const {
    Groups groups(cells_.size() + 1);
    for_each_face([&](int a, int b) {
      if (passes(a) && passes(b)) groups.join(a, b);
    });
    const int home = groups.find(locate(begin_));
    Confinement found;
    found.cells = cells_.size();
    std::map<int, int> walls;
    for_each_face([&](int a, int b) {
      if (b == outside()) {
        found.needs_range |= groups.find(a) == home;
        return;
      }
      for (const auto& [in, out] : {std::pair(a, b), std::pair(b, a)}) {
        const int wall = cells_[at(out)].wall;
        if (groups.find(in) == home && wall >= 0) ++walls[wall];
      }
    });
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& c = cells_[i];
      if (c.first_child >= 0 || groups.find(static_cast<int>(i)) != home) continue;
      found.box.add(corner(c, 0));
      found.box.add(corner(c, c.size));
    }
    std::vector<std::pair<int, int>> order;
    const int beyond = static_cast<int>(obstacles_.size());
    found.needs_range |= walls.contains(beyond);
    for (const auto& [wall, count] : walls)
      if (wall != beyond) order.emplace_back(-count, wall);
    std::sort(order.begin(), order.end());
    for (const auto& [count, wall] : order) found.walls.push_back(obstacles_[at(wall)].body);
    return found;
  }

  internal::PointProbe probe_;
  const BallGoal& goal_;
  const ConfinementOptions& options_;
  BudgetMeter meter_;
  int units_;
  ReachVolume range_;            ///< of the ball's centre
  bool is_outside_open_ = true;  ///< the range leads out of the root
  Vec3 begin_;
  std::vector<Obstacle> obstacles_;
  AxisBox root_;
  Vec3 edge_;
  std::vector<Cell> cells_;
  std::vector<char> is_goal_;  ///< by cell, and outside
  bool is_reached_ = false;    ///< a way leads to the goal, as far as is known
};

/// Whether a body is on the one free joint of a space.
bool is_free_body(const PlanningSpace& space, BodyId id) {
  const Scene& scene = space.scene();
  const PlanningSpace::Item& first = space.items().front();
  const Mover& own = scene.movers()[at(scene.body(id).mover)];
  return space.items().size() == 1 && first.joint.type == JointType::free && own.parent == 0 &&
         own.joint.valid() && scene.joint(own.joint).name == first.joint.name;
}

}  // namespace

ReachVolume bound_range(const PlanningSpace& space, BodyId id, const Vec3& p_B) {
  const Scene& scene = space.scene();
  const Body& body = scene.body(id);
  const Vec3 p_M = body.X_MB * p_B;
  if (is_free_body(space, id)) {
    const PlanningSpace::Item& first = space.items().front();
    if (first.room) return make_volume(inflate(*first.room, p_M.norm()));
    AxisBox room;
    for (int k = 0; k < 3; ++k) {
      room.min[k] = first.joint.limits[at(k)].lower;
      room.max[k] = first.joint.limits[at(k)].upper;
    }
    return make_volume(place_box(first.joint.X_PJ, inflate(room, p_M.norm())));
  }
  ReachVolume range = make_volume({p_M, p_M});
  int m = body.mover;
  for (; m != 0 && !stays(space, m); m = scene.movers()[at(m)].parent)
    range = sweep(scene, m, range);
  if (m == 0) return range;
  Workspace workspace(scene);
  compute_kinematics(scene, space.rest(), workspace);
  const Pose& X_WM = workspace.X_WM()[at(m)];
  return {place_box(X_WM, range.box), X_WM * range.centre, range.radius};
}

std::optional<Confinement> prove_confined(const PlanningSpace& space, const CollisionModel& model,
                                          const InnerBall& ball, ConstVecRef start,
                                          const BallGoal& goal, const ConfinementOptions& options) {
  static const ReachVolume kAnywhere{{}, Vec3::Zero(), kInfinity};
  const ReachVolume range = bound_range(space, ball.body, ball.p_B);
  // The room of a free body is seldom more than a bound for sampling: what holds without is better.
  if (range.is_bounded() && is_free_body(space, ball.body)) {
    auto found = Flood(space, model, ball, start, goal, options, kAnywhere).run();
    if (found || !options.is_room_binding) return found;
  }
  return Flood(space, model, ball, start, goal, options, range).run();
}

}  // namespace geste
