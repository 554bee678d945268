#include "geste/model/stray.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/internal/loop_stray.hpp"
#include "geste/model/internal/manifold.hpp"

namespace geste {
namespace {

using Failure = StrayBound::Failure;

bool turns(JointType type) { return type == JointType::revolute || type == JointType::continuous; }

/// Whether a follower may be elsewhere than on the straight line between its values.
bool may_stray(const Scene& scene, const Follower& f) {
  // The leader may take the other way round.
  return !std::holds_alternative<LinearFollow>(f.function) ||
         scene.joint(f.leaders.front()).type == JointType::continuous;
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
  std::optional<Failure> bound_formulas();
  std::optional<Failure> bound_followers();
  [[nodiscard]] double bound_follower(const Follower& f) const;

  const Scene& scene;
  bool is_needed = false;
  std::vector<std::size_t> mover_of;  ///< by joint; 0: none
  internal::LoopStray loops;
  internal::StrayLeg leg;
  Workspace workspace;
  VecX q_closed, v_closed;
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
    for (const JointId joint : loop.dependent) set_stray(joint, most);
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

double StrayBound::Data::bound_follower(const Follower& f) const {
  const auto value = [&](JointId id, double s) {
    const Joint& j = scene.joint(id);
    return leg.q0[j.q] + s * leg.v[j.v];
  };
  std::vector<double> leaders(f.leaders.size());
  const auto miss = [&](double s) {
    for (std::size_t i = 0; i < leaders.size(); ++i) leaders[i] = value(f.leaders[i], s);
    const double by = evaluate_follow(f, leaders) - value(f.joint, s);
    return std::abs(turns(scene.joint(f.joint).type) ? internal::wrap_angle(by) : by);
  };
  double lead = 0, rate = 0;
  for (const JointId id : f.leaders) {
    lead = std::hypot(lead, stray(id));
    rate = std::hypot(rate, leg.v[scene.joint(id).v]);
  }
  const double ends = std::max(miss(0), miss(1));
  if (const auto* linear = std::get_if<LinearFollow>(&f.function))
    return ends + std::abs(linear->multiplier) * lead;
  if (const auto* table = std::get_if<TableFollow>(&f.function)) {
    double most = ends, steepest = 0;
    const double x0 = value(f.leaders.front(), 0), x1 = value(f.leaders.front(), 1);
    for (std::size_t k = 0; k < table->points.size(); ++k) {
      const auto& [x, y] = table->points[k];
      if (x > std::min(x0, x1) && x < std::max(x0, x1))
        most = std::max(most, miss((x - x0) / (x1 - x0)));
      if (k == 0) continue;
      const auto& [x_before, y_before] = table->points[k - 1];
      steepest = std::max(steepest, std::abs((y - y_before) / (x - x_before)));
    }
    return most + steepest * lead;
  }
  const FunctionBounds& bounds = std::get<CallableFollow>(f.function).bounds;
  return ends + times(bounds.curvature, rate * rate) / 8 + times(bounds.slope, lead);
}

}  // namespace geste
