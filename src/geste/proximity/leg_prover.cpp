#include "geste/proximity/internal/leg_prover.hpp"

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

/// Bounds close long before; a leg that needs more is one that cannot be told from touching.
constexpr std::size_t kDeepest = 48;
/// Open parts of a leg, likewise.
constexpr std::size_t kMostParts = 1 << 20;

Ball make_ball(const CollisionObject& object) {
  const AxisBox& box = object.collider.box();
  double squared = box.size().squaredNorm() / 4;
  if (const MeshTree* mesh = object.collider.mesh()) {
    squared = 0;
    for (const Vec3& p : mesh->mesh().vertices)
      squared = std::max(squared, (p - box.centre()).squaredNorm());
  }
  return {object.X_MO * box.centre(), std::sqrt(squared)};
}

}  // namespace

void append(const ClearanceSpan& span, std::vector<ClearanceSpan>& profile) {
  if (!profile.empty()) {
    ClearanceSpan& last = profile.back();
    if (last.a == span.a && last.b == span.b && last.clearance == span.clearance) {
      last.end = span.end;
      return;
    }
  }
  profile.push_back(span);
}

ProofScene::ProofScene(const Scene& s, const CollisionModel& m) : scene(s), model(m) {
  balls.reserve(model.objects().size());
  for (const CollisionObject& o : model.objects()) balls.push_back(make_ball(o));
}

LegProver::LegProver(const ProofScene& world)
    : world_(world),
      leg_(world.scene),
      strays_(world.scene),
      q_(world.scene.nq()),
      begin_(world.scene),
      end_(world.scene),
      collision_(world.model),
      swept_(world.model.objects().size()) {}

LegProver::Poses LegProver::compute_poses(double s, std::size_t depth) {
  while (middles_.size() <= depth) middles_.emplace_back(world_.scene);
  place(s, middles_[depth]);
  return middles_[depth].X_WM();
}

void LegProver::set_leg(ConstVecRef q0, ConstVecRef q1, Course course,
                        const ProofOptions& options) {
  options_ = options;
  wants_profile_ = options.accuracy < 1;
  contact_.reset();
  is_cancelled_ = false;
  leg_.set(q0, q1, course);
}

MotionProof LegProver::prove(ConstVecRef q0, ConstVecRef q1, Course course,
                             const ProofOptions& options) {
  set_leg(q0, q1, course, options);
  compute_kinematics(world_.scene, q0, begin_);
  compute_kinematics(world_.scene, q1, end_);
  MotionProof proof;
  if (!bound_strays(proof) || !begins_free(proof)) return proof;
  collect_pairs();
  const Known known = set_resting_aside();
  prove({0, 1, begin_.X_WM(), end_.X_WM(), 0, pairs_.size(), 0}, known, proof.profile);
  proof.free_until = proof.profile.empty() ? 0 : proof.profile.back().end;
  if (is_cancelled_) proof.broken = MotionBreak{proof.free_until, "stopped before the end"};
  if (contact_) proof.contact = describe(*contact_);
  proof.stray = largest_stray_;
  return proof;
}

bool LegProver::bound_strays(MotionProof& proof) {
  largest_stray_ = 0;
  if (!strays_.is_needed()) return true;
  const ConstVecRef q0 = leg_.begin(), q1 = leg_.end();
  if (auto failure = strays_.compute(q0, q1, leg_.course())) {
    proof.broken = MotionBreak{failure->at, std::move(failure->what)};
    return false;
  }
  leg_.set_strays(strays_.strays());
  return true;
}

std::optional<LegProver::Contact> LegProver::find_contact(double begin, double end,
                                                          std::span<const ProofPair> pairs) {
  pairs_.assign(pairs.begin(), pairs.end());
  std::erase_if(pairs_, [&](const ProofPair& p) {
    return !leg_.moves(object(p.a).mover, object(p.b).mover);
  });
  if (pairs_.empty()) return std::nullopt;
  begin_at_ = end_at_ = -1;
  // All intervals of one length before those of half that: where something touches it shows long
  // before the rest is proven.
  parts_.assign(1, {begin, end, 0, pairs_.size(), 0});
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    // What was called off is not proven.
    if (options_.cancel.requested()) return Contact{parts_[k].begin, pairs_[parts_[k].first]};
    if (const auto contact = find_contact(parts_[k])) return contact;
  }
  return std::nullopt;
}

std::optional<LegProver::Contact> LegProver::find_contact(const Part part) {
  place_ends(part);
  const double s = (part.begin + part.end) / 2;
  const Poses middle = compute_poses(s, 0);
  const Interval interval{part.begin, part.end,  begin_.X_WM(), end_.X_WM(),
                          part.first, part.last, part.depth};
  const std::size_t first = pairs_.size();
  for (std::size_t k = part.first; k < part.last; ++k) {
    const ProofPair pair = pairs_[k];
    const SweepAnswer answer = examine(pair, interval, middle).answer;
    if (answer == SweepAnswer::touching) return Contact{s, pair};
    if (answer == SweepAnswer::open) pairs_.push_back(pair);
  }
  if (pairs_.size() == first) return std::nullopt;
  const std::size_t depth = part.depth + 1;
  if (depth == kDeepest || parts_.size() > kMostParts) return Contact{s, pairs_[first]};
  parts_.push_back({part.begin, s, first, pairs_.size(), depth});
  parts_.push_back({s, part.end, first, pairs_.size(), depth});
  return std::nullopt;
}

/// One part mostly begins where the one before it ended.
void LegProver::place_ends(const Part& part) {
  if (begin_at_ != part.begin) {
    if (end_at_ == part.begin) {
      std::swap(begin_, end_);
      end_at_ = -1;
    } else {
      place(part.begin, begin_);
    }
    begin_at_ = part.begin;
  }
  if (end_at_ != part.end) place(part.end, end_);
  end_at_ = part.end;
}

void LegProver::place(double s, Workspace& workspace) {
  leg_.interpolate(s, q_);
  compute_kinematics(world_.scene, q_, workspace);
}

bool LegProver::begins_free(MotionProof& proof) {
  if (is_free(world_.model, begin_, collision_)) return true;
  proof.contact = MotionContact{0, find_collisions(world_.model, begin_, collision_).front()};
  return false;
}

/// Every pair that may come nearer than anyone asks for.
void LegProver::collect_pairs() {
  pairs_.clear();
  const CollisionModel& model = world_.model;
  const Poses X_WM = compute_poses(0.5, 0);
  const double within = std::max(wants_profile_ ? options_.limit : 0.0, model.largest_margin());
  for (const int i : model.moving()) {
    const CollisionObject& o = object(i);
    const MotionBound bound = leg_.bound(0, o.mover, place_ball(i, X_WM), X_WM, 0.5);
    swept_[at(i)] = inflate(place_box(place(i, X_WM), o.collider.box()), bound.reach + bound.stray);
  }
  for (const int i : model.moving()) {
    model.fixed().find(inflate(swept_[at(i)], within), stack_, [&](int j) {
      add_pair(i, j);
      return false;
    });
    for (const int j : model.moving()) {
      if (j > i && compute_gap(swept_[at(i)], swept_[at(j)]) <= within) add_pair(i, j);
    }
  }
  // In the order of the objects, whatever the trees look like.
  std::sort(pairs_.begin(), pairs_.end(), [](const ProofPair& x, const ProofPair& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
}

void LegProver::add_pair(int i, int j) {
  const CollisionModel& model = world_.model;
  const PairRule rule = model.rule(object(i).body, object(j).body);
  // Who cannot touch within the limits may still come near, or stray beyond them.
  const bool counts = rule == PairRule::beyond_reach && (wants_profile_ || strays_.is_needed());
  if (rule != PairRule::checked && !counts) return;
  if (model.rigid_mover(object(i).mover) == model.rigid_mover(object(j).mover)) return;
  pairs_.push_back({std::min(i, j), std::max(i, j), model.margin(object(i).body, object(j).body)});
}

/// Pairs that do not move against each other on this leg stay as far apart as they begin.
LegProver::Known LegProver::set_resting_aside() {
  Known known{wants_profile_ ? options_.limit : 0, {}, {}};
  const Poses X_WM = begin_.X_WM();
  std::erase_if(pairs_, [&](const ProofPair& p) {
    if (leg_.moves(object(p.a).mover, object(p.b).mover)) return false;
    if (!wants_profile_) return true;
    const Pose X_AB = place(p.a, X_WM).inverse() * place(p.b, X_WM);
    const double gap = compute_gap(object(p.a).collider, object(p.b).collider, X_AB, scratch_,
                                   nullptr, known.clearance);
    if (gap < known.clearance) known = {gap, object(p.a).body, object(p.b).body};
    return true;
  });
  return known;
}

bool LegProver::prove(const Interval& interval, Known known, std::vector<ClearanceSpan>& profile) {
  if (is_cancelled_ || options_.cancel.requested()) {
    is_cancelled_ = true;
    return false;
  }
  const double s = interval.middle();
  const Poses middle = compute_poses(s, interval.depth);
  std::optional<ProofPair> touching;
  // What is proven for an interval is not asked again in its halves.
  for (std::size_t k = interval.first; k < interval.last; ++k) {
    const ProofPair pair = pairs_[k];
    const Finding f = examine(pair, interval, middle);
    if (f.answer == SweepAnswer::apart) {
      if (f.clearance < known.clearance)
        known = {f.clearance, object(pair.a).body, object(pair.b).body};
      continue;
    }
    if (f.answer == SweepAnswer::touching && !touching) touching = pair;
    pairs_.push_back(pair);
  }
  const std::size_t open = pairs_.size() - interval.last;
  if (open == 0) {
    append({interval.begin, interval.end, known.clearance, known.a, known.b}, profile);
    return true;
  }
  const std::size_t depth = interval.depth + 1;
  if (depth == kDeepest && !touching) touching = pairs_[interval.last];
  Interval part{interval.begin,       s,    interval.at_begin, middle, interval.last,
                interval.last + open, depth};
  bool is_proven = depth == kDeepest || prove(part, known, profile);
  if (is_proven && touching) {
    contact_ = Contact{s, *touching};
    is_proven = false;
  } else if (is_proven) {
    part = {s, interval.end, middle, interval.at_end, part.first, part.last, depth};
    is_proven = prove(part, known, profile);
  }
  pairs_.resize(interval.last);
  return is_proven;
}

LegProver::Finding LegProver::examine(const ProofPair& pair, const Interval& interval,
                                      Poses middle) {
  if (sweep_counts_) ++(*sweep_counts_)[{pair.a, pair.b}];
  // Seen from either of the two: the one that sees less motion.
  int a = pair.a, b = pair.b;
  const Ball ball_a = place_ball(a, middle), ball_b = place_ball(b, middle);
  const int mover_a = object(a).mover, mover_b = object(b).mover;
  MotionBound bound = leg_.bound(mover_a, mover_b, ball_b, middle, interval.half());
  MotionBound other = leg_.bound(mover_b, mover_a, ball_a, middle, interval.half());
  if (other.reach < bound.reach) {
    std::swap(bound, other);
    std::swap(a, b);
  }
  // Whoever strays must be proven to stay so much farther apart.
  const double stray = std::min(bound.stray, other.stray);
  largest_stray_ = std::max(largest_stray_, stray);
  const double keep = pair.margin + stray;
  const double most = wants_profile_ ? std::max(options_.limit + stray, keep) : keep;
  const double apart = (ball_a.centre - ball_b.centre).norm() - ball_a.radius - ball_b.radius;
  if (apart - bound.reach > most) return {SweepAnswer::apart, most - stray};

  const Collider &collider_a = object(a).collider, &collider_b = object(b).collider;
  const PairSweep sweep = make_sweep(a, b, interval, middle, bound);
  if (!wants_profile_)
    return {sweep_apart(collider_a, collider_b, sweep, keep, options_.touch, scratch_),
            pair.margin};
  const double gap =
      compute_gap(collider_a, collider_b, sweep.X_AB_middle, scratch_, nullptr, most + bound.reach);
  if (gap == kInfinity) return {SweepAnswer::apart, most - stray};
  if (gap <= keep + options_.touch) return {SweepAnswer::touching, 0};
  const double wanted =
      std::min(most, std::max(keep, gap - std::max(options_.accuracy * gap, options_.touch)));
  if (gap - bound.reach >= wanted)
    return {SweepAnswer::apart, std::min(gap - bound.reach, most) - stray};
  if (gap - bound.sag < wanted) return {SweepAnswer::open, 0};
  return {sweep_apart(collider_a, collider_b, sweep, wanted, 0, scratch_), wanted - stray};
}

PairSweep LegProver::make_sweep(int a, int b, const Interval& interval, Poses middle,
                                const MotionBound& bound) const {
  const auto relative = [&](Poses X_WM) { return place(a, X_WM).inverse() * place(b, X_WM); };
  return {relative(interval.at_begin), relative(middle), relative(interval.at_end), bound.sag,
          bound.reach};
}

MotionContact LegProver::describe(const Contact& contact) {
  const ProofPair& pair = contact.pair;
  const Poses X_WM = compute_poses(contact.at, 0);
  const Pose X_WA = place(pair.a, X_WM);
  const Separation separation = compute_separation(object(pair.a).collider, object(pair.b).collider,
                                                   X_WA.inverse() * place(pair.b, X_WM), scratch_);
  return {contact.at,
          {object(pair.a).body, object(pair.b).body, pair.a, pair.b, placed(separation, X_WA),
           pair.margin}};
}

}  // namespace geste
