#include "geste/proximity/internal/verify_pair.hpp"

#include <algorithm>
#include <cmath>

#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

Pose place_object(const VerifyObject& o, const std::vector<Pose>& X_WM) {
  return X_WM[static_cast<std::size_t>(o.ball.mover)] * o.X_MO;
}

}  // namespace

void PairAdvance::run(VerifyPair& pair, VerifyScratch& scratch) const {
  if (pair.is_refused) return;
  // What was proven up to here stays true of things that stand still.
  const bool stands = travel_[static_cast<std::size_t>(pair.a)] == 0 &&
                      travel_[static_cast<std::size_t>(pair.b)] == 0;
  if ((stands && pair.is_begun) || is_far_throughout(pair)) {
    pair.leg = window_.end;
    pair.is_begun = true;
    return;
  }
  do {
    if (cancel_.requested()) return;
    const Look found = look(pair, scratch);
    if (pair.is_refused) return;
    step(pair, found);
  } while (pair.leg < window_.end && !pair.is_refused);
}

/// By balls in the world, once for the whole window.
bool PairAdvance::is_far_throughout(const VerifyPair& pair) const {
  const VerifyObject &a = object(pair.a), &b = object(pair.b);
  const std::vector<Pose>& X_WM = window_.poses(window_.first);
  const Vec3 between = X_WM[static_cast<std::size_t>(a.ball.mover)] * a.ball.centre -
                       X_WM[static_cast<std::size_t>(b.ball.mover)] * b.ball.centre;
  const double way =
      travel_[static_cast<std::size_t>(pair.a)] + travel_[static_cast<std::size_t>(pair.b)];
  return between.norm() - a.ball.radius - b.ball.radius - way - pair.stray > far(pair);
}

const std::vector<Pose>& PairAdvance::place(const VerifyPair& pair, VerifyScratch& scratch) const {
  if (pair.s == 0) return window_.poses(pair.leg);
  const auto leg = static_cast<Eigen::Index>(pair.leg);
  interpolate(scene_, motion_.q.col(leg), motion_.q.col(leg + 1), motion_.course, pair.s,
              scratch.q);
  compute_kinematics(scene_, scratch.q, scratch.workspace);
  return scratch.workspace.X_WM();
}

PairAdvance::Look PairAdvance::look(VerifyPair& pair, VerifyScratch& scratch) const {
  const VerifyObject &a = object(pair.a), &b = object(pair.b);
  const std::vector<Pose>& X_WM = place(pair, scratch);
  const Pose X_WA = place_object(a, X_WM);
  const Pose X_AB = X_WA.inverse() * place_object(b, X_WM);
  const bool begins = !pair.is_begun;
  pair.is_begun = true;
  // Farther than what is told apart by enough for a good step: boxes will do.
  if (const double bound = bound_gap(a.shape, b.shape, X_AB) - pair.stray; bound > 1.5 * far(pair))
    return {bound, false};
  const GapUse use{.floor = pair.floor + pair.stray,
                   .target = std::min(target_, kShare * pair.nearest) + pair.stray,
                   .share = kShare,
                   .limit = 2 * far(pair) + pair.stray};
  Gap gap = measure_gap(a.shape, b.shape, X_AB, use, pair.hint);
  gap.lower -= pair.stray;
  gap.upper -= pair.stray;
  ++pair.queries;
  const Vec3 b_in_a = X_AB * b.shape.centre;
  const Vec3 point = X_WA * (gap.upper < kInfinity             ? Vec3((gap.on_a + gap.on_b) / 2)
                             : a.shape.radius < b.shape.radius ? a.shape.centre
                                                               : b_in_a);
  if (begins && gap.upper > 0 && lies_inside(a.shape, b.shape, X_AB)) {
    pair.is_refused = true;
    note(pair, -std::min(gap.upper, gap.lower), point);
  } else if (gap.upper < pair.nearest) {
    pair.is_refused = gap.upper <= pair.refuse;
    note(pair, gap.upper, point);
  }
  return {gap.lower, true};
}

void PairAdvance::note(VerifyPair& pair, double distance, const Vec3& point) const {
  pair.nearest = distance;
  pair.nearest_leg = pair.leg;
  pair.nearest_s = pair.s;
  pair.point = point;
}

void PairAdvance::step(VerifyPair& pair, const Look& look) const {
  double spare = look.lower - keep(pair, target_);
  bool is_at_moment = false;
  while (pair.leg < window_.end) {
    const double fast = rate(pair, pair.leg);
    if (const double whole = fast * (1 - pair.s); whole <= spare) {
      spare -= whole;
      ++pair.leg;
      pair.s = 0;
      is_at_moment = true;
      continue;
    }
    // At a moment all are placed already, which is worth more than a bit of way.
    if (is_at_moment && !look.is_exact) return;
    const double next = pair.s + spare / fast;
    if (!is_at_moment && !(next > pair.s)) {
      // Too fast for double to tell the moments apart: not proven.
      pair.is_refused = true;
      return note(pair, look.lower, pair.point);
    }
    pair.s = next;
    return;
  }
}

double PairAdvance::rate(const VerifyPair& pair, std::size_t leg) const {
  const auto bound = [&](int i) {
    return bound_rate(scene_, window_.rates_of(leg), window_.poses(leg), object(i).ball,
                      pair.above);
  };
  return bound(pair.a) + bound(pair.b);
}

}  // namespace geste::internal
