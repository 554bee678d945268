#include "geste/proximity/internal/verify_pair.hpp"

#include <algorithm>
#include <cmath>

#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

Pose place_object(const VerifyObject& o, const std::vector<Pose>& X_WM) {
  return X_WM[static_cast<std::size_t>(o.ball.mover)] * o.X_MO;
}

/// Intervals are cut in two no more often than this: double tells no shorter ones apart.
constexpr int kDeepest = 48;

}  // namespace

bool PairVerifier::is_far_throughout(const VerifyPair& pair) const {
  const VerifyObject &a = object(pair.a), &b = object(pair.b);
  const std::vector<Pose>& X_WM = window_.poses(window_.first);
  const Vec3 between = X_WM[static_cast<std::size_t>(a.ball.mover)] * a.ball.centre -
                       X_WM[static_cast<std::size_t>(b.ball.mover)] * b.ball.centre;
  const double way =
      travel_[static_cast<std::size_t>(pair.a)] + travel_[static_cast<std::size_t>(pair.b)];
  return between.norm() - a.ball.radius - b.ball.radius - way - pair.stray >
         std::max(kFar, pair.refuse);
}

/// One pair on one leg.
class PairVerifier::Leg {
 public:
  Leg(const PairVerifier& all, const VerifyPair& pair, std::size_t leg, VerifyScratch& scratch)
      : all_(all),
        pair_(pair),
        leg_(leg),
        scratch_(scratch),
        // Seen from the one from which the other's points turn less.
        is_swapped_(accelerate(pair.b, pair.a) < accelerate(pair.a, pair.b)),
        a_(all.object(is_swapped_ ? pair.b : pair.a)),
        b_(all.object(is_swapped_ ? pair.a : pair.b)),
        acceleration_(is_swapped_ ? accelerate(pair.b, pair.a) : accelerate(pair.a, pair.b)),
        sweep_(a_.shape, b_.shape,
               {.floor = pair.floor + pair.stray,
                .refuse = pair.refuse + pair.stray,
                .target = all.target_ + pair.stray,
                .share = kShare}) {}

  LegFinding run() {
    const bool is_last = leg_ == all_.window_.end;
    const Pose begin = place(all_.window_.poses(leg_));
    const Pose end = is_last ? begin : place(all_.window_.poses(leg_ + 1));
    scratch_.open.assign(1, {0, 0});
    prove({0, is_last ? 0.0 : 1.0, begin, end}, 0, 0);
    found_.queries = sweep_.queries();
    return found_;
  }

 private:
  struct Interval {
    double begin = 0;
    double end = 1;
    Pose X_begin;
    Pose X_end;
  };

  /// Of B's points, seen from A.
  [[nodiscard]] double accelerate(int a, int b) const {
    if (leg_ == all_.window_.end) return 0;
    return bound_acceleration(all_.scene_, all_.window_.rates_of(leg_), all_.window_.poses(leg_),
                              all_.object(b).ball, all_.object(a).ball.mover);
  }

  [[nodiscard]] Pose place(const std::vector<Pose>& X_WM) const {
    return place_object(a_, X_WM).inverse() * place_object(b_, X_WM);
  }

  const std::vector<Pose>& compute_poses(double s) {
    const auto leg = static_cast<Eigen::Index>(leg_);
    const MatX& q = all_.motion_.q;
    if (s == 0) return all_.window_.poses(leg_);
    interpolate(all_.scene_, q.col(leg), q.col(leg + 1), all_.motion_.course, s, scratch_.q);
    compute_kinematics(all_.scene_, scratch_.q, scratch_.workspace);
    return scratch_.workspace.X_WM();
  }

  /// Nodes from `first` on are open. From left to right, so that what is refused is the first.
  void prove(const Interval& interval, std::size_t first, int depth) {
    if (all_.cancel_.requested()) return;
    const double s = (interval.begin + interval.end) / 2, half = interval.end - s;
    const std::vector<Pose>& X_WM = compute_poses(s);
    const Pose X_AB = place(X_WM);
    const RelativeSweep sweep(interval.X_begin, X_AB, interval.X_end, acceleration_ * half * half);
    std::vector<NodePair>& open = scratch_.open;
    const std::size_t last = open.size();
    const double before = sweep_.nearest().distance;
    sweep_.begin(sweep);
    for (std::size_t k = first; k < last; ++k) sweep_.run(NodePair(open[k]), open);
    const NearestPoints& contact = sweep_.contact();
    if (contact.distance < kInfinity) {
      refuse(contact, s, X_WM);
    } else if (!found_.is_refused && sweep_.nearest().distance < before) {
      note(sweep_.nearest(), s, X_WM);
    }
    if (open.size() > last) cut(interval, s, X_AB, last, depth);
    open.resize(last);
  }

  /// What comes behind a contact is not looked at.
  void cut(const Interval& interval, double s, const Pose& X_AB, std::size_t first, int depth) {
    if (!(interval.begin < s && s < interval.end) || depth == kDeepest) {
      // What cannot be proven is refused.
      if (!found_.is_refused || s < found_.at) found_.at = s;
      found_.is_refused = true;
      return;
    }
    prove({interval.begin, s, interval.X_begin, X_AB}, first, depth + 1);
    if (!found_.is_refused || found_.at > s)
      prove({s, interval.end, X_AB, interval.X_end}, first, depth + 1);
  }

  void refuse(const NearestPoints& contact, double s, const std::vector<Pose>& X_WM) {
    found_.is_refused = true;
    note(contact, s, X_WM);
  }

  void note(const NearestPoints& nearest, double s, const std::vector<Pose>& X_WM) {
    found_.nearest = nearest.distance - pair_.stray;
    found_.at = s;
    found_.point = place_object(a_, X_WM) * Vec3((nearest.on_a + nearest.on_b) / 2);
  }

  const PairVerifier& all_;
  const VerifyPair& pair_;
  std::size_t leg_;
  VerifyScratch& scratch_;
  bool is_swapped_;
  const VerifyObject& a_;
  const VerifyObject& b_;
  double acceleration_;
  ShapeSweep sweep_;
  LegFinding found_;
};

LegFinding PairVerifier::run(const VerifyPair& pair, std::size_t leg,
                             VerifyScratch& scratch) const {
  return Leg(*this, pair, leg, scratch).run();
}

std::optional<LegFinding> find_hidden(const VerifyObject& a, const VerifyObject& b,
                                      const std::vector<Pose>& X_WM) {
  const Pose X_WA = place_object(a, X_WM);
  const Pose X_AB = X_WA.inverse() * place_object(b, X_WM);
  if (bound_gap(a.shape, b.shape, X_AB) > 0 || !lies_inside(a.shape, b.shape, X_AB))
    return std::nullopt;
  const NearestPoints found = compute_surface_distance(a.shape, b.shape, X_AB);
  return LegFinding{.nearest = -found.distance,
                    .point = X_WA * Vec3((found.on_a + found.on_b) / 2),
                    .is_refused = true,
                    .queries = 1};
}

}  // namespace geste::internal
