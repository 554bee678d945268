#include "geste/model/stray.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/internal/loop_stray.hpp"
#include "geste/model/joint_manifold.hpp"

namespace geste {
namespace {

using Failure = StrayBound::Failure;

bool turns(JointType type) { return type == JointType::revolute || type == JointType::continuous; }

/// Whether a follower may be elsewhere than on the straight line between its values.
bool may_stray(const Scene& scene, const Follower& f) {
  // Joints that turn without end go the shorter way round, which need not be that of the other.
  const auto is_endless = [&](JointId id) { return scene.joint(id).type == JointType::continuous; };
  return !std::holds_alternative<LinearFollow>(f.function) || is_endless(f.joint) ||
         is_endless(f.leaders.front());
}

/// The largest difference of two poses of a joint whose values differ by something between a and b.
double bound_miss(JointType type, double a, double b) {
  if (!turns(type)) return std::max(std::abs(a), std::abs(b));
  const auto count_turns = [](double x) { return std::round(x / (2 * std::numbers::pi)); };
  if (count_turns(a) != count_turns(b)) return std::numbers::pi;
  return std::max(std::abs(wrap_angle(a)), std::abs(wrap_angle(b)));
}

/// Bounds of the first and second derivative of a joint's entries of q over a leg.
struct EntryRates {
  double first = 0;
  double second = 0;
};
EntryRates bound_entries(const Mover& m, const JointTravel& rate, Course course) {
  const bool has_quaternion = m.type == JointType::spherical || m.type == JointType::free;
  const bool slides = m.type == JointType::planar || m.type == JointType::free;
  const double turn = has_quaternion ? rate.angular / 2 : rate.angular;
  // An arc of constant velocity bends by its turn; a quaternion goes round the unit sphere.
  const double arc = slides && course == Course::screw ? rate.linear * rate.angular : 0;
  return {std::hypot(turn, rate.linear), std::hypot(has_quaternion ? turn * turn : 0, arc)};
}

double find_steepest(const TableFollow& table) {
  double steepest = 0;
  for (std::size_t k = 1; k < table.points.size(); ++k) {
    const auto& [x, y] = table.points[k];
    const auto& [x_before, y_before] = table.points[k - 1];
    steepest = std::max(steepest, std::abs((y - y_before) / (x - x_before)));
  }
  return steepest;
}

/// 0 where there is nothing to multiply, whatever the bound.
double times(double bound, double amount) { return amount == 0 ? 0 : bound * amount; }

}  // namespace

struct StrayBound::Data {
  explicit Data(const Scene& s) : scene(s), loops(s), workspace(s), v_closed(VecX::Zero(s.nv())) {
    const std::vector<Mover>& movers = scene.movers();
    mover_of.assign(scene.joints().size(), 0);
    for (std::size_t i = 1; i < movers.size(); ++i)
      mover_of[static_cast<std::size_t>(movers[i].joint.value())] = i;
    leg.v = VecX::Zero(scene.nv());
    leg.rates.resize(movers.size());
    strays.resize(movers.size());
    is_needed = !scene.loops().empty() || !scene.explicit_loops().empty() ||
                std::any_of(scene.followers().begin(), scene.followers().end(),
                            [&](const Follower& f) { return may_stray(scene, f); });
  }

  [[nodiscard]] std::size_t find_mover(JointId joint) const {
    return mover_of[static_cast<std::size_t>(joint.value())];
  }
  [[nodiscard]] double stray(JointId joint) const {
    const JointTravel& s = strays[find_mover(joint)];
    return s.angular + s.linear;
  }
  void set_stray(JointId joint, double most) {
    const JointType type = scene.joint(joint).type;
    const bool slides =
        type == JointType::prismatic || type == JointType::planar || type == JointType::free;
    // Two angles stray together at most by their sum.
    const double angle = type == JointType::universal ? std::sqrt(2.0) * most : most;
    strays[find_mover(joint)] = {type == JointType::prismatic ? 0 : angle, slides ? most : 0};
  }

  [[nodiscard]] double miss(const ExplicitLoop& loop);
  void set_dependent(JointId joint, double most, double change);
  std::optional<Failure> bound_formulas();
  std::optional<Failure> bound_followers();
  [[nodiscard]] double bound_follower(const Follower& f);
  void find_cuts(const Joint& leader, const TableFollow* table);

  const Scene& scene;
  bool is_needed = false;
  std::vector<std::size_t> mover_of;  ///< by joint; 0: none
  internal::LoopStray loops;
  internal::StrayLeg leg;
  Workspace workspace;
  VecX q_closed, v_closed;
  std::vector<double> cuts;
  std::vector<JointTravel> strays;
};

StrayBound::StrayBound(const Scene& scene) : data_(new Data(scene)) {}
StrayBound::~StrayBound() = default;
StrayBound::StrayBound(StrayBound&&) noexcept = default;
StrayBound& StrayBound::operator=(StrayBound&&) noexcept = default;

bool StrayBound::is_needed() const { return data_->is_needed; }
std::span<const JointTravel> StrayBound::strays() const { return data_->strays; }

std::optional<Failure> StrayBound::compute(ConstVecRef q0, ConstVecRef q1, Course course) {
  Data& d = *data_;
  std::fill(d.strays.begin(), d.strays.end(), JointTravel{});
  if (!d.is_needed) return std::nullopt;
  d.leg.q0 = q0;
  d.leg.q1 = q1;
  d.leg.course = course;
  difference(d.scene, q0, q1, d.leg.v);
  for (std::size_t i = 1; i < d.leg.rates.size(); ++i) {
    const Mover& m = d.scene.movers()[i];
    d.leg.rates[i] =
        bound_travel(m, q0.data() + m.q, q1.data() + m.q, d.leg.v.data() + m.v, course);
  }
  if (!d.scene.loops().empty()) {
    double most = 0;
    if (auto failure = d.loops.compute(d.leg, most)) return failure;
    for (const JointId joint : d.loops.joints()) d.set_stray(joint, most);
  }
  if (auto failure = d.bound_formulas()) return failure;
  return d.bound_followers();
}

/// How far the dependent joints are from their formula at the ends.
double StrayBound::Data::miss(const ExplicitLoop& loop) {
  double most = 0;
  for (const VecX* q : {&leg.q0, &leg.q1}) {
    q_closed = *q;
    if (!compute_dependents(scene, q_closed, workspace)) return kInfinity;
    difference(scene, *q, q_closed, v_closed);
    double squared = 0;
    for (const JointId id : loop.dependent) {
      const Joint& j = scene.joint(id);
      squared += v_closed.segment(j.v, j.nv).squaredNorm();
    }
    most = std::max(most, std::sqrt(squared));
  }
  return most;
}

/// Entries of q that a formula has within `most` of the chord between the ends, and changes by no
/// more than `change`. The leg itself has them on a curve where the joint goes round.
void StrayBound::Data::set_dependent(JointId joint, double most, double change) {
  const std::size_t mover = find_mover(joint);
  if (mover == 0) return;
  const Mover& m = scene.movers()[mover];
  const double entries = most + bound_entries(m, leg.rates[mover], leg.course).second / 8;
  set_stray(joint, entries);
  // Unit quaternions that are d apart are turned by 4 asin(d / 2) against each other.
  JointTravel& found = strays[mover];
  if (m.type == JointType::spherical || m.type == JointType::free)
    found.angular *= std::numbers::pi;
  // Where one could go round the other way no more is known than that half a turn is the most.
  if (change + leg.rates[mover].angular + most >= std::numbers::pi)
    found.angular = m.type == JointType::prismatic ? 0 : std::numbers::pi;
  const double half_turn = (m.type == JointType::universal ? 2 : 1) * std::numbers::pi;
  found.angular = std::min(found.angular, half_turn);
}

std::optional<Failure> StrayBound::Data::bound_formulas() {
  for (const ExplicitLoop& loop : scene.explicit_loops()) {
    double first = 0, second = 0, lead = 0;
    for (const JointId joint : loop.leading) {
      const std::size_t mover = find_mover(joint);
      if (mover == 0) continue;
      const EntryRates rates = bound_entries(scene.movers()[mover], leg.rates[mover], leg.course);
      first = std::hypot(first, rates.first);
      second = std::hypot(second, rates.second);
      lead = std::hypot(lead, stray(joint));
    }
    const double most =
        miss(loop) +
        (times(loop.bounds.curvature, first * first) + times(loop.bounds.slope, second)) / 8 +
        times(loop.bounds.slope, lead);
    if (!std::isfinite(most))
      return Failure{
          0, fmt::format("how far loop '{}' opens is not known: its formula cannot close it "
                         "here, or says nothing of its slope and curvature",
                         loop.name)};
    for (const JointId joint : loop.dependent)
      set_dependent(joint, most, times(loop.bounds.slope, first));
  }
  return std::nullopt;
}

std::optional<Failure> StrayBound::Data::bound_followers() {
  for (const Follower& f : scene.followers()) {
    const double most = bound_follower(f);
    if (!std::isfinite(most))
      return Failure{0, fmt::format("how far joint '{}' strays from the function that it follows "
                                    "is not known; give the function bounds",
                                    scene.joint(f.joint).name)};
    set_stray(f.joint, most);
  }
  return std::nullopt;
}

double StrayBound::Data::bound_follower(const Follower& f) {
  double lead = 0, rate = 0;
  for (const JointId id : f.leaders) {
    lead = std::hypot(lead, stray(id));
    rate = std::hypot(rate, leg.v[scene.joint(id).v]);
  }
  const Joint& joint = scene.joint(f.joint);
  const auto value = [&](const Joint& j, double s) { return leg.q0[j.q] + s * leg.v[j.v]; };
  const auto* table = std::get_if<TableFollow>(&f.function);
  find_cuts(scene.joint(f.leaders.front()), table);
  // Between cuts the difference to a linear function is linear.
  double most = 0;
  std::vector<double> leaders(f.leaders.size());
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const double middle = (cuts[k] + cuts[k + 1]) / 2;
    const auto differ = [&](double s) {
      for (std::size_t i = 0; i < leaders.size(); ++i) {
        const Joint& leader = scene.joint(f.leaders[i]);
        // As it is kept within half a turn.
        const double there = value(leader, middle);
        const double turned = leader.type == JointType::continuous ? there - wrap_angle(there) : 0;
        leaders[i] = value(leader, s) - turned;
      }
      return evaluate_follow(f, leaders) - value(joint, s);
    };
    most = std::max(most, bound_miss(joint.type, differ(cuts[k]), differ(cuts[k + 1])));
  }
  if (const auto* linear = std::get_if<LinearFollow>(&f.function)) {
    most += std::abs(linear->multiplier) * lead;
  } else if (table) {
    most += times(find_steepest(*table), lead);
  } else {
    const FunctionBounds& bounds = std::get<CallableFollow>(f.function).bounds;
    most += times(bounds.curvature, rate * rate) / 8 + times(bounds.slope, lead);
  }
  return turns(joint.type) && std::isfinite(most) ? std::min(most, std::numbers::pi) : most;
}

/// Shares of the leg between which a function of the leader is as straight as it is smooth: not at
/// a table's points, nor where a leader that turns without end begins anew.
void StrayBound::Data::find_cuts(const Joint& leader, const TableFollow* table) {
  const double x0 = leg.q0[leader.q], v = leg.v[leader.v];
  cuts.assign({0, 1});
  const auto add = [&](double x) {
    const double s = (x - x0) / v;
    if (s > 0 && s < 1) cuts.push_back(s);
  };
  const bool is_endless = leader.type == JointType::continuous;
  for (int turn = is_endless ? -1 : 0; v != 0 && turn <= (is_endless ? 1 : 0); ++turn) {
    const double begin = 2 * std::numbers::pi * turn;
    if (is_endless) add(begin + std::numbers::pi);
    if (!table) continue;
    for (const auto& [x, y] : table->points) add(begin + x);
  }
  std::sort(cuts.begin(), cuts.end());
}

}  // namespace geste
