#include "geste/tasks/internal/withdrawal.hpp"

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste::internal {
namespace {

class WithdrawalSearch {
 public:
  WithdrawalSearch(const TaskScene& world, const PlanningSpace& space, const CollisionModel& model,
                   const Vec3& axis)
      : space_(space),
        item_(space.items().front()),
        model_(model),
        workspace_(space.scene()),
        memory_(model),
        axis_(axis),
        start_(space.size()) {
    space.gather(world.start, start_);
    for (const StartContact& c : world.contacts)
      if (c.is_fit && c.axis == axis) fits_.push_back(&c);
  }

  std::vector<VecX> run() {
    std::vector<std::pair<double, VecX>> found;
    for (const double side : {1.0, -1.0}) {
      const Vec3 along = side * axis_;
      if (const auto far = find_apart(along)) found.emplace_back(*far, shift(*far * along));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<VecX> ends;
    for (auto& [far, x] : found) ends.push_back(std::move(x));
    return ends;
  }

 private:
  [[nodiscard]] VecX shift(const Vec3& way_W) const {
    VecX x = start_;
    x.segment<3>(item_.x) += item_.joint.X_PJ.R.transpose() * way_W;
    return x;
  }

  void place(ConstVecRef x) {
    VecX q(space_.scene().nq());
    static_cast<void>(space_.complete(x, q, workspace_));
    compute_kinematics(space_.scene(), q, workspace_);
  }

  bool are_apart(const Vec3& way_W) {
    place(shift(way_W));
    return std::all_of(fits_.begin(), fits_.end(), [&](const StartContact* fit) {
      const Scene& scene = space_.scene();
      const auto pair = compute_clearance(model_, workspace_, *scene.find_body(fit->moved),
                                          *scene.find_body(fit->other), memory_, kOnlyWhether);
      return !pair || pair->separation.distance > kApart;
    });
  }

  /// m; the least way along a direction after which all are apart, roughly; no farther than the two
  /// boxes take.
  std::optional<double> find_apart(const Vec3& along) {
    constexpr int kSteps = 64;
    place(start_);
    double most = 0;
    for (const StartContact* fit : fits_) {
      const AxisBox a = measure(fit->moved), b = measure(fit->other);
      most = std::max(most, (a.size().norm() + b.size().norm()));
    }
    double before = 0;
    for (int k = 1; k <= kSteps; ++k) {
      // Bolts are short beside what they are in: small steps first.
      const double s = most * std::pow(static_cast<double>(k) / kSteps, 2);
      if (are_apart(s * along)) return refine(along, before, s);
      before = s;
    }
    return std::nullopt;
  }

  double refine(const Vec3& along, double inside, double outside) {
    for (int k = 0; k < 10; ++k) {
      const double middle = (inside + outside) / 2;
      (are_apart(middle * along) ? outside : inside) = middle;
    }
    // Some more, so that the next path does not begin at a contact.
    return outside + 0.02 * outside;
  }

  [[nodiscard]] AxisBox measure(const std::string& body) const {
    AxisBox box;
    const BodyId id = *space_.scene().find_body(body);
    for (const CollisionObject& o : model_.objects())
      if (o.body == id)
        box.add(place_box(workspace_.X_WM()[at(o.mover)] * o.X_MO, o.collider.box()));
    return box;
  }

  /// m; more than planners keep.
  static constexpr double kApart = 8 * kTouch;
  static constexpr DepthOptions kOnlyWhether{.max_points = 1};

  const PlanningSpace& space_;
  const PlanningSpace::Item& item_;
  const CollisionModel& model_;
  Workspace workspace_;
  CollisionWorkspace memory_;
  Vec3 axis_;
  VecX start_;
  std::vector<const StartContact*> fits_;
};

}  // namespace

std::vector<VecX> find_withdrawals(const TaskScene& world, const PlanningSpace& space,
                                   const CollisionModel& model, const Vec3& axis) {
  return WithdrawalSearch(world, space, model, axis).run();
}

}  // namespace geste::internal
