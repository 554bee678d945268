#include "geste/model/internal/loop_stray.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <map>
#include <set>

#include "geste/math/so3.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mover_chain.hpp"

namespace geste::internal {
namespace {

/// Pieces are not cut smaller: what is still open there cannot be told from singular.
constexpr double kShortest = 1e-5;
/// Bounds this small (m, rad) are good enough.
constexpr double kSmall = 1e-7;
/// What no joint answers to must be closed to this, m and rad.
constexpr double kClosed = 1e-8;
/// Of the largest singular value: what lies below answers to no joint.
constexpr double kNoAnswer = 1e-9;

/// Most that the turns and slides of a joint add up to, per unit of its velocity.
double measure_gain(JointType type) {
  const bool has_two =
      type == JointType::universal || type == JointType::planar || type == JointType::free;
  return has_two ? std::sqrt(2.0) : 1;
}

/// The one component of the rotation that is free where two are constrained; else -1.
int find_free_axis(const Loop& loop) {
  const auto& c = loop.constrained;
  if (c[3] + c[4] + c[5] != 2) return -1;
  return !c[3] ? 0 : !c[4] ? 1 : 2;
}

/// The rotation's rows of G: value and derivative by the angular velocity seen from B.
struct TurnRows {
  explicit TurnRows(const Mat3& R, int free_axis) {
    if (free_axis >= 0) {
      value = R.col(free_axis);
      // Unit axis e: d(R e) = R (w x e) = -R hat(e) w.
      slope = -R * so3::hat(Vec3::Unit(free_axis));
      return;
    }
    const Mat3 S = (R - R.transpose()) / 2;
    value = Vec3(S(2, 1), S(0, 2), S(1, 0));
    // R hat(w) + hat(w) R^T = hat((tr R - R^T) w).
    slope = (R.trace() * Mat3::Identity() - R.transpose()) / 2;
  }
  Vec3 value;
  Mat3 slope;
};

/// G is zero there too.
bool is_turned_round(const Loop& loop, const Mat3& R) {
  const auto& c = loop.constrained;
  const int axis = find_free_axis(loop);
  if (axis >= 0) return R(axis, axis) <= 0;
  const bool is_rigid = c[3] && c[4] && c[5];
  if (is_rigid) return R.trace() <= 1;
  // One component alone: near half a turn about another axis nothing can be said.
  return (c[3] || c[4] || c[5]) && R.trace() <= -0.9;
}

}  // namespace

LoopStray::LoopStray(const Scene& scene) : scene_(scene), system_(scene), workspace_(scene) {
  std::set<JointId> joints;
  for (const Loop& loop : scene.loops()) joints.insert(loop.joints.begin(), loop.joints.end());
  joints_.assign(joints.begin(), joints.end());
  for (const Loop& loop : scene.loops()) chains_.push_back(make_chain(loop));
  q_ = VecX::Zero(scene.nq());
  g_ = VecX::Zero(system_.rows());
  J_.resize(system_.rows(), std::ssize(system_.dofs()));
}

std::optional<std::pair<JointId, double>> LoopStray::find_driver(int mover) const {
  JointId joint = scene_.movers()[static_cast<std::size_t>(mover)].joint;
  double ratio = 1;
  while (scene_.joint(joint).role == JointRole::follower) {
    const auto& followers = scene_.followers();
    const auto f = std::find_if(followers.begin(), followers.end(),
                                [&](const Follower& x) { return x.joint == joint; });
    const auto* linear = std::get_if<LinearFollow>(&f->function);
    if (!linear) return std::nullopt;
    ratio *= linear->multiplier;
    joint = f->leaders.front();
  }
  if (scene_.joint(joint).role == JointRole::dependent) return std::nullopt;
  return std::pair(joint, ratio);
}

LoopStray::Chain LoopStray::make_chain(const Loop& loop) const {
  const std::vector<Mover>& movers = scene_.movers();
  Chain chain;
  std::map<JointId, double> gains;
  const auto mover_of = [&](BodyId id) { return id.valid() ? scene_.body(id).mover : 0; };
  climb_to_common(movers, mover_of(loop.body_a), mover_of(loop.body_b), [&](int mover, bool) {
    const Mover& m = movers[static_cast<std::size_t>(mover)];
    if (m.carried) return;
    chain.movers.push_back(mover);
    const auto driver = find_driver(mover);
    if (!driver) {
      add_leaders(m.joint, chain.hidden_leaders);
    } else if (std::binary_search(joints_.begin(), joints_.end(), driver->first)) {
      gains[driver->first] += std::abs(driver->second) * measure_gain(m.type);
    }
  });
  double squared = 0;
  for (const auto& [joint, gain] : gains) squared += gain * gain;
  chain.gain = std::sqrt(squared);
  return chain;
}

double LoopStray::measure_way(const Chain& chain) const {
  double way = 0;
  for (const int m : chain.movers) {
    const JointTravel& rate = leg_->rates[static_cast<std::size_t>(m)];
    way += rate.angular + rate.linear;
  }
  return way;
}

/// All independent joints on which the value of a joint depends.
void LoopStray::add_leaders(JointId joint, std::vector<JointId>& leaders) const {
  if (scene_.joint(joint).role == JointRole::independent) {
    leaders.push_back(joint);
    return;
  }
  for (const Follower& f : scene_.followers()) {
    if (f.joint != joint) continue;
    for (const JointId leader : f.leaders) add_leaders(leader, leaders);
  }
  for (const ExplicitLoop& loop : scene_.explicit_loops()) {
    if (std::find(loop.dependent.begin(), loop.dependent.end(), joint) == loop.dependent.end())
      continue;
    for (const JointId leader : loop.leading) add_leaders(leader, leaders);
  }
}

bool LoopStray::moves(JointId joint) const {
  const Joint& j = scene_.joint(joint);
  return !leg_->v.segment(j.v, j.nv).isZero(0);
}

void LoopStray::place(double s) {
  interpolate(scene_, leg_->q0, leg_->q1, leg_->course, s, q_);
  compute_kinematics(scene_, q_, workspace_);
}

double LoopStray::measure_opening(double s) {
  place(s);
  return evaluate();
}

double LoopStray::evaluate() {
  int row = 0;
  bool is_turned = false;
  for (const Loop& loop : scene_.loops()) {
    const Pose X_AB = compute_loop_offset(scene_, workspace_, loop);
    is_turned = is_turned || is_turned_round(loop, X_AB.R);
    const TurnRows turn(X_AB.R, find_free_axis(loop));
    for (int k = 0; k < 6; ++k) {
      if (loop.constrained[static_cast<std::size_t>(k)])
        g_[row++] = k < 3 ? X_AB.p[k] : turn.value[k - 3];
    }
  }
  return is_turned ? kInfinity : g_.norm();
}

double LoopStray::find_smallest() {
  system_.compute_jacobian(scene_, q_, workspace_, J_, [](const Loop& loop, const Mat3& R) {
    return TurnRows(R, find_free_axis(loop)).slope;
  });
  if (J_.size() == 0) return kInfinity;
  const Eigen::JacobiSVD<MatX> svd(J_, Eigen::ComputeFullU);
  const VecX& values = svd.singularValues();
  const auto rank =
      static_cast<int>((values.array() > kNoAnswer * std::max(values[0], 1.0)).count());
  if (rank_ < 0) rank_ = rank;
  if (rank != rank_) return 0;
  evaluate();
  const auto unanswered = svd.matrixU().rightCols(J_.rows() - rank);
  if ((unanswered.transpose() * g_).norm() > kClosed) return 0;
  return rank == 0 ? kInfinity : values[rank - 1];
}

std::optional<double> LoopStray::bound(const Piece& piece) {
  place((piece.begin + piece.end) / 2);
  // Products of poses: with T the turns and slides of a chain, D its longest arm (1 where that is
  // shorter), |(G o q)''| <= sqrt(D^2 + 1) T^2, and DG changes by at most sqrt(D^2 + 1) T gain. The
  // arms themselves grow to at most D / (1 - T) on the way; T <= 1/4 for half the piece and as much
  // again for the step to the closed configuration make that twice.
  constexpr double kMostTurn = 0.25;
  double bend = 0, third = 0, change = 0, lipschitz = 0, gain = 0, slope = 1;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const Chain& chain = chains_[i];
    const Loop& loop = scene_.loops()[i];
    const Vec3 p = compute_pose(scene_, workspace_, loop.body_b) * loop.X_B.p;
    double arm = 1;
    for (const int m : chain.movers)
      arm = std::max(arm, (workspace_.X_WM()[static_cast<std::size_t>(m)].p - p).norm());
    const double half = measure_way(chain) * (piece.end - piece.begin) / 2;
    if (half > kMostTurn) return std::nullopt;
    const double size = std::hypot(2 * arm, 1);
    bend = std::hypot(bend, size * 4 * half * half);
    third = std::hypot(third, size * 8 * half * half * half);
    change = std::hypot(change, size * half * chain.gain);
    lipschitz = std::hypot(lipschitz, size * chain.gain * chain.gain);
    gain = std::max(gain, chain.gain);
    slope = std::hypot(slope, size * chain.gain);
  }
  // Between a line through the ends and G lies 1/8 of the second derivative; between a parabola
  // through the middle too, nowhere more than 5/4 of what it goes through, and G 1/(72 sqrt(3)) of
  // the third, bounded like the second by size T^3.
  const double ends = std::max(piece.open_begin, piece.open_end), seen = std::max(ends, evaluate());
  const double off_line = bend / 8, off_parabola = third / 124;
  const double open = std::min(ends + off_line, 1.25 * seen + off_parabola);
  const auto is_good = [&](double s) {
    return off_line <= std::max(ends / 4, kSmall * s) ||
           off_parabola <= std::max(seen / 4, kSmall * s);
  };
  // Too long to be good, whatever the singular values, which are no more than the slope.
  if (!is_good(slope)) return std::nullopt;
  const double smallest = find_smallest();
  // Where no joint answers the loops must be closed as they are.
  if (smallest == kInfinity) return open <= kSmall ? std::optional(0.0) : std::nullopt;
  const double s = smallest - change;
  if (!(smallest > 0) || s < smallest / 2) return std::nullopt;
  const double h = lipschitz * open / (s * s);
  if (!(h <= 0.5)) return std::nullopt;
  const double most = 2 * open / s / (1 + std::sqrt(1 - 2 * h));
  if (gain * most > kMostTurn) return std::nullopt;
  return is_good(s) ? std::optional(most) : std::nullopt;
}

std::optional<StrayBound::Failure> LoopStray::compute(const StrayLeg& leg, double& most) {
  leg_ = &leg;
  most = 0;
  rank_ = -1;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const Chain& chain = chains_[i];
    if (chain.hidden_leaders.empty()) continue;
    const bool rests =
        measure_way(chain) == 0 &&
        std::none_of(joints_.begin(), joints_.end(), [&](JointId id) { return moves(id); }) &&
        std::none_of(chain.hidden_leaders.begin(), chain.hidden_leaders.end(),
                     [&](JointId id) { return moves(id); });
    if (rests && measure_opening(0) <= kSmall) return std::nullopt;
    return StrayBound::Failure{
        0, fmt::format("loop '{}' has joints that a table or a formula moves, so that how far it "
                       "opens is not known",
                       scene_.loops()[i].name)};
  }
  place(0);
  find_smallest();
  pieces_.assign(1, {0, 1, measure_opening(0), measure_opening(1)});
  while (!pieces_.empty()) {
    const Piece piece = pieces_.back();
    pieces_.pop_back();
    if (const std::optional<double> found = bound(piece)) {
      most = std::max(most, *found);
      continue;
    }
    if (piece.end - piece.begin < kShortest)
      return StrayBound::Failure{piece.begin, describe_loops(scene_) + " cannot be kept closed"};
    const double middle = (piece.begin + piece.end) / 2, open = measure_opening(middle);
    pieces_.push_back({middle, piece.end, open, piece.open_end});
    pieces_.push_back({piece.begin, middle, piece.open_begin, open});
  }
  return std::nullopt;
}

}  // namespace geste::internal
