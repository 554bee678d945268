#include "geste/proximity/internal/pair_table.hpp"

#include <algorithm>
#include <numbers>

#include "geste/core/index.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/mover_chain.hpp"

namespace geste {
std::optional<std::vector<PairTable::Axis>> PairTable::find_axes(const Scene& scene, int a, int b) {
  std::vector<Axis> axes;
  std::size_t above_a = 0;
  bool fits = true;
  climb_to_common(scene.movers(), a, b, [&](int mover, bool is_above_a) {
    const Mover& m = scene.movers()[at(mover)];
    if (m.carried) return;
    const bool turns = m.type == JointType::revolute || m.type == JointType::continuous;
    fits = fits && (turns || m.type == JointType::prismatic);
    if (!fits) return;
    const DofLimits& limits = scene.joint(m.joint).limits.front();
    Axis axis{m.q, m.v, limits.lower, limits.upper, false, turns, mover};
    const bool is_finite = std::isfinite(axis.low) && std::isfinite(axis.high);
    if (m.type == JointType::continuous ||
        (turns && (!is_finite || axis.high - axis.low >= 2 * std::numbers::pi))) {
      axis = {m.q, m.v, -std::numbers::pi, std::numbers::pi, true, turns, mover};
    } else if (!is_finite || !(axis.high > axis.low)) {
      fits = false;
    }
    // Those above a as they come, those above b behind them the other way round.
    axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(above_a), axis);
    above_a += is_above_a ? 1 : 0;
  });
  if (!fits || axes.empty() || axes.size() > 2) return std::nullopt;
  return axes;
}

/// Fills a table from coarse to fine: squares that are free as a whole are not cut, and none any
/// more once that is not worth it.
class PairTable::Maker {
 public:
  Maker(const ProofScene& world, std::span<const ProofPair> pairs, PairTable& table)
      : world_(world),
        pairs_(pairs),
        table_(table),
        workspace_(world.scene),
        middle_(make_neutral(world.scene)) {}

  void fill() {
    std::vector<Square> open{{0, 0}}, cut;
    std::size_t looks = 0;
    for (int level = kLevels - 1; level >= 0 && !is_hopeless(level, open.size(), looks); --level) {
      looks += open.size();
      cut.clear();
      for (const Square& s : open) {
        if (prove(level, s.i, s.j))
          mark(level, s.i, s.j);
        else
          for (int k = 0; k < 2 * columns(); ++k)
            cut.push_back({2 * s.i + k / columns(), 2 * s.j + k % columns()});
      }
      open.swap(cut);
    }
    for (int level = 1; level < kLevels; ++level) join(level);
  }

 private:
  struct Square {
    int i = 0;
    int j = 0;
  };

  [[nodiscard]] int columns() const { return table_.axes_.size() == 2 ? 2 : 1; }

  /// Links of arms take up to 60,000 looks, and are known to be free nearly everywhere by the time
  /// there are 64 squares along an axis. Those that nearly touch whatever their joints do, as in a
  /// finger, would take seconds each and be of little use.
  [[nodiscard]] static bool is_hopeless(int level, std::size_t open, std::size_t looks) {
    constexpr std::size_t kMost = 100'000, kAlong = 64;
    const bool is_telling = at(kSide >> level) == 2 * kAlong;
    return looks + open > kMost || (is_telling && open > 4 * kAlong * kAlong * 9 / 10);
  }

  /// A square is free where all that it is cut into are.
  void join(int level) {
    const int side = kSide >> level;
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < (columns() == 2 ? side : 1); ++j) {
        bool is_free = true;
        for (int k = 0; k < 2 * columns(); ++k)
          is_free &= table_.get(level - 1, 2 * i + k / columns(), 2 * j + k % columns());
        cell(level, i, j) = is_free ? 1 : 0;
      }
    }
  }

  std::uint8_t& cell(int level, int i, int j) {
    return table_.cells_[at(level)][at(i) * (at(kSide) >> level) + at(j)];
  }

  /// On the finest level.
  void mark(int level, int i, int j) {
    const int scale = 1 << level, across = columns() == 2 ? scale : 1;
    for (int x = i * scale; x < (i + 1) * scale; ++x)
      std::fill_n(&cell(0, x, j * across), across, std::uint8_t{1});
  }

  /// Nothing within the square comes nearer than its margin.
  bool prove(int level, int i, int j) {
    const int index[2] = {i, j};
    for (std::size_t k = 0; k < table_.axes_.size(); ++k) {
      const Axis& axis = table_.axes_[k];
      const double size = (axis.high - axis.low) / (kSide >> level);
      middle_[axis.q] = axis.low + (index[k] + 0.5) * size;
      // A little beyond, for rounding on its border.
      half_[k] = size / 2 * (1 + 4e-6);
      if (axis.turns && half_[k] > kWidestTurn) return false;
    }
    compute_kinematics(world_.scene, middle_, workspace_);
    return std::all_of(pairs_.begin(), pairs_.end(),
                       [&](const ProofPair& pair) { return is_apart(pair); });
  }

  bool is_apart(const ProofPair& pair) {
    const CollisionObject &a = world_.model.objects()[at(pair.a)],
                          &b = world_.model.objects()[at(pair.b)];
    const std::vector<Pose>& X_WM = workspace_.X_WM();
    const Pose X_AW = (X_WM[at(a.mover)] * a.X_MO).inverse();
    PairRange range{X_AW * (X_WM[at(b.mover)] * b.X_MO), {}, {}, 0};
    // Seen from between two joints each of them moves what is at its end of the chain.
    const bool is_along = a.mover == table_.first_mover_;
    for (std::size_t k = 0; k < table_.axes_.size(); ++k) {
      const bool moves_a = table_.axes_.size() == 2 && (k == 0) == is_along;
      JointRange& joint = moves_a ? range.a : range.b;
      joint = place_joint(k);
      range.reach += bound_travel(joint, moves_a ? pair.a : pair.b);
      joint.origin = X_AW * joint.origin;
      joint.axis = X_AW.R * joint.axis;
    }
    return range_apart(a.collider, b.collider, range, pair.margin, scratch_);
  }

  /// In the world, within the square.
  [[nodiscard]] JointRange place_joint(std::size_t k) const {
    const Axis& axis = table_.axes_[k];
    const Mover& m = world_.scene.movers()[at(axis.mover)];
    const Pose& X = workspace_.X_WM()[at(axis.mover)];
    if (axis.turns) return {X.p, X.R * m.axis, half_[k], 0};
    return {X.p, workspace_.X_WM()[at(m.parent)].R * m.u1, 0, half_[k]};
  }

  /// Of an object's points, from where they are.
  [[nodiscard]] double bound_travel(const JointRange& joint, int object) const {
    const Ball& ball = world_.balls[at(object)];
    const Pose& X = workspace_.X_WM()[at(world_.model.objects()[at(object)].mover)];
    const double arm = joint.axis.cross(X * ball.centre - joint.origin).norm() + ball.radius;
    return joint.turn * arm + joint.slide;
  }

  const ProofScene& world_;
  std::span<const ProofPair> pairs_;
  PairTable& table_;
  Workspace workspace_;
  VecX middle_;
  double half_[2] = {0, 0};  ///< of the square, along each axis
  QueryScratch scratch_;
};

PairTable::PairTable(const ProofScene& world, std::span<const ProofPair> pairs, int mover_a,
                     std::vector<Axis> axes)
    : axes_(std::move(axes)), first_mover_(mover_a) {
  for (std::size_t k = 0; k < axes_.size(); ++k) scale_[k] = kSide / (axes_[k].high - axes_[k].low);
  for (int l = 0; l < kLevels; ++l) cells_[at(l)].assign(at(kSide >> l) * at(kSide >> l), 0);
  Maker(world, pairs, *this).fill();
}

double PairTable::free_fraction() const {
  const std::vector<std::uint8_t>& finest = cells_.front();
  const std::size_t along = axes_.size() == 2 ? at(kSide) : 1;
  std::size_t free = 0;
  for (std::size_t i = 0; i < at(kSide); ++i) {
    for (std::size_t j = 0; j < along; ++j) free += finest[i * at(kSide) + j];
  }
  return static_cast<double>(free) / static_cast<double>(at(kSide) * along);
}

bool PairTable::is_free(const Line& line, const Part& part, bool& is_finest) const {
  int first[2] = {0, 0}, last[2] = {0, 0};
  int most = 0;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const int axis = static_cast<int>(k);
    const double x = to_cell(axis, line.start[k] + part.begin * line.rate[k]);
    const double y = to_cell(axis, line.start[k] + part.end * line.rate[k]);
    // A little around, for rounding.
    constexpr double kAround = 1e-9;
    const double low = std::floor(std::min(x, y) - kAround),
                 high = std::floor(std::max(x, y) + kAround);
    if (!(std::abs(low) < 1e6 && std::abs(high) < 1e6)) return is_finest = true, false;
    constexpr double kOnTheLimit = 1e-6;
    const bool is_beyond = std::min(x, y) < -kOnTheLimit || std::max(x, y) > kSide + kOnTheLimit;
    if (!axes_[k].wraps && is_beyond) return is_finest = true, false;
    first[k] = static_cast<int>(low);
    last[k] = static_cast<int>(high);
    if (!axes_[k].wraps && (first[k] < 0 || last[k] >= kSide)) {
      first[k] = std::clamp(first[k], 0, kSide - 1);
      last[k] = std::clamp(last[k], 0, kSide - 1);
    }
    most = std::max(most, last[k] - first[k]);
  }
  int level = 0;
  while (level + 1 < kLevels && (most >> level) > 1) ++level;
  is_finest = level == 0;
  const int mask = (kSide >> level) - 1;
  for (int i = first[0] >> level; i <= last[0] >> level; ++i) {
    for (int j = first[1] >> level; j <= last[1] >> level; ++j) {
      if (!get(level, i & mask, j & mask)) return false;
    }
  }
  return true;
}

void PairTable::find_open(const Line& line, const Part& part, std::vector<Part>& open) const {
  bool is_finest = false;
  if (is_free(line, part, is_finest)) return;
  if (is_finest) {
    if (!open.empty() && open.back().end == part.begin) {
      open.back().end = part.end;
    } else {
      open.push_back(part);
    }
    return;
  }
  const double middle = (part.begin + part.end) / 2;
  find_open(line, {part.begin, middle}, open);
  find_open(line, {middle, part.end}, open);
}

}  // namespace geste
