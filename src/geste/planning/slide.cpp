#include "geste/planning/slide.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

using Reached = LocalPlanner::Reached;

/// Contacts are looked for so many steps around.
constexpr double kLookAround = 1.5;
/// Where all goes well steps grow up to so many times their length.
constexpr double kLongStep = 8;
/// The share of a step that is still tried where all of it is not free.
constexpr double kLeastShare = 0.1;
/// What is so near to where it should be is there, but for rounding.
constexpr double kThere = 1e-9;
/// At so many places a leg is looked at that is not proven.
constexpr int kLooks = 2;

/// Places around one, and how many of them collide where it is narrow.
constexpr int kAround = 8;
constexpr int kNarrow = 7;

/// How far a unit of the metric moves a point: the longest arm of any planned joint.
double find_longest(const PlanningSpace& space) {
  double length = 0;
  for (const PlanningSpace::Item& item : space.items())
    length = std::max(length, 1 / item.per_metre);
  return length;
}

}  // namespace

bool Slider::fits(const PlanningWorld& world) {
  return world.steering.takes_any_leg() && !world.space.has_dependents();
}

Slider::Slider(LocalPlanner& local, const SlideOptions& options)
    : local_(local),
      space_(local.world().space),
      model_(local.world().validator.model()),
      options_(options),
      short_step_(options.step),
      length_(find_longest(space_)),
      entry_(at(space_.scene().nv()), -1),
      scale_(space_.dimension()),
      q_(space_.scene().nq()),
      here_(space_.size()),
      point_(space_.size()),
      settled_(space_.size()),
      end_(space_.size()),
      workspace_(space_.scene()),
      collision_(model_),
      looks_(space_.size(), kLooks),
      around_(space_.size(), kAround),
      rows_(space_.dimension(), 16),
      wanted_(space_.dimension()),
      step_(space_.dimension()) {
  int next = 0;
  for (const PlanningSpace::Item& item : space_.items()) {
    const int positions = count_positions(item.joint.type);
    for (int k = 0; k < item.joint.nv; ++k) {
      scale_[next] = k < positions ? 1 / item.per_metre : 1;
      entry_[at(item.joint.v + k)] = next++;
    }
  }
}

Reached Slider::slide(ConstVecRef a, ConstVecRef b, Way& way) {
  way.clear();
  way.add(a);
  double most = short_step_;
  for (int k = 0; k < options_.most_steps; ++k) {
    here_ = way.back();
    const double left = space_.distance(here_, b);
    if (here_ == b) return Reached::all;
    find_constraints(here_, kLookAround * std::min(most, short_step_) * length_, Purpose::slide);
    want(here_, b, most);
    solve();
    if (step_.norm() > most) step_ *= most / step_.norm();
    double share = 1;
    bool is_free = false;
    while (!is_free && share > kLeastShare) {
      move(here_, share, point_);
      if (space_.distance(point_, b) < kThere) point_ = b;
      // Enough to go on for, and proven.
      const double nearer = left - space_.distance(point_, b);
      is_free = nearer > options_.progress * space_.distance(here_, point_) &&
                (nearer > 1e-3 * short_step_ || point_ == b) && is_leg_free();
      if (!is_free) share /= 2;
    }
    if (!is_free) break;
    way.add(point_);
    most = std::min(2 * share * most, kLongStep * short_step_);
  }
  // What is nearer to something than is kept from it can only be gone to straight.
  here_ = way.back();
  point_ = b;
  if (here_ != b && space_.distance(here_, b) < short_step_ && is_leg_free()) way.add(b);
  if (way.back() == b) return Reached::all;
  if (way.count() == 1) return Reached::nothing;
  here_ = way.back();
  end_ = here_;
  if (settle(end_)) {
    point_ = end_;
    if (is_leg_free()) way.add(end_);
  }
  return Reached::part;
}

bool Slider::is_leg_free() {
  if (options_.proves) return local_.is_leg_free(here_, point_);
  if (space_.measure_excess(point_) > 1e-9) return false;
  std::array<char, kLooks> free{};
  for (int k = 0; k + 1 < kLooks; ++k)
    space_.interpolate(here_, point_, local_.world().steering.course(), (k + 1.0) / kLooks,
                       looks_.col(k));
  looks_.col(kLooks - 1) = point_;
  local_.check(looks_, free);
  return std::all_of(free.begin(), free.end(), [](char f) { return f != 0; });
}

bool Slider::retract(VecRef x) {
  constexpr int kTries = 8;
  constexpr double kFarthest = 1;
  for (int k = 0; k < kTries; ++k) {
    find_constraints(x, short_step_ * length_, Purpose::retract);
    wanted_.setZero();
    solve();
    const double length = step_.norm();
    if (length < 1e-6 || length > kFarthest) return false;
    move(x, 1, point_);
    x = point_;
    if (!local_.is_free(x)) continue;
    settle(x);
    return true;
  }
  return false;
}

bool Slider::settle(VecRef x) {
  constexpr int kTries = 4;
  constexpr double kEnough = 0.9;
  settled_ = x;
  double before = -kInfinity;
  bool moved = false;
  for (int k = 0; k < kTries; ++k) {
    find_constraints(settled_, 2 * keep(), Purpose::retract);
    if (!(nearest_ > before)) break;
    before = nearest_;
    moved = k > 0;
    x = settled_;
    if (nearest_ >= kEnough * keep()) break;
    wanted_.setZero();
    solve();
    move(x, 1, settled_);
    if (!local_.is_free(settled_)) break;
  }
  return moved;
}

bool Slider::is_narrow(ConstVecRef x, Rng& rng) {
  for (int k = 0; k < kAround; ++k) space_.sample_near(x, step(), rng, around_.col(k));
  std::array<char, kAround> free{};
  local_.check(around_, free);
  return std::count(free.begin(), free.end(), 0) >= kNarrow;
}

void Slider::find_freest(ConstVecRef x, double far, Eigen::Ref<MatX> out, Freedom freedom) {
  find_constraints(x, short_step_ * length_, Purpose::slide);
  const Eigen::Index dofs = freedom == Freedom::all ? space_.dimension() : 3;
  const Eigen::SelfAdjointEigenSolver<MatX> solver(sum_resistance().topLeftCorner(dofs, dofs));
  step_.setZero();
  for (Eigen::Index k = 0; k < out.cols(); ++k) {
    step_.head(dofs) = solver.eigenvectors().col(k / 2);
    move(x, k % 2 == 0 ? far : -far, point_);
    out.col(k) = point_;
  }
}

void Slider::find_onward(ConstVecRef x, ConstVecRef a, ConstVecRef b, double far, VecRef out) {
  constexpr double kRidge = 0.01;
  find_constraints(x, short_step_ * length_, Purpose::slide);
  want(a, b, kInfinity);
  MatX resistance = sum_resistance();
  resistance.diagonal().array() += kRidge * std::max(resistance.trace(), 1e-6);
  step_ = resistance.ldlt().solve(wanted_);
  step_ *= far / std::max(step_.norm(), 1e-12);
  move(x, 1, out);
}

MatX Slider::sum_resistance() const {
  MatX resistance = MatX::Zero(space_.dimension(), space_.dimension());
  for (std::size_t i = 0; i < count_; ++i) {
    const auto row = rows_.col(static_cast<Eigen::Index>(i));
    resistance += row * row.transpose() / squared_[i];
  }
  return resistance;
}

void Slider::find_constraints(ConstVecRef x, double margin, Purpose purpose) {
  count_ = 0;
  nearest_ = kInfinity;
  ++work_;
  const std::uint64_t before = scratch_.tests();
  if (!space_.complete(x, q_, workspace_)) return;
  compute_kinematics(space_.scene(), q_, workspace_);
  compute_joint_columns(space_.scene(), workspace_);
  find_contacts(model_, workspace_, collision_, margin, scratch_, contacts_,
                {.find_deepest = false});
  adapt(scratch_.tests() - before);
  for (const ObjectContacts& pair : contacts_.contacts())
    for (const Contact& contact : pair.set.contacts) add_constraint(pair, contact, purpose);
}

void Slider::adapt(std::uint64_t tests) {
  constexpr std::uint64_t kMany = 1000, kFew = 250;
  constexpr double kShorter = 0.8, kLonger = 1.05, kShortest = 0.02;
  if (tests > kMany) short_step_ = std::max(kShorter * short_step_, kShortest * options_.step);
  if (tests < kFew) short_step_ = std::min(kLonger * short_step_, options_.step);
}

void Slider::add_constraint(const ObjectContacts& pair, const Contact& contact, Purpose purpose) {
  const auto k = static_cast<Eigen::Index>(count_);
  if (k == rows_.cols()) rows_.conservativeResize(Eigen::NoChange, 2 * k);
  least_.resize(count_ + 1);
  squared_.resize(count_ + 1);
  rows_.col(k).setZero();
  const CollisionObject &a = model_.objects()[at(pair.object_a)],
                        &b = model_.objects()[at(pair.object_b)];
  add_motion(b.mover, contact.on_b, contact.normal, 1, rows_.col(k).data());
  add_motion(a.mover, contact.on_a, contact.normal, -1, rows_.col(k).data());
  const double gap = -contact.depth - model_.margin(a.body, b.body);
  const double keep = this->keep();
  nearest_ = std::min(nearest_, gap);
  // Who slides and is too near goes away little by little, or it would be thrown to and fro.
  const double back = purpose == Purpose::slide ? 0.3 : 1;
  least_[count_] = gap > keep ? keep - gap : back * (keep - gap);
  squared_[count_] = rows_.col(k).squaredNorm();
  if (squared_[count_] > 0) ++count_;
}

/// The speed along n of a point that mover carries, for each entry of a step.
void Slider::add_motion(int mover, const Vec3& p_W, const Vec3& n, double sign, double* row) const {
  const std::vector<Mover>& movers = space_.scene().movers();
  const Mat6X& columns = workspace_.columns();
  for (int i = mover; i > 0; i = movers[at(i)].parent) {
    const Mover& m = movers[at(i)];
    for (int j = m.v; j < m.v + m.nv; ++j) {
      const int k = entry_[at(j)];
      if (k < 0) continue;
      const Vec3 angular = columns.col(j).tail<3>();
      row[k] += sign * scale_[k] * n.dot(columns.col(j).head<3>() + angular.cross(p_W));
    }
  }
}

void Slider::want(ConstVecRef x, ConstVecRef b, double most) {
  double v[6];
  int next = 0;
  for (const PlanningSpace::Item& item : space_.items()) {
    difference(item.joint, x.data() + item.x, b.data() + item.x, v);
    for (int k = 0; k < item.joint.nv; ++k, ++next) wanted_[next] = v[k] / scale_[next];
  }
  const double length = wanted_.norm();
  if (length > most) wanted_ *= most / length;
}

/// Hildreth's method: one multiplier after the other. Constraints that contradict each other, as
/// those of two walls do, give way a little, so that what is between them ends up in the middle.
void Slider::solve() {
  constexpr int kSweeps = 40;
  constexpr double kSoft = 1e-3;
  step_ = wanted_;
  force_.assign(count_, 0);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double most = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto row = rows_.col(static_cast<Eigen::Index>(i));
      const double soft = kSoft * squared_[i];
      const double missing = least_[i] - row.dot(step_) - soft * force_[i];
      const double change = std::max(-force_[i], missing / (squared_[i] + soft));
      if (change == 0) continue;
      force_[i] += change;
      step_ += change * row;
      most = std::max(most, std::abs(change) * std::sqrt(squared_[i]));
    }
    if (most < 1e-3 * short_step_) return;
  }
}

void Slider::move(ConstVecRef x, double share, VecRef out) const {
  double v[6];
  int next = 0;
  for (const PlanningSpace::Item& item : space_.items()) {
    for (int k = 0; k < item.joint.nv; ++k, ++next) v[k] = share * scale_[next] * step_[next];
    integrate(item.joint, x.data() + item.x, v, out.data() + item.x);
    item.clamp(out.data() + item.x);
  }
}

}  // namespace geste
